import { beforeAll, expect, test } from "bun:test";
import { loadCountryFile } from "../../src/callsign/country-file.ts";
import type { CountryFile } from "../../src/callsign/country-file.ts";
import { HISTORIC_PREFIXES, findHistoric, isHistoricPrefix } from "../../src/callsign/historic.ts";
import { DAY } from "../../src/kernel/clock.ts";
import { ENTITIES, isValidOn } from "../../src/domain/radio/entity.ts";

let countries: CountryFile;
beforeAll(async () => {
  countries = await loadCountryFile();
});

const each = HISTORIC_PREFIXES.flatMap(([prefixes, dxcc, from, to]) =>
  prefixes.split(" ").map((name) => ({
    prefix: name.replace("??", ""),
    text: name.includes("?") ? name.replace("??", "AB") : name,
    dxcc,
    from: from ? Date.parse(from) : null,
    last: Date.parse(to),
  })),
);
const placed = each.flatMap(({ dxcc, ...rest }) => (dxcc === null ? [] : [{ dxcc, ...rest }]));
const unknown = each.filter(({ dxcc }) => dxcc === null);

test("every historic prefix gives an entity with a position and counts on its last day", () => {
  for (const { prefix, dxcc, last } of placed) {
    expect(isValidOn(dxcc, last)).toBeTrue();
    const place = findHistoric(countries, `${prefix}AB`, last)!.place!;
    expect(place.dxcc).toBe(dxcc);
    expect(Number.isFinite(place.lat + place.lon)).toBeTrue();
  }
});

test("an ambiguous prefix gives no entity", () => {
  for (const { text, from, last } of unknown) {
    expect([text, findHistoric(countries, text, last)?.place]).toEqual([text, null]);
    if (from !== null) expect([text, findHistoric(countries, text, from)?.place]).toEqual([text, null]);
  }
  expect(unknown.length).toBeGreaterThan(50);
});

test("no prefix has two meanings on one day", () => {
  for (const [text, eras] of Map.groupBy(each, ({ text: one }) => one)) {
    const days = eras.map(({ from, last }) => [from ?? -Infinity, last] as const).sort((a, b) => a[0] - b[0]);
    for (const [index, [from]] of days.entries()) {
      if (index > 0) expect([text, from > days[index - 1]![1]]).toEqual([text, true]);
    }
  }
});

// Invariant: a prefix means what it meant on that day
test("a historic prefix does not have its meaning before its first day", () => {
  for (const { text, dxcc, from } of placed) {
    if (from === null) continue;
    expect(findHistoric(countries, text, from)?.place?.dxcc).toBe(dxcc);
    expect(findHistoric(countries, text, from - 1)?.place?.dxcc).not.toBe(dxcc);
  }
});

test("a historic prefix loses its meaning after its last day", () => {
  for (const { text, dxcc, last } of placed) {
    expect(findHistoric(countries, text, last + DAY)?.place?.dxcc).not.toBe(dxcc);
  }
});

test("most deleted entities can be recognised by callsign", () => {
  const told = new Set(placed.map(({ dxcc }) => dxcc));
  const deleted = ENTITIES.filter((entity) => entity.deleted);

  expect(deleted.filter(({ number }) => told.has(number)).length).toBeGreaterThan(40);
});

test("a prefix is historic only while it was in use", () => {
  expect(isHistoricPrefix("Y2", Date.parse("1980-01-01"))).toBeTrue();
  expect(isHistoricPrefix("Y2", Date.parse("2000-01-01"))).toBeFalse();
  expect(isHistoricPrefix("Y2", null)).toBeFalse();
});
