import { beforeAll, expect, test } from "bun:test";
import { parseClubLog } from "../../src/callsign/club-log.ts";
import { loadCountryFile, type CountryFile } from "../../src/callsign/country-file.ts";
import { addDatedCalls } from "../../src/callsign/dated-calls.ts";
import { resolve } from "../../src/callsign/resolver.ts";
import { aClubLogFile, exception } from "../support/country-file.ts";

let countries: CountryFile;
beforeAll(async () => {
  countries = await loadCountryFile();
});

const bytes = (text: string) => new TextEncoder().encode(text);

const withClubLog = (text: string): CountryFile => ({
  ...countries,
  dated: addDatedCalls(countries.dated, parseClubLog(bytes(text))),
});

const dxccOf = (some: CountryFile, call: string, day: string) => resolve(some, call, Date.parse(day))?.dxcc ?? null;

test("exceptions of Club Log count on their days, before the program's own table", () => {
  const added = withClubLog(aClubLogFile(exception("K1N", 43, "2015-02-01", "2015-02-10") + exception("DL1ABC", 12)));

  expect(dxccOf(added, "K1N", "2015-02-05")).toBe(43);
  expect(dxccOf(added, "K1N", "2015-02-12")).toBe(182);
  expect(dxccOf(added, "DL1ABC", "2015-02-12")).toBe(12);
});

test("an operation that Club Log calls invalid counts for no entity", () => {
  const added = withClubLog(
    aClubLogFile("", `<invalid record="1"><call>T88A</call><start>1995-05-01T00:00:00+00:00</start></invalid>`),
  );

  expect(dxccOf(added, "T88A", "1995-04-30")).toBe(22);
  expect(dxccOf(added, "T88A", "1995-05-01")).toBeNull();
});

test("the packed file is read", () => {
  const packed = Bun.gzipSync(bytes(aClubLogFile(exception("DL1ABC", 12))));

  expect(parseClubLog(packed)).toContain("12 - - ClubLog DL1ABC\n");
});

test.each([
  ["a web page", "<html><body>404 Not Found</body></html>", "it has only 0 exceptions"],
  ["half a download", aClubLogFile("").slice(0, 20_000), "is invalid"],
  [
    "a record without an entity",
    aClubLogFile(`<exception record="7"><call>K1N</call></exception>`),
    `the record of "K1N" is invalid`,
  ],
  ["a record with another date", aClubLogFile(exception("K1N", 1, "soon")), "is not a date"],
  ["a record with a broken call", aClubLogFile(exception("K1 N", 1)), "is invalid"],
])("%s is refused", (_, text, why) => {
  expect(() => parseClubLog(bytes(text))).toThrow(why);
});

test("half a packed file is refused", () => {
  const packed = Bun.gzipSync(bytes(aClubLogFile("")));

  expect(() => parseClubLog(packed.slice(0, packed.length / 2))).toThrow("it is not complete or too large");
});
