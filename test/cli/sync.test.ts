import { expect, test } from "bun:test";
import * as syncCursors from "../../src/storage/jobs/sync-cursors.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { logOf } from "../support/sync.ts";
import { booked, callOf, HOUR, uploaded } from "../sync/services.ts";
import { aCommandLine } from "./services.ts";

const DATABASE = "database: <data>/qsolog.db\n";
const NONE = "0 unmatched, 0 rejected";

/** Two contacts at LoTW, one of them confirmed, and one of them in the QRZ book. */
const aFilledLine = async () => {
  const line = await aCommandLine();
  uploaded(line, "K1AAA");
  uploaded(line, "K2BBB", { at: Date.UTC(2026, 6, 18, 2), qsl: undefined });
  booked(line, "K1AAA", { COMMENT: "hi", APP_QRZLOG_STATUS: "C" });
  return line;
};

test("sync all downloads from both services, and finds nothing new the second time", async () => {
  const { qsolog } = await aFilledLine();

  expect(await qsolog(["sync", "all", "--user", "bob"])).toMatchObject({
    code: 0,
    out:
      `LoTW: 3 records: 2 added, 1 changed, 0 already known, ${NONE}; 1 newly confirmed.\n` +
      `QRZ: 1 record: 0 added, 1 changed, 0 already known, ${NONE}; 1 newly confirmed.\n`,
    err: DATABASE,
    over: [],
  });
  expect(await qsolog(["sync", "FIRST", "--full"])).toMatchObject({
    code: 0,
    out: `LoTW: 3 records: 0 added, 0 changed, 3 already known, ${NONE}; 0 newly confirmed.\n`,
  });
});

test("unresolved records are counted, with the command that shows them", async () => {
  const { qsolog, ...line } = await aFilledLine();
  booked(line, "K9BAD", { QSO_DATE: "20240231" });

  const { out } = await qsolog(["sync", "second"]);

  expect(out).toEndWith("1 rejected; 1 newly confirmed.\n  1 record was unresolved: qsolog jobs show 1 --leftovers\n");
  expect((await qsolog(["jobs", "show", "1", "--leftovers"])).out).toContain("K9BAD");
  expect((await qsolog(["sync", "second", "--full"])).out).toEndWith(
    "\n  1 record was unresolved, the same as in an earlier job.\n",
  );
  expect((await qsolog(["jobs", "show", "2", "--leftovers"])).out).toEndWith(
    "\n1 record is not listed: already unresolved in an earlier job, or dismissed.\n",
  );
});

test("--json prints one job, or a list of jobs for all", async () => {
  const { qsolog } = await aFilledLine();

  const one = JSON.parse((await qsolog(["sync", "QRZ", "--json"])).out);
  const all = JSON.parse((await qsolog(["--json", "sync", "all"])).out);

  expect(one.job).toMatchObject({ source: "second", trigger: "cli", status: "completed", stats: { added: 1 } });
  expect(all.jobs.map(({ source, status }: Record<string, string>) => [source, status])).toEqual([
    ["first", "completed"],
    ["second", "completed"],
  ]);
});

test("--dry-run shows what would change and writes nothing", async () => {
  const { qsolog, world, bob } = await aFilledLine();

  const { code, out } = await qsolog(["sync", "all", "--dry-run"]);

  expect([code, out]).toEqual([
    0,
    `LoTW: 3 records: 2 added, 1 changed, 0 already known, ${NONE}; 1 newly confirmed. This was a dry run: nothing was written.\n` +
      `QRZ: 1 record: 1 added, 0 changed, 0 already known, ${NONE}; 1 newly confirmed. This was a dry run: nothing was written.\n`,
  ]);
  expect(await logOf(world, bob.id)).toEqual([]);
  expect(await world.db.read(() => syncCursors.find(bob.id, "first"))).toBeNull();
});

test("--since downloads what the service received since that day, and --full everything", async () => {
  const { qsolog, first, second } = await aFilledLine();
  const since = () => first.requests.at(-1)!.params.get("qso_qslsince");

  expect((await qsolog(["sync", "first", "--since", "2026-07-19"])).out).toContain("1 record: 1 added");
  expect(since()).toBe("2026-07-19");
  await qsolog(["sync", "first"]);
  await qsolog(["sync", "first", "--full"]);
  expect(since()).toBe("1945-11-15");
  await qsolog(["sync", "second", "--since", String(Date.UTC(2026, 6, 20))]);
  expect(second.requests.at(-1)!.params.get("OPTION")).toEndWith(",MODSINCE:2026-07-20");
});

