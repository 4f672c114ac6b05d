import * as syncJobs from "../jobs/sync-jobs.ts";
import { countChanged, manyValues, raw, run, type Unit } from "../engine/unit.ts";
import * as factors from "./factors.ts";

const DELETED_IMMEDIATELY = [
  "sessions",
  "api_tokens",
  "one_time_codes",
  "identities",
  "service_credentials",
  "notice_targets",
];
/** Tables with many rows of a user. The rest goes with the row of the user. */
const DELETED_IN_SLICES = ["qso_changes", "records", "sync_leftovers", "qsos"];

/** Deletes the account immediately and frees its name. Its data is removed later, in slices. */
export function* markDeleted(id: number, now: number): Unit<void> {
  yield* run`UPDATE users SET username = ${`~${id}`}, password_hash = '', callsign = NULL, email = NULL,
                              role = 'user', deleted_at = ${now} WHERE id = ${id}`;
  for (const table of DELETED_IMMEDIATELY) yield* run`DELETE FROM ${raw(table)} WHERE user_id = ${id}`;
  yield* factors.removeAll(id);
  yield* syncJobs.failAllOf(id, "This account was deleted.", now);
}

/** Deleted users whose data is not removed yet. */
export const listDeleted = (): Unit<number[]> =>
  manyValues`SELECT id FROM users WHERE deleted_at IS NOT NULL ORDER BY id`;

/** Removes a slice of a deleted user's data. Returns true when everything is removed, including the user's row. */
export function* removeSlice({ userId, rows }: { userId: number; rows: number }): Unit<boolean> {
  for (const table of DELETED_IN_SLICES.map(raw)) {
    const deleted = yield* countChanged`
      DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE user_id = ${userId} LIMIT ${rows})`;
    if (deleted > 0) return false;
  }
  yield* run`DELETE FROM users WHERE id = ${userId} AND deleted_at IS NOT NULL`;
  return true;
}
