import { findBand, parseRecordFrequency, megahertz, parseBand, parseFrequency } from "../../domain/radio/band.ts";
import { DAY, MINUTE } from "../../kernel/clock.ts";
import { formatAdifDate, formatAdifTime, EARLIEST } from "../../kernel/instant.ts";
import type { Layers } from "../../domain/contact/layers.ts";
import { exportMode } from "../../domain/radio/mode.ts";
import { parseMode } from "../../domain/radio/on-air.ts";
import { setTypedFields } from "../../domain/origins/owner.ts";
import { SERVICE_ORIGINS } from "../../domain/origins/services.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import type { EditRepair, FtModes } from "../../domain/jobs/repair.ts";
import { SERVICES } from "../../domain/jobs/source.ts";
import { getLayers } from "../../storage/log/qsos.ts";
import { readFirst, getVoices } from "../../domain/contact/voices.ts";
import { code } from "../../kernel/text.ts";

/** Values by ADIF field name. An empty text clears the field; null removes what the user typed earlier. */
type Said = Record<string, string | null>;

/** Applies an edit to a contact, or returns why it makes no sense there. */
export const editLayers = (qso: Qso, edit: EditRepair, now: number): Layers | { refused: string } => {
  const shifted = shiftTimes(qso, edit.shiftMs ?? 0, now);
  if (shifted === null) return { refused: "the time would be in the future, or before 1930" };
  const said: Said = {
    ...shifted,
    ...(edit.byFrequency ? findTuning(qso) : {}),
    ...(edit.ftModes ? findMode(qso, edit.ftModes) : {}),
    ...removeKnown(qso, edit.fields),
  };
  return setTypedFields(getLayers(qso), said);
};

/** Drops values that the contact has already. */
const removeKnown = (qso: Qso, fields: Said): Said => {
  const { all } = getVoices(qso);
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value === null || (readFirst(all, name) ?? "") !== value),
  );
};

/** Shifts start and end by the given time, and keeps their seconds if they have any. */
const shiftTimes = ({ startedAt, endedAt }: Qso, shiftMs: number, now: number): Said | null => {
  if (shiftMs === 0) return {};
  const start = startedAt + shiftMs;
  if (start > now + DAY || start < EARLIEST) return null;
  return { ...formatMoment(start, "QSO_DATE", "TIME_ON"), ...endOf(endedAt, shiftMs) };
};

const endOf = (endedAt: number | null, shiftMs: number): Said =>
  endedAt === null ? {} : formatMoment(endedAt + shiftMs, "QSO_DATE_OFF", "TIME_OFF");

const formatMoment = (at: number, date: string, time: string): Said => ({
  [date]: formatAdifDate(at),
  [time]: formatAdifTime(at, at % MINUTE !== 0),
});

/** The first frequency that contradicts the band, or that was written where the band belongs. */
const findTuning = (qso: Qso): Said => {
  for (const { BAND, FREQ } of getVoices(qso).all) {
    const isSwapped = parseBand(BAND) === null && parseFrequency(BAND) !== null;
    const freqHz = parseRecordFrequency(isSwapped ? BAND : FREQ, isSwapped ? parseBand(FREQ) : null);
    const band = freqHz === null ? null : findBand(freqHz);
    if (band !== null && band !== qso.band) return { BAND: band, FREQ: megahertz(freqHz!) };
    if (band !== null) return {};
  }
  return {};
};

type Ft = "FT8" | "FT4";

const findMode = (qso: Qso, how: FtModes): Said => {
  const mode = getFtMode(qso);
  if (mode === null) return {};
  const wanted = how === "swap" ? OTHER[mode] : findServiceMode(qso);
  if (wanted === null || wanted === mode) return {};
  const { MODE = wanted, SUBMODE } = exportMode(...WRITTEN[wanted]);
  return { MODE, SUBMODE: SUBMODE ?? null };
};

const OTHER: Record<Ft, Ft> = { FT8: "FT4", FT4: "FT8" };

const WRITTEN: Record<Ft, [mode: string, submode: string | null]> = { FT8: ["FT8", null], FT4: ["MFSK", "FT4"] };

const getFtMode = ({ mode, submode }: Pick<Qso, "mode" | "submode">): Ft | null => {
  const name = code(submode ?? mode ?? undefined);
  return name === "FT8" || name === "FT4" ? name : null;
};

/** The first service that names FT4 or FT8. */
const findServiceMode = (qso: Qso): Ft | null => {
  for (const service of SERVICES) {
    const details = SERVICE_ORIGINS[service].details(qso);
    const mode = details && parseMode(details);
    const named = mode && getFtMode(mode);
    if (named) return named;
  }
  return null;
};
