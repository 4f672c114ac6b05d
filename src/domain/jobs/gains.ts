import { WITNESSES, type Witness } from "../awards/award.ts";
import { applyConfirmedPlace } from "../contact/confirmed.ts";
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

export const countGains = ({ worked, confirmed }: Gains): GainCounts => ({
  worked: countPlaces(worked),
  confirmed: countPlaces(confirmed),
});

const countPlaces = ({ entities, bands, states, zones, grids }: Places): PlaceCounts => ({
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

const formatFact = (level: Level, kind: Kind, key: string | number): string => `${level} ${kind} ${key}`;

/** The places that contacts count for, by the rules of the mixed awards. Any contact makes its band worked. */
export const addPlaceFacts = (facts: Facts, tallies: readonly PlaceTally[]): void => {
  for (const tally of tallies) {
    if (isVoid(tally)) continue;
    if (isSatellite(tally)) continue;
    addFact(facts, "bands", tally, ({ band }) => [band]);
    addFact(facts, "zones", tally, ({ awardZone }) => [awardZone]);
    if (tally.band === SIXTY) continue;
    addFact(facts, "entities", tally, ({ awardEntity }) => [awardEntity]);
    addFact(facts, "states", tally, ({ awardState }) => [awardState]);
  }
};

/** Entities on bands, for contacts that count for an entity. */
export const addSlotFacts = (facts: Facts, tallies: readonly PlaceTally[]): void => {
  for (const tally of tallies) {
    const { band, awardEntity } = tally;
    if (band === null || awardEntity === null || band === SIXTY || isVoid(tally) || isSatellite(tally)) continue;
    facts.add(formatFact("worked", "slots", `${awardEntity}/${band}`));
  }
};

/** The places that were never worked before, by name. */
export const listNewPlaces = (fresh: Facts): Record<Kind, string[]> => {
  const places: Record<Kind, string[]> = { entities: [], slots: [], bands: [], states: [], zones: [], grids: [] };
  for (const name of fresh) {
    const [level, kind, key] = name.split(" ") as [Level, Kind, string];
    if (level === "worked") places[kind].push(key);
  }
  return places;
};

/** Squares count from 50 MHz up and over satellites. */
export const addSquareFacts = (facts: Facts, tallies: readonly SquareTally[]): void => {
  for (const tally of tallies) {
    if (isVoid(tally) || !(isSatellite(tally) || SQUARE_BANDS.includes(tally.band as "6m"))) continue;
    addFact(facts, "grids", tally, ({ awardGrids }) => awardGrids?.split(",") ?? []);
  }
};

/** The witnesses that sponsors accept. */
const ACCEPTED: readonly Witness[] = ["first", "card"];

const addFact = <T extends PlaceTally | SquareTally>(
  facts: Facts,
  kind: keyof Places,
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

const mergePlaces = (a: Places, b: Places): Places => ({
  entities: mergeLists(a.entities, b.entities).sort((x, y) => x - y),
  bands: mergeLists(a.bands, b.bands).sort(),
  states: mergeLists(a.states, b.states).sort(),
  zones: mergeLists(a.zones, b.zones).sort((x, y) => x - y),
  grids: mergeLists(a.grids, b.grids).sort(),
});

const mergeLists = <T>(a: readonly T[], b: readonly T[]): T[] => [...new Set([...a, ...b])];

export const toGains = (facts: Iterable<string>): Gains => {
  const gains: Gains = { worked: createPlaces(), confirmed: createPlaces() };
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

const createPlaces = (): Places => ({ entities: [], bands: [], states: [], zones: [], grids: [] });
