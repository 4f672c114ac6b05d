import type { AdifRecord, Fields } from "./adif-record.ts";
import { megahertz, parseBand, parseFrequency } from "../radio/band.ts";
import { squaresIn } from "../radio/grid-squares.ts";
import { ADIF_TIME, adifDate, adifTime, parseInstant } from "../../kernel/instant.ts";
import type { Layers } from "./layers.ts";
import { exportMode, GROUP_NAMES, STAND_INS } from "../radio/mode.ts";
import { CREDIT_FIELDS, GROUP_THERE, MODE_THERE, WIDE_THERE } from "../origins/first.ts";
import { settle } from "../origins/origin.ts";
import { SERVICE_ORIGINS } from "../origins/services.ts";
import type { Qso } from "./qso.ts";
import { byService, SERVICES } from "../jobs/source.ts";
import { endOf } from "../radio/on-air.ts";
import { cqZone, entityNumber } from "../radio/place.ts";
import { numberWithin, textOrNull, upperCased } from "../../kernel/text.ts";
import { stateIn } from "../radio/us-states.ts";
import { heardBeside, type Voices } from "./voices.ts";

/** One record that says everything anybody said of a contact, and means the same when it is read again. */
export const exportRecord = (qso: Qso): AdifRecord => {
  const voices = voicesOf(qso);
  const { fields, types } = merged(voices);
  setStart(fields, qso, voices);
  setEnd(fields, qso);
  setTuning(fields, qso);
  setMode(fields, qso);
  setGrids(fields, qso);
  setState(fields, qso);
  for (const service of SERVICES) SERVICE_ORIGINS[service].tell(fields, qso);
  setCredits(fields, voices);
  for (const name of Object.keys(fields))
    if (fields[name] === "" || PLACEHOLDER.test(fields[name]!.trim())) delete fields[name];
  const given = Object.entries(types).filter(([name]) => fields[name] !== undefined);
  return given.length === 0 ? { fields } : { fields, types: Object.fromEntries(given) };
};

/** In the order in which they are believed. A service speaks only for itself: the rest of its claims is hearsay. */
const voicesOf = (layers: Layers): AdifRecord[] => {
  const { own } = layers;
  const voices: AdifRecord[] = [];
  if (own?.typed) voices.push({ fields: own.typed });
  const beside = heardBeside(own?.typed);
  const heard = (record: AdifRecord) => void voices.push({ ...record, fields: beside(record.fields) });
  if (own?.file) heard(own.file);
  for (const service of SERVICES) {
    SERVICE_ORIGINS[service].speak(layers, (record) => heard(without(record, HEARSAY[service])));
  }
  return voices;
};

/** In a file these speak of a card. */
const PAPER = ["QSL_RCVD", "QSLRDATE", "QSL_SENT", "QSLSDATE", "QSL_RCVD_VIA", "QSL_SENT_VIA"];
const HEARSAY = byService((service) => [
  ...PAPER,
  ...SERVICE_ORIGINS[service].hearsay,
  ...SERVICES.filter((other) => other !== service).flatMap((other) => SERVICE_ORIGINS[other].spokenFor),
]);

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

/** These are not said by what cannot be read as such. */
const READERS: Record<string, (text: string) => unknown> = {
  DXCC: entityNumber,
  CQZ: cqZone,
  ITUZ: (text) => numberWithin(text, 1, 90),
  IOTA: (text) => (upperCased(text) === "NONE" ? null : textOrNull(text)),
};

const says = (name: string, value: string): boolean =>
  !PLACEHOLDER.test(value.trim()) && (READERS[name] ?? textOrNull)(value) !== null;

