import { addTypes, omitFields, pickFields, type AdifRecord, type Fields } from "../contact/adif-record.ts";
import { parseDate, parseTimestamp } from "../../kernel/instant.ts";
import type { Answers, FileRecord, Layers, ServiceRecord } from "../contact/layers.ts";
import { code, textOrNull, toUpperCased } from "../../kernel/text.ts";
import {
  addVerified,
  ADIF_YES,
  keepClaims,
  isConfirming,
  getOwnersFields,
  REPORT_CLAIM,
  setValue,
  setDay,
  UNCONFIRMED,
  type Claim,
  type OneRecordOrigin,
} from "./origin.ts";

/** LoTW's own fields for own call, mode and mode group, in addition to ADIF's or instead of them. */
export const CALL_THERE = "APP_LOTW_OWNCALL";
export const MODE_THERE = "APP_LOTW_MODE";
export const GROUP_THERE = "APP_LOTW_MODEGROUP";
/** Marks a mode in an export that only stands for its group, because strict programs reject records without a mode. */
export const WIDE_THERE = "APP_QSOLOG_MODE";
const START_THERE = "APP_LOTW_QSO_TIMESTAMP";

/** Follows the last record of a LoTW report. */
export const END_OF_REPORT = "APP_LOTW_EOF";

/** Credits under ADIF's name and under LoTW's. */
export const CREDIT_FIELDS = ["CREDIT_GRANTED", "APP_LOTW_CREDIT_GRANTED"];

/** The program name in LoTW's reports. Their QSL_RCVD is LoTW's own confirmation; in other files it means a card. */
export const REPORT_PROGRAM = "LoTW";

const REPORT = /^\s*lotw\s*$/i;

export const writesReports = (program: string): boolean => REPORT.test(program);

export const isReport = ({ program = "" }: FileRecord): boolean => writesReports(program);

const CLAIM: Claim = { status: "LOTW_QSL_RCVD", yes: ADIF_YES, fields: ["LOTW_QSL_RCVD", "LOTW_QSLRDATE"] };

/** What LoTW says about its own confirmation. */
export const REPORT_CLAIMS: readonly Claim[] = [
  { ...REPORT_CLAIM, fields: [...REPORT_CLAIM.fields, "APP_LOTW_RXQSL"] },
];

interface Witness {
  /** All fields of the contact's records. */
  fields: Fields;
  status: "QSL_RCVD" | "LOTW_QSL_RCVD";
  via: "file" | "service";
}

/** Who says that LoTW confirmed: LoTW itself, its report in a file, or any file or the owner. */
export const findFirstWitness = ({ own, first }: Layers): Witness | null =>
  findWitness(first) ??
  Object.values(first?.twins ?? {}).reduce<Witness | null>((found, twin) => found ?? findWitness(twin), null) ??
  witness(own?.report?.fields, "QSL_RCVD", "file") ??
  witness(getOwnersFields(own, "LOTW_QSL_RCVD"), "LOTW_QSL_RCVD", "file");

const findWitness = (first: Answers | null): Witness | null => witnessOf(first?.qsl) ?? witnessOf(first?.qso);

const witnessOf = (record: ServiceRecord | undefined): Witness | null =>
  witness(record?.fields, "QSL_RCVD", record?.via ?? "service");

const witness = (fields: Fields | undefined, status: Witness["status"], via: Witness["via"]): Witness | null =>
  fields && isConfirming(fields[status], ADIF_YES) ? { fields: pickCarried(fields), status, via } : null;

/** Fields of a confirmation that count for awards. */
const CARRIED = ["DXCC", "STATE", "CQZ", "GRIDSQUARE", "VUCC_GRIDS", "APP_LOTW_2XQSL"];

/**
 * Exports of the preview version stored here what the confirmation said. A county implies the state, so it is not
 * counted too.
 */
const CARRIED_THERE = "APP_QSOLOG_LOTW_SAID";

export const pickCarried = (fields: Fields): Fields => {
  const list = textOrNull(fields[CARRIED_THERE]);
  if (list === null) return fields;
  const said = Object.fromEntries(new URLSearchParams(list));
  return { ...omitFields(fields, new Set([...CARRIED, "CNTY"])), ...pickFields(said, CARRIED) };
};

const confirmedAt = ({ fields, status }: Witness): number | null =>
  status === "QSL_RCVD"
    ? (parseTimestamp(fields.APP_LOTW_RXQSL) ?? parseDate(fields.QSLRDATE))
    : parseDate(fields.LOTW_QSLRDATE);

