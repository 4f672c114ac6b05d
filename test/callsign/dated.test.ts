import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { loadCountryFile, type CountryFile } from "../../src/callsign/country-file.ts";
import { findDatedCall } from "../../src/callsign/dated-calls.ts";
import { resolve, resolveWithRule } from "../../src/callsign/resolver.ts";
import { DAY } from "../../src/kernel/clock.ts";
import { getEntity, isValidOn } from "../../src/domain/radio/entity.ts";

interface Case {
  call: string;
  day: string;
  dxcc: number | null;
  kind: string;
  source: string;
}

const SPECIAL = new Set(["expedition", "portable", "deleted"]);
const SOURCES = new Set(["DXCC", "ITU", "CTY", "OK1RR", "OP"]);

let countries: CountryFile;
let cases: Case[];
beforeAll(async () => {
  countries = await loadCountryFile();
  const text = await Bun.file(join(import.meta.dir, "../fixtures/callsign/dated.tsv")).text();
  const [, ...rows] = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  cases = rows.map((row) => {
    const [call, day, dxcc, kind, source] = row.split("\t") as [string, string, string, string, string];
    return { call, day, dxcc: dxcc === "none" ? null : Number(dxcc), kind, source };
  });
});

const dxccOf = (call: string, day: string | null) =>
  resolve(countries, call, day === null ? null : Date.parse(day))?.dxcc ?? null;

test("650 dated calls: at most 0.3 % get a wrong entity, at most 4 % none", () => {
  const answers = cases.map((one) => ({ ...one, found: dxccOf(one.call, one.day) }));
  const wrong = answers.filter(({ found, dxcc }) => found !== null && found !== dxcc);
  const without = answers.filter(({ found, dxcc }) => found === null && dxcc !== null);

  const list = (some: typeof answers) => some.map(({ call, day }) => `${call} ${day}`).join(", ") || "none";
  console.log(`of ${cases.length} dated calls, wrong: ${list(wrong)}; without an entity: ${list(without)}`);
  expect(cases.length).toBeGreaterThanOrEqual(300);
  expect(cases.filter(({ kind }) => SPECIAL.has(kind)).length).toBeGreaterThanOrEqual(200);
  expect(cases.filter(({ source }) => !SOURCES.has(source))).toEqual([]);
  expect(wrong.length / cases.length).toBeLessThanOrEqual(0.003);
  expect(without.length / cases.length).toBeLessThanOrEqual(0.04);
});

describe("the table of dated calls", () => {
  test("every entity exists and counts from the first to the last day", () => {
    for (const [call, dated] of countries.dated) {
      for (const { dxcc, from, until } of dated) {
        expect([call, dxcc === null || getEntity(dxcc) !== null]).toEqual([call, true]);
        if (dxcc !== null && from !== -Infinity) expect([call, isValidOn(dxcc, from)]).toEqual([call, true]);
        if (dxcc !== null && until !== Infinity) expect([call, isValidOn(dxcc, until - DAY)]).toEqual([call, true]);
        expect([call, from < until]).toEqual([call, true]);
      }
    }
    expect(countries.dated.size).toBeGreaterThan(700);
  });

  test("every call resolves to its entity on its last day, and no call is in two at the same time", () => {
    for (const [call, dated] of countries.dated) {
      for (const { dxcc, from, until } of dated) {
        const day = until === Infinity ? Date.UTC(2020, 0) : until - DAY;
        expect([call, resolve(countries, call, day)?.dxcc ?? null]).toEqual([call, dxcc]);
        const others = dated.filter((one) => one.from < until && from < one.until && one.dxcc !== dxcc);
        expect([call, others]).toEqual([call, []]);
      }
    }
  });

  test("a call has its usual entity the day before the expedition, the day after, and without a date", () => {
    expect(dxccOf("K1N", "2015-01-31")).toBe(291);
    expect(dxccOf("K1N", "2015-02-01")).toBe(182);
    expect(dxccOf("K1N", "2015-02-15")).toBe(182);
    expect(dxccOf("K1N", "2015-02-16")).toBe(291);
    expect(dxccOf("K1N", null)).toBe(291);
    expect(findDatedCall(countries.dated, "K1N", null)).toBeUndefined();
  });

  test("a station of an expedition that signs /P is on the same island", () => {
    expect(dxccOf("K5D/P", "2009-02-20")).toBe(43);
  });
});

