import { WITNESSES, type Witness } from "../awards/award.ts";
import { applyConfirmedPlace } from "../contact/confirmed.ts";
import {
  countsForEntities,
  countsForSquares,
  countsForZones,
  type PlaceTally,
  type SquareTally,
} from "../awards/award-tally.ts";

/** The kinds of places that awards count. */
export const PLACE_KINDS = ["entities", "bands", "states", "zones", "grids"] as const;
type PlaceKind = (typeof PLACE_KINDS)[number];

const byKind = <T>(answer: (kind: PlaceKind) => T): Record<PlaceKind, T> =>
  Object.fromEntries(PLACE_KINDS.map((kind) => [kind, answer(kind)])) as Record<PlaceKind, T>;

/** Places that the log did not have before a job. */
export interface Places extends Record<PlaceKind, (string | number)[]> {
  entities: number[];
  bands: string[];
  states: string[];
  zones: number[];
  grids: string[];
}

export interface Gains {
  worked: Places;
  /** Confirmed for the first time by anyone, or for the first time by a witness that sponsors accept. */
  confirmed: Places;
}

/** What jobs brought since the user's last visit. */
export interface NewsSince {
  since: number;
  jobs: number;
  added: number;
  updated: number;
  confirmed: number;
  failed: number;
  gains: readonly Gains[];
}

/** How many new places of each kind a job brought. */
export type PlaceCounts = Record<PlaceKind, number>;
export type GainCounts = Record<keyof Gains, PlaceCounts>;

export const countGains = ({ worked, confirmed }: Gains): GainCounts => ({
  worked: byKind((kind) => worked[kind].length),
  confirmed: byKind((kind) => confirmed[kind].length),
});

/** Names of single facts, such as `worked entity 291`. */
export type Facts = Set<string>;

type Level = "worked" | "confirmed" | "accepted";

/** An entity on a band. It is announced when the contact is logged, but not stored with the job. */
type Kind = PlaceKind | "slots";

const formatFact = (level: Level, kind: Kind, key: string | number): string => `${level} ${kind} ${key}`;

/** The places that contacts count for, by the rules of the mixed awards. Any contact makes its band worked. */
export const addPlaceFacts = (facts: Facts, tallies: readonly PlaceTally[]): void => {
  for (const tally of tallies) {
    if (countsForZones(tally)) {
      addFact(facts, "bands", tally, ({ band }) => [band]);
      addFact(facts, "zones", tally, ({ awardZone }) => [awardZone]);
    }
    if (countsForEntities(tally)) {
      addFact(facts, "entities", tally, ({ awardEntity }) => [awardEntity]);
      addFact(facts, "states", tally, ({ awardState }) => [awardState]);
    }
  }
};

export const addSquareFacts = (facts: Facts, tallies: readonly SquareTally[]): void => {
  for (const tally of tallies.filter(countsForSquares))
    addFact(facts, "grids", tally, ({ awardGrids }) => awardGrids?.split(",") ?? []);
};

/** Entities on bands, for contacts that count for an entity. */
export const addSlotFacts = (facts: Facts, tallies: readonly PlaceTally[]): void => {
  for (const { band, awardEntity } of tallies.filter(countsForEntities))
    if (band !== null && awardEntity !== null) facts.add(formatFact("worked", "slots", `${awardEntity}/${band}`));
};

/** The places that were never worked before, by name. */
export const listNewPlaces = (fresh: Facts): Record<Kind, string[]> => {
  const places: Record<Kind, string[]> = { slots: [], ...byKind(() => []) };
  for (const name of fresh) {
    const [level, kind, key] = name.split(" ") as [Level, Kind, string];
    if (level === "worked") places[kind].push(key);
  }
  return places;
};

/** The witnesses that sponsors accept. */
const ACCEPTED: readonly Witness[] = ["first", "card"];

const addFact = <T extends PlaceTally | SquareTally>(
  facts: Facts,
  kind: PlaceKind,
  tally: T,
  keysOf: (place: T) => readonly (string | number | null)[],
): void => {
  for (const key of keysOf(tally)) if (key !== null) facts.add(formatFact("worked", kind, key));
  for (const witness of WITNESSES) {
    if (!tally[witness]) continue;
    for (const key of keysOf(applyConfirmedPlace(tally, witness))) {
      if (key === null) continue;
      facts.add(formatFact("confirmed", kind, key));
      if (ACCEPTED.includes(witness)) facts.add(formatFact("accepted", kind, key));
    }
  }
};

/** Adds two gains. */
export const mergeGains = (a: Gains | null, b: Gains): Gains =>
  a === null ? b : { worked: mergePlaces(a.worked, b.worked), confirmed: mergePlaces(a.confirmed, b.confirmed) };

const mergePlaces = (a: Places, b: Places): Places => collectPlaces((kind) => [...a[kind], ...b[kind]]);

/** Each place once and in order. */
const collectPlaces = (list: (kind: PlaceKind) => readonly (string | number)[]): Places =>
  byKind((kind) => [...new Set(list(kind))].sort((x, y) => (x < y ? -1 : 1))) as Places;

export const toGains = (facts: Iterable<string>): Gains => {
  const named = [...facts].map((name) => name.split(" ") as [Level, Kind, string]);
  const collect = (isWanted: (level: Level) => boolean) =>
    collectPlaces((wanted) =>
      named.flatMap(([level, kind, key]) =>
        kind !== wanted || !isWanted(level) ? [] : kind === "entities" || kind === "zones" ? Number(key) : key,
      ),
    );
  return { worked: collect((level) => level === "worked"), confirmed: collect((level) => level !== "worked") };
};
