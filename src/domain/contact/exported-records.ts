import { addTypes, omitFields, pickFields, type AdifRecord, type Fields } from "./adif-record.ts";
import type { CallFacts } from "../radio/call-facts.ts";
import { derive } from "./derive.ts";
import { exportRecord } from "./export-record.ts";
import { isFieldName, typeLetter } from "./field-name.ts";
import { removeParts, type FileRecord, type Layers, type NamedRecord } from "./layers.ts";
import { REPORT_PROGRAM, WIDE_THERE } from "../origins/first.ts";
import { FILE_KEY, computeFileKey } from "../origins/owner.ts";
import { SERVICE_ORIGINS, addCarriedLayers } from "../origins/services.ts";
import type { Qso } from "./qso.ts";
import { isFiled, buildLayers, listRecords, getSlot } from "./records.ts";
import { SERVICES, type Service } from "../jobs/source.ts";
import { countCharacters, findLongField, fitFields, MAX_CARRIED_LENGTH, MAX_RECORD_LENGTH } from "./record-size.ts";
import { textOrNull } from "../../kernel/text.ts";

/**
 * Carries all records of a contact in our ADI and ADX exports, so that an import elsewhere creates the same contact.
 */
export const RECORDS_FIELD = "APP_QSOLOG_RECORDS";

const MAX_RECORDS = 200;

/** A record as stored in the field. */
interface Carried {
  origin: string;
  key: string;
  /** Whether the service has it in addition to the record that identifies the contact. */
  linked?: true;
  fields: Fields;
  types?: Record<string, string>;
}

/** A contact as an exported record that carries all its records. */
export const completeRecord = (qso: Qso): AdifRecord => {
  const whole = exportRecord(qso);
  const plain = { ...whole, fields: fitFields(whole.fields) };
  if (isOnlyRecord(plain, qso)) return plain;
  const carried = listCarried(qso);
  const value = escapeNonAscii(JSON.stringify(carried));
  return value.length > MAX_CARRIED_LENGTH || carried.length > MAX_RECORDS
    ? plain
    : { ...plain, fields: { ...plain.fields, [RECORDS_FIELD]: value } };
};

/** Whether the plain fields are the contact's only record. */
const isOnlyRecord = ({ fields, types }: AdifRecord, { own, ...qso }: Qso): boolean => {
  if (!own?.file || own.typed || own.report || own.brought || SERVICES.some((service) => qso[service])) return false;
  return !own.file.parts && Bun.deepEquals(own.file.fields, fields) && Bun.deepEquals(own.file.types, types);
};

const listCarried = (qso: Layers): Carried[] =>
  sortByWeight(listRecords(addCarriedLayers(qso))).map(({ origin, key, isLinked, record }) => ({
    origin,
    key,
    ...(isLinked && { linked: true as const }),
    fields: removeRecordsField(record.fields),
    ...(record.types && { types: record.types }),
  }));

/** An import applies file records in order, so those with the lowest priority come first. */
const sortByWeight = (records: readonly NamedRecord[]): NamedRecord[] => {
  const isLeast = (named: NamedRecord) => named.isLinked && isFiled(named);
  const least = records.filter(isLeast).map((named) => ({ ...named, isLinked: false }));
  return [...least.reverse(), ...records.filter((named) => !isLeast(named))];
};

