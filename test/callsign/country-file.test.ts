import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { loadCountryFile, parseCty } from "../../src/callsign/country-file.ts";
import { resolve } from "../../src/callsign/resolver.ts";
import { asCty } from "../support/country-file.ts";

const REFUSED = { code: "invalid", rule: "country_file" };

test("the included country file reports its date and size", async () => {
  const countries = await loadCountryFile();

  expect(countries).toMatchObject({ version: "20260213", entities: 346, calls: 20_789, prefixes: 7_224 });
  expect(countries.releasedAt).toBe(Date.UTC(2026, 1, 13));
});

test("a newer cty.csv replaces it with its own date and calls", async () => {
  const text = (await asCty()).replace("=VER20260213", "=VER20270401 =W1NEW/XYZ");

  const countries = await parseCty(text);

  expect(countries).toMatchObject({ version: "20270401", entities: 346, calls: 20_790, prefixes: 7_224 });
  expect(resolve(countries, "W1NEW/XYZ", null)?.dxcc).toBe(1);
});

test("every prefix read from cty.csv gives the same result as before", async () => {
  const known = await loadCountryFile();

  const read = await parseCty(await asCty());

  expect([...read.byPrefix].sort()).toEqual([...known.byPrefix].sort());
});

test("a file is read from its path with any line ends", async () => {
  const folder = await mkdtemp(join(tmpdir(), "qsolog-"));
  const path = join(folder, "cty.csv");
  await Bun.write(path, (await asCty()).replaceAll("\n", "\r\n"));

  const countries = await loadCountryFile({ path });
  await rm(folder, { recursive: true });

  expect(countries).toMatchObject({ version: "20260213", entities: 346 });
});

test("a missing file is refused", async () => {
  await expect(loadCountryFile({ path: "/nowhere/cty.csv" })).rejects.toMatchObject(REFUSED);
});

test.each([
  ["nothing", () => ""],
  ["a web page", () => "<html><body>404 Not Found</body></html>"],
  ["bytes", () => "\u0000\u0001,".repeat(1_000)],
  ["half a download", (text: string) => text.slice(0, text.length / 2)],
  ["a file without a date", (text: string) => text.replace(/=VER\d{8}/, "")],
  ["a file with an impossible date", (text: string) => text.replace(/=VER\d{8}/, "=VER20261399")],
  ["a file with another number for Germany", (text: string) => text.replace(",230,", ",231,")],
  ["a file with an unknown continent", (text: string) => text.replace(",230,EU,", ",230,XX,")],
  ["a file with a number that is none", (text: string) => text.replace(",230,", ",,")],
  ["a file with an impossible place", (text: string) => text.replace(",230,EU,14,28,51,", ",230,EU,14,28,510,")],
  ["a file with a place that is no number", (text: string) => text.replace(",230,EU,14,28,51,", ",230,EU,14,28,,")],
  ["a file without a landmark's prefixes", (text: string) => text.replace(/^(ZS,.*,).*$/m, "$1ZR;")],
  ["far too much", (text: string) => text.repeat(20)],
])("%s is refused", async (_, spoil) => {
  const text = spoil(await asCty());

  await expect(parseCty(text)).rejects.toMatchObject(REFUSED);
});

// Invariant: the country tables are loaded at first use only
test("importing the modules does not load the tables", async () => {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const folder = join(import.meta.dir, "../../src/callsign");
  const files = [...new Bun.Glob("*.ts").scanSync({ cwd: folder, absolute: true })];

  const imports = await Promise.all(files.map(async (file) => transpiler.scanImports(await Bun.file(file).text())));

  const packages = imports.flat().filter(({ path }) => path.startsWith("@ham2k/"));
  expect(packages.length).toBeGreaterThan(0);
  expect(packages.filter(({ kind }) => kind !== "dynamic-import")).toEqual([]);
});
