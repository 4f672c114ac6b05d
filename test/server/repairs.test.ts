import { expect, test } from "bun:test";
import { logOf, said, sync } from "../support/sync.ts";
import { aSite } from "../views/site.ts";

const aLog = async () => {
  const site = await aSite();
  const bob = await site.signedIn("bob");
  const { app } = site;
  await sync(app as never, bob.user.id, "file", [
    said("K1AAA", "2026-07-18 01:43"),
    said("K2BBB", "2026-07-18 02:43"),
    said("K3CCC", "2026-07-18 03:43"),
  ]);
  return { site, bob, app, log: () => logOf(app as never, bob.user.id) };
};

test("selected rows of the log are edited after a preview", async () => {
  const { bob, app, log } = await aLog();
  const page = await (await bob.get("/log")).text();
  expect(page).toContain('value="repair"');

  const chosen = await bob.get("/log/chosen?id=1&id=3&act=repair");
  expect(decodeURIComponent(chosen.headers.get("location")!)).toBe("/repair?id=1,3");
  const fields = {
    field: "qth",
    value: "Nis",
    clear: "",
    shiftMinutes: "60",
    byFrequency: "",
    ftModes: "",
    what: "edit",
  };
  const looked = await (await bob.post("/repair?id=1,3", { ...fields, go: "preview" })).text();
  expect(looked).toContain("2 contacts will change.");
  expect(looked).toMatch(/<td>QTH<\/td>.*?>nothing<\/td>.*?>Nis<\/td>/);
  expect(looked).toContain("Change 2 contacts");
  expect(looked).toContain('value="Nis"');
  expect((await log()).map(({ qth }) => qth)).toEqual([null, null, null]);
  const done = await bob.post("/repair?id=1,3", { ...fields, go: "repair" });

  const location = done.headers.get("location")!;
  expect(location).toMatch(/^\/jobs\/\d+$/);
  await app.runner.idle();
  expect((await log()).map(({ qth }) => qth)).toEqual(["Nis", null, "Nis"]);
  const job = await (await bob.get(location)).text();
  expect(job).toContain("Sets qth = Nis, moves the time by +1:00 h.");
  expect(job).toContain("Undo this bulk edit…");
  await bob.post(`${location}/undo`);
  expect((await log()).map(({ qth }) => qth)).toEqual([null, null, null]);
});

test("errors are shown next to the filled-in form", async () => {
  const { bob } = await aLog();

  const refused = await bob.post("/repair?call=K1AAA", { field: "state", value: "?!", what: "edit", go: "repair" });

  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("state or province");
});