/** User-defined fields must be ASCII according to the type that our header declares. */
const escapeNonAscii = (text: string): string =>
  text.replaceAll(/[^\x00-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Removes the field that only an import reads. */
export const removeRecordsField = (fields: Fields): Fields =>
  fields[RECORDS_FIELD] === undefined ? fields : omitFields(fields, new Set([RECORDS_FIELD]));

/** Decodes the carried records of a file's record. If the field is unreadable, the record is returned without them. */
export const decodeCarried = (record: FileRecord): { record: FileRecord; isUnreadable: boolean } => {
  const value = record.fields[RECORDS_FIELD];
  if (value === undefined) return { record, isUnreadable: false };
  const brought = parse(value);
  const { [RECORDS_FIELD]: _, ...types } = record.types ?? {};
  const plain = addTypes({ ...record, fields: removeRecordsField(record.fields), types: undefined }, types);
  return brought === null
    ? { record: plain, isUnreadable: true }
    : { record: { ...plain, brought }, isUnreadable: false };
};

/** Returns null unless all of it looks as our export writes it. */
const parse = (value: string): NamedRecord[] | null => {
  if (value.length > MAX_CARRIED_LENGTH) return null;
  let carried: unknown;
  try {
    carried = JSON.parse(value);
  } catch {
    return null;
  }
  if (!Array.isArray(carried) || carried.length === 0 || carried.length > MAX_RECORDS) return null;
  if (!carried.every(isCarried)) return null;
  const records = carried.map(({ origin, key, linked = false, fields, types }): NamedRecord => {
    const program = key.startsWith("report") ? { program: REPORT_PROGRAM } : {};
    const record: FileRecord = addTypes({ fields, ...program }, types);
    return { origin: origin as NamedRecord["origin"], key, isLinked: linked, record };
  });
  const slots = new Set(records.map(getSlot));
  const hasMain = ({ origin, isLinked }: NamedRecord) =>
    !isLinked || records.some((other) => other.origin === origin && !other.isLinked);
  return slots.size === records.length && records.every(hasMain) ? records : null;
};

const NAMES = ["origin", "key", "linked", "fields", "types"];

const MAX_KEY_LENGTH = 1_000;

const isKey = (origin: unknown, key: unknown): boolean => {
  if (typeof key !== "string" || key.length > MAX_KEY_LENGTH || textOrNull(key) !== key.trim()) return false;
  if (origin === "own") return key === "typed";
  if (origin === "file") return /^(file|report)( [0-9a-z]{1,13})?$/.test(key);
  const service = findService(origin);
  return service !== null && SERVICE_ORIGINS[service].answers.some((kind) => key.startsWith(`${kind} `));
};

const findService = (name: unknown): Service | null => SERVICES.find((service) => service === name) ?? null;

const isCarried = (value: unknown): value is Carried => {
  if (!isObject(value) || Object.keys(value).some((name) => !NAMES.includes(name))) return false;
  const { origin, key, linked, fields, types = {} } = value;
  if (!isKey(origin, key) || (linked !== undefined && (linked !== true || findService(origin) === null))) return false;
  const isText = ([name, text]: [string, unknown]) => isFieldName(name) && typeof text === "string";
  if (!isObject(fields) || Object.keys(fields).length === 0 || !Object.entries(fields).every(isText)) return false;
  if (findLongField(fields as Fields) !== null || countCharacters(fields as Fields) > MAX_RECORD_LENGTH) return false;
  const isTyped = ([name, letter]: [string, unknown]) =>
    Object.hasOwn(fields, name) && typeof letter === "string" && typeLetter(letter) === letter;
  return isObject(types) && Object.entries(types).every(isTyped);
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Fields that belong together: one program's value must not be combined with another's. */
const TOGETHER = [
  ["QSO_DATE", "TIME_ON"],
  ["QSO_DATE_OFF", "TIME_OFF"],
  ["BAND", "FREQ"],
  ["MODE", "SUBMODE", WIDE_THERE],
];

/**
 * Adds edits that another program made to an export: plain fields that differ from the carried records. They count as
 * values of a file and replace typed ones.
 */
export const applyEdits = (record: FileRecord, facts: CallFacts): FileRecord => {
  const brought = record.brought!;
  const layers = buildLayers(brought);
  const derived = derive(layers, facts);
  if (derived === null) {
    const { brought: _, ...plain } = record;
    return plain;
  }
  const expected = exportRecord({ ...derived, ...layers } as Qso).fields;
  const isEdited = ([name, value]: [string, string]) =>
    !name.startsWith("APP_QSOLOG_") && normaliseValue(value) !== normaliseValue(expected[name] ?? "");
  const edited = Object.entries(record.fields)
    .filter(isEdited)
    .map(([name]) => name);
  if (edited.length === 0) return record;
  const names = new Set(edited.flatMap((name) => TOGETHER.find((group) => group.includes(name)) ?? name));
  const known = layers.own?.file ?? { fields: pickFields(record.fields, FILE_KEY) };
  const file = {
    ...removeParts(known),
    fields: { ...omitFields(known.fields, names), ...pickFields(record.fields, [...names]) },
  };
  const others = brought.flatMap((named) => {
    if (isFiled(named) && !named.record.program) return [];
    if (named.origin !== "own") return named;
    const fields = omitFields(named.record.fields, names);
    return Object.keys(fields).length === 0 ? [] : { ...named, record: { ...named.record, fields } };
  });
  const own: NamedRecord = { origin: "file", key: computeFileKey(file), isLinked: false, record: file };
  return { ...record, brought: [...others, own] };
};

/** The value as ADI or ADX returns it: XML cannot hold some characters and normalises line ends. */
const normaliseValue = (value: string): string =>
  value.toWellFormed().replaceAll(/[\x00-\x08\x0b-\x1f\ufffe\uffff]/g, "");
