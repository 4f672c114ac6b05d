import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  getRetryTime,
  DEFAULT_SCHEDULE,
  describeDoubt,
  nextAfterChange,
  nextAfterFailure,
  nextAfterSuccess,
  computeSpread,
} from "../../src/domain/jobs/auto-sync.ts";
import { HOUR, MINUTE } from "../../src/kernel/clock.ts";

const NOW = Date.UTC(2026, 7, 1);
const hours = fc.integer({ min: 1, max: 720 });
const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

// Invariant: a scheduled sync is never early
test("the next sync is never early and at most a twentieth of the interval or ten minutes late", () => {
  fc.assert(
    fc.property(hours, share, (intervalHours, spread) => {
      const late = nextAfterSuccess(NOW, intervalHours, spread) - (NOW + intervalHours * HOUR);
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThanOrEqual(Math.min(10 * MINUTE, intervalHours * HOUR * 0.05));
    }),
  );
});

test("the spread is the same for one user, service and time, and covers its whole range", () => {
  const all = Array.from({ length: 1_000 }, (_, user) => computeSpread(user, "first", NOW));

  expect(all).toEqual(Array.from({ length: 1_000 }, (_, user) => computeSpread(user, "first", NOW)));
  for (let tenth = 0; tenth < 10; tenth++) {
    expect(all.filter((one) => Math.floor(one * 10) === tenth).length).toBeGreaterThan(50);
  }
  expect(computeSpread(1, "first", NOW)).not.toBe(computeSpread(1, "second", NOW));
});

describe("after consecutive failures", () => {
  const waits: [number, number, number | null, number][] = [
    [1, 24, null, 15],
    [2, 24, null, 30],
    [3, 24, null, 60],
    [4, 24, null, 120],
    [5, 24, null, 240],
    [6, 24, null, 480],
    [7, 24, null, 960],
    [8, 24, null, 1440],
    [50, 24, null, 1440],
    [3, 1, null, 60],
    [4, 1, null, 60],
    [2_000, 720, null, 15 * 1024],
    [1, 24, 7_200, 120],
    [4, 24, 60, 120],
    [1, 1, 86_400, 1440],
    [1, 1, 999_999_999, 1440],
  ];
  test.each(waits)(
    "%d of them, every %d h, asked to wait %p s: %d min",
    (failuresInARow, intervalHours, asked, wait) => {
      const failure = { finishedAt: NOW, intervalHours, failuresInARow, retryAfterSeconds: asked };

      expect(nextAfterFailure(failure, 0)).toBe(NOW + wait * MINUTE);
      expect(nextAfterFailure(failure, 0.999)).toBeGreaterThan(NOW + wait * MINUTE);
      expect(nextAfterFailure(failure, 0.999)).toBeLessThanOrEqual(NOW + wait * MINUTE + 10 * MINUTE);
    },
  );
});

describe("when a schedule changes", () => {
  const schedule = (lastSyncAt: number | null, intervalHours: number) => ({
    ...DEFAULT_SCHEDULE,
    enabled: true,
    lastSyncAt,
    intervalHours,
  });
  const cases: [string, number | null, number, number][] = [
    ["who never synced is due now", null, 24, NOW],
    ["who synced long ago is due now", NOW - 25 * HOUR, 24, NOW],
    ["who synced exactly an interval ago is due now", NOW - 24 * HOUR, 24, NOW],
    ["who synced lately is due an interval after that", NOW - 1 * HOUR, 24, NOW + 23 * HOUR],
  ];
  test.each(cases)("%s", (_, lastSyncAt, intervalHours, next) => {
    expect(nextAfterChange(schedule(lastSyncAt, intervalHours), 0, NOW)).toBe(next);
  });
});

describe("times written by a wrong clock", () => {
  const later = Date.UTC(2039, 0);

  test("a last sync in the future does not count", () => {
    expect(nextAfterChange({ ...DEFAULT_SCHEDULE, lastSyncAt: later }, 0, NOW)).toBe(NOW);
  });

  test.each([
    [{ lastSyncAt: later }, true],
    [{ nextSyncAt: later }, true],
    [{ lastSyncAt: NOW, nextSyncAt: NOW + 24 * HOUR + 10 * MINUTE }, false],
    [{ intervalHours: 720, nextSyncAt: NOW + 720 * HOUR }, false],
    [{ intervalHours: 1, nextSyncAt: NOW + 24 * HOUR }, false],
    [{}, false],
  ])("are reported: %j", (times, isSaid) => {
    expect(describeDoubt({ ...DEFAULT_SCHEDULE, ...times }, NOW) !== null).toBe(isSaid);
  });
});

test("an interrupted sync is retried after a quarter of an hour", () => {
  expect(getRetryTime(NOW)).toBe(NOW + 15 * MINUTE);
});
