import * as syncJobs from "../jobs/sync-jobs.ts";
import type { RowOf } from "../engine/rows.ts";
import { many, run, type Unit } from "../engine/unit.ts";
import * as factors from "./factors.ts";

/** Deletes the account immediately and frees its name. Its data is removed later, in slices. */
export function* markDeleted(id: number, now: number): Unit<void> {
  yield* run`UPDATE users SET username = ${`~${id}`}, password_hash = '', callsign = NULL, email = NULL,
                              role = 'user', deleted_at = ${now} WHERE id = ${id}`;
  yield* run`DELETE FROM sessions WHERE user_id = ${id}`;
  yield* run`DELETE FROM api_tokens WHERE user_id = ${id}`;
  yield* run`DELETE FROM one_time_codes WHERE user_id = ${id}`;
  yield* run`DELETE FROM identities WHERE user_id = ${id}`;
  yield* run`DELETE FROM service_credentials WHERE user_id = ${id}`;
  yield* run`DELETE FROM notice_targets WHERE user_id = ${id}`;
  yield* factors.removeAll(id);
  yield* syncJobs.failAllOf(id, "This account was deleted.", now);
}

/** Deleted users whose data is not removed yet. */
export function* listDeleted(): Unit<number[]> {
  const rows = yield* many<RowOf<"users", "id">>`SELECT id FROM users WHERE deleted_at IS NOT NULL ORDER BY id`;
  return rows.map(({ id }) => id);
}

/** Removes a slice of a deleted user's data. Returns true when everything is removed, including the user's row. */
export function* removeSlice({ userId, rows }: { userId: number; rows: number }): Unit<boolean> {
  const changes = yield* run`
    DELETE FROM qso_changes WHERE id IN (
      SELECT id FROM qso_changes WHERE user_id = ${userId} LIMIT ${rows})`;
  if (changes > 0) return false;
  const received = yield* run`
    DELETE FROM records WHERE id IN (SELECT id FROM records WHERE user_id = ${userId} LIMIT ${rows})`;
  if (received > 0) return false;
  const leftovers = yield* run`
    DELETE FROM sync_leftovers WHERE id IN (SELECT id FROM sync_leftovers WHERE user_id = ${userId} LIMIT ${rows})`;
  if (leftovers > 0) return false;
  const contacts = yield* run`
    DELETE FROM qsos WHERE id IN (SELECT id FROM qsos WHERE user_id = ${userId} LIMIT ${rows})`;
  if (contacts > 0) return false;
  yield* run`DELETE FROM users WHERE id = ${userId} AND deleted_at IS NOT NULL`;
  return true;
}
