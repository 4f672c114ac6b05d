import { expect, test } from "bun:test";
import fc from "fast-check";
import { findWpxPrefix } from "../../src/callsign/prefix.ts";
import { inventedContacts, realContacts } from "./sample-calls.ts";

test.each([
  ["W9TST", "W9"],
  ["2E0ABC", "2E0"],
  ["3DA0XY", "3DA0"],
  ["A45XR", "A45"],
  ["LY1000A", "LY1000"],
  ["TM2018FIFA", "TM2018"],
  ["JY1", "JY1"],
  ["XEFTJW", "XE0"],
  ["RAEM", "RA0"],
  ["N8BJQ/KH9", "KH9"],
  ["KH9/N8BJQ", "KH9"],
  ["PA/N8BJQ", "PA0"],
  ["9A/N5J", "9A0"],
  ["3DA/ZS1ABC", "3DA0"],
  ["F/W1ABC/P", "F0"],
  ["KH5K/DJ1YFK", "KH5"],
  ["VP2E/K1ABC", "VP2"],
  ["PJ4/K4M", "PJ4"],
  ["K1TEO/8", "K8"],
  ["A45XR/0", "A40"],
  ["S51DX/9", "S59"],
  ["LY1000A/3", "LY3"],
  ["3D2AB/4", "3D4"],
  ["KH6ABC/4", "K4"],
  ["W1AW/MM", "W1"],
  ["W1AW/AM", "W1"],
  ["DL1ABC/M", "DL1"],
  ["DL1ABC/A", "DL1"],
  ["DL1ABC/QRP", "DL1"],
  ["DL1ABC/YOTA", "DL1"],
  ["w1abc/p", "W1"],
  ["ØH2ABC", "0H2"],
  ["K1ABC-7", "K1"],
])("the WPX prefix of %s is %s", (call, prefix) => {
  expect(findWpxPrefix(call)).toBe(prefix);
});

test.each(["", "/", "5", "X", "///P"])("%p has no WPX prefix", (call) => {
  expect(findWpxPrefix(call)).toBeNull();
});

test("any text gives a prefix or null, and never an exception", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const prefix = findWpxPrefix(text);

      expect(prefix === null || prefix.length > 1).toBeTrue();
    }),
  );
});

test("the derived prefix of every generated contact equals its PFX", async () => {
  const calls = await inventedContacts();

  const disagree = calls.filter(({ call, pfx }) => findWpxPrefix(call) !== pfx);

  expect(disagree).toEqual([]);
});

test("the derived prefix equals every PFX of a real LoTW report", async () => {
  const real = await realContacts("lotwreport.adi");
  const calls = real ?? (await inventedContacts());
  const known = calls.filter(({ pfx }) => pfx !== null);

  const disagree = known.filter(({ call, pfx }) => findWpxPrefix(call) !== pfx);

  expect(disagree).toEqual([]);
  expect(known).toHaveLength(real ? 438 : calls.length);
});
