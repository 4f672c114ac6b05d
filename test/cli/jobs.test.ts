import { expect, test } from "bun:test";
import { hostname } from "node:os";
import { join } from "node:path";
import { formatJobTable } from "../../cli/commands/jobs.ts";
import { renderJobRow, renderJobSummary } from "../../cli/tui/jobs/lines.ts";
import { toPlainText } from "../../cli/tui/line.ts";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { describeState, TRIGGER_WORDS } from "../../src/domain/jobs/job-words.ts";
import { JOB_STATUSES } from "../../src/domain/jobs/sync-job.ts";
import { createUser } from "../../src/people/users.ts";
import * as leftovers from "../../src/storage/log/leftovers.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import * as workers from "../../src/storage/jobs/workers.ts";
import { aJob } from "../gallery/canned.ts";
import { JobTable } from "../../views/partials/job-table.tsx";
import { lotw, said, sync } from "../support/sync.ts";
import { HOUR, uploaded } from "../sync/services.ts";
import { aCommandLine, steady, type CommandLine } from "./services.ts";

/** Three jobs: an import, a sync that leaves a record unmatched, and one that fails. */
const aHistory = async (): Promise<CommandLine> => {
  const line = await aCommandLine();
  const { world, bob } = line;
  await sync(world, bob.id, "file", [said("K1AAA", "2026-07-18 01:43"), said("K1AAA", "2026-07-18 01:53")]);
  await sync(world, bob.id, "first", [lotw("K1AAA", "2026-07-18 01:48"), lotw("K2BBB", "2026-07-18 02:00")]);
  line.first.fail({ kind: "maintenance" });
  await line.qsolog(["sync", "first"]);
  return line;
};

test("jobs list shows the newest first, with results and reasons", async () => {
  const { qsolog } = await aHistory();

  const { code, out, err } = await qsolog(["jobs", "list"]);

  expect([code, err]).toEqual([0, ""]);
  expect((await qsolog(["jobs"])).out).toBe(out);
  expect(steady(out)).toBe(
    [
      "JOB  SOURCE  STATE      STARTED (UTC)     ADDED  UPDATED  CONF  LEFT  BY",
      "3    LoTW    failed     YYYY-MM-DD HH:MM      0        0     0     0  command line",
      "     LoTW sent a web page instead of a report. It may be under maintenance.",
      "2    LoTW    completed  YYYY-MM-DD HH:MM      1        0     1     1  manual",
      "1    Import  completed  YYYY-MM-DD HH:MM      2        0     0     0  manual",
      "",
    ].join("\n"),
  );
});

test.each([
  [["jobs"], /^4 +QRZ +failed .+\n +The program that ran this job stopped before the job finished\.$/m],
  [["jobs", "show", "4"], /^Job 4: QRZ, command line, failed$[^]*qsolog rollback 4$/m],
])("in %p a job of a dead process is shown as failed", async (words, told) => {
  const { qsolog, world, bob } = await aHistory();
  const gone = Bun.spawn(["true"]);
  await gone.exited;
  const worker = { id: "gone", host: hostname(), pid: gone.pid, beatAt: world.clock() };
  await world.db.write(function* () {
    yield* workers.recordBeat(worker);
    const { id } = yield* syncJobs.create({ userId: bob.id, source: "second", trigger: "cli" }, world.clock());
    yield* syncJobs.claim(id, worker.id, null, world.clock());
  });

  expect((await qsolog(words)).out).toMatch(told);
});

test("jobs list accepts a source, a state and a limit, and refuses invalid ones", async () => {
  const { qsolog } = await aHistory();
  const ids = async (...words: string[]) =>
    JSON.parse((await qsolog(["jobs", "list", "--json", ...words])).out).jobs.map(({ id }: { id: number }) => id);

  expect(await ids()).toEqual([3, 2, 1]);
  expect(await ids("--source", "first")).toEqual([3, 2]);
  expect(await ids("--status", "completed")).toEqual([2, 1]);
  expect(await ids("--status", "completed,failed")).toEqual([3, 2, 1]);
  for (const word of ["lotw", "LoTW", "FIRST"]) expect(await ids("--source", word)).toEqual([3, 2]);
  expect(await ids("--source", "qrz")).toEqual([]);
  expect((await qsolog(["jobs", "list", "--source", "qrz"])).out).toBe("No matching jobs.\n");
  for (const word of ["cancelled", "rolled-back", "ROLLED-BACK"]) expect(await ids("--status", word)).toEqual([]);
  expect((await qsolog(["jobs", "list", "--source", "eqsl"])).code).toBe(2);
  expect((await qsolog(["jobs", "list", "--status", "done"])).code).toBe(2);
  expect((await qsolog(["jobs", "list", "--limit", "0"])).code).toBe(2);
});

