import type { Pause } from "../../domain/jobs/auto-sync.ts";
import type { Service } from "../../domain/jobs/source.ts";
import type { JobStatus } from "../../domain/jobs/sync-job.ts";
import type { Role, User } from "../../domain/people/user.ts";
import { isThere, pauseOf, SCHEDULES } from "../jobs/auto-sync-settings.ts";
import type { CredentialState } from "../jobs/service-credentials.ts";
import { countRows, EMPTY, escapeLike, inList, many, raw, sql, where, type Sql, type Unit } from "../engine/unit.ts";
import { JOINED_USER, toUser, type UserRow } from "./users.ts";

const USER_SORTS = ["username", "lastSeen", "createdAt"] as const;
export type UserSort = (typeof USER_SORTS)[number];

export interface UserListFilter {
  /** Part of the username, callsign or e-mail address. */
  q?: string;
  role?: Role;
  /** Only users with a service whose schedule is paused or whose last sync failed. */
  failing?: boolean;
  sort: UserSort;
  descending: boolean;
  after?: readonly (string | number | null)[];
  limit: number;
}

/** A user as administrators see one. */
export interface ListedUser extends User {
  qsoCount: number;
  jobCount: number;
  lastJobAt: number | null;
  lastJobStatus: JobStatus | null;
  pausedServices: { source: Service; reason: Pause }[];
}

/** "Never seen" sorts first. */
const SORT_COLUMN: Record<UserSort, Sql> = {
  username: raw("u.username"),
  lastSeen: raw("coalesce(u.last_seen, 0)"),
  createdAt: raw("u.created_at"),
};

type Row = UserRow & { qsoCount: number; jobCount: number; lastJobAt: number | null; lastJobStatus: JobStatus | null };

export function* list(filter: UserListFilter): Unit<{ users: ListedUser[]; total: number }> {
  const column = SORT_COLUMN[filter.sort];
  const order = raw(filter.descending ? "DESC" : "ASC");
  const hasSchedules = yield* isThere();
  const conditions = buildConditions(filter, hasSchedules);
  const rows = yield* many<Row>`
    SELECT ${JOINED_USER},
      (SELECT count(*) FROM qsos q WHERE q.user_id = u.id) AS "qsoCount",
      (SELECT count(*) FROM sync_jobs j WHERE j.user_id = u.id) AS "jobCount",
      (SELECT j.created_at FROM sync_jobs j WHERE j.user_id = u.id ORDER BY j.created_at DESC, j.id DESC LIMIT 1) AS "lastJobAt",
      (SELECT j.status FROM sync_jobs j WHERE j.user_id = u.id ORDER BY j.created_at DESC, j.id DESC LIMIT 1) AS "lastJobStatus"
    FROM users u ${where([...conditions, buildCursorCondition(filter, column)])}
    ORDER BY ${column} ${order}, u.id ${order} LIMIT ${filter.limit}`;
  const total = yield* countRows`users u ${where(conditions)}`;
  const paused = hasSchedules ? yield* listPaused(rows.map(({ id }) => id)) : [];
  return { users: rows.map((row) => toListedUser(row, paused)), total };
}

const toListedUser = (row: Row, paused: readonly PausedRow[]): ListedUser => ({
  ...toUser(row),
  qsoCount: row.qsoCount,
  jobCount: row.jobCount,
  lastJobAt: row.lastJobAt,
  lastJobStatus: row.lastJobStatus,
  pausedServices: paused.filter(({ userId }) => userId === row.id).map(({ source, reason }) => ({ source, reason })),
});

const buildConditions = ({ q, role, failing }: UserListFilter, hasSchedules: boolean): (Sql | null)[] => {
  const pattern = `%${escapeLike((q ?? "").trim().toLowerCase())}%`;
  return [
    sql`u.deleted_at IS NULL`,
    role ? sql`u.role = ${role}` : null,
    q
      ? sql`(u.username LIKE ${pattern} ESCAPE '\\' OR lower(u.callsign) LIKE ${pattern} ESCAPE '\\'
             OR lower(u.email) LIKE ${pattern} ESCAPE '\\')`
      : null,
    failing ? sql`(${FAILING} ${hasSchedules ? sql`OR ${UNCONNECTED}` : EMPTY})` : null,
  ];
};

const FAILING: Sql = sql`
  EXISTS (SELECT 1 FROM service_credentials c WHERE c.user_id = u.id AND (c.state = 'rejected' OR c.failures > 0))
  OR (SELECT j.status FROM sync_jobs j WHERE j.user_id = u.id ORDER BY j.created_at DESC, j.id DESC LIMIT 1) = 'failed'`;

/** Users with the schedule of a service that they have no account for. */
const UNCONNECTED: Sql = sql`EXISTS (SELECT 1 FROM ${SCHEDULES} s WHERE s.user_id = u.id AND s.enabled = 1
  AND NOT EXISTS (SELECT 1 FROM service_credentials c WHERE c.user_id = u.id AND c.source = s.source))`;

const buildCursorCondition = ({ after, descending }: UserListFilter, column: Sql): Sql | null => {
  if (!after) return null;
  const [value = null, id = null] = after;
  const than = raw(descending ? "<" : ">");
  return sql`(${column} ${than} ${value} OR (${column} = ${value} AND u.id ${than} ${id}))`;
};

interface PausedRow {
  userId: number;
  source: Service;
  reason: Pause;
}

function* listPaused(ids: readonly number[]): Unit<PausedRow[]> {
  const rows = yield* many<Omit<PausedRow, "reason"> & { state: CredentialState | null }>`
    SELECT s.user_id AS "userId", s.source, c.state FROM ${SCHEDULES} s
    LEFT JOIN service_credentials c ON c.user_id = s.user_id AND c.source = s.source
    WHERE s.user_id ${inList(ids)} AND s.enabled = 1 ORDER BY s.source`;
  return rows.flatMap(({ state, ...row }) => {
    const reason = pauseOf(state);
    return reason === null ? [] : [{ ...row, reason }];
  });
}

/** The cursor of the page after this row. */
export const getCursor = (user: User, sort: UserSort): (string | number | null)[] => [
  sort === "lastSeen" ? (user.lastSeen ?? 0) : user[sort],
  user.id,
];
