import { defineBackgroundWork } from "./database.ts";
import { engineAtHand, many, maybe, one, raw, run, sql, type Sql, type Unit } from "./unit.ts";

const COLUMNS = ["call", "name", "qth", "comment", "gridsquare"];

/** That some column a search looks into holds a text, whatever the case of its letters. */
export const holds = (text: string): Sql => {
  const pattern = `%${escapeLike(text)}%`;
  const [first, ...others] = COLUMNS.map((name) => sql`lower(${raw(name)}) LIKE lower(${pattern}) ESCAPE '\\'`);
  return sql`(${others.reduce((all, condition) => sql`${all} OR ${condition}`, first!)})`;
};

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** To look into more contacts than this takes longer than anybody should wait. */
const MOST_CANDIDATES = 100_000;
/** So many that are not in the index yet are looked into beside them. */
const MOST_BEHIND = 20_000;

/** The contacts of a log that hold a text; null where no index knows them, or where there may be very many. */
export function* findHolding(userId: number, text: string): Unit<number[] | null> {
  const rows = yield* (yield* engineAtHand()) === "sqlite" ? byLetters(userId, text) : byTrigrams(userId, text);
  return rows && rows.map(({ id }) => id);
}

/** Of the contacts that have these letters in a row somewhere, and of those not looked at yet, each is looked into. */
function* byLetters(userId: number, text: string): Unit<{ id: number }[] | null> {
  const groups = groupsIn(text);
  if (groups.length === 0) return null;
  const match = allOf([...groups, ownerOf(userId)]);
  const named = sql`SELECT rowid AS id FROM qso_texts WHERE qso_texts MATCH ${match}`;
  const behind = sql`SELECT id FROM qsos WHERE id > (SELECT up_to FROM qso_texts_filled)`;
  const few = yield* one<{ named: number; behind: number }>`
    SELECT (SELECT count(*) FROM (${named} LIMIT ${MOST_CANDIDATES + 1})) AS named,
           (SELECT count(*) FROM (${behind} LIMIT ${MOST_BEHIND + 1})) AS behind`;
  if (few.named > MOST_CANDIDATES || few.behind > MOST_BEHIND) return null;
  return yield* many<{ id: number }>`
    SELECT id FROM qsos WHERE id IN (${named} UNION ALL ${behind}) AND +user_id = ${userId} AND ${holds(text)}`;
}

const allOf = (groups: readonly string[]): string =>
  groups.map((group) => `"${group.replaceAll('"', '""')}"`).join(" AND ");

const LETTERS = 3;
/** What more of them would rule out is less than it costs to look for them. */
const MOST_GROUPS = 8;

/** Three letters at a time, one group after the other, and the last three. */
const groupsIn = (text: string): string[] => {
  const letters = [...text.toWellFormed()];
  const groups: string[] = [];
  for (let at = 0; at + LETTERS <= letters.length && groups.length < MOST_GROUPS; at += LETTERS)
    groups.push(letters.slice(at, at + LETTERS).join(""));
  if (letters.length > LETTERS) groups.push(letters.slice(-LETTERS).join(""));
  return groups;
};

const PRIVATE_LETTERS = 0xe000;
const PRIVATE_LETTERS_COUNT = 6_400;

/** As the triggers of the table write it: three letters that no language has. */
const ownerOf = (userId: number): string => {
  const digits = [Math.floor(userId / PRIVATE_LETTERS_COUNT ** 2), Math.floor(userId / PRIVATE_LETTERS_COUNT), userId];
  return String.fromCodePoint(...digits.map((digit) => PRIVATE_LETTERS + (digit % PRIVATE_LETTERS_COUNT)));
};

function* byTrigrams(userId: number, text: string): Unit<{ id: number }[] | null> {
  if ([...text].length < LETTERS || !(yield* hasTrigrams())) return null;
  const rows = yield* many<{ id: number }>`
    SELECT id FROM qsos WHERE user_id = ${userId} AND ${holds(text)} LIMIT ${MOST_CANDIDATES + 1}`;
  return rows.length > MOST_CANDIDATES ? null : rows;
}

