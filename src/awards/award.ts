import { SIXTY, type PlaceTally, type PrefixTally, type SquareTally } from "../domain/awards/award-tally.ts";
import type { AwardBand, AwardGroup, AwardId, AwardView, SlotKey, Witness } from "../domain/awards/award.ts";
import type { ContactFilter } from "../storage/log/awards.ts";

/** What has to be reached: a first figure, some more after it, then another each time so many are added. */
export interface Goal {
  figure: number;
  more?: readonly number[];
  every?: number;
}

/** A group of contacts with the columns of its award's ground; of squares it carries one. */
export type Counted = PlaceTally & PrefixTally & SquareTally;

/** An award that is counted in each band or group by itself. */
export interface Split {
  by: "band" | "group";
  /** How the figures come to one: their sum, the least of them, or those of the part that is furthest. */
  combination: "sum" | "least" | "best";
  /** The bands or groups it takes, where they are few. */
  parts?: readonly (AwardBand | AwardGroup)[];
}

export interface Award {
  id: AwardId;
  label: string;
  /** What is counted, in the plural. */
  unit: string;
  sponsor: string;
  accepts: readonly Witness[];
  /** The roll-up it is counted from. */
  ground: "places" | "prefixes" | "squares" | "islands";
  /** Whether it is won from one entity, or from places of which no two are far apart. */
  wonFrom: "entity" | "circle";
  /** What its credits are called in ADIF. */
  credit: string;
  /** What a contact counts for. */
  keyOf(tally: Counted): SlotKey | null;
  nameOf(key: SlotKey): string;
  /** Whether a band counts where none is asked for; null where the contact has no band. */
  takesBand(band: string | null): boolean;
  takesSatellites: boolean;
  /** Null where what is asked for is no award. */
  goal(view: Pick<AwardView, "band" | "group">): Goal | null;
  split?: Split;
  /** All there is to work, where somebody can list it. */
  universe?(): readonly SlotKey[];
  /** A mode counts only where a witness saw it on both sides. */
  needsTwoWay?: boolean;
  /** The contacts that each group stands for, where these are not simply the mode groups. */
  groups?: Record<AwardGroup, ContactFilter>;
  /** The only contacts that can count. */
  filter?: ContactFilter;
  countsEntities?: boolean;
}

export const FIVE_BANDS = ["80m", "40m", "20m", "15m", "10m"] as const;

/** No mixed award of the league takes 60 m. */
export const anyButSixty = (band: string | null): boolean => band !== SIXTY;

export const oneOf = (names: readonly string[]) => {
  const bands: ReadonlySet<string | null> = new Set(names);
  return (band: string | null): boolean => bands.has(band);
};

/** The first figure above this one. */
export const nextAfter = ({ figure: least, more = [], every }: Goal, reached: number): number | null => {
  for (const figure of [least, ...more]) if (figure > reached) return figure;
  if (every === undefined) return null;
  const last = more.at(-1) ?? least;
  return last + every * (Math.floor((reached - last) / every) + 1);
};
