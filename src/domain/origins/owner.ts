import { addTypes, pickFields, type Fields } from "../contact/adif-record.ts";
import { getMinute } from "../../kernel/clock.ts";
import { pickFuller } from "../contact/details.ts";
import { parseDate, parseInstant } from "../../kernel/instant.ts";
import { removeParts, type FilePart, type FileRecord, type Layers, type OwnLayer } from "../contact/layers.ts";
import { normaliseMode, isNarrower } from "../radio/mode.ts";
import { parseWideMode } from "../radio/on-air.ts";
import { SERVICES } from "../jobs/source.ts";
import { toUpperCased } from "../../kernel/text.ts";
import { addListed, isReport, REPORT_CLAIMS, WIDE_THERE } from "./first.ts";
import {
  addVerified,
  CARD_CLAIM,
  keepClaims,
  isClaimed,
  getOwnersFields,
  UNCONFIRMED,
  type Confirmed,
  type Origin,
} from "./origin.ts";
import { SERVICE_ORIGINS } from "./services.ts";

const ALL_SERVICES = SERVICES.map((service) => SERVICE_ORIGINS[service]);

const FILE_CLAIMS = [CARD_CLAIM, ...ALL_SERVICES.map(({ claim }) => claim)];

/** The fields that are needed to recognise a file's record when it is imported again. */
export const FILE_KEY = [
  ..."CALL QSO_DATE TIME_ON TIME_OFF BAND FREQ MODE SUBMODE STATION_CALLSIGN PROP_MODE SAT_NAME".split(" "),
  ...ALL_SERVICES.flatMap(({ key }) => key),
];

/** LoTW's reports are stored apart from ordinary logs. */
export const getFileSlot = (record: FileRecord): "file" | "report" => (isReport(record) ? "report" : "file");

