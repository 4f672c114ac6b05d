import { expect, test } from "bun:test";
import { run } from "../../src/storage/engine/unit.ts";
import { logOf, said, sync } from "../support/sync.ts";
import { aSite } from "../views/site.ts";

/** Two rows that an older program left as two. */
const aLog = async () => {
  const site = await aSite();
  const bob = await site.signedIn("bob");
  const { app } = site;
  await sync(app as never, bob.user.id, "file", [
    said("K1AAA", "2026-07-18 01:43"),
    said("K1AAA", "2026-07-18 05:43", { QTH: "Boston" }),
    said("K2BBB", "2026-07-18 02:43"),
  ]);
  await app.db.write(function* () {
    yield* run`UPDATE qsos SET started_at = started_at - 14400000 WHERE qth = 'Boston'`;
    yield* run`UPDATE records SET record = replace(record, '0543', '0143') WHERE record LIKE '%Boston%'`;
  });
  return { bob, app, log: () => logOf(app as never, bob.user.id) };
};

test("duplicates are listed with reasons, merged after a preview, and the merge is undone", async () => {
  const { bob, app, log } = await aLog();
  const before = await log();

  const page = await (await bob.get("/duplicates")).text();
  expect(page).toContain("1 group of duplicates.");
  expect(page).toContain("logged twice within a minute");
  const looked = await (await bob.post("/duplicates", { qsoId: "2" })).text();
  expect(looked).toContain("1 contact will change.");
  expect(looked).toMatch(/K1AAA[^]*2026-07-18 01:43[^]*merged with the other QSO/);
  const kind = await (await bob.get("/duplicates?kind=twice")).text();
  expect(kind).toContain("Merge all of this kind");
  const done = await bob.post("/duplicates", { kind: "twice", go: "merge" });
  const location = done.headers.get("location")!;
  await app.runner.idle();

  expect((await log()).map(({ call, qth }) => [call, qth])).toEqual([
    ["K1AAA", "Boston"],
    ["K2BBB", null],
  ]);
  expect(await (await bob.get(location)).text()).toContain("Merges QSOs that are the same contact.");
  expect(await (await bob.get("/duplicates")).text()).toContain("No duplicates found.");
  await bob.post(`${location}/undo`);
  expect((await log()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test("an unknown kind is refused", async () => {
  const { bob } = await aLog();

  expect((await bob.get("/duplicates?kind=alike")).status).toBe(400);
});
