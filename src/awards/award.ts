import { SIXTY, type PlaceTally, type PrefixTally, type SquareTally } from "../domain/awards/award-tally.ts";
import type { AwardBand, AwardGroup, AwardId, AwardView, SlotKey, Witness } from "../domain/awards/award.ts";
import type { ContactFilter } from "../storage/log/awards.ts";

/** When the award is reached: at a first number, at some higher ones, then each time `every` more are added. */
export interface Goal {
  figure: number;
  more?: readonly number[];
  every?: number;
}

/** A group of contacts with the columns that its award counts. For squares it contains one square. */
export type Counted = PlaceTally & PrefixTally & SquareTally;

/** An award that is counted separately for each band or group. */
export interface Split {
  by: "band" | "group";
  /** How the counts are combined: their sum, the smallest, or that of the best part. */
  combination: "sum" | "least" | "best";
  /** The bands or groups that count, if not all do. */
  parts?: readonly (AwardBand | AwardGroup)[];
}

export interface Award {
  id: AwardId;
  label: string;
  /** What is counted, in the plural. */
  unit: string;
  sponsor: string;
  accepts: readonly Witness[];
  /** The kind of aggregation it is counted from. */
  ground: "places" | "prefixes" | "squares" | "islands";
  /** Whether all contacts must be made from one entity, or from a circle. */
  wonFrom: "entity" | "circle";
  /** The name of its credits in ADIF. */
  credit: string;
  /** The slot that a contact counts for. */
  keyOf(tally: Counted): SlotKey | null;
  nameOf(key: SlotKey): string;
  /** Whether contacts on the band count if no band was chosen; null for contacts without a band. */
  takesBand(band: string | null): boolean;
  takesSatellites: boolean;
  /** Null if this band or group has no award. */
  goal(view: Pick<AwardView, "band" | "group">): Goal | null;
  split?: Split;
  /** All slots that exist, if they can be listed. */
  universe?(): readonly SlotKey[];
  /** A mode counts only if both sides reported it. */
  needsTwoWay?: boolean;
  /** The contacts of each group, if they are not those of the mode group. */
  groups?: Record<AwardGroup, ContactFilter>;
  /** Only these contacts can count. */
  filter?: ContactFilter;
  countsEntities?: boolean;
}

export const FIVE_BANDS = ["80m", "40m", "20m", "15m", "10m"] as const;

/** No mixed award of the ARRL counts 60 m. */
export const anyButSixty = (band: string | null): boolean => band !== SIXTY;

export const oneOf = (names: readonly string[]) => {
  const bands: ReadonlySet<string | null> = new Set(names);
  return (band: string | null): boolean => bands.has(band);
};

/** The next number above this one. */
export const nextAfter = ({ figure: least, more = [], every }: Goal, reached: number): number | null => {
  for (const figure of [least, ...more]) if (figure > reached) return figure;
  if (every === undefined) return null;
  const last = more.at(-1) ?? least;
  return last + every * (Math.floor((reached - last) / every) + 1);
};
