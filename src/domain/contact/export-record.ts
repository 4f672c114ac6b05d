import { omitFields, type AdifRecord, type Fields } from "./adif-record.ts";
import { megahertz, parseBand, parseFrequency } from "../radio/band.ts";
import { readSquares } from "../radio/grid-squares.ts";
import { ADIF_TIME, formatAdifDate, formatAdifTime, parseInstant } from "../../kernel/instant.ts";
import type { Layers } from "./layers.ts";
import { exportMode, GROUP_NAMES, STAND_INS } from "../radio/mode.ts";
import { CREDIT_FIELDS, GROUP_THERE, MODE_THERE, WIDE_THERE } from "../origins/first.ts";
import { setValue } from "../origins/origin.ts";
import { SERVICE_ORIGINS } from "../origins/services.ts";
import type { Qso } from "./qso.ts";
import { byService, SERVICES } from "../jobs/source.ts";
import { readEnd } from "../radio/on-air.ts";
import { parseCqZone, parseEntityNumber } from "../radio/place.ts";
import { parseNumberWithin, textOrNull, toUpperCased } from "../../kernel/text.ts";
import { readState } from "../radio/us-states.ts";
import { createDeniedFilter, forEachVoice, type Voices } from "./voices.ts";

/** Builds one record with everything that any origin said about a contact. Importing it gives the same contact. */
export const exportRecord = (qso: Qso): AdifRecord => {
  const voices = collectRecords(qso);
  const { fields, types } = mergeRecords(voices);
  setStart(fields, qso, voices);
  setEnd(fields, qso);
  setTuning(fields, qso);
  setMode(fields, qso);
  setGrids(fields, qso);
  setState(fields, qso);
  for (const service of SERVICES) SERVICE_ORIGINS[service].exportInto(fields, qso);
  setCredits(fields, voices);
  for (const name of Object.keys(fields))
    if (fields[name] === "" || PLACEHOLDER.test(fields[name]!.trim())) delete fields[name];
  const given = Object.entries(types).filter(([name]) => fields[name] !== undefined);
  return given.length === 0 ? { fields } : { fields, types: Object.fromEntries(given) };
};

/** In order of priority. For a service only its own statements count; what it repeats about others is left out. */
const collectRecords = (layers: Layers): AdifRecord[] => {
  const voices: AdifRecord[] = [];
  const removeDenied = createDeniedFilter(layers.own?.typed);
  forEachVoice(layers, ({ fields, types }, origin) => {
    if (origin === "typed") return void voices.push({ fields });
    const said = origin === "file" ? fields : omitFields(fields, HEARSAY[origin]);
    voices.push({ fields: removeDenied(said), types });
  });
  return voices;
};

/** In a file these fields describe a paper card. */
const PAPER = ["QSL_RCVD", "QSLRDATE", "QSL_SENT", "QSLSDATE", "QSL_RCVD_VIA", "QSL_SENT_VIA"];
const HEARSAY = byService(
  (service) =>
    new Set([
      ...PAPER,
      ...SERVICE_ORIGINS[service].hearsay,
      ...SERVICES.filter((other) => other !== service).flatMap((other) => SERVICE_ORIGINS[other].spokenFor),
    ]),
);

interface Merged {
  fields: Fields;
  types: Record<string, string>;
}

