import { inList, maybeValue, run, type Unit } from "../engine/unit.ts";

interface Named {
  userId: number;
  client: string;
  name: string;
}

const MAX_NAME_LENGTH = 200;

/** A program's id of a contact can be longer than an index row allows: store a hash of long ones. */
const toStoredName = (name: string): string =>
  name.length <= MAX_NAME_LENGTH ? name : new Bun.CryptoHasher("sha256").update(name).digest("hex");

/** The contact with a program's id, or null. */
export const find = ({ userId, client, name }: Named): Unit<number | null> =>
  maybeValue`
    SELECT qso_id FROM feed_names
    WHERE user_id = ${userId} AND client = ${client} AND name = ${toStoredName(name)}`;

export const put = ({ userId, client, name }: Named, qsoId: number): Unit<void> =>
  run`
    INSERT INTO feed_names (user_id, client, name, qso_id) VALUES (${userId}, ${client}, ${toStoredName(name)}, ${qsoId})
    ON CONFLICT (user_id, client, name) DO UPDATE SET qso_id = excluded.qso_id`;

/** Forgets the ids of removed contacts, because programs may send those contacts again. */
export function* forget(qsoIds: readonly number[]): Unit<void> {
  if (qsoIds.length > 0) yield* run`DELETE FROM feed_names WHERE qso_id ${inList(qsoIds)}`;
}

export const remove = ({ userId, client, name }: Named): Unit<void> =>
  run`DELETE FROM feed_names WHERE user_id = ${userId} AND client = ${client} AND name = ${toStoredName(name)}`;
