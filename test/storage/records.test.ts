import { expect, test } from "bun:test";
import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import { ORIGIN_NAMES } from "../../src/domain/origins/bits.ts";
import type { Layers } from "../../src/domain/contact/layers.ts";
import * as health from "../../src/storage/engine/health.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import type { RowOf } from "../../src/storage/engine/rows.ts";
import { many, run } from "../../src/storage/engine/unit.ts";
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

const recordsOf = async ({ db }: TestWorld, qsoId: number) =>
  db.read(
    () => many<RowOf<"records", "id" | "origin" | "outdated">>`
      SELECT id, origin, outdated FROM records WHERE qso_id = ${qsoId} ORDER BY id`,
  );

const BY_HAND = { jobId: null, now: 2 };

// Invariant: a record is never changed
test("changed values make a new record, and the older one stays", async () => {
  const world = await testWorld();
  const { id: userId } = await aUser(world, "bob");
  const [id, other] = [await aContact(world, userId), await aContact(world, userId)];
  const contact = () => world.db.read(() => qsos.get(userId, id));
  expect(await contact()).toEqual({ id, userId, ...SAID });

  const said = snapshotWith({
    ...SAID,
    second: { record: { fields: { ...SAID.second!.record!.fields, NAME: "Ann" } } },
  });
  await world.db.write(() => qsos.replaceRows(userId, [{ id, before: SAID, after: said }], BY_HAND));
  expect(await contact()).toEqual({ id, userId, ...said });
  expect((await recordsOf(world, id)).map(({ origin, outdated }) => [ORIGIN_NAMES.get(origin), outdated])).toEqual([
    ["first", 0],
    ["second", 1],
    ["second", 0],
  ]);

  const silent = snapshotWith({ ...SAID, second: null });
  await world.db.write(() => qsos.replaceRows(userId, [{ id, before: said, after: silent }], BY_HAND));
  expect(await contact()).toEqual({ id, userId, ...silent });
  expect((await recordsOf(world, other)).map(({ outdated }) => outdated)).toEqual([0, 0]);
});

test("a contact that returns, or repeats former values, has its old records", async () => {
  const world = await testWorld();
  const { id: userId } = await aUser(world, "bob");
  const id = await aContact(world, userId);
  const before = await recordsOf(world, id);

  await world.db.write(() => qsos.remove([id]));
  expect((await recordsOf(world, id)).map(({ outdated }) => outdated)).toEqual([1, 1]);
  await world.db.write(() => qsos.restoreMany(userId, [{ ...SAID, id }], BY_HAND));
  expect(await recordsOf(world, id)).toEqual(before);

  const silent = snapshotWith({ ...SAID, second: null });
  await world.db.write(() => qsos.replaceRows(userId, [{ id, before: SAID, after: silent }], BY_HAND));
  const reuses = { ...BY_HAND, reuses: true };
  await world.db.write(() => qsos.replaceRows(userId, [{ id, before: silent, after: SAID }], reuses));
  expect(await recordsOf(world, id)).toEqual(before);
});

test("a contact without any record is found", async () => {
  const world = await testWorld();
  const { id: userId } = await aUser(world, "bob");
  const [id, other] = [await aContact(world, userId), await aContact(world, userId)];

  await world.db.write(() => run`UPDATE records SET outdated = 1 WHERE qso_id = ${id}`);

  expect(await world.db.read(() => health.contactsWithoutLayers())).toEqual([id]);
  expect(other).toBeGreaterThan(id);
});
