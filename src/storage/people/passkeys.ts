import type { RowOf } from "../engine/rows.ts";
import { columns, hasEffect, many, maybe, maybeValue, run, type Unit } from "../engine/unit.ts";

type Row = RowOf<"passkeys">;

export interface Passkey extends Omit<Row, "transports"> {
  /** How a browser can reach the authenticator. */
  transports: string[];
}

const PASSKEY = columns(
  "id",
  "user_id",
  "credential_id",
  "sealed",
  "transports",
  "counter",
  "name",
  "created_at",
  "last_used_at",
);

const toPasskey = (row: Row): Passkey => ({ ...row, transports: JSON.parse(row.transports) });

export function* listOf(userId: number): Unit<Passkey[]> {
  const rows = yield* many<Row>`SELECT ${PASSKEY} FROM passkeys WHERE user_id = ${userId} ORDER BY id`;
  return rows.map(toPasskey);
}

export function* find(userId: number, credentialId: string): Unit<Passkey | null> {
  const row = yield* maybe<Row>`
    SELECT ${PASSKEY} FROM passkeys WHERE user_id = ${userId} AND credential_id = ${credentialId}`;
  return row && toPasskey(row);
}

/** Returns null if the passkey is already registered, by any user. */
export function* add(
  passkey: Pick<Passkey, "userId" | "credentialId" | "sealed" | "transports" | "counter" | "name">,
  now: number,
): Unit<Passkey | null> {
  const { userId, credentialId, sealed, transports, counter, name } = passkey;
  const row = yield* maybe<Row>`
    INSERT INTO passkeys (user_id, credential_id, sealed, transports, counter, name, created_at)
    VALUES (${userId}, ${credentialId}, ${sealed}, ${JSON.stringify(transports)}, ${counter}, ${name}, ${now})
    ON CONFLICT DO NOTHING RETURNING ${PASSKEY}`;
  return row && toPasskey(row);
}

/** Returns false if it was used or removed in the meantime. */
export const use = ({ id, counter }: Pick<Passkey, "id" | "counter">, next: number, now: number): Unit<boolean> =>
  hasEffect`
    UPDATE passkeys SET counter = ${next}, last_used_at = ${now} WHERE id = ${id} AND counter = ${counter}`;

/** Returns the name of the removed passkey, or null if there is none. */
export const remove = (userId: number, id: number): Unit<string | null> =>
  maybeValue`DELETE FROM passkeys WHERE user_id = ${userId} AND id = ${id} RETURNING name`;

export const removeOf = (userId: number): Unit<void> => run`DELETE FROM passkeys WHERE user_id = ${userId}`;
