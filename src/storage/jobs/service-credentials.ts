import type { Service } from "../../domain/jobs/source.ts";
import type { RowOf } from "../engine/rows.ts";
import { columns, hasEffect, many, maybe, run, type Unit } from "../engine/unit.ts";

export type CredentialState = RowOf<"service_credentials">["state"];

export type StoredCredentials = Omit<RowOf<"service_credentials">, "failures" | "updatedAt">;

/** For now there is one account per service. */
export const ACCOUNT = "main";

const CREDENTIALS = columns(
  "user_id",
  "source",
  "account",
  "sealed",
  "callsign",
  "login_hash",
  "state",
  "state_reason",
  "checked_at",
  "book",
  "agreed_book",
);

export const find = (userId: number, source: Service): Unit<StoredCredentials | null> =>
  maybe`
    SELECT ${CREDENTIALS} FROM service_credentials
    WHERE user_id = ${userId} AND source = ${source} AND account = ${ACCOUNT}`;

export const list = (userId: number): Unit<StoredCredentials[]> =>
  many`
    SELECT ${CREDENTIALS} FROM service_credentials WHERE user_id = ${userId} ORDER BY source`;

/** The credentials of all users, for the operator. */
export const listAll = (): Unit<(StoredCredentials & { username: string })[]> =>
  many`
    SELECT ${CREDENTIALS}, (SELECT username FROM users WHERE users.id = user_id) AS username
    FROM service_credentials ORDER BY user_id, source`;

/** Replaces the stored credentials and their state. */
export function* put(
  credentials: Pick<StoredCredentials, "userId" | "source" | "sealed" | "callsign" | "loginHash">,
  now: number,
): Unit<void> {
  const { userId, source, sealed, callsign, loginHash } = credentials;
  yield* run`
    INSERT INTO service_credentials (user_id, source, account, sealed, callsign, login_hash, state, updated_at)
    VALUES (${userId}, ${source}, ${ACCOUNT}, ${sealed}, ${callsign}, ${loginHash}, 'unknown', ${now})
    ON CONFLICT (user_id, source, account) DO UPDATE SET
      sealed = ${sealed}, callsign = ${callsign}, login_hash = ${loginHash}, state = 'unknown', state_reason = NULL,
      checked_at = NULL, updated_at = ${now},
      book = CASE WHEN service_credentials.login_hash = ${loginHash} THEN service_credentials.book END,
      agreed_book = CASE WHEN service_credentials.login_hash = ${loginHash} THEN service_credentials.agreed_book END`;
}

type Kept = Pick<StoredCredentials, "userId" | "source" | "loginHash">;

/** Stores whose logbook the account opens and whether the user agreed to it, unless the account has changed. */
export const setBook = ({ userId, source, loginHash }: Kept, book: string, isAgreed = false): Unit<void> =>
  run`
    UPDATE service_credentials
    SET book = ${book}, agreed_book = CASE WHEN ${isAgreed ? 1 : 0} = 1 THEN CAST(${book} AS TEXT) ELSE agreed_book END
    WHERE user_id = ${userId} AND source = ${source} AND account = ${ACCOUNT} AND login_hash = ${loginHash}`;

/** Stores the result of using the credentials, unless they have been replaced. */
export const setState = (
  { userId, source, sealed }: Pick<StoredCredentials, "userId" | "source" | "sealed">,
  state: CredentialState,
  reason: string | null,
  now: number,
): Unit<void> =>
  run`
    UPDATE service_credentials SET state = ${state}, state_reason = ${reason}, checked_at = ${now}
    WHERE user_id = ${userId} AND source = ${source} AND account = ${ACCOUNT} AND sealed = ${sealed}`;

/** Returns false if there were none. */
export const remove = (userId: number, source: Service): Unit<boolean> =>
  hasEffect`
    DELETE FROM service_credentials WHERE user_id = ${userId} AND source = ${source} AND account = ${ACCOUNT}`;
