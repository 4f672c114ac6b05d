import type { RowOf } from "./rows.ts";
import { maybe, run, type Unit } from "./unit.ts";

/** False where the database is of a qsolog that knew no such thing. */
export function* isThere(): Unit<boolean> {
  return (yield* maybe`SELECT name FROM migrations WHERE name = '0011_installation'`) !== null;
}

/** What the installation knows of itself under this name. */
export function* find(name: string): Unit<string | null> {
  const row = yield* maybe<RowOf<"installation", "value">>`SELECT value FROM installation WHERE name = ${name}`;
  return row?.value ?? null;
}

/** Whoever is first says it; gives what was said. */
export function* settle(name: string, value: string): Unit<string> {
  yield* run`INSERT INTO installation (name, value) VALUES (${name}, ${value}) ON CONFLICT DO NOTHING`;
  return (yield* find(name)) ?? value;
}

export function* replace(name: string, value: string): Unit<void> {
  yield* run`INSERT INTO installation (name, value) VALUES (${name}, ${value})
             ON CONFLICT (name) DO UPDATE SET value = ${value}`;
}
