import type { RowOf } from "./rows.ts";
import { maybe, run, type Unit } from "./unit.ts";

/** False for a database of an older qsolog without this table. */
export function* isThere(): Unit<boolean> {
  return (yield* maybe`SELECT name FROM migrations WHERE name = '0011_installation'`) !== null;
}

export function* find(name: string): Unit<string | null> {
  const row = yield* maybe<RowOf<"installation", "value">>`SELECT value FROM installation WHERE name = ${name}`;
  return row?.value ?? null;
}

/** The first caller decides. Returns the stored value. */
export function* settle(name: string, value: string): Unit<string> {
  yield* run`INSERT INTO installation (name, value) VALUES (${name}, ${value}) ON CONFLICT DO NOTHING`;
  return (yield* find(name)) ?? value;
}

export function* replace(name: string, value: string): Unit<void> {
  yield* run`INSERT INTO installation (name, value) VALUES (${name}, ${value})
             ON CONFLICT (name) DO UPDATE SET value = ${value}`;
}