function* hasTrigrams(): Unit<boolean> {
  return (yield* maybe`SELECT 1 FROM pg_index WHERE indexrelid = to_regclass('qsos_text') AND indisvalid`) !== null;
}

/** On PostgreSQL, which keeps it up to date by itself. */
export const TRIGRAM_INDEX = `qsos_text ON qsos USING gin (${COLUMNS.map((name) => `lower(${name}) gin_trgm_ops`).join(", ")})`;

const ROWS_A_SLICE = 250;
/** To look through fewer than this takes no longer than a moment. */
const WORTH_A_SLICE = 4_000;

/** Takes the next contacts into the index on SQLite; false where there are few. */
function* fillSlice(worth = WORTH_A_SLICE): Unit<boolean> {
  const { upTo } = yield* one<{ upTo: number }>`SELECT up_to AS "upTo" FROM qso_texts_filled`;
  const rows = yield* many<{ id: number }>`SELECT id FROM qsos WHERE id > ${upTo} ORDER BY id LIMIT ${worth}`;
  if (rows.length < worth) return false;
  const last = rows[Math.min(rows.length, ROWS_A_SLICE) - 1]!.id;
  yield* run`
    INSERT INTO qso_texts (rowid, call, name, qth, comment, gridsquare, owner)
    SELECT id, call, name, qth, comment, gridsquare,
           char(57344 + user_id / 40960000 % 6400, 57344 + user_id / 6400 % 6400, 57344 + user_id % 6400)
    FROM qsos WHERE id > ${upTo} AND id <= ${last} ORDER BY id`;
  yield* run`UPDATE qso_texts_filled SET up_to = ${last}`;
  return true;
}

export const fillWork = defineBackgroundWork("texts.fill", "write", fillSlice);

/** Empties the index: it is filled anew behind the server. */
export function* forget(): Unit<void> {
  if ((yield* engineAtHand()) === "postgres") return;
  yield* run`INSERT INTO qso_texts (qso_texts) VALUES ('delete-all')`;
  yield* run`UPDATE qso_texts_filled SET up_to = 0`;
}

export interface IndexedTexts {
  /** Null where PostgreSQL has no index for searches. */
  contacts: number | null;
  /** How many the index should know. */
  due: number;
  /** Of contacts that lie evenly in the logs, those that it does not know as they are. */
  astray: number[];
}

const LOOKED_INTO = 50;

/** Whether the index is what the contacts say. PostgreSQL keeps its own. */
export function* look(): Unit<IndexedTexts> {
  if ((yield* engineAtHand()) === "postgres")
    return { contacts: (yield* hasTrigrams()) ? 0 : null, due: 0, astray: [] };
  const { contacts, due, last } = yield* one<{ contacts: number; due: number; last: number }>`
    SELECT (SELECT count(*) FROM qso_texts) AS contacts, up_to AS last,
           (SELECT count(*) FROM qsos WHERE id <= up_to) AS due FROM qso_texts_filled`;
  const step = Math.max(1, Math.floor(last / LOOKED_INTO));
  const rows = yield* many<{ id: number; userId: number } & Record<string, string | number | null>>`
    SELECT id, user_id AS "userId", ${raw(COLUMNS.join(", "))} FROM qsos
    WHERE id <= ${last} AND id % ${step} = 0 ORDER BY id LIMIT ${LOOKED_INTO}`;
  const astray: number[] = [];
  for (const row of rows) {
    const groups = COLUMNS.flatMap((name) => groupsIn(String(row[name] ?? "")));
    const known = yield* maybe`
      SELECT 1 FROM qso_texts WHERE qso_texts MATCH ${allOf([...groups, ownerOf(row.userId)])} AND rowid = ${row.id}`;
    if (known === null) astray.push(row.id);
  }
  return { contacts, due, astray };
}
