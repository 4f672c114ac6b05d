import { expect, test } from "bun:test";
import { loadCountryFile } from "../../src/callsign/country-file.ts";
import { RULES_VERSION } from "../../src/domain/contact/derive.ts";
import { deriveAgain, deriveOutdated } from "../../src/contacts/derive-again.ts";
import { many, run } from "../../src/storage/engine/unit.ts";
import * as users from "../../src/storage/people/users.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";
import { aContact, facts, typed } from "./log.ts";

/**
 * Contacts from a year ago, when the rules resolved K1ABC to another entity; Eve's contacts were not derived at all.
 */
const anOldLog = async () => {
  const world = await testWorld();
  const [bob, eve] = [await aUser(world, "bob"), await aUser(world, "eve")];
  for (const { id } of [bob, bob, eve]) await aContact(world, id, typed({}));
  await world.db.write(function* () {
    yield* run`UPDATE qsos SET dxcc = 1, rules_version = 0 WHERE user_id = ${bob.id}`;
    yield* run`UPDATE qsos SET rules_version = 0 WHERE user_id = ${eve.id}`;
  });
  return { world, bob, eve };
};

const columnsIn = ({ db }: TestWorld) =>
  db.read(() => many`SELECT dxcc, rules_version AS version FROM qsos ORDER BY id`);

const NEW = { dxcc: 291, version: RULES_VERSION };

test("contacts are derived again, and the log version changes only if a column changes", async () => {
  const { world, bob, eve } = await anOldLog();
  const before = await world.db.read(() => users.logVersion(eve.id));

  expect(await deriveAgain(world, facts)).toEqual({ checked: 3, changed: 2 });

  expect(await columnsIn(world)).toEqual([NEW, NEW, NEW]);
  expect(await world.db.read(() => users.logVersion(eve.id))).toBe(before);
  expect(await world.db.read(() => users.logVersion(bob.id))).toBeGreaterThan(0);
  expect(await deriveAgain(world, facts)).toEqual({ checked: 3, changed: 0 });
});

test("deriving can be limited to one user", async () => {
  const { world, eve } = await anOldLog();

  expect(await deriveAgain(world, facts, { userId: eve.id })).toEqual({ checked: 1, changed: 0 });

  expect(await columnsIn(world)).toEqual([{ dxcc: 1, version: 0 }, { dxcc: 1, version: 0 }, NEW]);
});

test("an interrupted run keeps its results and can be started again", async () => {
  const { world } = await anOldLog();
  const control = new AbortController();
  const onProgress = () => control.abort(new Error("enough"));

  expect(deriveAgain(world, facts, { signal: control.signal, onProgress })).rejects.toThrow("enough");
  await deriveAgain(world, facts, { signal: control.signal }).catch(() => {});

  expect(await deriveAgain(world, facts)).toMatchObject({ checked: 3 });
  expect(await columnsIn(world)).toEqual([NEW, NEW, NEW]);
});

// Invariant: new rules are applied to existing contacts
test("contacts derived by older rules are derived again while the server runs, and others are not", async () => {
  const { world } = await anOldLog();
  const events: unknown[] = [];
  const log = { ...world.log, info: (event: string, fields = {}) => void events.push([event, fields]) };
  const { signal } = new AbortController();

  await deriveOutdated({ ...world, log }, signal);
  await deriveOutdated({ ...world, log }, signal);

  expect(await columnsIn(world)).toEqual([NEW, NEW, NEW]);
  expect(events).toEqual([["derive.done", { checked: 3, changed: 2 }]]);
});

test("RULES_VERSION rises with the tables of calls, so that existing contacts get what they say", async () => {
  const { releasedAt } = await loadCountryFile();
  const dated = await Bun.file(new URL("../../src/callsign/dated-calls.txt", import.meta.url)).text();
  const tables = { rules: RULES_VERSION, countryFile: releasedAt, datedCalls: Bun.hash.crc32(dated) };

  // When a table has changed, raise RULES_VERSION, and write down the new state here.
  expect(tables).toEqual({ rules: 5, countryFile: Date.UTC(2026, 1, 13), datedCalls: 377279365 });
});