test("jobs list prints the command for the next page", async () => {
  const { qsolog } = await aHistory();

  const { out, err } = await qsolog(["jobs", "list", "--limit", "2"]);
  const page = JSON.parse((await qsolog(["jobs", "list", "--limit", "2", "--json"])).out);

  expect(out.split("\n")).toHaveLength(5);
  expect(err).toBe(`More results follow. Next page: --cursor ${page.nextCursor}\n`);
  const last = JSON.parse((await qsolog(["jobs", "list", "--limit", "2", "--cursor", page.nextCursor, "--json"])).out);
  expect([last.jobs.map(({ id }: { id: number }) => id), last.nextCursor]).toEqual([[1], null]);
  expect((await qsolog(["jobs", "list", "--source", "file", "--cursor", page.nextCursor])).code).toBe(2);
});

test("an unclaimed job stops immediately, and an import waits for the one before", async () => {
  const { qsolog, world, bob } = await aCommandLine();
  const file = join(world.dataDir, "log.adi");
  await Bun.write(file, "<EOH>\n<CALL:5>K1AAA<QSO_DATE:8>20260718<TIME_ON:4>0143<BAND:3>20m<MODE:2>CW<EOR>\n");
  await world.db.write(() => syncJobs.create({ userId: bob.id, source: "file", trigger: "manual" }, Date.now()));

  expect(await qsolog(["qso", "import", file])).toMatchObject({
    code: 3,
    err: expect.stringContaining("To stop it: qsolog jobs stop 1\n"),
  });
  expect(await qsolog(["jobs", "stop", "1"])).toMatchObject({ code: 0, out: "Stopped job 1.\n" });
  expect((await qsolog(["qso", "import", file])).code).toBe(0);
});

test("a job over an hour old is asked to stop, with what to do if it does not", async () => {
  const { qsolog, world, bob } = await aCommandLine();
  const twoHoursAgo = Date.now() - 2 * HOUR;
  await world.db.write(function* () {
    yield* workers.recordBeat({ id: "w", host: "elsewhere", pid: 1, beatAt: Date.now() });
    const { id } = yield* syncJobs.create({ userId: bob.id, source: "first", trigger: "manual" }, twoHoursAgo);
    yield* syncJobs.claim(id, "w", null, twoHoursAgo);
  });

  expect((await qsolog(["jobs", "stop", "1"])).out).toBe(
    "Job 1 stops after its current batch. It has run for over an hour. If it does not stop: qsolog rollback 1\n",
  );
  expect(await world.db.read(() => syncJobs.listNotStopped([1]))).toEqual([]);
});

test("an unresolved record is dismissed for good", async () => {
  const line = await aHistory();
  const { world, bob, qsolog } = line;

  expect(await qsolog(["jobs", "dismiss", "1"])).toMatchObject({
    code: 0,
    out: "Dismissed record 1. It will not be shown again.\n",
  });
  await sync(world, bob.id, "first", [lotw("K1AAA", "2026-07-18 01:48")]);

  expect(await world.db.read(() => leftovers.listOpen(bob.id, "first", 0, 10))).toEqual([]);
  expect(await qsolog(["jobs", "dismiss", "1"])).toMatchObject({ code: 5 });
  expect((await qsolog(["jobs", "dismiss", "x"])).err).toEndWith(
    "qsolog: bob has no unresolved record with the number x.\n",
  );
});

