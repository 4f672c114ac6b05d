import { SECOND } from "../../kernel/clock.ts";
import { formatCount, formatNumber, formatSize } from "../../kernel/number-text.ts";
import * as health from "../../storage/engine/server-health.ts";
import type { World } from "../../world.ts";
import { createFindings, listSome, type Finding } from "../diagnostic.ts";

type Deps = Pick<World, "db">;

/** The first PostgreSQL version that can report the outcome of a transaction, and the oldest one still maintained. */
const NEEDED = 13;
const MENDED = 15;
/** At two billion transactions without vacuum the server stops accepting writes. */
const OLD_AGE = 1_000_000_000;
const MAX_CONNECTION_SHARE = 0.8;
const CONNECTIONS_OF_INSTANCE = 12;

/** Checks the version of the server and settings that affect durability and connections. */
export const checkServer = async ({ db }: Deps): Promise<Finding[]> => {
  const state = await db.read(health.serverState);
  return [...checkVersion(state), ...checkSettings(state)];
};

const checkVersion = ({ version, encoding, follows, age }: health.ServerState): Finding[] => {
  const say = createFindings("server");
  const major = Math.floor(version / 10_000);
  const findings: Finding[] = [];
  if (major < NEEDED) findings.push(say.fail(`PostgreSQL ${major} is too old. qsolog needs ${NEEDED}.`, "pg_upgrade"));
  else if (major < MENDED) findings.push(say.note(`PostgreSQL ${major} no longer gets updates.`, "pg_upgrade"));
  if (encoding !== "UTF8") {
    const todo = "createdb --encoding=UTF8 NAME, then pg_dump and pg_restore into it";
    findings.push(say.fail(`The database uses the encoding ${encoding}, which lacks characters.`, todo));
  }
  if (follows)
    findings.push(
      say.fail("The server is a read-only replica.", "pg_ctl promote   (only if it should become the primary)"),
    );
  if (age > OLD_AGE) {
    findings.push(
      say.warn(
        `${formatNumber(age)} transactions have not been frozen. At two billion the server stops writing.`,
        "vacuumdb --freeze",
      ),
    );
  }
  return findings.length > 0 ? findings : [say.ok(`PostgreSQL ${major}, ${encoding}.`)];
};

const UNSAFE: readonly (readonly [setting: string, why: string])[] = [
  ["fsync", "a crash of the machine can destroy the database"],
  ["full_page_writes", "a crash of the machine can destroy the database"],
  ["synchronous_commit", "a crash can lose the last second"],
  ["autovacuum", "tables keep growing"],
  ["track_counts", "PostgreSQL cannot see which tables need a vacuum"],
];

const checkSettings = ({ settings, connections }: health.ServerState): Finding[] => {
  const say = createFindings("settings");
  const findings = UNSAFE.filter(([name]) => settings[name] === "off").map(([name, why]) =>
    say.warn(`${name} is off: ${why}.`, `ALTER SYSTEM SET ${name} = on`),
  );
  const most = Number(settings.max_connections);
  if (connections > most * MAX_CONNECTION_SHARE) {
    const words = `${connections} of ${most} connections are in use. Each qsolog instance uses up to ${CONNECTIONS_OF_INSTANCE}.`;
    findings.push(say.warn(words, `ALTER SYSTEM SET max_connections = ${most * 2}   (and restart)`));
  }
  return findings.length > 0
    ? findings
    : [say.ok(`The settings are safe in a crash; ${connections} of ${most} connections are in use.`)];
};

const STUCK_AFTER = 10 * SECOND;

export const checkLocks = async ({ db }: Deps, longerThanMs = STUCK_AFTER): Promise<Finding[]> => {
  const say = createFindings("locks");
  const stuck = await db.read(() => health.stuckSessions(longerThanMs));
  if (stuck.length === 0) return [say.ok("No process is waiting for a lock.")];
  return stuck.map(({ pid, program, ms, blockers }) => {
    const who = `Process ${pid}${program === "" ? "" : ` (${program})`}`;
    const s = Math.round(ms / SECOND);
    if (blockers.length === 0) {
      return say.warn(`${who} has kept an idle transaction open for ${s} s.`, `SELECT pg_terminate_backend(${pid})`);
    }
    return say.warn(
      `${who} has been waiting ${s} s for ${listSome(blockers)}.`,
      `SELECT pg_terminate_backend(${blockers[0]})`,
    );
  });
};

const MIN_DEAD_ROWS = 20_000;
const DEAD_OF_LIVE = 0.5;

export const checkBloat = async ({ db }: Deps): Promise<Finding[]> => {
  const say = createFindings("bloat");
  const tables = await db.read(() => health.bloated(MIN_DEAD_ROWS, DEAD_OF_LIVE));
  if (tables.length === 0) return [say.ok("Tables contain little dead data.")];
  return tables.map(({ name, live, dead }) =>
    say.warn(
      `${name} contains ${formatCount(dead, "dead row")} and ${formatNumber(live)} live ones.`,
      `vacuumdb --table=${name}`,
    ),
  );
};

const LATE_BYTES = 64 * 1_048_576;
const LATE_AFTER = 30 * SECOND;
const MUCH_KEPT = 1_073_741_824;

export const checkReplication = async ({ db }: Deps): Promise<Finding[]> => {
  const say = createFindings("replication");
  const [followers, slots] = await db.read(function* () {
    return [yield* health.followers(), yield* health.forgottenSlots()] as const;
  });
  const findings = followers.map(({ name, state, bytes, ms }) => {
    const who = `The replica ${name}`;
    if (state === null) {
      return say.note(
        `This database user cannot see the state of ${name}.`,
        "GRANT pg_monitor TO qsolog   (the user in the database address)",
      );
    }
    const behind = `${formatSize(bytes ?? 0)}${ms === null ? "" : `, ${Math.round(ms / SECOND)} s`}`;
    if (state !== "streaming") return say.warn(`${who} is not up to date: ${state}, ${behind} behind.`, FOLLOWERS);
    if ((bytes ?? 0) > LATE_BYTES || (ms ?? 0) > LATE_AFTER) return say.warn(`${who} is ${behind} behind.`, FOLLOWERS);
    return say.ok(`${who} is up to date.`);
  });
  for (const { name, bytes } of slots.filter((slot) => slot.bytes > MUCH_KEPT)) {
    const words = `The server keeps ${formatSize(bytes)} on disk for ${name}, which does not fetch it.`;
    findings.push(say.warn(words, `SELECT pg_drop_replication_slot('${name}')   (if it no longer exists)`));
  }
  return findings.length > 0 ? findings : [say.ok("This server has no replicas.")];
};

const FOLLOWERS = "TABLE pg_stat_replication";
