import type { AdifRecord, Fields } from "./adif-record.ts";
import { word } from "./words.ts";

/** What the owner of the log said: typed by hand, or read from a file. */
export interface OwnLayer {
  typed?: Fields;
  file?: FileRecord;
}

export interface FileRecord extends AdifRecord {
  /** The program that wrote the file, where its records mean something else than usual. */
  program?: string;
}

/** What the first service said: its copy of the contact, and the confirmation with the partner's details. */
export interface FirstLayer {
  qso?: AdifRecord;
  qsl?: AdifRecord;
}

export type SecondLayer = AdifRecord;

/** What each origin said about a contact. A service writes its own layer and nothing else. */
export interface Layers {
  own: OwnLayer | null;
  first: FirstLayer | null;
  second: SecondLayer | null;
}

export type Origin = keyof Layers;

export const NO_LAYERS: Layers = { own: null, first: null, second: null };

/** Which of its questions a service answered with a record. */
export type Part = "qso" | "qsl" | "record";

/** The layers after a file's record was heard. What it leaves out stays; a confirmation it denies stays too. */
export const withFile = (layers: Layers, record: FileRecord): Layers => {
  const known = layers.own?.file;
  const fields = { ...known?.fields, ...keepingConfirmations(known?.fields, record.fields, FILE_CONFIRMATIONS) };
  const file = record.program === undefined ? { fields } : { fields, program: record.program };
  return { ...layers, own: { ...layers.own, file: withTypes(file, { ...known?.types, ...record.types }) } };
};

/** The layers after the first service's record was heard. It replaces what the service said before to that question. */
export const withFirst = (layers: Layers, record: AdifRecord, part: "qso" | "qsl"): Layers => {
  const known = layers.first?.[part];
  const fields = keepingConfirmations(known?.fields, record.fields, FIRST_CONFIRMATION);
  return { ...layers, first: { ...layers.first, [part]: withTypes({ fields }, record.types) } };
};

/** The layers after the second service's record was heard. Another status said out loud withdraws a confirmation. */
export const withSecond = (layers: Layers, record: AdifRecord): Layers => {
  const known = layers.second?.fields;
  const fields =
    known && !record.fields.APP_QRZLOG_STATUS
      ? { ...picked(known, SECOND_CONFIRMATION), ...record.fields }
      : record.fields;
  return { ...layers, second: withTypes({ fields }, record.types) };
};

/** The layers after a person typed: null takes back what was typed before. */
export const withTyped = (layers: Layers, typed: Record<string, string | null>): Layers => {
  const fields: Fields = { ...layers.own?.typed };
  for (const [name, value] of Object.entries(typed)) {
    if (value === null || value === "") delete fields[name];
    else fields[name] = value;
  }
  const { typed: _, ...rest } = layers.own ?? {};
  const own: OwnLayer = Object.keys(fields).length > 0 ? { ...rest, typed: fields } : rest;
  return { ...layers, own: Object.keys(own).length > 0 ? own : null };
};

export const sameLayers = (a: Layers, b: Layers): boolean => a === b || Bun.deepEquals(a, b);

const FIRST_CONFIRMATION = ["QSL_RCVD", "QSLRDATE", "APP_LOTW_RXQSL"];
const SECOND_CONFIRMATION = ["APP_QRZLOG_STATUS", "APP_QRZLOG_QSLDATE"];
const FILE_CONFIRMATIONS = [
  ["QSL_RCVD", "QSLRDATE"],
  ["LOTW_QSL_RCVD", "LOTW_QSLRDATE"],
  ["APP_QRZLOG_STATUS", "APP_QRZLOG_QSLDATE"],
];

/** An absent or negative word never takes a confirmation back: the service may simply not say it this time. */
const keepingConfirmations = (
  known: Fields | undefined,
  said: Fields,
  groups: readonly string[] | readonly (readonly string[])[],
): Fields => {
  if (!known) return said;
  const lists = (typeof groups[0] === "string" ? [groups] : groups) as readonly (readonly string[])[];
  const kept = lists.filter(([status]) => isConfirming(known[status!]) && !isConfirming(said[status!]));
  return kept.length === 0 ? said : Object.assign({ ...said }, ...kept.map((names) => picked(known, names)));
};

/** Y and V of ADIF, C of the second service. */
export const isConfirming = (status: string | undefined): boolean => ["Y", "V", "C"].includes(word(status));

const picked = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]!]));

const withTypes = <T extends AdifRecord>(record: T, types: Record<string, string> | undefined): T =>
  types && Object.keys(types).length > 0 ? { ...record, types } : record;
