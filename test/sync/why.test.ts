import { expect, test } from "bun:test";
import { byOwner } from "../../src/logbook/caller.ts";
import { editQso } from "../../src/contacts/edit.ts";
import { why } from "../../src/logbook/why.ts";
import { logOf, lotw, said, sync } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

test("each field shows its source and the job that brought it", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  const bob = byOwner({ id, username: "bob" });
  const imported = await sync(world, id, "file", [said("K1AAA", "2026-07-18 01:43", { NAME: "Ann", QTH: "Nis" })]);
  world.clock.advance(60_000);
  const synced = await sync(world, id, "first", [lotw("K1AAA", "2026-07-18 01:43", { STATE: "MA", DXCC: "291" })]);
  const [qso] = await logOf(world, id);
  await editQso(world, id, qso!.id, { qth: "Pirot" }, await world.callFacts());

  const { fields, since } = await why(world, bob, qso!.id);

  const of = (name: string) => fields.find(({ field }) => field === name);
  expect(of("name")).toMatchObject({ value: "Ann", by: "file", jobId: imported.id, source: "file" });
  expect(of("state")).toMatchObject({ value: "MA", by: "first", jobId: synced.id, at: world.clock() });
  expect(of("qth")).toMatchObject({ value: "Pirot", by: "typed", jobId: null, at: world.clock() });
  expect(of("prefix")).toMatchObject({ value: "K1", by: "derived" });
  expect(since).toBe(world.clock() - 60_000);
  const eve = await aUser(world, "eve");
  await expect(why(world, byOwner(eve), qso!.id)).rejects.toMatchObject({ code: "not_found" });
});

test("the rule that decided the entity is named, unless a record says the entity", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  const bob = byOwner({ id, username: "bob" });
  await sync(world, id, "file", [
    said("K1N", "2015-02-05 01:43"),
    said("TO1ABC", "2015-02-05 01:44"),
    said("K2AAA", "2015-02-05 01:45", { DXCC: "291" }),
  ]);

  const log = await logOf(world, id);
  const rules = await Promise.all(log.map(async (qso) => (await why(world, bob, qso.id)).entityRule));

  expect(log.map(({ dxcc }) => dxcc)).toEqual([182, null, 291]);
  expect(rules).toEqual([
    "The table of dated calls lists K1N from 2015-02-01 to 2015-02-15 (OK1RR).",
    "Several entities share the prefix TO, and no table lists this call.",
    null,
  ]);
});
