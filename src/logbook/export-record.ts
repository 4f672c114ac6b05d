import type { AdifRecord, Fields } from "../domain/adif-record.ts";
import { parseBand, parseFrequency } from "../domain/band.ts";
import { adifDate, adifTime, parseDate, parseInstant } from "../domain/instant.ts";
import { isConfirming, type FileRecord, type Layers } from "../domain/layers.ts";
import { exportMode } from "../domain/mode.ts";
import type { Qso } from "../domain/qso.ts";
import { ownRecords } from "../domain/qso-view.ts";
import { told, word } from "../domain/words.ts";
import { megahertz } from "./fields.ts";

/** One record that says everything anybody said of a contact, and means the same when it is read again. */
export const exportRecord = (qso: Qso): AdifRecord => {
  const voices = voicesOf(qso);
  const { fields, types } = merged(voices);
  setStart(fields, qso, voices);
  setTuning(fields, qso);
  setMode(fields, qso);
  if (qso.gridsquare !== null) settle(fields, "GRIDSQUARE", qso.gridsquare, word(fields.GRIDSQUARE) === qso.gridsquare);
  setFirst(fields, qso);
  setSecond(fields, qso);
  if (qso.credits !== null) settle(fields, "CREDIT_GRANTED", qso.credits, creditsOf(fields) === qso.credits);
  for (const name of Object.keys(fields)) if (PLACEHOLDER.test(fields[name]!.trim())) delete fields[name];
  const given = Object.entries(types).filter(([name]) => fields[name] !== undefined);
  return given.length === 0 ? { fields } : { fields, types: Object.fromEntries(given) };
};

/** In the order in which they are believed. A service speaks only for itself: the rest of its claims is hearsay. */
const voicesOf = ({ own, first, second }: Layers): AdifRecord[] => [
  ...ownRecords(own).map((record) => (isReport(record) ? without(record, [...PAPER, ...FIRST_CLAIM]) : record)),
  ...[first?.qsl, first?.qso]
    .filter((record) => record !== undefined)
    .map((record) => without(record, [...PAPER, ...FIRST_CLAIM, ...SECOND_CLAIM])),
  ...(second ? [without(second, [...PAPER, ...FIRST_CLAIM, ...CREDITS])] : []),
];

/** A file that the first service wrote means by QSL what that service means. */
const isReport = ({ program }: FileRecord): boolean => word(program) === "LOTW";

/** In a file these speak of a card. */
const PAPER = ["QSL_RCVD", "QSLRDATE", "QSL_SENT", "QSLSDATE", "QSL_RCVD_VIA", "QSL_SENT_VIA"];
const FIRST_CLAIM = ["LOTW_QSL_RCVD", "LOTW_QSLRDATE"];
const SECOND_CLAIM = ["APP_QRZLOG_LOGID", "APP_QRZLOG_STATUS", "APP_QRZLOG_QSLDATE"];
const CREDITS = ["CREDIT_GRANTED", "APP_LOTW_CREDIT_GRANTED"];

const without = ({ fields, types }: AdifRecord, names: readonly string[]): AdifRecord => ({
  fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))),
  types,
});

interface Merged {
  fields: Fields;
  types: Record<string, string>;
}

/** Each field as the first says it who says anything. */
const merged = (voices: readonly AdifRecord[]): Merged => {
  const fields: Fields = {};
  const types: Record<string, string> = {};
  for (const voice of voices) {
    for (const [name, value] of Object.entries(voice.fields)) {
      if (fields[name] !== undefined && says(name, fields[name])) continue;
      if (fields[name] !== undefined && !says(name, value)) continue;
      fields[name] = value;
      delete types[name];
      if (voice.types?.[name]) types[name] = voice.types[name];
    }
  }
  return { fields, types };
};

/** A date that is none: programs write it where they have nothing to say, and strict ones refuse it. */
const PLACEHOLDER = /^0{8}$/;

const says = (name: string, value: string): boolean =>
  told(value) !== null && !PLACEHOLDER.test(value.trim()) && !(name === "IOTA" && word(value) === "NONE");

/** Writes a value unless what stands there means the same already. */
const settle = (fields: Fields, name: string, value: string | null, isSaid: boolean): void => {
  if (isSaid) return;
  if (value === null) delete fields[name];
  else fields[name] = value;
};

/** Date and time of one voice, as exactly as it gave them. */
const setStart = (fields: Fields, { startedAt }: Qso, voices: readonly AdifRecord[]): void => {
  const starts = voices.filter(({ fields: said }) => parseInstant(said.QSO_DATE, said.TIME_ON)?.at === startedAt);
  const said = (starts.find(({ fields: { TIME_ON } }) => TIME_ON!.trim().length === 6) ?? starts[0])?.fields;
  fields.QSO_DATE = said?.QSO_DATE ?? adifDate(startedAt);
  fields.TIME_ON = said?.TIME_ON ?? adifTime(startedAt, true);
};

const setTuning = (fields: Fields, { band, freqHz }: Qso): void => {
  if (band !== null)
    settle(fields, "BAND", band, word(fields.BAND) === band.toUpperCase() && parseBand(fields.BAND) === band);
  if (freqHz !== null) settle(fields, "FREQ", megahertz(freqHz), parseFrequency(fields.FREQ) === freqHz);
};

/** Of a generic mode only the group can be said, and one application field is known to say it. */
const setMode = (fields: Fields, { mode, submode, modeGroup }: Qso): void => {
  if (mode === null && submode === null) return;
  const { MODE, SUBMODE } = exportMode(mode, submode);
  settle(fields, "MODE", MODE ?? null, MODE !== undefined && fields.MODE === MODE);
  settle(fields, "SUBMODE", SUBMODE ?? null, SUBMODE !== undefined && fields.SUBMODE === SUBMODE);
  if (MODE === undefined && modeGroup !== null) {
    delete fields.APP_LOTW_MODE;
    fields.APP_LOTW_MODEGROUP = GROUP_WORDS[modeGroup];
  }
};

const GROUP_WORDS = { cw: "CW", phone: "PHONE", digital: "DATA", image: "IMAGE" };

const setFirst = (fields: Fields, { firstConfirmed, firstConfirmedAt }: Qso): void => {
  if (!firstConfirmed) return;
  settle(fields, "LOTW_QSL_RCVD", "Y", isConfirming(fields.LOTW_QSL_RCVD));
  setDay(fields, "LOTW_QSLRDATE", firstConfirmedAt);
};

/** The service's own words replace those of a file. */
const setSecond = (fields: Fields, { second, secondId, secondConfirmed, secondConfirmedAt }: Qso): void => {
  settle(fields, "APP_QRZLOG_LOGID", secondId, told(fields.APP_QRZLOG_LOGID) === secondId);
  const status = told(second?.fields.APP_QRZLOG_STATUS);
  if (status !== null) fields.APP_QRZLOG_STATUS = status;
  if (secondConfirmed) settle(fields, "APP_QRZLOG_STATUS", "C", word(fields.APP_QRZLOG_STATUS) === "C");
  if (secondConfirmed || status !== null) setDay(fields, "APP_QRZLOG_QSLDATE", secondConfirmedAt);
};

const setDay = (fields: Fields, name: string, at: number | null): void =>
  settle(fields, name, at === null ? null : adifDate(at), at !== null && parseDate(fields[name]) === at);

const creditsOf = (fields: Fields): string => {
  const listed = CREDITS.flatMap((name) => (fields[name] ?? "").toUpperCase().split(","));
  return [...new Set(listed.map((credit) => credit.trim()).filter((credit) => credit !== ""))].sort().join(",");
};
