import type { RowOf } from "../engine/rows.ts";
import { countRows, inList, maybeValue, one, run, type Unit } from "../engine/unit.ts";

/** A rate limit: how many attempts are allowed within a time window. */
export interface Limit {
  /** Who and from where; stored as a hash. */
  name: string;
  windowMs: number;
  most: number;
}

const hashOf = (name: string): string => new Bun.CryptoHasher("sha256").update(name).digest("hex");

/** The milliseconds until the next attempt is allowed. */
export function* waitFor({ name, windowMs, most }: Limit, now: number): Unit<number> {
  const earliest = yield* maybeValue<number>`
    SELECT at FROM attempts WHERE name = ${hashOf(name)} AND at > ${now - windowMs}
    ORDER BY at DESC LIMIT 1 OFFSET ${most - 1}`;
  return earliest === null ? 0 : earliest + windowMs - now;
}

export const count = (name: string, since: number): Unit<number> =>
  countRows`attempts WHERE name = ${hashOf(name)} AND at > ${since}`;

export function* add(name: string, now: number): Unit<number> {
  const { id } = yield* one<RowOf<"attempts", "id">>`
    INSERT INTO attempts (name, at) VALUES (${hashOf(name)}, ${now}) RETURNING id`;
  return id;
}

export const remove = (ids: readonly number[]): Unit<void> => run`DELETE FROM attempts WHERE id ${inList(ids)}`;

export const forget = (name: string): Unit<void> => run`DELETE FROM attempts WHERE name = ${hashOf(name)}`;

export const removeBefore = (at: number): Unit<void> => run`DELETE FROM attempts WHERE at < ${at}`;
