import { expect, test } from "bun:test";
import fc from "fast-check";
import { normaliseCall } from "../../src/callsign/parts.ts";
import { splitCall } from "../../src/callsign/parts.ts";

test.each([
  [" w9tst ", "W9TST"],
  ["øh2abc", "0H2ABC"],
  ["OHØABC", "OH0ABC"],
  ["k1abc_p", "K1ABC/P"],
  ["", ""],
])("%p is written %p", (text, call) => {
  expect(normaliseCall(text)).toBe(call);
});

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
  expect(splitCall(normaliseCall(call)).base).toBe(base);
});

test("normalising twice gives the same as once", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const once = normaliseCall(text);

      expect(normaliseCall(once)).toBe(once);
    }),
  );
});