test.each([
  ["Montenegro kept the prefixes of Yugoslavia at first", "YU6AO", "2006-09-01", 514],
  ["Montenegro kept the prefixes of Yugoslavia at first", "4N6FZ", "2006-09-01", 514],
  ["the rest of Yugoslavia is Serbia", "YU1AA", "2006-09-01", 296],
  ["Poland's base in the South Shetlands", "HF0POL", "1998-02-01", 241],
  ["a special station in Poland or its base", "HF0ABC", "1998-02-01", null],
  ["a call that islands shared, on a day that no table lists", "TO5M", "2013-07-15", null],
  ["the same call, lately", "TO5M", "2025-07-15", 213],
  ["a call used in another country since then", "5K0T", "2017-10-22", null],
])("%s: %s on %s", (_what, call, day, dxcc) => {
  expect(dxccOf(call, day)).toBe(dxcc);
});

// A letter after a call is a district, a boat or a way to operate; the few that name a country are prefixes.
describe("no suffix moves a station abroad", () => {
  const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const COUNTRIES: [base: string, dxcc: number, islands: number[]][] = [
    ["LU1ABC", 100, []],
    ["L20ABC", 100, []],
    ["AY1ABC", 100, []],
    ["CX2ABC", 144, []],
    ["FR5ZU", 453, [99, 124, 276]],
    ["3D2KJ", 176, [460, 489]],
    ["ZL3ABC", 170, [16, 34, 133]],
    ["VQ9HB", 379, [8, 33, 44, 55]],
  ];

  test.each(COUNTRIES)("%s/A to %s/Z", (base, dxcc, islands) => {
    for (const day of ["1970-06-01", "1988-06-01", "2015-06-01"]) {
      for (const letter of LETTERS) {
        const found = dxccOf(`${base}/${letter}`, day);
        const isHome = found === null || found === dxcc || islands.includes(found) || found === dxccOf(base, day);
        expect([base, letter, day, isHome]).toEqual([base, letter, day, true]);
      }
    }
  });

  const STATES: [base: string, dxcc: number, states: string][] = [
    [
      "W1ABC",
      291,
      "AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM",
    ],
    ["K1ABC", 291, "NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY"],
    ["VE3ABC", 1, "AB BC MB NB NL NS NT NU ON PE QC SK YT"],
    ["VK2ABC", 150, "NT SA WA"],
    ["PY2ABC", 108, "AC AL AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO"],
  ];

  test.each(STATES)("%s with a state", (base, dxcc, states) => {
    for (const state of states.split(" ")) {
      expect([state, dxccOf(`${base}/${state}`, "2005-06-01") ?? dxcc]).toEqual([state, dxcc]);
    }
  });

  test("a prefix that is no district still is a place", () => {
    expect(dxccOf("W1ABC/DL", "2005-06-01")).toBe(230);
    expect(dxccOf("W1ABC/OH2", "2005-06-01")).toBe(224);
    expect(dxccOf("DL1ABC/F", "1985-06-01")).toBe(227);
  });
});

test.each([
  ["K1N", "2015-02-05", "The table of dated calls lists K1N from 2015-02-01 to 2015-02-15 (OK1RR)."],
  ["RAEM", "2015-02-05", "The country file lists RAEM."],
  ["DL1ABC", "2015-02-05", "The country file has the prefix DL."],
  ["OK1ABC", "1985-02-05", "The table of historic prefixes says what OK meant on that day."],
  ["ZK1ABC", "1985-02-05", "The table of historic prefixes says what ZK1 meant on that day: several entities."],
  ["FR5ZU/G", "1990-02-05", "After a call that begins with FR5, /G is a part of that country."],
  ["LU1ABC/Z", "1990-02-05", "After LU1ABC, /Z stands for several entities."],
  ["W1ABC/OH", "2015-02-05", "After W1ABC, /OH is a state as well as a country."],
  ["TO5M", "2013-07-15", "TO5M was in several entities, and no table says in which on that day."],
  ["TO1ABC", "2015-02-05", "Several entities share the prefix TO, and no table lists this call."],
  ["W1ABC/MM", "2015-02-05", "The station was at sea or in the air."],
  ["Q1ABC", "2015-02-05", "No country has the prefix of Q1ABC."],
  ["EH92A", "2015-02-05", "The number in EH92A is no call area."],
  ["E31AA", "1985-02-05", "The country file has the prefix E3. Eritrea was no entity yet."],
])("the rule for %s on %s", (call, day, rule) => {
  expect(resolveWithRule(countries, call, Date.parse(day)).rule).toBe(rule);
});
