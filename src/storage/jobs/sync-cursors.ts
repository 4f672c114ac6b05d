import type { Service } from "../../domain/jobs/source.ts";
import { many, maybe, run, type Unit } from "../engine/unit.ts";
import { ACCOUNT } from "./service-credentials.ts";

/** Where the next download continues, in the provider's own form. */
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

export interface KnownCursor {
  username: string;
  source: Service;
  cursor: unknown;
  updatedAt: number;
  hasCredentials: boolean;
}

/** The cursors of all users, for the operator. Invalid JSON is returned as null. */
export function* listAll(): Unit<KnownCursor[]> {
  const rows = yield* many<{ username: string; source: Service; text: string; updatedAt: number; known: number }>`
    SELECT u.username, c.source, c.cursor_data AS text, c.updated_at AS "updatedAt",
           CASE WHEN EXISTS (SELECT 1 FROM service_credentials s WHERE s.user_id = c.user_id AND s.source = c.source)
                THEN 1 ELSE 0 END AS known
    FROM sync_cursors c JOIN users u ON u.id = c.user_id ORDER BY u.username, c.source`;
  return rows.map(({ text, known, ...row }) => ({ ...row, cursor: parseJson(text), hasCredentials: known === 1 }));
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};
