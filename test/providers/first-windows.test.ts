import { describe, expect, test } from "bun:test";
import { DAY } from "../../src/kernel/clock.ts";
import {
  countDays,
  splitWindow,
  type Window,
  formatWindow,
  buildWindowParams,
  createWindows,
} from "../../src/providers/first-windows.ts";

const aWindow = (from: string, to: string, changes: Partial<Window> = {}): Window => ({
  from: Date.parse(from),
  to: Date.parse(to),
  isFirst: false,
  isLast: false,
  ...changes,
});

test("the windows are everything before 2003, then each year up to now; an empty period is one window", () => {
  const windows = createWindows(Date.UTC(2026, 7, 1));

  expect(windows).toHaveLength(26);
  expect(windows.map(buildWindowParams)).toContainEqual({ qso_startdate: "2024-01-01", qso_enddate: "2024-12-31" });
  expect(buildWindowParams(windows[0]!)).toEqual({ qso_enddate: "1945-12-31" });
  expect(buildWindowParams(windows[1]!)).toEqual({ qso_startdate: "1946-01-01", qso_enddate: "2002-12-31" });
  expect(buildWindowParams(windows.at(-1)!)).toEqual({ qso_startdate: "2026-01-01" });
});

test("windows follow one another without a gap, even after they are halved", () => {
  const halved = createWindows(Date.UTC(2026, 0, 1)).flatMap((window) => splitWindow(window) ?? [window]);

  for (const [index, window] of halved.entries()) {
    if (index > 0) expect(window.from - halved[index - 1]!.to).toBe(1 * DAY);
  }
  expect(halved.filter(({ isFirst }) => isFirst)).toEqual([halved[0]!]);
  expect(halved.filter(({ isLast }) => isLast)).toEqual([halved.at(-1)!]);
});

describe("halving windows", () => {
  test.each([
    [366, [183, 183]],
    [365, [183, 182]],
    [61, [31, 30]],
    [45, [30, 15]],
    [31, [30, 1]],
  ])("%j days gives %j", (days, parts) => {
    const window = aWindow("2024-01-01", new Date(Date.UTC(2024, 0, days)).toISOString());

    expect(splitWindow(window)!.map(countDays)).toEqual(parts);
  });

  test("does not halve a month", () => {
    expect(splitWindow(aWindow("2024-04-01", "2024-04-30"))).toBeNull();
  });
});

test.each([
  [aWindow("2021-01-01", "2021-12-31"), "2021"],
  [aWindow("1945-11-15", "2002-12-31", { isFirst: true }), "until 2002"],
  [aWindow("1945-11-15", "1974-06-08", { isFirst: true }), "until 1974-06-08"],
  [aWindow("2021-01-01", "2021-07-02"), "2021-01-01 to 2021-07-02"],
])("%j is called %j", (window, label) => {
  expect(formatWindow(window)).toBe(label);
});