/** Date and time of one voice, as exactly as it gave them. Some give nothing but the time of the end. */
const setStart = (fields: Fields, { startedAt }: Qso, voices: readonly AdifRecord[]): void => {
  const starts = voices
    .map(({ fields: { QSO_DATE, TIME_ON, TIME_OFF } }) => ({ date: QSO_DATE, time: textOrNull(TIME_ON) ?? TIME_OFF }))
    .filter(({ date, time }) => parseInstant(date, time)?.at === startedAt);
  const isExact = ({ date, time }: (typeof starts)[number]) => parseInstant(date, time)!.exact;
  const said = starts.find(isExact) ?? starts[0];
  fields.QSO_DATE = said?.date ?? adifDate(startedAt);
  fields.TIME_ON = said && ADIF_TIME.test(said.time!.trim()) ? said.time! : adifTime(startedAt, !said || isExact(said));
};

/** The time of one voice on the date of another may be a third, which nobody said. */
const setEnd = (fields: Fields, { startedAt, endedAt }: Qso): void => {
  const isWritten = fields.TIME_OFF === undefined || ADIF_TIME.test(fields.TIME_OFF.trim());
  if ((isWritten || endedAt === null) && endOf(alone(fields), startedAt) === endedAt) return;
  settle(fields, "QSO_DATE_OFF", endedAt === null ? null : adifDate(endedAt), false);
  settle(fields, "TIME_OFF", endedAt === null ? null : adifTime(endedAt, true), false);
};

/** The record as the only voice, as it is when it is read again. */
const alone = (fields: Fields): Voices => ({ typed: undefined, own: [fields], services: [], all: [fields] });

const setTuning = (fields: Fields, { band, freqHz }: Qso): void => {
  if (band !== null)
    settle(fields, "BAND", band, upperCased(fields.BAND) === band.toUpperCase() && parseBand(fields.BAND) === band);
  if (freqHz !== null) settle(fields, "FREQ", megahertz(freqHz), parseFrequency(fields.FREQ) === freqHz);
};

/** Of a generic mode only the group can be said; strict programs want a mode all the same. */
const setMode = (fields: Fields, { mode, submode, modeGroup }: Qso): void => {
  if (mode === null && submode === null) return;
  const { MODE, SUBMODE } = exportMode(mode, submode);
  const isWide = MODE === undefined && modeGroup !== null;
  const written = isWide ? STAND_INS[modeGroup] : (MODE ?? null);
  settle(fields, "MODE", written, written !== null && fields.MODE === written);
  settle(fields, "SUBMODE", SUBMODE ?? null, SUBMODE !== undefined && fields.SUBMODE === SUBMODE);
  settle(fields, WIDE_THERE, isWide ? GROUP_NAMES[modeGroup] : null, false);
  if (isWide) {
    delete fields[MODE_THERE];
    fields[GROUP_THERE] = GROUP_NAMES[modeGroup];
  }
};

/** A grid and a list of grids come from one voice: the list of another would count for more than anybody said. */
const setGrids = (fields: Fields, { gridsquare, awardGrids }: Qso): void => {
  if (gridsquare !== null) settle(fields, "GRIDSQUARE", gridsquare, upperCased(fields.GRIDSQUARE) === gridsquare);
  if (awardGrids === null || squaresIn(fields) === awardGrids) return;
  settle(fields, "VUCC_GRIDS", awardGrids.includes(",") ? awardGrids : null, false);
};

/** One voice names the state, and another a county of another one. */
const setState = (fields: Fields, { state }: Qso): void => {
  if (state !== null) settle(fields, "STATE", state, stateIn(fields) === state);
};

/** A credit that anybody brings is not lost because somebody else brings another. */
const setCredits = (fields: Fields, voices: readonly AdifRecord[]): void => {
  const all = creditsIn(voices.map((voice) => voice.fields));
  const isSaid = creditsIn([fields]).length === all.length;
  if (all.length > 0) settle(fields, "CREDIT_GRANTED", all.join(","), isSaid);
};

const creditsIn = (voices: readonly Fields[]): string[] => {
  const lists = voices.flatMap((fields) => CREDIT_FIELDS.map((name) => fields[name] ?? ""));
  const credits = lists.flatMap((list) =>
    list
      .toUpperCase()
      .split(",")
      .map((credit) => credit.trim()),
  );
  return [...new Set(credits.filter((credit) => credit !== ""))].sort();
};