test.each([
  [["sync", "second", "--full", "--since", "2026-01-01"], "Use either full or since, not both."],
  [["sync", "all", "--full", "--since", "2026-01-01"], "Use either full or since, not both."],
  [["sync", "first", "--resurrect"], "resurrect requires full."],
  [["sync", "first", "--since", "soon"], '"soon" is not a date; use YYYY-MM-DD (UTC).'],
  [["sync", "third"], 'There is no service "third". Use lotw, qrz or all.'],
  [["sync"], "missing required argument 'lotw|qrz|all'. See qsolog sync --help."],
])("%p is wrong usage, and makes no job", async (words, message) => {
  const { qsolog, world, bob, first, second } = await aCommandLine();

  const { code, err } = await qsolog(words);

  expect([code, err.replace(DATABASE, "")]).toEqual([2, `qsolog: ${message}\n`]);
  expect(await world.db.read(() => syncJobs.list({ userId: bob.id, limit: 10 }))).toEqual([]);
  expect([...first.requests, ...second.requests]).toEqual([]);
});

test("a service without an account is refused, or skipped with all", async () => {
  const { qsolog } = await aCommandLine();
  await qsolog(["service", "clear", "first"]);

  expect(await qsolog(["sync", "first"])).toMatchObject({
    code: 3,
    out: "",
    err: `qsolog: LoTW is not set up. Connect it: qsolog service set lotw\n`,
  });
  expect(await qsolog(["sync", "all"])).toMatchObject({
    code: 0,
    out: `QRZ: 0 records: 0 added, 0 changed, 0 already known, ${NONE}; 0 newly confirmed.\n`,
    err: `Skipping LoTW: not connected.\n${DATABASE}`,
  });
  await qsolog(["service", "clear", "second"]);
  expect((await qsolog(["sync", "all"])).code).toBe(3);
  expect(JSON.parse((await qsolog(["sync", "all", "--json"])).out)).toEqual({ jobs: [] });
});

test("a service that fails does not prevent the other, and the exit code is 1", async () => {
  const line = await aFilledLine();
  line.first.fail({ kind: "busy", when: ({ params }) => params.get("qso_qsl") === "yes" });

  expect(await line.qsolog(["sync", "all"])).toMatchObject({
    code: 1,
    out:
      "Job 1 failed: LoTW is still answering another request for this account.\n" +
      `  2 records: 2 added, 0 changed, 0 already known, ${NONE}; 1 newly confirmed.\n` +
      "  To roll it back: qsolog rollback 1\n" +
      `QRZ: 1 record: 0 added, 1 changed, 0 already known, ${NONE}; 1 newly confirmed.\n`,
  });
  line.second.fail({ kind: "maintenance" });
  expect((await line.qsolog(["sync", "second"])).code).toBe(1);
});

test("a progress bar appears on a terminal only and disappears at the end", async () => {
  const line = await aCommandLine();
  for (let n = 0; n < 300; n++) uploaded(line, callOf(n), { at: Date.UTC(2026, 0, 1) + n * HOUR });

  const { over, err } = await line.qsolog(["sync", "first"], { errIsTerminal: true });

  expect(over[0]).toMatch(/^LoTW: downloading, \d+ kB so far$/);
  expect(over.slice(1, -1).join("\n")).toMatch(/^\[#+\.*\] LoTW: applying \w+, \d+ of \d+; \d+ added, \d+ changed$/m);
  expect(over.at(-1)).toBe("");
  expect(err).toBe(DATABASE);
});

test("Ctrl-C ends the job as interrupted and exits with 130; the next sync continues", async () => {
  const line = await aCommandLine();
  for (let n = 0; n < 50; n++) uploaded(line, callOf(n), { at: Date.UTC(2026, 0, 1) + n * HOUR });
  line.first.fail({ kind: "stall", at: 400, when: ({ params }) => params.get("qso_qsl") === "yes" });

  const terminal = line.inTerminal(["sync", "all"]);
  await line.first.journal.waitForArrival(2);
  terminal.type("\x03");

  await terminal.shows("Job 1 (LoTW) failed: The job was stopped before it finished.");
  await terminal.shows("To roll it back: qsolog rollback 1");
  expect(await terminal.exited).toBe(130);
  const [job, ...more] = await line.world.db.read(() => syncJobs.list({ userId: line.bob.id, limit: 10 }));
  expect(job).toMatchObject({ status: "failed", error: { code: "interrupted" }, stats: { added: 50 } });
  expect(more).toEqual([]);
  expect((await line.qsolog(["sync", "first"])).code).toBe(0);
});
