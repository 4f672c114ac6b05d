import { expect, test } from "bun:test";
import { CQZONES_FOR_STATES } from "@ham2k/lib-cqmag-data";
import { findCqZone } from "../../src/domain/radio/state-zones.ts";

test.each([
  [291, "CA", 3],
  [291, "wi", 4],
  [291, "DC", 5],
  [6, "AK", 1],
  [110, "HI", 31],
  [1, "BC", 3],
  [1, "ON", null],
  [1, "QC", null],
  [1, "NL", null],
  [150, "WA", null],
  [291, "XX", null],
  [291, null, null],
  [null, "CA", null],
])("entity %p with state %p lies in CQ zone %p", (dxcc, state, zone) => {
  expect(findCqZone(dxcc, state)).toBe(zone);
});

test("every state and province has the zone that CQ Magazine gives it", () => {
  const dxccOf = (country: string, state: string) => {
    if (country === "Canada") return 1;
    return { AK: 6, HI: 110 }[state] ?? 291;
  };
  const given = Object.entries(CQZONES_FOR_STATES).flatMap(([country, states]) =>
    Object.entries(states).map(([state, zone]) => ({ state, zone: zone || null, dxcc: dxccOf(country, state) })),
  );

  const different = given.filter(({ dxcc, state, zone }) => findCqZone(dxcc, state) !== zone);

  expect(different).toEqual([]);
  expect(given).toHaveLength(64);
});
