import { expect, test } from "bun:test";
import fc from "fast-check";
import { baseCall, looksLikeCall, normaliseCall } from "../../src/callsign/normalise.ts";

test.each([
  [" w9tst ", "W9TST"],
  ["øh2abc", "0H2ABC"],
  ["OHØABC", "OH0ABC"],
  ["k1abc_p", "K1ABC/P"],
  ["", ""],
])("%p is written %p", (text, call) => {
  expect(normaliseCall(text)).toBe(call);
});

test.each(["W9TST", "PJ2/K1ABC/P", "JY1", "2E0ABC", "VP2E/K1ABC/QRP/M", "A45XR"])("%s looks like a call", (call) => {
  expect(looksLikeCall(call)).toBeTrue();
});

test.each(["", "RAEM", "59", "W9 TST", "W9TST/", "/W9TST", "W9TST//P", "A1/B/C/D/E", "W9TST-7", "w9tst", "Жук1"])(
  "%p does not look like a call",
  (call) => {
    expect(looksLikeCall(call)).toBeFalse();
  },
);

test.each([
  ["W9TST", "W9TST"],
  ["PJ2/K1ABC/P", "K1ABC"],
  ["K1ABC/KH6/QRP", "K1ABC"],
  ["K1ABC/4", "K1ABC"],
  ["K1ABC/MM", "K1ABC"],
  ["PJ4/K4M", "K4M"],
  ["k1abc-7", "K1ABC"],
  ["RAEM", "RAEM"],
])("the base of %s is %s", (call, base) => {
  expect(baseCall(call)).toBe(base);
});

test("normalising twice changes nothing more", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const once = normaliseCall(text);

      expect(normaliseCall(once)).toBe(once);
    }),
  );
});
