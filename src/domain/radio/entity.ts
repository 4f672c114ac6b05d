import { DAY } from "../../kernel/clock.ts";
import { EARLIER_DAYS, ENTITY_ROWS, type Continent, type EntityRow } from "./entities.ts";

export interface Entity {
  number: number;
  name: string;
  continent: Continent;
  cqZone: number;
  ituZone: number;
  deleted: boolean;
  /** First and last millisecond of the days on which a contact counts. */
  validFrom: number | null;
  validTo: number | null;
}

/** ADIF's number for a station that is in no entity, such as a ship at sea. */
export const NO_ENTITY = 0;

/** No contact before the end of the wartime ban counts for DXCC. */
const DXCC_BEGINS = Date.UTC(1945, 10, 15);

const COUNTED_BEFORE: ReadonlyMap<number, number> = new Map(
  EARLIER_DAYS.map(([number, to]): [number, number] => [number, endOfDay(to)]),
);

/** All 402 entities, including deleted ones, by number. */
export const ENTITIES: readonly Entity[] = ENTITY_ROWS.map(readRow);

const BY_NUMBER: ReadonlyMap<number, Entity> = new Map(ENTITIES.map((entity) => [entity.number, entity]));

export function getEntity(number: number): Entity | null {
  return BY_NUMBER.get(number) ?? null;
}

/** Distinguishes "in no entity" from an unknown number. */
export function getEntityStatus(number: number): "current" | "deleted" | "none" | "unknown" {
  if (number === NO_ENTITY) return "none";
  const entity = BY_NUMBER.get(number);
  if (!entity) return "unknown";
  return entity.deleted ? "deleted" : "current";
}

export function getEntityName(number: number): string {
  if (number === NO_ENTITY) return "None";
  return BY_NUMBER.get(number)?.name ?? `Unknown entity ${number}`;
}

export function isValidOn(number: number, at: number): boolean {
  const entity = BY_NUMBER.get(number);
  if (!entity || at < DXCC_BEGINS) return false;
  if (at <= (COUNTED_BEFORE.get(number) ?? -Infinity)) return true;
  return at >= (entity.validFrom ?? DXCC_BEGINS) && at <= (entity.validTo ?? Infinity);
}

/** Whether the entity's days have not begun yet, including an earlier period. */
export function isBefore(number: number, at: number): boolean {
  const entity = BY_NUMBER.get(number);
  return at >= DXCC_BEGINS && entity !== undefined && at < (entity.validFrom ?? DXCC_BEGINS) && !isValidOn(number, at);
}

function readRow([number, name, continent, cqZone, ituZone, from, to]: EntityRow): Entity {
  const validFrom = from ? Date.parse(from) : null;
  const validTo = to ? endOfDay(to) : null;
  return { number, name, continent, cqZone, ituZone, deleted: validTo !== null, validFrom, validTo };
}

function endOfDay(day: string): number {
  return Date.parse(day) + DAY - 1;
}
