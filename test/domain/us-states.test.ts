import { expect, test } from "bun:test";
import type { Fields } from "../../src/domain/contact/adif-record.ts";
import { US_STATES, findAwardState, readState } from "../../src/domain/radio/us-states.ts";

test("there are fifty states", () => {
  expect(US_STATES.size).toBe(50);
});

test.each([
  [{ STATE: "tx" }, "TX"],
  [{ CNTY: "TX,Harris" }, "TX"],
  [{ CNTY: " dc , District" }, "DC"],
  [{ STATE: "OK", CNTY: "TX,Harris" }, "OK"],
  [{ CNTY: "Harris" }, null],
  [{ CNTY: "TXHarris" }, null],
  [{ CNTY: "XX,Nowhere" }, null],
  [{ CNTY: "BY,Minsk" }, null],
  [{}, null],
])("of %p the state is %p", (fields: Fields, state) => {
  expect(readState(fields)).toBe(state);
});

test.each([
  [291, "WI", "2020-01-01", "WI"],
  [291, " wi ", "2020-01-01", "WI"],
  [291, "DC", "2020-01-01", "MD"],
  [6, "AK", "1958-06-01", null],
  [6, "AK", "1959-01-02", null],
  [6, "AK", "1959-01-03", "AK"],
  [110, "HI", "1959-08-20", null],
  [110, "HI", "1959-08-21", "HI"],
  [291, "AK", "2020-01-01", "AK"],
  [6, "CA", "2020-01-01", null],
  [110, "AK", "2020-01-01", null],
  [150, "WA", "2020-01-01", null],
  [1, "NS", "2020-01-01", null],
  [291, "PR", "2020-01-01", null],
  [291, "", "2020-01-01", null],
  [291, null, "2020-01-01", null],
  [6, null, "2020-01-01", "AK"],
  [110, null, "2020-01-01", "HI"],
  [110, null, "1959-08-20", null],
  [110, "", "2020-01-01", null],
  [null, "WI", "2020-01-01", null],
])("entity %p with state %p on %s counts for %p", (dxcc, state, day, counted) => {
  expect(findAwardState(dxcc, state, Date.parse(day))).toBe(counted);
});
