import type { AdifRecord, Fields } from "./adif-record.ts";
import { FIELD_NAMES, getField, FIELDS, type Length } from "./fields.ts";
import { MAX_TEXT_LENGTH } from "./field-texts.ts";
import { CREDIT_FIELDS } from "../origins/first.ts";
import { isOneRecord, type Answers, type Layers, type OwnLayer, type ServiceLayer } from "./layers.ts";
import { SERVICES } from "../jobs/source.ts";

const under = (names: readonly string[], length: Length) => names.map((name) => [name, length] as const);

/** By ADIF name. */
const LENGTHS: ReadonlyMap<string, Length> = new Map([
  ...FIELD_NAMES.flatMap((field) => {
    const { adif = [], beside = [], length } = getField(field);
    return length ? under([...adif, ...beside], length) : [];
  }),
  ...under(CREDIT_FIELDS, FIELDS.credits.length),
]);

/** For fields of services and fields that no rule reads. */
const OTHERS: Length = { most: MAX_TEXT_LENGTH, beyond: "code" };

const MIN_LIMIT = Math.min(...[...LENGTHS.values()].map(({ most }) => most));

/** The fields as rules and columns see them, with long texts cut. Usually the same object. */
export const limitLengths = (fields: Fields): Fields => {
  for (const name in fields) {
    const { length } = fields[name]!;
    if (length > MIN_LIMIT && length > getLength(name).most) return cut(fields);
  }
  return fields;
};

const getLength = (name: string): Length => LENGTHS.get(name) ?? OTHERS;

const cut = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) => {
      const kept = cutText(text, getLength(name));
      return kept === null ? [] : [[name, kept]];
    }),
  );

const cutText = (text: string, { most, beyond }: Length): string | null => {
  if (text.length <= most) return text;
  switch (beyond) {
    case "words":
      return trimSurrogate(text.slice(0, most));
    case "list":
      return text.slice(0, text.lastIndexOf(",", most) + 1);
    case "code":
      return null;
  }
};

/** PostgreSQL refuses half a surrogate pair. */
const trimSurrogate = (text: string): string => (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text);

const limitRecord = <T extends AdifRecord>(record: T): T => {
  const fields = limitLengths(record.fields);
  return fields === record.fields ? record : { ...record, fields };
};

/** The layers as rules see them. The stored layers keep the full texts. */
export const limitLayers = (layers: Layers): Layers => {
  const own = layers.own && limitOwn(layers.own);
  const services = limitServices(layers);
  return own === layers.own && services === layers ? layers : { ...layers, ...services, own };
};

const limitOwn = (own: OwnLayer): OwnLayer => {
  const typed = own.typed && limitLengths(own.typed);
  const file = own.file && limitRecord(own.file);
  const report = own.report && limitRecord(own.report);
  const brought = own.brought && limitServices(own.brought);
  const isSame = typed === own.typed && file === own.file && report === own.report && brought === own.brought;
  if (isSame) return own;
  return { ...(typed && { typed }), ...(file && { file }), ...(report && { report }), ...(brought && { brought }) };
};

/** Returns the same object if nothing is too long. */
const limitServices = <T extends Partial<Layers>>(layers: T): T => {
  let within = layers;
  for (const service of SERVICES) {
    const layer = layers[service];
    const cut = layer && limitService(layer);
    if (cut !== layer) within = { ...within, [service]: cut };
  }
  return within;
};

const limitService = (layer: ServiceLayer): ServiceLayer => {
  const { twins, ...main } = layer;
  const [cut, cutTwins] = [
    limitAnswers(main as Answers),
    twins && limitEach(twins as Record<string, Answers>, limitAnswers),
  ];
  if (cut === main && cutTwins === twins) return layer;
  return { ...cut, ...(cutTwins && { twins: cutTwins }) } as ServiceLayer;
};

const limitAnswers = (answers: Answers): Answers =>
  isOneRecord(answers) ? limitRecord(answers) : limitEach(answers, limitRecord);

const limitEach = <T>(named: Record<string, T>, within: (one: T) => T): Record<string, T> => {
  const entries = Object.entries(named).map(([name, one]) => [name, one, within(one)] as const);
  if (entries.every(([, one, cut]) => one === cut)) return named;
  return Object.fromEntries(entries.map(([name, , cut]) => [name, cut]));
};
