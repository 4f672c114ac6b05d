import type { Fields } from "../adif-record.ts";
import { parseDate } from "../instant.ts";
import type { FileRecord, Layers, OwnLayer } from "../layers.ts";
import { SERVICES } from "../source.ts";
import { word } from "../words.ts";
import { addListed, isReport, REPORT_CLAIMS } from "./first.ts";
import {
  addVerified,
  CARD_CLAIM,
  claimsKept,
  isClaimed,
  ownersWord,
  UNCONFIRMED,
  withTypes,
  type Confirmed,
  type Origin,
} from "./origin.ts";
import { SERVICE_ORIGINS } from "./services.ts";

const ALL_SERVICES = SERVICES.map((service) => SERVICE_ORIGINS[service]);

const FILE_CLAIMS = [CARD_CLAIM, ...ALL_SERVICES.map(({ claim }) => claim)];

/** Without these a record of a file is not known again when it comes again. */
const KEY = [
  ..."CALL QSO_DATE TIME_ON TIME_OFF BAND FREQ MODE SUBMODE STATION_CALLSIGN PROP_MODE SAT_NAME".split(" "),
  ...ALL_SERVICES.flatMap(({ key }) => key),
];

/** Where a file's record is kept: the first service's reports apart from everybody's logs. */
export const fileSlot = (record: FileRecord): "file" | "report" => (isReport(record) ? "report" : "file");

/** The owner of the log, by files. What a person types is heard by `withTyped`. */
export const ownerOrigin: Origin = {
  confirms: ["cardConfirmed", ...ALL_SERVICES.flatMap(({ confirms }) => confirms)],

  /** What a record leaves out stays; a confirmation it denies stays too. */
  hear(layers, record) {
    const slot = fileSlot(record);
    const claims = slot === "report" ? REPORT_CLAIMS : FILE_CLAIMS;
    const known = layers.own?.[slot];
    const kept = claimsKept(known?.fields, record.fields, claims);
    const fields = { ...known?.fields, ...record.fields, ...kept };
    // A card that came before stays a card, however this record says that another confirmation came.
    if (kept?.QSL_RCVD !== undefined && kept.QSL_RCVD_VIA === undefined) delete fields.QSL_RCVD_VIA;
    const heard = record.program === undefined ? { fields } : { fields, program: record.program };
    return { ...layers, own: { ...layers.own, [slot]: withTypes(heard, { ...known?.types, ...record.types }) } };
  },

  /** What was typed meanwhile stays, and what other files said. */
  takeBack(layers, before, after) {
    const { typed } = layers.own ?? {};
    const file = withoutRecord(layers.own?.file, before.own?.file, after.own?.file);
    const report = withoutRecord(layers.own?.report, before.own?.report, after.own?.report);
    const left: OwnLayer = { ...(file && { file }), ...(report && { report }), ...(typed && { typed }) };
    return { ...layers, own: Object.keys(left).length > 0 ? left : null };
  },
};

/** No download brings the word of a later file back, so only the fields go that are still as the import set them. */
const withoutRecord = (
  now: FileRecord | undefined,
  before: FileRecord | undefined,
  after: FileRecord | undefined,
): FileRecord | undefined => {
  if (!now || Bun.deepEquals(now, after)) return before;
  // The later file said these too, and is known by them when it comes again.
  const key = before ? {} : keyIn(now.fields);
  const fields = { ...takenOut(now.fields, before?.fields ?? {}, after?.fields ?? {}), ...key };
  const types = takenOut(now.types ?? {}, before?.types ?? {}, after?.types ?? {});
  const { types: _, ...rest } = now;
  return { ...rest, fields, ...(Object.keys(types).length > 0 && { types }) };
};

const keyIn = (fields: Fields): Fields =>
  Object.fromEntries(KEY.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));

/** The values now, but those that one change set as they were before it. */
const takenOut = (now: Fields, before: Fields, after: Fields): Fields => {
  const left = { ...now };
  for (const name of Object.keys({ ...before, ...after })) {
    if (after[name] === before[name] || now[name] !== after[name]) continue;
    if (before[name] === undefined) delete left[name];
    else left[name] = before[name];
  }
  return left;
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

/** Paper, as the owner says it. The services use the same field for themselves. */
export const cardConfirmation = ({ own }: Layers): Confirmed => {
  const said = ownersWord(own, CARD_CLAIM.status);
  const fields = own?.typed?.QSL_RCVD_VIA === undefined ? said : { ...said, QSL_RCVD_VIA: own.typed.QSL_RCVD_VIA };
  if (!fields || !isClaimed(fields, CARD_CLAIM)) return UNCONFIRMED;
  return { confirmed: true, confirmedAt: parseDate(fields.QSLRDATE), via: "file" };
};

/** Whoever brings them: a credit that was granted is not taken back. */
export const addOwnersCredits = (granted: Set<string>, { own }: Layers): void => {
  for (const fields of [own?.file?.fields, own?.typed]) {
    addListed(granted, fields);
    if (word(fields?.QSL_RCVD) === "V") addVerified(granted, "CARD");
  }
};
