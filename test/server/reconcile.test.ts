import { expect, test } from "bun:test";
import { logOf, lotw, said, sync } from "../support/sync.ts";
import { aSite } from "../views/site.ts";

test("the page shows what is where, offers a file for upload, and resolves records", async () => {
  const site = await aSite();
  const bob = await site.signedIn("bob");
  const { app } = site;
  const world = app as never;
  await sync(world, bob.user.id, "file", [said("K1AAA", "2026-07-18 01:43"), said("K1AAA", "2026-07-18 01:53")]);
  await sync(world, bob.user.id, "first", [lotw("K1AAA", "2026-07-18 01:48")]);

  const page = await (await bob.get("/reconcile")).text();
  expect(page).toContain("api/qsos/export?notAt=first");
  expect(page).toContain("not on QRZ");
  const waiting = await (await bob.get("/reconcile?class=leftovers")).text();
  expect(waiting).toContain("Match with K1AAA 2026-07-18 01:53");
  const done = await bob.post("/reconcile?class=leftovers", { leftover: "1", act: "match-2" });
  await app.runner.idle();

  expect(done.headers.get("location")).toMatch(/^\/jobs\/\d+$/);
  expect((await logOf(world, bob.user.id)).map(({ firstConfirmed }) => firstConfirmed)).toEqual([false, true]);
  expect(await (await bob.get(done.headers.get("location")!)).text()).toContain("Matches unresolved records with QSOs");
});
