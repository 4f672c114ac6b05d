import { exists, maybeValue, run, type Unit } from "./unit.ts";

/** False for a database of an older qsolog without this table. */
export const isThere = (): Unit<boolean> => exists`migrations WHERE name = '0011_installation'`;

export const find = (name: string): Unit<string | null> =>
  maybeValue`SELECT value FROM installation WHERE name = ${name}`;

/** The first caller decides. Returns the stored value. */
export function* settle(name: string, value: string): Unit<string> {
  yield* run`INSERT INTO installation (name, value) VALUES (${name}, ${value}) ON CONFLICT DO NOTHING`;
  return (yield* find(name)) ?? value;
}

export const replace = (name: string, value: string): Unit<void> =>
  run`INSERT INTO installation (name, value) VALUES (${name}, ${value})
             ON CONFLICT (name) DO UPDATE SET value = ${value}`;
