import { expect, test } from "bun:test";
import { derive, RULES_VERSION } from "../../src/domain/derive.ts";
import type { Layers } from "../../src/domain/layers.ts";
import { SERVICES } from "../../src/domain/source.ts";
import * as health from "../../src/storage/health.ts";
import { packLayer } from "../../src/storage/packed.ts";
import * as qsos from "../../src/storage/qsos.ts";
import { many, one, raw, run } from "../../src/storage/unit.ts";
import { aFirstRecord, aSecondRecord, theLayers } from "../support/contacts.ts";
import { CHEAP_FACTS } from "../support/log-records.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

const snapshotWith = (layers: Layers): qsos.Snapshot => ({
  createdAt: 1,
  updatedAt: 1,
  rulesVersion: RULES_VERSION,
  ...layers,
  ...derive(layers, CHEAP_FACTS)!,
});

const SAID = snapshotWith(theLayers({ qso: aFirstRecord(), second: aSecondRecord() }));

const aContact = async ({ db }: TestWorld, userId: number): Promise<number> =>
  (await db.write(() => qsos.addMany(userId, [SAID])))[0]!;

const rowsIn = async ({ db }: TestWorld, table: string): Promise<number[]> =>
  (await db.read(() => many<{ id: number }>`SELECT qso_id AS id FROM ${raw(table)} ORDER BY qso_id`)).map(
    ({ id }) => id,
  );

test("what services say of a contact comes and goes with it, in rows of its own", async () => {
  const world = await testWorld();
  const { id: userId } = await aUser(world, "bob");
  const [id, other] = [await aContact(world, userId), await aContact(world, userId)];

  expect(await world.db.read(() => qsos.get(userId, id))).toEqual({ id, userId, ...SAID });
  expect(await rowsIn(world, "second_layers")).toEqual([id, other]);

  const after = snapshotWith({ own: null, first: SAID.first, second: null });
  await world.db.write(() => qsos.replaceMany([{ id, before: SAID, after }]));
  expect(await world.db.read(() => qsos.get(userId, id))).toEqual({ id, userId, ...after });
  expect(await rowsIn(world, "second_layers")).toEqual([other]);

  const said = snapshotWith({ ...SAID, second: { fields: { ...SAID.second!.fields, NAME: "Ann" } } });
  await world.db.write(() => qsos.replaceMany([{ id, before: null, after: said }]));
  expect(await world.db.read(() => qsos.get(userId, id))).toEqual({ id, userId, ...said });

  await world.db.write(() => qsos.remove([id]));
  for (const service of SERVICES) expect(await rowsIn(world, `${service}_layers`)).toEqual([other]);
  await world.db.write(() => qsos.bringBack(userId, [{ ...said, id }]));
  expect(await world.db.read(() => qsos.get(userId, id))).toEqual({ id, userId, ...said });
});

test("a contact of before has the words of services in its row, until they change", async () => {
  const world = await testWorld();
  const { id: userId } = await aUser(world, "bob");
  const id = await aContact(world, userId);
  await world.db.write(function* () {
    yield* run`UPDATE qsos SET first = ${packLayer(SAID.first)}, second = ${packLayer(SAID.second)} WHERE id = ${id}`;
    for (const service of SERVICES) yield* run`DELETE FROM ${raw(`${service}_layers`)}`;
  });

  expect(await world.db.read(() => qsos.get(userId, id))).toEqual({ id, userId, ...SAID });
  expect(await world.db.read(() => health.contactsWithoutLayers())).toEqual([]);

  const after = snapshotWith({ ...SAID, second: { fields: { ...SAID.second!.fields, NAME: "Ann" } } });
  await world.db.write(() => qsos.replaceMany([{ id, before: SAID, after }]));
  expect(await world.db.read(() => qsos.get(userId, id))).toEqual({ id, userId, ...after });
  const inRow = () =>
    one<Record<string, unknown>>`SELECT first IS NULL AS first, second IS NULL AS second FROM qsos WHERE id = ${id}`;
  expect(Object.values(await world.db.read(inRow)).map(Boolean)).toEqual([false, true]);

  await world.db.write(() =>
    qsos.replaceMany([{ id, before: after, after: snapshotWith({ ...after, second: null }) }]),
  );
  expect((await world.db.read(() => qsos.get(userId, id))).second).toBeNull();
});

test("a contact of which nobody says anything is found wherever the words of others are", async () => {
  const world = await testWorld();
  const { id: userId } = await aUser(world, "bob");
  const [id, other] = [await aContact(world, userId), await aContact(world, userId)];

  for (const service of SERVICES)
    await world.db.write(() => run`DELETE FROM ${raw(`${service}_layers`)} WHERE qso_id = ${id}`);

  expect(await world.db.read(() => health.contactsWithoutLayers())).toEqual([id]);
  expect(other).toBeGreaterThan(id);
});
