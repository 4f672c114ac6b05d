import type { Fields } from "../contact/adif-record.ts";
import { findBand, parseRecordFrequency, parseBand, type Band } from "./band.ts";
import { DAY, getMinute } from "../../kernel/clock.ts";
import { formatAdifDate, formatAdifTime, parseDate, parseInstant, type Instant } from "../../kernel/instant.ts";
import { normaliseMode, isNarrower, STAND_INS, type Mode } from "./mode.ts";
import { GROUP_THERE, MODE_THERE, WIDE_THERE } from "../origins/first.ts";
import { ask, type Voices } from "../contact/voices.ts";
import { code, textOrNull } from "../../kernel/text.ts";

/**
 * The owner's start time, otherwise that of the service that knows the seconds. The user can correct date or time
 * alone.
 */
export const readStart = ({ typed, own, services }: Voices): Instant | null => {
  const said = ask(own, parseStart) ?? findExactStart(services);
  if (!typed || !said) return said;
  const { QSO_DATE = formatAdifDate(said.at), TIME_ON = formatAdifTime(said.at, said.exact) } = typed;
  return parseInstant(QSO_DATE, TIME_ON) ?? said;
};

/** Some programs write only the end time. */
const parseStart = ({ QSO_DATE, TIME_ON, TIME_OFF }: Fields): Instant | null =>
  parseInstant(QSO_DATE, textOrNull(TIME_ON) ?? TIME_OFF);

const findExactStart = (services: readonly Fields[]): Instant | null => {
  let first: Instant | null = null;
  for (const fields of services) {
    const start = parseStart(fields);
    if (start?.exact) return start;
    first ??= start;
  }
  return first;
};

/** Without its own date the end is within a day of the start, possibly after midnight. */
export const readEnd = ({ all }: Voices, start: number): number | null =>
  ask(all, ({ QSO_DATE_OFF, TIME_OFF }) => {
    if (TIME_OFF === undefined) return null;
    const end = parseInstant(QSO_DATE_OFF, TIME_OFF)?.at ?? timeOn(start, TIME_OFF);
    if (end === null || end >= start) return end;
    if (getMinute(end) === getMinute(start)) return start;
    return parseDate(QSO_DATE_OFF) === null ? end + DAY : null;
  });

/** The given time on the day of `at`. */
const timeOn = (at: number, time: string): number | null => {
  const onAnyDay = parseInstant("20000101", time);
  return onAnyDay && Math.floor(at / DAY) * DAY + (onAnyDay.at % DAY);
};

/** The owner's mode; of the services' modes the narrower one if both mean the same. */
export const readMode = ({ own, services }: Voices): Mode | null => {
  const said = ask(own, parseMode);
  if (said) return said;
  let best: Mode | null = null;
  for (const fields of services) {
    const mode = parseMode(fields);
    if (mode && (best === null || isNarrower(mode, best))) best = mode;
  }
  return best;
};

/** The first service gives its own mode next to MODE if MODE would be too general. */
export const parseMode = (fields: Fields): Mode | null => {
  const wide = parseWideMode(fields);
  if (wide) return wide;
  const said = normaliseMode(code(fields.MODE) ?? undefined, code(fields.SUBMODE) ?? undefined);
  if (said && !said.generic) return said;
  const theirs = normaliseMode(code(fields[MODE_THERE]) ?? code(fields[GROUP_THERE]) ?? undefined);
  return theirs && (said === null || isNarrower(theirs, said)) ? theirs : said;
};

/** The mode of an exported record whose MODE only stands for its group. */
export const parseWideMode = ({ [WIDE_THERE]: wide, MODE, SUBMODE }: Fields): Mode | null => {
  const known = wide === undefined || SUBMODE !== undefined ? null : normaliseMode(code(wide) ?? undefined);
  return known?.generic && MODE === STAND_INS[known.group] ? known : null;
};

interface Tuning {
  band: Band | null;
  freqHz: number | null;
}

/** The band of the first origin that gives one, with its frequency or another origin's frequency on that band. */
export const readTuning = ({ all }: Voices): Tuning & { bandRx: Band | null } => {
  const tuning = ask(all, parseTuning) ?? { band: null, freqHz: null };
  const freqHz = tuning.freqHz ?? ask(all, ({ FREQ }) => parseFrequencyOn(tuning.band, FREQ));
  return { band: tuning.band, freqHz, bandRx: ask(all, readReceivingBand) };
};

/** BAND has priority over FREQ: a frequency outside the band is a typing error. */
const parseTuning = ({ BAND, FREQ }: Fields): Tuning | null => {
  const band = parseBand(BAND);
  if (band !== null) return { band, freqHz: parseFrequencyOn(band, FREQ) };
  const freqHz = parseRecordFrequency(FREQ, null);
  return freqHz === null ? null : { band: findBand(freqHz), freqHz };
};

const parseFrequencyOn = (band: Band | null, text: string | undefined): number | null => {
  const freqHz = parseRecordFrequency(text, band);
  return freqHz !== null && findBand(freqHz) === band ? freqHz : null;
};

const readReceivingBand = ({ BAND_RX, FREQ_RX }: Fields): Band | null => {
  const band = parseBand(BAND_RX);
  const freqHz = band === null ? parseRecordFrequency(FREQ_RX, null) : null;
  return freqHz === null ? band : findBand(freqHz);
};
