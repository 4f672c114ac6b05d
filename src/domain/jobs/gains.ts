import { WITNESSES, type Witness } from "../awards/award.ts";
import { confirmedPlace } from "../contact/confirmed.ts";
import { isSatellite, isVoid, SIXTY, SQUARE_BANDS, type PlaceTally, type SquareTally } from "../awards/award-tally.ts";

/** Places that the log did not have before a job. */
export interface Places {
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
export type PlaceCounts = Record<keyof Places, number>;
export type GainCounts = Record<keyof Gains, PlaceCounts>;

export const countsOf = ({ worked, confirmed }: Gains): GainCounts => ({
  worked: placeCounts(worked),
  confirmed: placeCounts(confirmed),
});

const placeCounts = ({ entities, bands, states, zones, grids }: Places): PlaceCounts => ({
  entities: entities.length,
  bands: bands.length,
  states: states.length,
  zones: zones.length,
  grids: grids.length,
});

/** Names of single facts, such as `worked entity 291`. */
export type Facts = Set<string>;

type Level = "worked" | "confirmed" | "accepted";

/** An entity on a band. It is announced when the contact is logged, but not stored with the job. */
type Kind = keyof Places | "slots";

const fact = (level: Level, kind: Kind, key: string | number): string => `${level} ${kind} ${key}`;

/** The places that contacts count for, by the rules of the mixed awards. Any contact makes its band worked. */
export const factsOfPlaces = (facts: Facts, tallies: readonly PlaceTally[]): void => {
  for (const tally of tallies) {
    if (isVoid(tally)) continue;
    if (isSatellite(tally)) continue;
    note(facts, "bands", tally, ({ band }) => [band]);
    note(facts, "zones", tally, ({ awardZone }) => [awardZone]);
    if (tally.band === SIXTY) continue;
    note(facts, "entities", tally, ({ awardEntity }) => [awardEntity]);
    note(facts, "states", tally, ({ awardState }) => [awardState]);
  }
};

/** Entities on bands, for contacts that count for an entity. */
export const factsOfSlots = (facts: Facts, tallies: readonly PlaceTally[]): void => {
  for (const tally of tallies) {
    const { band, awardEntity } = tally;
    if (band === null || awardEntity === null || band === SIXTY || isVoid(tally) || isSatellite(tally)) continue;
    facts.add(fact("worked", "slots", `${awardEntity}/${band}`));
  }
};

/** The places that were never worked before, by name. */
export const newPlaces = (fresh: Facts): Record<Kind, string[]> => {
  const places: Record<Kind, string[]> = { entities: [], slots: [], bands: [], states: [], zones: [], grids: [] };
  for (const name of fresh) {
    const [level, kind, key] = name.split(" ") as [Level, Kind, string];
    if (level === "worked") places[kind].push(key);
  }
  return places;
};

/** Squares count from 50 MHz up and over satellites. */
export const factsOfSquares = (facts: Facts, tallies: readonly SquareTally[]): void => {
  for (const tally of tallies) {
    if (isVoid(tally) || !(isSatellite(tally) || SQUARE_BANDS.includes(tally.band as "6m"))) continue;
    note(facts, "grids", tally, ({ awardGrids }) => awardGrids?.split(",") ?? []);
  }
};

/** The witnesses that sponsors accept. */
const ACCEPTED: readonly Witness[] = ["first", "card"];

const note = <T extends PlaceTally | SquareTally>(
  facts: Facts,
  kind: keyof Places,
  tally: T,
  keysOf: (place: T) => readonly (string | number | null)[],
): void => {
  for (const key of keysOf(tally)) if (key !== null) facts.add(fact("worked", kind, key));
  for (const witness of WITNESSES) {
    if (!tally[witness]) continue;
    for (const key of keysOf(confirmedPlace(tally, witness))) {
      if (key === null) continue;
      facts.add(fact("confirmed", kind, key));
      if (ACCEPTED.includes(witness)) facts.add(fact("accepted", kind, key));
    }
  }
};

/** Adds two gains. */
export const gainsWith = (a: Gains | null, b: Gains): Gains =>
  a === null ? b : { worked: placesWith(a.worked, b.worked), confirmed: placesWith(a.confirmed, b.confirmed) };

const placesWith = (a: Places, b: Places): Places => ({
  entities: union(a.entities, b.entities).sort((x, y) => x - y),
  bands: union(a.bands, b.bands).sort(),
  states: union(a.states, b.states).sort(),
  zones: union(a.zones, b.zones).sort((x, y) => x - y),
  grids: union(a.grids, b.grids).sort(),
});

const union = <T>(a: readonly T[], b: readonly T[]): T[] => [...new Set([...a, ...b])];

export const gainsIn = (facts: Iterable<string>): Gains => {
  const gains: Gains = { worked: noPlaces(), confirmed: noPlaces() };
  for (const name of [...facts].sort()) {
    const [level, kind, key] = name.split(" ") as [Level, Kind, string];
    if (kind === "slots") continue;
    const list: (string | number)[] = gains[level === "worked" ? "worked" : "confirmed"][kind];
    const value = kind === "entities" || kind === "zones" ? Number(key) : key;
    if (!list.includes(value)) list.push(value);
  }
  for (const { entities, zones } of [gains.worked, gains.confirmed]) {
    entities.sort((a, b) => a - b);
    zones.sort((a, b) => a - b);
  }
  return gains;
};

const noPlaces = (): Places => ({ entities: [], bands: [], states: [], zones: [], grids: [] });
