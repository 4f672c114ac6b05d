import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { HOUR, formatHoursAndMinutes } from "../../src/kernel/clock.ts";
import { formatAdifDate, formatAdifTime, parseDate, parseInstant, parseTimestamp } from "../../src/kernel/instant.ts";

test.each([
  ["20260718", "0143", Date.UTC(2026, 6, 18, 1, 43), false],
  ["20260718", "014345", Date.UTC(2026, 6, 18, 1, 43, 45), true],
  ["20260718", "014300", Date.UTC(2026, 6, 18, 1, 43), true],
  ["20240229", "2359", Date.UTC(2024, 1, 29, 23, 59), false],
  ["20260718", "930", Date.UTC(2026, 6, 18, 9, 30), false],
  ["20260718", "12:00", Date.UTC(2026, 6, 18, 12), false],
  ["20260718", "9:30", Date.UTC(2026, 6, 18, 9, 30), false],
  ["20260718", "01:43:45", Date.UTC(2026, 6, 18, 1, 43, 45), true],
  [" 20260718 ", " 0143 ", Date.UTC(2026, 6, 18, 1, 43), false],
])("%s %s is an instant", (date, time, at, exact) => {
  expect(parseInstant(date, time)).toEqual({ at, exact });
});

test.each([
  ["20260718", undefined],
  [undefined, "0143"],
  ["", "0143"],
  ["20260718", ""],
  ["00000000", "0143"],
  ["20260230", "0143"],
  ["20230229", "0143"],
  ["20261301", "0143"],
  ["20260700", "0143"],
  ["19291231", "0143"],
  ["2026-07-1", "0143"],
  ["202607-18", "0143"],
  ["260718", "0143"],
  ["20260718", "2400"],
  ["20260718", "0160"],
  ["20260718", "014360"],
  ["20260718", "160"],
  ["20260718", "01434"],
  ["20260718", "43"],
  ["20260718", "01:4"],
  ["20260718", "24:00"],
  ["20260718", "01:43:"],
  ["20260718", "-143"],
])("%p %p is invalid", (date, time) => {
  expect(parseInstant(date, time)).toBeNull();
});

describe("a time zone with daylight saving", () => {
  test("does not shift a time", () => {
    const before = process.env["TZ"];
    process.env["TZ"] = "Europe/Belgrade";
    try {
      for (const time of ["005959", "013000", "020000", "023000", "030000"]) {
        const { at } = parseInstant("20260329", time)!;
        expect(new Date(at).toISOString()).toStartWith(`2026-03-29T${time.slice(0, 2)}:${time.slice(2, 4)}`);
        expect(formatAdifDate(at) + formatAdifTime(at, true)).toBe(`20260329${time}`);
      }
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });
});

test("a date can have hyphens", () => {
  expect(parseDate("2026-07-18")).toBe(Date.UTC(2026, 6, 18));
});

test.each([
  ["2026-07-31 23:31:22", Date.UTC(2026, 6, 31, 23, 31, 22)],
  ["2026-07-18T01:43:45Z", Date.UTC(2026, 6, 18, 1, 43, 45)],
  ["2026-07-31", null],
  ["2026-02-30 00:00:00", null],
  ["2026-07-31 24:00:00", null],
  [undefined, null],
])("the timestamp %p is %p", (text, at) => {
  expect(parseTimestamp(text)).toBe(at);
});

test("a formatted time is parsed to the same value", () => {
  const seconds = fc.integer({ min: Date.UTC(1930, 0, 1) / 1000, max: Date.UTC(2999, 11, 31) / 1000 });

  fc.assert(
    fc.property(seconds, (second) => {
      const at = second * 1000;
      expect(parseInstant(formatAdifDate(at), formatAdifTime(at, true))).toEqual({ at, exact: true });
      expect(parseInstant(formatAdifDate(at), formatAdifTime(at, false))!.at).toBe(Math.floor(at / 60_000) * 60_000);
    }),
  );
});

test("a duration never shows 60 minutes", () => {
  for (let minutes = 0; minutes < 3_000; minutes++) {
    for (const seconds of [0, 29, 30, 31, 59.6]) {
      const said = formatHoursAndMinutes((minutes * 60 + seconds) * 1_000);
      expect(said).toMatch(/^\d+ h [1-5]?\d min$/);
    }
  }
  expect(formatHoursAndMinutes(22 * HOUR - 1)).toBe("22 h 0 min");
});