/** Takes each field from the first origin that has it. */
const mergeRecords = (voices: readonly AdifRecord[]): Merged => {
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

/** Programs write this when they have no date. Strict programs reject it. */
const PLACEHOLDER = /^0{8}$/;

/** A value of these fields is exported only if it can be read. */
const READERS: Record<string, (text: string) => unknown> = {
  DXCC: parseEntityNumber,
  CQZ: parseCqZone,
  ITUZ: (text) => parseNumberWithin(text, 1, 90),
  IOTA: (text) => (toUpperCased(text) === "NONE" ? null : textOrNull(text)),
};

const says = (name: string, value: string): boolean =>
  !PLACEHOLDER.test(value.trim()) && (READERS[name] ?? textOrNull)(value) !== null;

/** Takes date and time from one origin, as exactly as it gave them. Some give only the end time. */
const setStart = (fields: Fields, { startedAt }: Qso, voices: readonly AdifRecord[]): void => {
  const starts = voices
    .map(({ fields: { QSO_DATE, TIME_ON, TIME_OFF } }) => ({ date: QSO_DATE, time: textOrNull(TIME_ON) ?? TIME_OFF }))
    .filter(({ date, time }) => parseInstant(date, time)?.at === startedAt);
  const isExact = ({ date, time }: (typeof starts)[number]) => parseInstant(date, time)!.exact;
  const said = starts.find(isExact) ?? starts[0];
  fields.QSO_DATE = said?.date ?? formatAdifDate(startedAt);
  fields.TIME_ON =
    said && ADIF_TIME.test(said.time!.trim()) ? said.time! : formatAdifTime(startedAt, !said || isExact(said));
};

/** The time of one origin on the date of another would be a moment that nobody gave. */
const setEnd = (fields: Fields, { startedAt, endedAt }: Qso): void => {
  const isWritten = fields.TIME_OFF === undefined || ADIF_TIME.test(fields.TIME_OFF.trim());
  if ((isWritten || endedAt === null) && readEnd(toVoices(fields), startedAt) === endedAt) return;
  setValue(fields, "QSO_DATE_OFF", endedAt === null ? null : formatAdifDate(endedAt), false);
  setValue(fields, "TIME_OFF", endedAt === null ? null : formatAdifTime(endedAt, true), false);
};

/** The record as the only origin, as after an import. */
const toVoices = (fields: Fields): Voices => ({ typed: undefined, own: [fields], services: [], all: [fields] });

const setTuning = (fields: Fields, { band, freqHz }: Qso): void => {
  if (band !== null)
    setValue(fields, "BAND", band, toUpperCased(fields.BAND) === band.toUpperCase() && parseBand(fields.BAND) === band);
  if (freqHz !== null) setValue(fields, "FREQ", megahertz(freqHz), parseFrequency(fields.FREQ) === freqHz);
};

/** For a generic mode only the group is known, but strict programs require a mode. */
const setMode = (fields: Fields, { mode, submode, modeGroup }: Qso): void => {
  if (mode === null && submode === null) return;
  const { MODE, SUBMODE } = exportMode(mode, submode);
  const isWide = MODE === undefined && modeGroup !== null;
  const written = isWide ? STAND_INS[modeGroup] : (MODE ?? null);
  setValue(fields, "MODE", written, written !== null && fields.MODE === written);
  setValue(fields, "SUBMODE", SUBMODE ?? null, SUBMODE !== undefined && fields.SUBMODE === SUBMODE);
  setValue(fields, WIDE_THERE, isWide ? GROUP_NAMES[modeGroup] : null, false);
  if (isWide) {
    delete fields[MODE_THERE];
    fields[GROUP_THERE] = GROUP_NAMES[modeGroup];
  }
};

/**
 * GRIDSQUARE and VUCC_GRIDS must come from the same origin, otherwise the contact would count for more than any origin
 * said.
 */
const setGrids = (fields: Fields, { gridsquare, awardGrids }: Qso): void => {
  if (gridsquare !== null) setValue(fields, "GRIDSQUARE", gridsquare, toUpperCased(fields.GRIDSQUARE) === gridsquare);
  if (awardGrids === null || readSquares(fields) === awardGrids) return;
  setValue(fields, "VUCC_GRIDS", awardGrids.includes(",") ? awardGrids : null, false);
};

/** One origin can name the state and another a county of a different state. */
const setState = (fields: Fields, { state }: Qso): void => {
  if (state !== null) setValue(fields, "STATE", state, readState(fields) === state);
};

/** Credits are collected from all origins. */
const setCredits = (fields: Fields, voices: readonly AdifRecord[]): void => {
  const all = listCredits(voices.map((voice) => voice.fields));
  const isSaid = listCredits([fields]).length === all.length;
  if (all.length > 0) setValue(fields, "CREDIT_GRANTED", all.join(","), isSaid);
};

const listCredits = (voices: readonly Fields[]): string[] => {
  const lists = voices.flatMap((fields) => CREDIT_FIELDS.map((name) => fields[name] ?? ""));
  const credits = lists.flatMap((list) =>
    list
      .toUpperCase()
      .split(",")
      .map((credit) => credit.trim()),
  );
  return [...new Set(credits.filter((credit) => credit !== ""))].sort();
};
