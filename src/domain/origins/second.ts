import { addTypes, pickFields, type AdifRecord } from "../contact/adif-record.ts";
import { parseDate } from "../../kernel/instant.ts";
import { code, textOrNull, toUpperCased } from "../../kernel/text.ts";
import { CREDIT_FIELDS } from "./first.ts";
import {
  isConfirming,
  getOwnersFields,
  setValue,
  setDay,
  UNCONFIRMED,
  type Claim,
  type OneRecordOrigin,
} from "./origin.ts";

/** The only status that means confirmed. */
const YES = ["C"];

const CLAIM: Claim = {
  status: "APP_QRZLOG_STATUS",
  yes: YES,
  fields: ["APP_QRZLOG_STATUS", "APP_QRZLOG_QSLDATE"],
};

/** QRZ numbers its records. */
const getId = (record: AdifRecord | undefined): string | null => code(record?.fields.APP_QRZLOG_LOGID);

export const secondOrigin: OneRecordOrigin = {
  label: "QRZ",
  uploadAdvice: "Export them as ADIF and upload the file to QRZ.",
  answers: ["record"],
  url: "https://logbook.qrz.com",
  claim: CLAIM,
  spokenFor: ["APP_QRZLOG_LOGID", ...CLAIM.fields],
  hearsay: CREDIT_FIELDS,
  key: ["APP_QRZLOG_LOGID"],
  idOf: getId,
  idInFile: getId,
  getIdFrom: ({ own, second }) => getId(second?.record) ?? getId(own?.file),

  /** An explicit other status withdraws a confirmation. */
  merge(layers, record) {
    const known = layers.second?.record?.fields;
    const isSilent = toUpperCased(record.fields[CLAIM.status]) === "";
    const fields = known && isSilent ? { ...record.fields, ...pickFields(known, CLAIM.fields) } : record.fields;
    return { ...layers, second: { ...layers.second, record: addTypes({ fields }, record.types) } };
  },

  forEachRecord({ second }, heard) {
    if (second?.record) heard(second.record);
  },

  details: ({ second }) => second?.record?.fields ?? null,

  /** Once QRZ has given a status, a file's status no longer counts. */
  getConfirmation({ own, second }) {
    const record = second?.record;
    const isSaid = textOrNull(record?.fields.APP_QRZLOG_STATUS) !== null;
    const fields = isSaid ? record?.fields : getOwnersFields(own, "APP_QRZLOG_STATUS");
    if (!fields || !isConfirming(fields.APP_QRZLOG_STATUS, YES)) return UNCONFIRMED;
    const via = isSaid ? (record?.via ?? "service") : "file";
    return { confirmed: true, confirmedAt: parseDate(fields.APP_QRZLOG_QSLDATE), via };
  },

  /** QRZ only repeats credits, so they are ignored. */
  addCredits() {},

  /** QRZ's own values replace those of a file. */
  exportInto(fields, { second, secondId, secondConfirmed, secondConfirmedAt }) {
    setValue(fields, "APP_QRZLOG_LOGID", secondId, textOrNull(fields.APP_QRZLOG_LOGID) === secondId);
    const status = textOrNull(second?.record?.fields.APP_QRZLOG_STATUS);
    if (status !== null) fields.APP_QRZLOG_STATUS = status;
    if (secondConfirmed) setValue(fields, "APP_QRZLOG_STATUS", "C", toUpperCased(fields.APP_QRZLOG_STATUS) === "C");
    if (secondConfirmed || status !== null) setDay(fields, "APP_QRZLOG_QSLDATE", secondConfirmedAt);
  },
};
