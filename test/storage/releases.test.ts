import { Database } from "bun:sqlite";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { openCredentials } from "../../src/sync/source/credentials.ts";
import { askRelease, hashMigrations, listReleases, readRelease, unpackRelease } from "../fixtures/releases/release.ts";
import { programOn } from "../recorded/program.ts";
import { aDirectory } from "../support/directory.ts";
import { ENGINE } from "../support/world.ts";

const RELEASES = listReleases();
const PATIENCE_MS = 300_000;

/** A release can have newer rules for computed columns. What they compute is compared. */
const CHANGING = ["rulesVersion", "reason", "undoReason"];

/** Without the version of the rules and sentences for people. */
const withoutChanging = <T>(answers: T): T =>
  JSON.parse(JSON.stringify(answers, (name, value: unknown) => (CHANGING.includes(name) ? undefined : value))) as T;

test("a database of each release is kept", () => {
  expect(RELEASES.length).toBeGreaterThan(0);
});

// Databases that ran them would differ from new ones. Write another migration instead.
test.each(RELEASES)("the migrations that %s shipped are as they were", (version) => {
  expect(hashMigrations()).toMatchObject(readRelease(version).migrations);
});

test.skipIf(ENGINE !== "sqlite").each(RELEASES)(
  "a database of %s, migrated, keeps its rows and answers as it did",
  async (version) => {
    const { at, rows, answers } = readRelease(version);
    const directory = aDirectory();
    chmodSync(directory, 0o700);
    unpackRelease(version, directory);

    const program = await programOn(directory, at);

    const database = new Database(join(directory, "qsolog.db"), { readonly: true });
    const countRows = (table: string) =>
      database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!.n;
    const kept = Object.keys(rows).filter((table) => table !== "migrations");
    expect(kept.map((table) => [table, countRows(table)])).toEqual(kept.map((table) => [table, rows[table]]));
    database.close();
    // Later versions can say more, but not less or anything else.
    expect(withoutChanging(await askRelease(program))).toMatchObject(withoutChanging(answers));
    const opened = await openCredentials(program.app, program.users.bob!.id, "second");
    expect(opened).toMatchObject({ credentials: { callsign: "YU1TEST" } });
  },
  PATIENCE_MS,
);