// Defence: text from services, servers and files cannot control a terminal
test("text from services and files cannot control the terminal", async () => {
  const { world, bob, qsolog } = await aCommandLine();
  await sync(world, bob.id, "file", [said("\x1b[2JK1AAA\x9b", "nonsense")]);

  const { out } = await qsolog(["jobs", "show", "1", "--leftovers"]);

  expect(out).toContain("? 1 rejected: ");
  expect(out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
});

test("jobs show --leftovers separates settled from open records", async () => {
  const { qsolog } = await aHistory();
  expect((await qsolog(["jobs", "show", "2", "--leftovers"])).out).not.toContain("(dismissed)");

  await qsolog(["jobs", "dismiss", "1"]);

  expect((await qsolog(["jobs", "show", "2", "--leftovers"])).out).toContain("QSO 1, 2 (dismissed)\n");
  const { leftovers: shown } = JSON.parse((await qsolog(["jobs", "show", "2", "--leftovers", "--json"])).out);
  expect(shown).toMatchObject([{ id: 1, resolution: "dismissed", resolvedAt: expect.any(Number) }]);
});

test("jobs show lists what a job did, field by field, and what it left unmatched", async () => {
  const line = await aHistory();
  const plain = await line.qsolog(["jobs", "show", "2"]);
  expect(steady(plain.out)).toBe(
    [
      "Job 2: LoTW, manual, completed",
      "started YYYY-MM-DD HH:MM UTC, took N s",
      "LoTW added 1; all newly confirmed; 1 record unresolved.",
      "2 records: 1 added, 0 changed, 0 already known, 1 unmatched, 0 rejected; 1 newly confirmed.",
      "New 1 · Changed 0 · Confirmed 1 · Unresolved 1",
      "",
    ].join("\n"),
  );

  const whole = await line.qsolog(["jobs", "show", "2", "--diff", "--leftovers"]);
  expect(whole.out.split("\n").slice(5)).toEqual([
    "",
    "New 1",
    "+ K2BBB        2026-07-18 02:00  20m   FT8     QSO 3: new; confirmed by LoTW",
    "",
    "Unresolved 1",
    "? 1 unmatched: K1AAA 2026-07-18 01:48:00 20M FT8: matches 2 QSOs equally well; QSO 1, 2",
    "",
  ]);

  uploaded(line, "K2BBB", { at: Date.UTC(2026, 6, 18, 2), mode: "FT8", rxqso: Date.now() });
  await line.qsolog(["sync", "first", "--full"]);
  const { out } = await line.qsolog(["jobs", "show", "4", "--diff"]);
  expect(out).toContain(
    "~ K2BBB        2026-07-18 02:00  20m   FT8     QSO 3: CQ zone 5 → 4; state WI; grid square EN34QU\n    ",
  );
  expect(out).toContain("    LoTW: APP_LOTW_MODEGROUP      nothing -> DATA\n");
});

test("jobs show says why a job failed and how to roll it back; as JSON everything", async () => {
  const { qsolog } = await aHistory();

  expect(steady((await qsolog(["jobs", "show", "3"])).out)).toBe(
    [
      "Job 3: LoTW, command line, failed",
      "started YYYY-MM-DD HH:MM UTC, took N s",
      "LoTW changed nothing.",
      "0 records: 0 added, 0 changed, 0 already known, 0 unmatched, 0 rejected; 0 newly confirmed.",
      "New 0 · Changed 0 · Confirmed 0 · Unresolved 0",
      "LoTW sent a web page instead of a report. It may be under maintenance.",
      "To roll it back: qsolog rollback 3",
      "",
    ].join("\n"),
  );
  const shown = JSON.parse((await qsolog(["jobs", "show", "2", "--diff", "--leftovers", "--json"])).out);
  expect(shown.job).toMatchObject({ id: 2, stats: { unmatched: 1 }, actions: { rollback: false } });
  expect(shown.changes).toMatchObject([{ qsoId: 3, kind: "added", before: null, after: { call: "K2BBB" } }]);
  expect(shown.leftovers).toMatchObject([{ id: 1, kind: "unmatched", candidates: [1, 2], record: { CALL: "K1AAA" } }]);
});

test("an unknown job is not found", async () => {
  const { qsolog } = await aCommandLine();

  expect(await qsolog(["jobs", "show", "99"])).toMatchObject({ code: 5, err: "qsolog: There is no job 99.\n" });
  expect(await qsolog(["jobs", "show", "x"])).toMatchObject({ code: 5, err: 'qsolog: There is no job "x".\n' });
  expect((await qsolog(["jobs", "list"])).out).toBe("No jobs yet.\n");
});

test("--user limits jobs to that user; without it the operator sees all", async () => {
  const { qsolog, world } = await aHistory();
  await createUser(world, OPERATOR, { username: "eve", password: "a password of eve" });
  const code = async (...words: string[]) => (await qsolog(words)).code;

  for (const words of [
    ["jobs", "show", "3"],
    ["rollback", "3", "--dry-run"],
  ]) {
    expect(await code(...words)).toBe(0);
    expect(await code(...words, "--user", "BOB")).toBe(0);
    expect(await qsolog([...words, "--user", "eve"])).toMatchObject({
      code: 5,
      err: expect.stringContaining("qsolog: There is no job 3.\n"),
    });
    expect(await qsolog(words, { env: { QSOLOG_USER: "eve" } })).toMatchObject({ code: 0 });
  }
  expect(await code("jobs", "dismiss", "1", "--user", "eve")).toBe(5);
  expect(await code("jobs", "dismiss", "1", "--user", "bob")).toBe(0);
});

test("page, command and TUI have the same words for a job's state and for what started it", async () => {
  const states = [...JOB_STATUSES.map((status) => ({ status })), { status: "running" as const, stale: true }];
  const jobs = [
    ...states.map((state, id) => ({ ...aJob((text) => text, { id, ...state }), dryRun: false })),
    { ...aJob((text) => text, { id: 8, status: "failed" }), dryRun: false, rollingBackSince: 1 },
  ];
  expect(describeState(jobs.at(-1)!)).toBe("being rolled back");
  expect(new Set(jobs.map(({ trigger }) => trigger)).size).toBe(3);

  for (const job of jobs) {
    const [state, trigger] = [describeState(job), TRIGGER_WORDS[job.trigger]];
    const page = await JobTable({ jobs: [job], now: job.createdAt });
    expect(page).toContain(`>${state}</span>`);
    expect(page).toContain(`>${trigger}</small>`);
    expect(formatJobTable([job], { width: Infinity, hasColour: false }).split("\n")[1]).toMatch(
      new RegExp(`  ${state}  .*  ${trigger}$`),
    );
    expect(toPlainText(renderJobRow({ ...job, gains: null }, 80))).toContain(` ${state} `);
    const summary = renderJobSummary(job, { hasLetterKeys: true }, 100).map(toPlainText);
    expect([summary[0], summary[1]]).toEqual([
      expect.stringContaining(`, ${state}`),
      expect.stringContaining(` ${trigger}; started`),
    ]);
  }
});
