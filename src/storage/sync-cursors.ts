import type { Service } from "../domain/source.ts";
import { maybe, run, type Unit } from "./unit.ts";

/** One account a service for now. */
const ACCOUNT = "main";

/** Where the next download continues: whatever the provider wrote there. */
export function* find(userId: number, source: Service): Unit<unknown> {
  const row = yield* maybe<{ cursor: string }>`
    SELECT cursor_data AS cursor FROM sync_cursors
    WHERE user_id = ${userId} AND source = ${source} AND account = ${ACCOUNT}`;
  return row === null ? null : (JSON.parse(row.cursor) as unknown);
}

export function* set(userId: number, source: Service, cursor: unknown, now: number): Unit<void> {
  if (cursor === null) {
    yield* run`DELETE FROM sync_cursors WHERE user_id = ${userId} AND source = ${source} AND account = ${ACCOUNT}`;
    return;
  }
  const text = JSON.stringify(cursor);
  yield* run`
    INSERT INTO sync_cursors (user_id, source, account, cursor_data, updated_at)
    VALUES (${userId}, ${source}, ${ACCOUNT}, ${text}, ${now})
    ON CONFLICT (user_id, source, account) DO UPDATE SET cursor_data = ${text}, updated_at = ${now}`;
}
