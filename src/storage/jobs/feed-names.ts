import type { RowOf } from "../engine/rows.ts";
import { inList, insertMany, maybe, run, type Unit } from "../engine/unit.ts";

interface Named {
  userId: number;
  client: string;
  name: string;
}

const MAX_NAME_LENGTH = 200;

/** What a program calls a contact may be of any length, and a row of an index may not: a long name is kept as its hash. */
const kept = (name: string): string =>
  name.length <= MAX_NAME_LENGTH ? name : new Bun.CryptoHasher("sha256").update(name).digest("hex");

/** The contact that a program calls so; null where it told of none. */
export function* find({ userId, client, name }: Named): Unit<number | null> {
  const row = yield* maybe<RowOf<"feed_names", "qsoId">>`
    SELECT qso_id AS "qsoId" FROM feed_names WHERE user_id = ${userId} AND client = ${client} AND name = ${kept(name)}`;
  return row?.qsoId ?? null;
}

export function* put({ userId, client, name }: Named, qsoId: number): Unit<void> {
  yield* insertMany(
    "feed_names",
    ["user_id", "client", "name", "qso_id"],
    [[userId, client, kept(name), qsoId]],
    "ON CONFLICT (user_id, client, name) DO UPDATE SET qso_id = excluded.qso_id",
  );
}

/** Contacts that are gone, and may come back under the same names. */
export function* forget(qsoIds: readonly number[]): Unit<void> {
  if (qsoIds.length > 0) yield* run`DELETE FROM feed_names WHERE qso_id ${inList(qsoIds)}`;
}

export function* remove({ userId, client, name }: Named): Unit<void> {
  yield* run`DELETE FROM feed_names WHERE user_id = ${userId} AND client = ${client} AND name = ${kept(name)}`;
}
