import { expect, test } from "bun:test";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWorld } from "../../src/world.ts";
import { aClubLogFile, asCty, exception } from "../support/country-file.ts";
import { logOf, said, sync } from "../support/sync.ts";
import { aCommandLine, type CommandLine } from "./services.ts";

/** A release of 2027 in which K1ABC operates from Canada. */
const aNewerFile = async ({ world }: CommandLine): Promise<string> => {
  const path = join(world.dataDir, "newer.csv");
  writeFileSync(path, (await asCty()).replace("=VER20260213", "=VER20270401 =K1ABC"));
  return path;
};

const replacedIn = ({ world }: CommandLine) => join(world.dataDir, "cty.csv");

test("country shows the file in use", async () => {
  const { qsolog } = await aCommandLine();

  expect(await qsolog(["country"])).toEqual({
    code: 0,
    out: "Country file dated 2026-02-13, built into the program: 346 entities, 7,224 prefixes, 20,789 calls, and 821 calls that are listed by date.\n",
    err: "",
    over: [],
  });
});

test("country update replaces it and derives affected contacts again", async () => {
  const line = await aCommandLine();
  const { world, bob, qsolog } = line;
  const silent = said("K1ABC", "2026-07-18 01:43");
  await sync(world, bob.id, "file", [
    silent,
    said("K2BBB", "2026-07-18 01:43"),
    said("K1ABC", "2026-07-19 01:43", { DXCC: "291" }),
  ]);
  const before = await logOf(world, bob.id);

  const { code, out } = await qsolog(["country", "update", await aNewerFile(line)]);

  expect([code, out]).toEqual([
    0,
    "Country file dated 2027-04-01 in <data>/cty.csv: 346 entities, 7,224 prefixes, 20,790 calls, and 821 calls that are listed by date.\n" +
      "3 QSOs checked, 1 changed.\n",
  ]);
  const after = await logOf(world, bob.id);
  expect(after.map(({ dxcc }) => dxcc)).toEqual([1, 291, 291]);
  expect(after.map(({ own, updatedAt }) => [own, updatedAt])).toEqual(before.map((qso) => [qso.own, qso.updatedAt]));
  expect(statSync(replacedIn(line)).mode & 0o077).toBe(0);
  expect(JSON.parse((await qsolog(["country", "--json"])).out).country).toMatchObject({ version: "20270401" });
});

test("country update adds Club Log's exceptions, and keeps them when the country file changes", async () => {
  const line = await aCommandLine();
  const { world, bob, qsolog } = line;
  await sync(world, bob.id, "file", [said("K1ABC", "2026-07-18 01:43"), said("K1ABC", "2026-07-20 01:43")]);
  const path = join(world.dataDir, "cty.xml.gz");
  writeFileSync(path, Bun.gzipSync(aClubLogFile(exception("K1ABC", 43, "2026-07-19", "2026-07-20"))));

  const { code, out } = await qsolog(["country", "update", path]);
  const bundled = await qsolog(["country", "update", await aNewerFile(line)]);

  expect([code, out]).toEqual([
    0,
    "Country file dated 2026-02-13, built into the program: 346 entities, 7,224 prefixes, 20,789 calls, and 1,822 calls " +
      "that are listed by date, with those of Club Log in <data>/clublog.txt.\n2 QSOs checked, 1 changed.\n",
  ]);
  expect(bundled.out).toContain("with those of Club Log in <data>/clublog.txt.\n2 QSOs checked, 1 changed.\n");
  expect((await logOf(world, bob.id)).map(({ dxcc }) => dxcc).sort()).toEqual([1, 43]);
});

test("an incomplete country file is refused, and the current one stays", async () => {
  const line = await aCommandLine();
  const path = join(line.world.dataDir, "half.csv");
  writeFileSync(path, (await asCty()).slice(0, 100_000));

  const half = await line.qsolog(["country", "update", path]);
  const missing = await line.qsolog(["country", "update", "/nowhere/cty.csv"]);

  expect([half.code, missing.code]).toEqual([2, 2]);
  expect(half.err).toContain("This is not a valid country file (cty.csv)");
  expect(missing.err).toContain("Could not read the country file /nowhere/cty.csv");
  expect(existsSync(replacedIn(line))).toBe(false);
});

test("a running process uses the new file from then on", async () => {
  const line = await aCommandLine();
  const { config, clock, random, log } = line.world;
  const world = await openWorld(config, { clock, random, log });
  const entity = async () => (await world.callFacts()).locate("K1ABC", Date.UTC(2026, 0, 1))?.dxcc;
  expect(await entity()).toBe(291);

  await line.qsolog(["country", "update", await aNewerFile(line)]);

  expect(await entity()).toBe(1);
  await world.db.close();
});
