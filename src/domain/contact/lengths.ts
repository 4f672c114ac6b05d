import type { Fields } from "./adif-record.ts";
import { FIELD_NAMES, getField, FIELDS, type Length } from "./fields.ts";
import { MAX_TEXT_LENGTH } from "./field-texts.ts";
import { CREDIT_FIELDS } from "../origins/first.ts";

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

/**
 * The layers as rules see them, usually the same object. The stored layers keep the full texts, and so do the parts of
 * a file record, which no rule reads.
 */
export const limitLayers = <Layer extends object>(layer: Layer): Layer => {
  let limited = layer;
  for (const name in layer) {
    const part: unknown = layer[name];
    if (typeof part !== "object" || part === null || name === "parts") continue;
    const cut = name === "fields" || name === "typed" ? limitLengths(part as Fields) : limitLayers(part);
    if (cut !== part) limited = { ...limited, [name]: cut };
  }
  return limited;
};
