import type { RowOf } from "../engine/rows.ts";
import { EMPTY, hasEffect, inList, maybe, run, sql, type Unit } from "../engine/unit.ts";

type Row = RowOf<"one_time_codes">;
export type Purpose = Row["purpose"];

/** Challenges for a second factor: at sign-in, to confirm a session, and to add a passkey. */
export const FACTOR_PURPOSES = ["sign_in", "confirm", "enrol"] as const satisfies readonly Purpose[];
export type FactorPurpose = (typeof FACTOR_PURPOSES)[number];

export interface OneTimeCode<Data = null> extends Omit<Row, "data"> {
  data: Data;
}

export function* add({ hash, userId, purpose, data, expiresAt }: OneTimeCode<unknown>, now: number): Unit<void> {
  yield* run`DELETE FROM one_time_codes WHERE expires_at <= ${now}`;
  yield* run`
    INSERT INTO one_time_codes (hash, user_id, purpose, data, expires_at)
    VALUES (${hash}, ${userId}, ${purpose}, ${JSON.stringify(data)}, ${expiresAt})`;
}

/** Null if it was used, has expired, or its user is gone. */
export function* find<Data = null>(hash: string, purpose: Purpose, now: number): Unit<OneTimeCode<Data> | null> {
  const row = yield* maybe<Row>`
    SELECT c.hash, c.user_id AS "userId", c.purpose, c.data, c.expires_at AS "expiresAt"
    FROM one_time_codes c JOIN users u ON u.id = c.user_id
    WHERE c.hash = ${hash} AND c.purpose = ${purpose} AND c.expires_at > ${now} AND u.deleted_at IS NULL`;
  return row && { ...row, data: JSON.parse(row.data) as Data };
}

/** If several callers use it at the same time, one gets true and the others false. */
export const use = ({ hash, userId }: Pick<OneTimeCode<unknown>, "hash" | "userId">): Unit<boolean> =>
  hasEffect`DELETE FROM one_time_codes WHERE hash = ${hash} AND user_id = ${userId}`;

export function* removeOf(userId: number, purposes?: readonly Purpose[]): Unit<void> {
  const chosen = purposes ? sql`AND purpose ${inList(purposes)}` : EMPTY;
  yield* run`DELETE FROM one_time_codes WHERE user_id = ${userId} ${chosen}`;
}