/** Whether both sides reported the same mode; null if LoTW does not say. */
export const readTwoWay = ({ APP_LOTW_2XQSL }: Fields): boolean | null => {
  const said = toUpperCased(APP_LOTW_2XQSL);
  return said === "" ? null : said === "Y";
};

export const addListed = (granted: Set<string>, fields: Fields | undefined): void => {
  if (fields === undefined) return;
  for (const name of CREDIT_FIELDS) {
    for (const credit of textOrNull(fields[name])?.toUpperCase().split(",") ?? []) {
      if (credit.trim() !== "") granted.add(credit.trim());
    }
  }
};

/**
 * LoTW has no ids, so its own values for the contact, to the second, serve as one. The time comes first because
 * contacts arrive in order of time, which suits an index best.
 */
const getId = (record: AdifRecord | undefined): string | null => {
  if (!record) return null;
  const { fields } = record;
  const call = code(fields.CALL);
  const start = textOrNull(fields[START_THERE]) ?? `${fields.QSO_DATE ?? ""}${fields.TIME_ON ?? ""}`;
  const digits = FULL_STAMP.test(start) ? removePunctuation(start) : start.replaceAll(/\D/g, "");
  if (call === null || digits.length < "YYYYMMDDHHMM".length) return null;
  const own = code(fields.STATION_CALLSIGN) ?? code(fields[CALL_THERE]);
  const mode = code(fields.MODE) ?? code(fields[MODE_THERE]) ?? code(fields[GROUP_THERE]);
  const stamp = digits.slice(0, 14).padEnd(14, "0");
  return [stamp, own, call, code(fields.BAND), mode, code(fields.SUBMODE), code(fields.SAT_NAME)].join("|");
};

/** LoTW's usual format. */
const FULL_STAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\dZ?$/;

const removePunctuation = (stamp: string): string =>
  stamp.slice(0, 4) +
  stamp.slice(5, 7) +
  stamp.slice(8, 10) +
  stamp.slice(11, 13) +
  stamp.slice(14, 16) +
  stamp.slice(17, 19);

/** LoTW gives two records of a contact: its copy, and the confirmation with the partner's details. */
export const firstOrigin: OneRecordOrigin = {
  label: "LoTW",
  answers: ["qso", "qsl"],
  url: "https://lotw.arrl.org",
  uploadAdvice: "Export them as ADIF, sign the file and upload it to LoTW.",
  seesModes: true,
  claim: CLAIM,
  spokenFor: CLAIM.fields,
  hearsay: CLAIM.fields,
  key: [CALL_THERE, START_THERE, MODE_THERE],
  idOf: getId,
  idInFile: (record) => (isReport(record) ? getId(record) : null),
  getIdFrom: ({ own, first }) => getId(first?.qso ?? first?.qsl ?? own?.report),

  /** A record replaces LoTW's earlier record for the same question. */
  merge(layers, record, part) {
    const answer = part === "qsl" ? "qsl" : "qso";
    const known = layers.first?.[answer]?.fields;
    const kept = keepClaims(known, record.fields, REPORT_CLAIMS);
    // A record without the confirmation also lacks the partner's details.
    const fields = kept ? { ...known, ...record.fields, ...kept } : record.fields;
    return { ...layers, first: { ...layers.first, [answer]: addTypes({ fields }, record.types) } };
  },

  forEachRecord({ own, first }, heard) {
    if (first?.qsl) heard(first.qsl);
    if (first?.qso) heard(first.qso);
    if (own?.report) heard(own.report);
  },

  details: ({ first }) => first && { ...first.qso?.fields, ...first.qsl?.fields },

  getConfirmation(layers) {
    const found = findFirstWitness(layers);
    return found ? { confirmed: true, confirmedAt: confirmedAt(found), via: found.via } : UNCONFIRMED;
  },

  addCredits(granted, { own, first }) {
    addListed(granted, first?.qsl?.fields);
    addListed(granted, first?.qso?.fields);
    addListed(granted, own?.report?.fields);
    const isVerified =
      toUpperCased(own?.file?.fields[CLAIM.status]) === "V" || toUpperCased(own?.typed?.[CLAIM.status]) === "V";
    if (isVerified) addVerified(granted, "LOTW");
  },

  exportInto(fields, qso) {
    const { firstConfirmed, firstConfirmedAt } = qso;
    if (!firstConfirmed) return;
    delete fields[CARRIED_THERE];
    setValue(fields, "LOTW_QSL_RCVD", "Y", isConfirming(fields.LOTW_QSL_RCVD, ADIF_YES));
    setDay(fields, "LOTW_QSLRDATE", firstConfirmedAt);
  },
};

/** The field with which the Wavelog interface marks users of LoTW. */
export const MEMBER_FLAG = "lotw_member";
