import type { Fields } from "../contact/adif-record.ts";
import type { CallFacts } from "./call-facts.ts";
import { getEntityName, NO_ENTITY } from "./entity.ts";
import { GRID } from "../contact/field-texts.ts";
import { computeDistanceKm, computeGridCentre } from "./maidenhead.ts";
import { parseEntityNumber } from "./place.ts";
import type { Derived } from "../contact/qso.ts";
import { ask, readFirst, type Voices } from "../contact/voices.ts";
import { toUpperCased } from "../../kernel/text.ts";

/** Where the operator was, as far as the log says. */
type OwnPlace = Pick<Derived, "ownEntity" | "ownGrid">;

interface Station {
  stationCallsign: string | null;
  at: number;
}

/** An explicit entity wins; otherwise the own callsign decides. */
export const findOwnPlace = (voices: Voices, facts: CallFacts, { stationCallsign, at }: Station): OwnPlace => ({
  ownEntity: readFirst(voices.all, "MY_DXCC", parseEntityNumber) ?? findEntity(stationCallsign, at, facts),
  ownGrid: ask(voices.all, readOwnGrid),
});

const findEntity = (call: string | null, at: number, facts: CallFacts): number | null => {
  if (call === null) return null;
  return facts.isMobile(call) ? NO_ENTITY : (facts.locate(call, at)?.dxcc ?? null);
};

const OWN_GRID_LETTERS = 6;

const readOwnGrid = ({ MY_GRIDSQUARE }: Fields): string | null => {
  const grid = toUpperCased(MY_GRIDSQUARE);
  return grid.length >= 4 && GRID.test(grid) ? grid.slice(0, OWN_GRID_LETTERS) : null;
};

/** A place from which contacts were made, with the value to select it. */
export interface OwnLocation {
  /** A DXCC number, or the grid square in the middle of a circle. */
  location: string;
  label: string;
  contacts: number;
}

interface CountedEntity {
  entity: number | null;
  contacts: number;
}

interface CountedGrid {
  grid: string | null;
  contacts: number;
}

const compareContacts = <T extends { contacts: number }>(name: (one: T) => string | number) => {
  return (a: T, b: T): number => b.contacts - a.contacts || (name(a) < name(b) ? -1 : 1);
};

/** Contacts without a place are counted for the most common place, which comes first. */
const addUnknown = <T extends { contacts: number }>(places: readonly T[], unknown: number): T[] =>
  places.map((place, index) => (index === 0 ? { ...place, contacts: place.contacts + unknown } : place));

/** The entities from which contacts were made, most common first. */
export const listEntities = (counted: readonly CountedEntity[]): (OwnLocation & { entity: number })[] => {
  const known = counted.flatMap(({ entity, contacts }) => (entity === null ? [] : [{ entity, contacts }]));
  const unknown = counted.find(({ entity }) => entity === null)?.contacts ?? 0;
  return addUnknown(known.sort(compareContacts(({ entity }) => entity)), unknown).map(({ entity, contacts }) => ({
    entity,
    location: String(entity),
    label: entity === NO_ENTITY ? "no entity" : getEntityName(entity),
    contacts,
  }));
};

/** The largest distance between two locations of one award. */
const CIRCLE_KM = 200;
/** Nobody looks at more circles; a rover creates many. */
const MAX_CIRCLES = 500;

type Circle = OwnLocation & { grids: string[] };

/** The circles from which contacts were made, each around its most common square, most common first. */
export const listCircles = (counted: readonly CountedGrid[]): Circle[] => {
  const unknown = counted.find(({ grid }) => grid === null)?.contacts ?? 0;
  let left = counted
    .flatMap(({ grid, contacts }) => (grid === null ? [] : [{ grid, contacts, centre: computeGridCentre(grid)! }]))
    .sort(compareContacts(({ grid }) => grid));
  const circles: Circle[] = [];
  while (left.length > 0 && circles.length < MAX_CIRCLES) {
    const members: typeof left = [];
    const others: typeof left = [];
    for (const place of left) {
      const fits = members.every(({ centre }) => computeDistanceKm(centre, place.centre) <= CIRCLE_KM);
      (fits ? members : others).push(place);
    }
    const grids = members.map(({ grid }) => grid);
    const contacts = members.reduce((sum, place) => sum + place.contacts, 0);
    circles.push({ location: grids[0]!, label: joinNames(grids), contacts, grids });
    left = others;
  }
  return addUnknown(circles, unknown);
};

const NAMED = 3;

const joinNames = (grids: readonly string[]): string =>
  grids.length > NAMED ? `${grids.slice(0, NAMED).join(", ")} and ${grids.length - NAMED} more` : grids.join(", ");

/** Whether one square contains the other. */
export const isWithin = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);
