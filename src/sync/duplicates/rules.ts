import type { Fields } from "../../domain/contact/adif-record.ts";
import { HOUR, MINUTE, minuteOf } from "../../kernel/clock.ts";
import { differencesOf } from "../../domain/contact/details.ts";
import type { DuplicateKind } from "../../domain/jobs/duplicates.ts";
import { isNarrower, type Mode } from "../../domain/radio/mode.ts";
import { withBrought } from "../../domain/origins/services.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import type { Rough } from "../../storage/log/qsos.ts";

const MAX_CLOCK_ERROR = 14 * HOUR;
/** Longer than anybody talks to one station without logging it. */
const MAX_CONTACT_LENGTH = 3 * HOUR;

/** How far apart two rows can be that are one contact. */
export const FARTHEST = MAX_CLOCK_ERROR;

/**
 * Why two rows with one callsign are one contact, the earlier one first; null where they are two, as far as anybody can
 * tell. What one of them does not say speaks against nothing.
 */
export const whyOne = (a: Rough, b: Rough): DuplicateKind[] | null => {
  const time = timeOf(a, b);
  if (time === null || !agree(a.stationCallsign, b.stationCallsign) || !agree(a.band, b.band)) return null;
  if (isUp(a) !== isUp(b) || !agree(a.satName, b.satName)) return null;
  const modes = modesOf(a, b);
  if (modes === null) return null;
  const why: DuplicateKind[] = [
    ...(a.stationCallsign !== b.stationCallsign ? ["ownCall" as const] : []),
    ...(a.band !== b.band ? ["band" as const] : []),
    ...(modes === "named" ? ["modeName" as const] : []),
    ...(time === "same" ? [] : [time]),
  ];
  // Beside a rarer reason too much must not be missing.
  if ((time === "hours" || time === "overlap") && why.length > 1) return null;
  return why.length === 0 ? ["twice"] : why;
};

const agree = <T>(a: T | null, b: T | null): boolean => a === null || b === null || a === b;

const isUp = ({ propMode, satName }: Rough): boolean => propMode === "SAT" || satName !== null;

const timeOf = (a: Rough, b: Rough): "same" | "seconds" | "overlap" | "hours" | null => {
  const apart = b.startedAt - a.startedAt;
  if (apart === 0) return "same";
  const [exactA, exactB] = [a.startedAt % MINUTE !== 0, b.startedAt % MINUTE !== 0];
  if (minuteOf(a.startedAt) === minuteOf(b.startedAt)) return exactA && exactB ? "same" : "seconds";
  // A program that rounds writes the next minute.
  if (apart < MINUTE && exactA !== exactB) return "seconds";
  if (a.endedAt !== null && apart < MAX_CONTACT_LENGTH && b.startedAt < a.endedAt) return "overlap";
  const isClock = apart % HOUR === 0 && apart <= MAX_CLOCK_ERROR && exactA;
  return isClock && a.freqHz !== null && a.freqHz === b.freqHz ? "hours" : null;
};

const modesOf = (a: Rough, b: Rough): "same" | "named" | null => {
  if (!agree(a.modeGroup, b.modeGroup)) return null;
  if (a.mode === b.mode && a.submode === b.submode) return "same";
  const [one, other] = [modeOf(a), modeOf(b)];
  if (one === null || other === null || isNarrower(one, other) || isNarrower(other, one)) return "named";
  return FT.includes(nameOf(one)) && FT.includes(nameOf(other)) ? "named" : null;
};

/** Programs take the one for the other. */
const FT = ["FT8", "FT4"];

const nameOf = ({ mode, submode }: Mode): string => submode ?? mode ?? "";

const modeOf = ({ mode, submode, modeGroup }: Rough): Mode | null =>
  modeGroup === null ? null : { mode, submode, group: modeGroup, generic: mode === null };

/** Whether what was exchanged, or where the stations were, makes two contacts of them. */
export const saysTwo = (a: Qso, b: Qso): boolean => {
  const isFar = minuteOf(a.startedAt) !== minuteOf(b.startedAt);
  return differencesOf(saidOf(a), saidOf(b)).some(({ weight }) => weight !== "place" || isFar);
};

const saidOf = (qso: Qso): Fields => {
  const { own, first, second } = withBrought(qso);
  return {
    ...second?.fields,
    ...first?.qso?.fields,
    ...own?.report?.fields,
    ...own?.file?.fields,
    ...own?.typed,
  };
};
