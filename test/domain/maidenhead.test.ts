import { expect, test } from "bun:test";
import fc from "fast-check";
import type { QsoView } from "../../src/domain/contact/qso-view.ts";
import {
  computeBearing,
  computeDistanceKm,
  computeGridCentre,
  toGrid,
  parseGrid,
  computeWay,
} from "../../src/domain/radio/maidenhead.ts";

const LENGTHS = [2, 4, 6, 8, 10] as const;
const place = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});

test.each([
  ["JO", 50, 0, 10, 20],
  ["EN34", 44, -94, 1, 2],
  ["en34QU", 44 + 20 / 24, -94 + 16 / 12, 1 / 24, 1 / 12],
  ["AA00", -90, -180, 1, 2],
  ["RR99XX", 90 - 1 / 24, 180 - 1 / 12, 1 / 24, 1 / 12],
])("%s has its south-west corner and its size", (text, south, west, height, width) => {
  const grid = parseGrid(text)!;

  expect(grid.south).toBeCloseTo(south, 9);
  expect(grid.west).toBeCloseTo(west, 9);
  expect(grid.height).toBeCloseTo(height, 9);
  expect(grid.width).toBeCloseTo(width, 9);
});

test.each(["", "E", "EN3", "EN34q", "SN34", "EN34yy", "EN34qu6", "3434", "EN34qu65ab00", "EN 34", "EN34,EN35"])(
  "%p is not a locator",
  (text) => {
    expect(parseGrid(text)).toBeNull();
    expect(computeGridCentre(text)).toBeNull();
  },
);

test.each([
  [{ lat: 41.714775, lon: -72.72726 }, 6, "FN31pr"],
  [{ lat: 48.14666, lon: 11.60833 }, 6, "JN58td"],
  [{ lat: -34.91, lon: -56.21166 }, 6, "GF15vc"],
  [{ lat: -41.28333, lon: 174.745 }, 6, "RE78ir"],
  [{ lat: 90, lon: 180 }, 4, "AR09"],
  [{ lat: -90, lon: -180 }, 10, "AA00aa00aa"],
  [{ lat: 91, lon: 0 }, 4, null],
  [{ lat: Number.NaN, lon: 0 }, 4, null],
] as const)("a place is in its square: case %#", (at, length, locator) => {
  expect(toGrid(at, length)).toBe(locator);
});

test("the centre of every square is in the square, for every length", () => {
  fc.assert(
    fc.property(place, fc.constantFrom(...LENGTHS), (at, length) => {
      const locator = toGrid(at, length)!;

      expect(toGrid(computeGridCentre(locator)!, length)).toBe(locator);
    }),
  );
});

test("the corner of every square is in the square", () => {
  fc.assert(
    fc.property(place, fc.constantFrom(...LENGTHS), (at, length) => {
      const locator = toGrid(at, length)!;
      const { south, west } = parseGrid(locator)!;

      expect(toGrid({ lat: south, lon: west }, length)).toBe(locator);
    }),
  );
});

test("a place is in its square", () => {
  fc.assert(
    fc.property(place, (at) => {
      fc.pre(at.lon < 180);
      const grid = parseGrid(toGrid(at, 10)!)!;

      expect(at.lat).toBeWithin(grid.south - 1e-6, grid.south + grid.height + 1e-6);
      expect(at.lon).toBeWithin(grid.west - 1e-6, grid.west + grid.width + 1e-6);
    }),
  );
});

const LONDON = { lat: 51.5074, lon: -0.1278 };
const NEW_YORK = { lat: 40.7128, lon: -74.006 };
const FIJI = { lat: -17.8, lon: 178 };
const SAMOA = { lat: -13.8, lon: -172 };

test("distances are great-circle distances", () => {
  expect(computeDistanceKm(LONDON, NEW_YORK)).toBeCloseTo(5570, -1);
  expect(computeDistanceKm({ lat: 0, lon: 0 }, { lat: 0, lon: 180 })).toBeCloseTo(20015.1, 0);
  expect(computeDistanceKm(FIJI, SAMOA)).toBeLessThan(1250);
  expect(computeDistanceKm(LONDON, LONDON)).toBe(0);
});

test.each([
  [{ lat: 0, lon: 0 }, { lat: 10, lon: 0 }, 0],
  [{ lat: 0, lon: 0 }, { lat: 0, lon: 10 }, 90],
  [{ lat: 10, lon: 0 }, { lat: 0, lon: 0 }, 180],
  [{ lat: 0, lon: 0 }, { lat: 0, lon: -10 }, 270],
  [LONDON, NEW_YORK, 288.3],
])("the bearing is right: case %#", (from, to, degrees) => {
  expect(computeBearing(from, to)).toBeCloseTo(degrees, 1);
});

test("distance is the same in both directions, and a bearing is from 0 to 360", () => {
  fc.assert(
    fc.property(place, place, (from, to) => {
      expect(computeDistanceKm(from, to)).toBeCloseTo(computeDistanceKm(to, from), 6);
      expect(computeDistanceKm(from, to)).toBeLessThan(20_016);
      expect(computeBearing(from, to)).toBeWithin(0, 360);
    }),
  );
});

test("the way to a partner needs both squares, from any origin", () => {
  const says = (details: Record<string, string> | null) => ({ details });
  const qso = (own: Record<string, string> | null, first: Record<string, string> | null, gridsquare: string | null) =>
    ({ own: says(own), first: says(first), second: says(null), gridsquare }) as unknown as QsoView;

  expect(computeWay(qso({}, { MY_GRIDSQUARE: "KN04FT" }, "FN31pr"))).toEqual({ km: 7106, degrees: 304 });
  expect(computeWay(qso({ MY_GRIDSQUARE: "KN04FT" }, null, "KN04FT"))).toEqual({ km: 0, degrees: 0 });
  expect(computeWay(qso({}, null, "FN31pr"))).toBeNull();
  expect(computeWay(qso({ MY_GRIDSQUARE: "nowhere" }, null, "FN31pr"))).toBeNull();
  expect(computeWay(qso({ MY_GRIDSQUARE: "KN04FT" }, null, null))).toBeNull();
});
