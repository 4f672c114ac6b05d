import { beforeAll, expect, test } from "bun:test";
import { loadCountryFile } from "../../src/callsign/country-file.ts";
import type { CountryFile } from "../../src/callsign/country-file.ts";
import { HISTORIC_PREFIXES, findHistoric, isHistoricPrefix } from "../../src/callsign/historic.ts";
import { DAY } from "../../src/domain/clock.ts";
import { ENTITIES, isValidOn } from "../../src/domain/entity.ts";

let countries: CountryFile;
beforeAll(async () => {
  countries = await loadCountryFile();
});

const each = HISTORIC_PREFIXES.flatMap(([prefixes, dxcc, from, to]) =>
  prefixes.split(" ").map((prefix) => ({ prefix, dxcc, from: from ? Date.parse(from) : null, last: Date.parse(to) })),
);

test("every historic prefix leads to an entity that counts on its last day and has a place", () => {
  for (const { prefix, dxcc, last } of each) {
    expect(isValidOn(dxcc, last)).toBeTrue();
    const place = findHistoric(countries, `${prefix}AB`, last)!;
    expect(place.dxcc).toBe(dxcc);
    expect(Number.isFinite(place.lat + place.lon)).toBeTrue();
  }
});

// Invariant: a prefix means what it meant on the day
test("every historic prefix that begins on a day does not mean it the day before", () => {
  for (const { prefix, dxcc, from } of each) {
    if (from === null) continue;
    expect(findHistoric(countries, prefix, from)?.dxcc).toBe(dxcc);
    expect(findHistoric(countries, prefix, from - 1)?.dxcc).not.toBe(dxcc);
  }
});

test("the day after its last, a prefix has lost that meaning", () => {
  for (const { prefix, dxcc, last } of each) {
    expect(findHistoric(countries, prefix, last + DAY)?.dxcc).not.toBe(dxcc);
  }
});

test("most deleted entities can be told from the call", () => {
  const told = new Set(each.map(({ dxcc }) => dxcc));
  const deleted = ENTITIES.filter((entity) => entity.deleted);

  expect(deleted.filter(({ number }) => told.has(number)).length).toBeGreaterThan(40);
});

test("a prefix is historic only while it was in use", () => {
  expect(isHistoricPrefix("Y2", Date.parse("1980-01-01"))).toBeTrue();
  expect(isHistoricPrefix("Y2", Date.parse("2000-01-01"))).toBeFalse();
  expect(isHistoricPrefix("Y2", null)).toBeFalse();
});
