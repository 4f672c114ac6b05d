import type { AdifRecord, Fields } from "./adif-record.ts";
import { SERVICES } from "./source.ts";
import { word } from "./words.ts";

/** What the owner of the log said: typed by hand, or read from files. */
export interface OwnLayer {
  typed?: Fields;
  file?: FileRecord;
  /** From a file that the first service wrote: the service's words, brought by hand. */
  report?: FileRecord;
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

/** The names of the layers. */
export const ORIGINS = ["own", ...SERVICES] as const;

export const NO_LAYERS: Layers = { own: null, first: null, second: null };

/** Which of its questions a service answered with a record. */
export type Part = "qso" | "qsl" | "record";

/**
 * The layers after a file's record was heard. What it leaves out stays; a confirmation it denies stays too. The first
 * service's reports are kept apart: their QSL_RCVD is the service's word, that of other files means a card.
 */
export const withFile = (layers: Layers, record: FileRecord): Layers => {
  const slot = fileSlot(record);
  const claims = slot === "report" ? FIRST_CLAIMS : FILE_CLAIMS;
  const known = layers.own?.[slot];
  const fields = { ...known?.fields, ...record.fields, ...claimsKept(known?.fields, record.fields, claims) };
  const heard = record.program === undefined ? { fields } : { fields, program: record.program };
  return { ...layers, own: { ...layers.own, [slot]: withTypes(heard, { ...known?.types, ...record.types }) } };
};

const LOTW = /^\s*lotw\s*$/i;

/** Where a file's record is kept: the first service's reports apart from everybody's logs. */
export const fileSlot = ({ program = "" }: FileRecord): "file" | "report" => (LOTW.test(program) ? "report" : "file");

/** The layers after the first service's record was heard. It replaces what the service said before to that question. */
export const withFirst = (layers: Layers, record: AdifRecord, part: "qso" | "qsl"): Layers => {
  const known = layers.first?.[part]?.fields;
  const kept = claimsKept(known, record.fields, FIRST_CLAIMS);
  // A record without the confirmation comes without the partner's details too.
  const fields = kept ? { ...known, ...record.fields, ...kept } : record.fields;
  return { ...layers, first: { ...layers.first, [part]: withTypes({ fields }, record.types) } };
};

/** The layers after the second service's record was heard. Another status said out loud withdraws a confirmation. */
export const withSecond = (layers: Layers, record: AdifRecord): Layers => {
  const known = layers.second?.fields;
  const isSilent = word(record.fields[SECOND_CLAIM.status]) === "";
  const fields = known && isSilent ? { ...record.fields, ...picked(known, SECOND_CLAIM.fields) } : record.fields;
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

/** Confirmed, and verified by a sponsor, as ADIF says it. */
export const ADIF_YES = ["Y", "V"];
/** Of the second service's statuses the only one that confirms. */
export const SECOND_YES = ["C"];

export const isConfirming = (status: string | undefined, yes: readonly string[] = ANY_YES): boolean =>
  status !== undefined && yes.includes(word(status));

const ANY_YES = [...ADIF_YES, ...SECOND_YES];

/** A field that confirms, and the fields that belong to it. */
interface Claim {
  status: string;
  yes: readonly string[];
  fields: readonly string[];
}

const CARD_CLAIM: Claim = { status: "QSL_RCVD", yes: ADIF_YES, fields: ["QSL_RCVD", "QSLRDATE"] };
const SECOND_CLAIM: Claim = {
  status: "APP_QRZLOG_STATUS",
  yes: SECOND_YES,
  fields: ["APP_QRZLOG_STATUS", "APP_QRZLOG_QSLDATE"],
};
const FIRST_CLAIMS: readonly Claim[] = [{ ...CARD_CLAIM, fields: [...CARD_CLAIM.fields, "APP_LOTW_RXQSL"] }];
const FILE_CLAIMS: readonly Claim[] = [
  CARD_CLAIM,
  { status: "LOTW_QSL_RCVD", yes: ADIF_YES, fields: ["LOTW_QSL_RCVD", "LOTW_QSLRDATE"] },
  SECOND_CLAIM,
];

/** An absent or negative word never takes a confirmation back: the origin may simply not say it this time. */
const claimsKept = (known: Fields | undefined, said: Fields, claims: readonly Claim[]): Fields | null => {
  if (!known) return null;
  const kept = claims.filter(({ status, yes }) => isConfirming(known[status], yes) && !isConfirming(said[status], yes));
  return kept.length === 0 ? null : Object.assign({}, ...kept.map(({ fields }) => picked(known, fields)));
};

const picked = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]!]));

const withTypes = <T extends AdifRecord>(record: T, types: Record<string, string> | undefined): T =>
  types && Object.keys(types).length > 0 ? { ...record, types } : record;
