import { expect, test } from "bun:test";
import { byOwner } from "../../src/logbook/caller.ts";
import fc from "fast-check";
import { FIELD_NAMES, getField } from "../../src/domain/contact/fields.ts";
import { feed } from "../../src/logbook/feeds.ts";
import { insertMany, inList, many, one, run, script, sql, tableOf, updateMany } from "../../src/storage/engine/unit.ts";
import { Feeds } from "../../src/sync/feed/feeds.ts";
import { contentOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, ENGINE, testWorld, type TestWorld } from "../support/world.ts";
import { isFull } from "../support/full.ts";

/** Texts that can break a database: its own syntax, NUL, unpaired surrogates, letters that grow in upper case. */
const PIECES = [
  "\0",
  '"',
  "'",
  "\\",
  "{",
  "}",
  ",",
  "NULL",
  "$1",
  "?",
  "\n",
  "\ud800",
  "\udc00",
  "😀",
  "山",
  "ΐ",
  "ß",
  " ",
];

const piece = fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary", maxLength: 30 }));
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

const whole = (given: string): string => given.toWellFormed();

/** PostgreSQL cannot store NUL, and neither engine an unpaired surrogate. */
const kept = (given: string): string => (ENGINE === "postgres" ? given.replaceAll("\0", "") : given).toWellFormed();

test("any text is returned unchanged, except what no text can contain, on every path", async () => {
  const { db } = await testWorld();
  const [id, words] = ENGINE === "sqlite" ? ["INTEGER", "TEXT"] : ["BIGINT", "TEXT"];
  await db.write(() => script(`CREATE TABLE things (id ${id} PRIMARY KEY, name ${words})`));

  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
      await db.write(() => run`DELETE FROM things`);
      const [first, ...others] = texts.map((name, id) => ({ id, name }));
      await db.write(() => run`INSERT INTO things (id, name) VALUES (${first!.id}, ${first!.name})`);
      await db.write(() => insertMany("things", others));
      const rows = await db.read(() => many<{ name: string }>`SELECT name FROM things ORDER BY id`);
      expect(rows.map(({ name }) => name)).toEqual(texts.map(kept));

      const counted = (condition: ReturnType<typeof sql>) =>
        db.read(() => one<{ n: number }>`SELECT CAST(count(*) AS BIGINT) AS n FROM things WHERE ${condition}`);
      expect(await counted(sql`name ${inList(texts.map(whole))}`)).toEqual({ n: texts.length });
      const wanted = tableOf({ wanted_name: texts.map(whole) });
      expect(await counted(sql`name IN (SELECT wanted_name FROM ${wanted} AS wanted)`)).toEqual({ n: texts.length });

      const last = texts.at(-1)!;
      await db.write(() => updateMany("things", [{ id: 0, values: { name: last }, changed: ["name"] }]));
      expect(await db.read(() => many`SELECT name FROM things WHERE id = 0`)).toEqual([{ name: kept(last) }]);
    }),
    { numRuns: 60 },
  );
});

/** Every field name that rules read. */
const NAMES = [
  ...FIELD_NAMES.flatMap((name) => [...(getField(name).adif ?? []), ...(getField(name).beside ?? [])]),
  "APP_QRZLOG_LOGID",
  "APP_LOTW_OWNCALL",
  "APP_LOTW_CREDIT_GRANTED",
  "CREDIT_GRANTED",
  "APP_ANYTHING",
  "NOTES",
].filter((name) => !["QSO_DATE", "TIME_ON"].includes(name));

/** Long text that does not compress well. */
const long = fc
  .tuple(fc.integer(), fc.constantFrom(1, 63, 64, 999, 1_000, 2_500, 20_000), fc.constantFrom("ΐ", "山", "A", "\0"))
  .map(([seed, length, among]) => manyLetters(seed, length, among));

const manyLetters = (seed: number, length: number, among: string): string => {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 8;
  return Array.from({ length }, () => (next() % 3 === 0 ? among : String.fromCharCode(33 + (next() % 94)))).join("");
};

const fields = fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(text, long), { maxKeys: 40, noNullPrototype: true });

const RECORDS = 60;
const SEEDS = isFull(import.meta) ? [1, 2, 3, 4, 5, 6] : [1];

/** The same records through every import path. */
const logOf = async (world: TestWorld, given: readonly Record<string, string>[]) => {
  const bob = await aUser(world, "bob");
  const at = (n: number) => `2026-07-${String(1 + (n % 28)).padStart(2, "0")} ${String(n % 24).padStart(2, "0")}:30`;
  const told = given.map((more, n) => ({ call: `K${n}ABC`, at: at(n), more }));
  const jobs = [
    await sync(
      world,
      bob.id,
      "first",
      told.map(({ call, at, more }) => lotw(call, at, more)),
    ),
    await sync(
      world,
      bob.id,
      "second",
      told.map(({ call, at, more }, n) => qrz(n + 1, call, at, more)),
    ),
    await sync(
      world,
      bob.id,
      "file",
      told.map(({ call, at, more }) => said(call, at, more)),
    ),
  ];
  return {
    jobs: jobs.map(({ status, error, stats }) => ({ status, error, stats })),
    log: await contentOf(world, bob.id),
  };
};

// Invariant: a value that the database cannot store never ends a job
test("records with characters that a database cannot store are imported, the same on both engines", async () => {
  for (const seed of SEEDS) {
    const given = fc.sample(fields, { numRuns: RECORDS, seed });

    const here = await logOf(await testWorld(), given);
    const there = await logOf(await testWorld({ engine: "sqlite" }), given);

    expect(here.jobs.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    expect(here).toEqual(there);
    expect(here.log.length).toBeGreaterThan(RECORDS / 3);
  }
}, 120_000);

test("a program's id of a contact can have any length", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const names = [manyLetters(1, 20_000, "山"), manyLetters(2, 20_000, "山"), "a".repeat(200)];
  const tell = (call: string, comment: string) =>
    feed({ ...world, feeds: new Feeds(world) }, byOwner(bob), {
      client: "N1MM",
      told: names.map((name, n) => ({
        kind: comment === "" ? "contact" : "edit",
        name,
        fields: said(`${call}${n}`, `2026-08-01 1${n}:00`, comment === "" ? {} : { COMMENT: comment }).fields,
      })),
    });

  const { taken } = await tell("K1AB", "");
  const corrected = await tell("K1XY", "corrected");

  expect(new Set(taken.map(({ qsoId }) => qsoId)).size).toBe(3);
  expect(corrected.taken.map(({ outcome, qsoId }) => [outcome, qsoId])).toEqual(
    taken.map(({ qsoId }) => ["updated", qsoId]),
  );
});
