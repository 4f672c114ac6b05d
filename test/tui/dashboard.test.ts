import { expect, test } from "bun:test";
import { renderToString } from "ink";
import { createElement } from "react";
import { HOUR, MINUTE } from "../../src/kernel/clock.ts";
import { DEFAULT_SCHEDULE } from "../../src/domain/jobs/auto-sync.ts";
import type { Statistics } from "../../src/domain/statistics/statistics.ts";
import { NO_REASONS, NO_STATS, type JobInList } from "../../src/domain/jobs/sync-job.ts";
import { renderDashboard, type DashboardData } from "../../cli/tui/dashboard.ts";
import { measureLine } from "../../cli/tui/line.ts";
import { Lines } from "../../cli/tui/render.tsx";
import type { QsoRow } from "../../cli/tui/log/qso-window.ts";
import { NOON } from "../support/world.ts";
import { expectGolden } from "./golden.ts";

const SIZE = { width: 80, height: 20 };

const STATS: Statistics = {
  total: 123_456,
  entities: 291,
  unknownEntity: 12,
  bands: 3,
  modes: 8,
  callsigns: 34_731,
  confirmation: {
    none: 50_000,
    cardOnly: 0,
    card: 21,
    firstOnly: 40_000,
    secondOnly: 13_456,
    both: 20_000,
    first: 60_000,
    second: 33_456,
    any: 73_456,
  },
  byBand: [
    { band: "160m", total: 1_000, confirmed: 0 },
    { band: "20m", total: 100_000, confirmed: 70_000 },
    { band: "70cm", total: 22_456, confirmed: 3_456 },
  ],
  byMode: [],
  byGroup: [],
  byYear: [],
  firstQsoAt: Date.UTC(1995, 0, 29),
  lastQsoAt: NOON,
};

const aJob = (part: Partial<JobInList>): JobInList => ({
  id: 7,
  repair: null,
  userId: 1,
  source: "first",
  client: null,
  latest: null,
  trigger: "manual",
  status: "running",
  dryRun: false,
  attempt: 1,
  createdAt: NOON,
  startedAt: NOON,
  finishedAt: null,
  durationMs: null,
  stats: { ...NO_STATS, fetched: 1_500, added: 30, updated: 12 },
  reasons: NO_REASONS,
  progress: { phase: "qsl", done: 1_500, total: 6_000 },
  cursorBefore: null,
  cursorAfter: null,
  gains: null,
  error: null,
  rolledBackAt: null,
  rolledBackBy: null,
  prunedAt: null,
  rollingBackSince: null,
  stale: false,
  actions: { rollback: false, reason: "", undo: false, undoReason: "" },
  ...part,
});

const nowhere = { entities: [], bands: [], states: [], zones: [], grids: [] };

const DATA: DashboardData = {
  stats: STATS,
  jobs: [aJob({}), aJob({ id: 6, source: "second", progress: { phase: "downloading", done: 3_000_000 } })],
  schedule: {
    first: { ...DEFAULT_SCHEDULE, enabled: true, nextSyncAt: NOON + 3 * HOUR + 5 * MINUTE },
    second: { ...DEFAULT_SCHEDULE, enabled: true, paused: "credentials" },
  },
  news: {
    since: 0,
    jobs: [
      {
        jobId: 5,
        source: "first",
        finishedAt: NOON,
        confirmed: { ...nowhere, entities: [{ key: 501, label: "Albania" }], bands: ["12m"], zones: [28] },
        worked: { ...nowhere, grids: ["KN04", "KN05", "JN94", "JN95"] },
      },
    ],
  },
  latest: null,
  goals: null,
  isPlain: false,
  hasLetterKeys: true,
  now: NOON,
};

const aRow = (n: number): QsoRow => ({
  id: n,
  startedAt: NOON - n * MINUTE,
  call: `K${n}ABC`,
  band: "20m",
  mode: "FT8",
  submode: null,
  name: "Ann",
  entity: "United States of somewhere",
  gridsquare: "FN42AA",
  qth: "Boston",
  comment: "a walk on the beach",
  marks: { first: "C", second: "W", card: "–" },
  state: { kind: "confirmed", verdict: "Confirmed by LoTW.", details: [], next: null },
});

const drawn = (data: DashboardData, size = SIZE) =>
  renderToString(createElement(Lines, { lines: renderDashboard(data, size) }), {
    columns: size.width,
  });

test("the dashboard shows totals, running jobs, next syncs and news", () => {
  expectGolden("dashboard", drawn(DATA));
});

test("a tall terminal also shows the last contacts, and a wide one more of each", () => {
  const latest = Array.from({ length: 100 }, (_, n) => aRow(n));
  const lines = (width: number, height: number) => drawn({ ...DATA, latest }, { width, height }).split("\n");

  expect(lines(SIZE.width, SIZE.height).join("\n")).toBe(drawn(DATA));
  const large = lines(200, 58);
  expect(large).toHaveLength(58);
  expect(large.filter((line) => line.includes("a walk on the beach")).length).toBeGreaterThan(30);
  expect(large.at(-1)).toContain("FN42AA Boston");
  const high = lines(80, 58);
  expect(high.at(-1)).toMatch(/K\d+ABC .* Ann /);
  expect(high.join("")).not.toContain("Boston");
});

test("times written by a wrong clock are marked", () => {
  const first = { ...DATA.schedule!.first, nextSyncAt: NOON + 5_000 * 24 * HOUR };

  expect(drawn({ ...DATA, schedule: { ...DATA.schedule!, first } })).toContain("the server's clock is or was wrong");
});

test("on a narrow or low terminal the dashboard drops the bands and never has too many lines", () => {
  for (const size of [
    { width: 60, height: 10 },
    { width: 75, height: 40 },
    { width: 200, height: 60 },
  ]) {
    const lines = renderDashboard(DATA, size);
    expect(lines.length).toBe(size.height);
    for (const line of lines.slice(2)) expect(measureLine(line)).toBeLessThanOrEqual(size.width);
  }
});

test("an empty log says how to start, and a hanging job is named", () => {
  expect(drawn({ ...DATA, stats: { ...STATS, total: 0, byBand: [] } })).toContain("The log is empty. To fill it:");
  expect(drawn({ ...DATA, stats: null })).toContain("Counting the log");
  expect(drawn({ ...DATA, jobs: [aJob({ stale: true })] })).toContain("LoTW has been stuck for over an hour");
  expect(drawn({ ...DATA, jobs: [aJob({ status: "pending" })] })).toContain("waiting in the queue");
});
