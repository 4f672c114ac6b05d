import type { Fields } from "../../domain/contact/adif-record.ts";
import { HOUR, MINUTE, getMinute } from "../../kernel/clock.ts";
import { listContradictions } from "../../domain/contact/details.ts";
import type { DuplicateKind } from "../../domain/jobs/duplicates.ts";
import { isNarrower, type Mode } from "../../domain/radio/mode.ts";
import { addCarriedLayers } from "../../domain/origins/services.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import type { Rough } from "../../storage/log/qsos.ts";

const MAX_CLOCK_ERROR = 14 * HOUR;
/** Nobody talks to one station longer than this without logging it. */
const MAX_CONTACT_LENGTH = 3 * HOUR;

/** The largest time difference between two rows that can be one contact. */
export const MAX_TIME_APART = MAX_CLOCK_ERROR;

/**
 * Why two rows with the same callsign are probably one contact, or null if they are two. `a` is the earlier row. A
 * field that only one of them has does not count against it.
 */
export const findDuplicateReasons = (a: Rough, b: Rough): DuplicateKind[] | null => {
  const time = compareTimes(a, b);
  if (time === null || !agree(a.stationCallsign, b.stationCallsign) || !agree(a.band, b.band)) return null;
  if (isUp(a) !== isUp(b) || !agree(a.satName, b.satName)) return null;
  const modes = compareModes(a, b);
  if (modes === null) return null;
  const why: DuplicateKind[] = [
    ...(a.stationCallsign !== b.stationCallsign ? ["ownCall" as const] : []),
    ...(a.band !== b.band ? ["band" as const] : []),
    ...(modes === "named" ? ["modeName" as const] : []),
    ...(time === "same" ? [] : [time]),
  ];
  // Next to a rarer reason, a missing value is not enough evidence.
  if ((time === "hours" || time === "overlap") && why.length > 1) return null;
  return why.length === 0 ? ["twice"] : why;
};

const agree = <T>(a: T | null, b: T | null): boolean => a === null || b === null || a === b;

const isUp = ({ propMode, satName }: Rough): boolean => propMode === "SAT" || satName !== null;

const compareTimes = (a: Rough, b: Rough): "same" | "seconds" | "overlap" | "hours" | null => {
  const apart = b.startedAt - a.startedAt;
  if (apart === 0) return "same";
  const [exactA, exactB] = [a.startedAt % MINUTE !== 0, b.startedAt % MINUTE !== 0];
  if (getMinute(a.startedAt) === getMinute(b.startedAt)) return exactA && exactB ? "same" : "seconds";
  // A program that rounds to minutes can write the next minute.
  if (apart < MINUTE && exactA !== exactB) return "seconds";
  if (a.endedAt !== null && apart < MAX_CONTACT_LENGTH && b.startedAt < a.endedAt) return "overlap";
  const isClock = apart % HOUR === 0 && apart <= MAX_CLOCK_ERROR && exactA;
  return isClock && a.freqHz !== null && a.freqHz === b.freqHz ? "hours" : null;
};

const compareModes = (a: Rough, b: Rough): "same" | "named" | null => {
  if (!agree(a.modeGroup, b.modeGroup)) return null;
  if (a.mode === b.mode && a.submode === b.submode) return "same";
  const [one, other] = [getMode(a), getMode(b)];
  if (one === null || other === null || isNarrower(one, other) || isNarrower(other, one)) return "named";
  return FT.includes(nameOf(one)) && FT.includes(nameOf(other)) ? "named" : null;
};

/** Programs confuse these two modes. */
const FT = ["FT8", "FT4"];

const nameOf = ({ mode, submode }: Mode): string => submode ?? mode ?? "";

const getMode = ({ mode, submode, modeGroup }: Rough): Mode | null =>
  modeGroup === null ? null : { mode, submode, group: modeGroup, generic: mode === null };

/** Whether the exchange or the location proves that these are two contacts. */
export const areTwoContacts = (a: Qso, b: Qso): boolean => {
  const isFar = getMinute(a.startedAt) !== getMinute(b.startedAt);
  return listContradictions(collectFields(a), collectFields(b)).some(({ weight }) => weight !== "place" || isFar);
};

const collectFields = (qso: Qso): Fields => {
  const { own, first, second } = addCarriedLayers(qso);
  return {
    ...second?.record?.fields,
    ...first?.qso?.fields,
    ...own?.report?.fields,
    ...own?.file?.fields,
    ...own?.typed,
  };
};
