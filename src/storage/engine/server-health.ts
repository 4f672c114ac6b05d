import { many, one, type Unit } from "./unit.ts";

// Facts about the database server, for PostgreSQL only.

export interface ServerState {
  /** 170004 for 17.4. */
  version: number;
  encoding: string;
  settings: Record<string, string>;
  connections: number;
  /** The age of the oldest transaction id. At two billion the server stops writing. */
  age: number;
  follows: boolean;
}

const ASKED = ["fsync", "full_page_writes", "autovacuum", "track_counts", "synchronous_commit", "max_connections"];

export function* serverState(): Unit<ServerState> {
  const rows = yield* many<{ name: string; setting: string }>`SELECT name, setting FROM pg_settings`;
  const settings = Object.fromEntries(
    rows.filter(({ name }) => ASKED.includes(name)).map(({ name, setting }) => [name, setting]),
  );
  const state = yield* one<Omit<ServerState, "settings" | "follows"> & { follows: number }>`
    SELECT CAST(current_setting('server_version_num') AS BIGINT) AS version,
           current_setting('server_encoding') AS encoding,
           (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
           (SELECT CAST(age(datfrozenxid) AS BIGINT) FROM pg_database WHERE datname = current_database()) AS age,
           CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END AS follows`;
  return { ...state, settings, follows: state.follows === 1 };
}

export interface Stuck {
  pid: number;
  program: string;
  ms: number;
  /** Who holds the locks it waits for; empty for an idle transaction that blocks others. */
  blockers: number[];
}

/** Sessions that waited for a lock, or left a transaction idle, for longer than this. */
export function* stuckSessions(longerThanMs: number): Unit<Stuck[]> {
  const rows = yield* many<Omit<Stuck, "blockers"> & { blockers: string }>`
    SELECT CAST(pid AS BIGINT) AS pid, application_name AS program, array_to_string(pg_blocking_pids(pid), ',') AS blockers,
           CAST(extract(epoch FROM clock_timestamp() - state_change) * 1000 AS BIGINT) AS ms
    FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND (wait_event_type = 'Lock' OR state LIKE 'idle in transaction%')
      AND extract(epoch FROM clock_timestamp() - state_change) * 1000 > CAST(${longerThanMs} AS BIGINT)
    ORDER BY ms DESC`;
  return rows.map(({ blockers, ...one }) => ({
    ...one,
    blockers: blockers
      .split(",")
      .filter((pid) => pid !== "")
      .map(Number),
  }));
}

export interface TableRoom {
  name: string;
  live: number;
  dead: number;
}

/** Tables with many dead rows. */
export const bloated = (fewest: number, share: number): Unit<TableRoom[]> =>
  many`
    SELECT relname AS name, n_live_tup AS live, n_dead_tup AS dead FROM pg_stat_user_tables
    WHERE schemaname = current_schema() AND n_dead_tup > CAST(${fewest} AS BIGINT)
      AND n_dead_tup > n_live_tup * CAST(${share} AS DOUBLE PRECISION)
    ORDER BY n_dead_tup DESC`;

export interface Follower {
  name: string;
  /** Null if this database user may not see it. */
  state: string | null;
  bytes: number | null;
  ms: number | null;
}

export const followers = (): Unit<Follower[]> =>
  many`
    SELECT application_name AS name, state,
           CAST(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
                                     ELSE pg_current_wal_lsn() END, replay_lsn) AS BIGINT) AS bytes,
           CAST(extract(epoch FROM replay_lag) * 1000 AS BIGINT) AS ms
    FROM pg_stat_replication ORDER BY application_name`;

/** Replication slots that keep data for followers that do not fetch it. */
export const forgottenSlots = (): Unit<{ name: string; bytes: number }[]> =>
  many`
    SELECT slot_name AS name,
           CAST(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
                                     ELSE pg_current_wal_lsn() END, restart_lsn) AS BIGINT) AS bytes
    FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL ORDER BY slot_name`;