/** Recognises a file's record when it is imported again, whatever happened to its contact. */
export const computeFileKey = (record: FileRecord): string => {
  const fields = Object.entries(record.fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${getFileSlot(record)} ${Bun.hash(JSON.stringify(fields)).toString(36)}`;
};

/** Files of the log's owner. Typed values are added by `setTyped`. */
export const ownerOrigin: Origin = {
  confirms: ["cardConfirmed", ...ALL_SERVICES.flatMap(({ confirms }) => confirms)],

  merge: (layers, record) => addRecord(layers, record, false),

  /** Within one file the first record wins, otherwise importing the file again would change the log each time. */
  mergeRepeat: (layers, record) => addRecord(layers, record, layers.own?.[getFileSlot(record)] !== undefined),

  takeBack: (layers) => layers,
};

const addRecord = (layers: Layers, record: FileRecord, isLinked: boolean): Layers => {
  const slot = getFileSlot(record);
  return {
    ...layers,
    own: { ...layers.own, [slot]: addPart(layers.own?.[slot], { record: kept(record), isLinked }) },
  };
};

/** Combines file records. */
const foldParts = (parts: readonly FilePart[]): FileRecord | undefined =>
  parts.reduce<FileRecord | undefined>(addPart, undefined);

/** The file records without which the others say the same, oldest first. */
export const findIdleParts = (parts: readonly FilePart[]): FilePart[] => {
  let left = parts;
  const said = foldParts(parts);
  return parts.filter((part) => {
    const others = left.filter((one) => one !== part);
    const isIdle = others.length > 0 && Bun.deepEquals(removeParts(foldParts(others)!), removeParts(said!));
    if (isIdle) left = others;
    return isIdle;
  });
};

/** The records that a file record was combined from. */
export const listParts = (record: FileRecord | undefined): readonly FilePart[] =>
  record === undefined ? [] : (record.parts ?? [{ record, isLinked: false }]);

/** Combines file records with one more. A record that is already included changes nothing. */
export const addPart = (known: FileRecord | undefined, part: FilePart): FileRecord => {
  const { record, isLinked } = part;
  if (known === undefined) return isLinked ? { ...record, parts: [part] } : record;
  const parts = listParts(known);
  if (parts.some((one) => Bun.deepEquals(one.record.fields, record.fields))) return known;
  return { ...(isLinked ? joinRecords(record, known) : joinRecords(known, record)), parts: [...parts, part] };
};

/** The records that a file record was combined from, lowest priority first. */
export const sortByWeight = (record: FileRecord | undefined): FileRecord[] => {
  const [linked, others] = [true, false].map((wanted) =>
    listParts(record).filter(({ isLinked }) => isLinked === wanted),
  );
  return [...linked!.reverse(), ...others!].map((part) => part.record);
};

/**
 * Replaces records of a program, found by key, with its correction. The correction contains all fields; empty ones are
 * removed.
 */
export const replaceRecords = (layers: Layers, record: FileRecord, keys: ReadonlySet<string>): Layers => {
  const isFormer = (part: FilePart) => keys.has(computeFileKey(part.record));
  const parts = listParts(layers.own?.file);
  const former = parts.filter(isFormer).map((part) => part.record);
  const fields: Fields = Object.assign({}, ...former.map((one) => one.fields), record.fields);
  for (const [name, value] of Object.entries(record.fields)) if (value === "") delete fields[name];
  if (former.length === 1 && Bun.deepEquals(former[0]!.fields, fields)) return layers;
  const types = Object.assign({}, ...former.map((one) => one.types), record.types);
  const newest = { record: addTypes({ fields }, types), isLinked: false };
  const file = foldParts([...parts.filter((part) => !isFormer(part)), newest]);
  return { ...layers, own: { ...layers.own, file } };
};

/** Whether the record would change nothing. */
export const isRedundant = (known: FileRecord, record: FileRecord): boolean =>
  Bun.deepEquals(joinRecords(known, record), removeParts(known));

/**
 * Whether the file record combines several records and equals none of them. A record that only repeats what the others
 * said together does not count.
 */
export const isJoined = ({ fields, parts = [] }: FileRecord): boolean => {
  const saysIt = (record: FileRecord | undefined) => Bun.deepEquals(record?.fields, fields);
  const at = parts.findIndex(({ record }) => saysIt(record));
  return parts.length > 1 && (at < 0 || saysIt(foldParts(parts.slice(0, at))));
};

/**
 * Combines two records. The earlier value stays if the later record omits it, is less exact, or denies a confirmation.
 */
const joinRecords = (known: FileRecord, record: FileRecord): FileRecord => {
  const claims = getFileSlot(record) === "report" ? REPORT_CLAIMS : FILE_CLAIMS;
  const confirmed = keepClaims(known.fields, record.fields, claims);
  const fields: Fields = {
    ...known.fields,
    ...record.fields,
    ...pickMoreExact(known.fields, record.fields),
    ...confirmed,
  };
  // A card that was confirmed earlier stays a card, even if this record says that another confirmation came
  // electronically.
  if (confirmed?.QSL_RCVD !== undefined && confirmed.QSL_RCVD_VIA === undefined) delete fields.QSL_RCVD_VIA;
  if (MODE_WORDS.some((name) => known.fields[name] !== record.fields[name])) {
    for (const name of MODE_WORDS) delete fields[name];
    Object.assign(fields, pickMode(known.fields, record.fields));
  }
  return kept({ ...record, fields, types: { ...known.types, ...record.types } });
};

const kept = ({ fields, types, program }: FileRecord): FileRecord =>
  addTypes(program === undefined ? { fields } : { fields, program }, types);

const pickMoreExact = (known: Fields, said: Fields): Fields => ({
  ...pickFuller(known, said),
  ...(hasMoreSeconds(known, said) && pickFields(known, ["TIME_ON"])),
});

const hasMoreSeconds = (known: Fields, said: Fields): boolean => {
  if (known.TIME_ON === said.TIME_ON || said.TIME_ON === undefined) return false;
  const [before, now] = [known, said].map(({ QSO_DATE, TIME_ON }) => parseInstant(QSO_DATE, TIME_ON));
  return Boolean(before?.exact && now && !now.exact && getMinute(before.at) === getMinute(now.at));
};

/** Mode and submode belong together: those of two programs are never mixed. */
const pickMode = (known: Fields, said: Fields): Fields => {
  const before = pickFields(known, MODE_WORDS);
  const now = { ...pickFields(before, ["MODE"]), ...pickFields(said, MODE_WORDS) };
  const [mode, other] = [before, now].map(
    (fields) => parseWideMode(fields) ?? normaliseMode(fields.MODE, fields.SUBMODE),
  );
  return mode && (!other || isNarrower(mode, other)) ? before : now;
};

const MODE_WORDS = ["MODE", "SUBMODE", WIDE_THERE];

/** Adds typed values. An empty value removes what was typed earlier. */
export const setTyped = (layers: Layers, typed: Record<string, string | null>): Layers =>
  setTypedFields(layers, Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value || null])));

/** Like `setTyped`, but an empty text means that the field is empty, whatever other origins say. */
export const setTypedFields = (layers: Layers, typed: Record<string, string | null>): Layers => {
  const fields: Fields = { ...layers.own?.typed };
  for (const [name, value] of Object.entries(typed)) {
    if (value === null) delete fields[name];
    else fields[name] = value;
  }
  const { typed: _, ...rest } = layers.own ?? {};
  const own: OwnLayer = Object.keys(fields).length > 0 ? { ...rest, typed: fields } : rest;
  return { ...layers, own: Object.keys(own).length > 0 ? own : null };
};

/** The confirmation by paper card, as the owner says it. Services use the same field for themselves. */
export const getCardConfirmation = ({ own }: Layers): Confirmed => {
  const said = getOwnersFields(own, CARD_CLAIM.status);
  const fields = own?.typed?.QSL_RCVD_VIA === undefined ? said : { ...said, QSL_RCVD_VIA: own.typed.QSL_RCVD_VIA };
  if (!fields || !isClaimed(fields, CARD_CLAIM)) return UNCONFIRMED;
  return { confirmed: true, confirmedAt: parseDate(fields.QSLRDATE), via: "file" };
};

/** From any origin: a granted credit is never removed. */
export const addOwnersCredits = (granted: Set<string>, { own }: Layers): void => {
  for (const fields of [own?.file?.fields, own?.typed]) {
    addListed(granted, fields);
    if (toUpperCased(fields?.QSL_RCVD) === "V") addVerified(granted, "CARD");
  }
};
