import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLog } from "../../src/kernel/log.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { many } from "../../src/storage/engine/unit.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { startSync } from "../../src/sync/source/service.ts";
import { aCommandLine } from "../cli/services.ts";
import { afterTest } from "../support/cleanup.ts";
import { placeOf } from "../support/qsolog.ts";
import { isFull } from "../support/full.ts";
import { serving } from "../support/serving.ts";
import { logOf } from "../support/sync.ts";
import { aBob, booked, callOf, countOf, HOUR, uploaded } from "../sync/services.ts";

const START = Date.UTC(2026, 0, 1);

// Invariant: a service account gets one request at a time
// Defence: a service account gets one request at a time, and the schedule does not retry rejected credentials
test("3: two processes that sync one account take turns, and both succeed", async () => {
  const line = await aCommandLine();
  await aBob(line.world, "ann");
  for (let n = 0; n < 40; n++) uploaded(line, callOf(n), { at: START + n * HOUR });
  const open = line.first.hold();

  const both = ["bob", "ann"].map((user) => line.asProcess(["sync", "first", "--user", user, "--json"]));
  await line.first.journal.waitForArrival(1);
  // The other job waits for the account as pending.
  while ((await countUnderWay(line)) < 2) await Bun.sleep(5);
  open();
  const answers = await Promise.all(both);

  for (const { code, out } of answers) {
    expect([code, JSON.parse(out).job]).toMatchObject([0, { status: "completed", stats: { added: 40 } }]);
  }
  expect(line.first.requests.map(({ overlaps, status }) => [overlaps.length, status])).toEqual(Array(4).fill([0, 200]));
  expect(await countOf(line, "account_leases")).toBe(0);
});

test.skipIf(!isFull(import.meta))(
  "16: ten times as many records need hardly more memory",
  async () => {
    const peak = async (count: number): Promise<number> => {
      const line = await aCommandLine();
      for (let n = 0; n < count; n++) uploaded(line, callOf(n), { at: START + n * 60_000 });
      const child = line.spawn(["sync", "first", "--json"]);
      const { job } = JSON.parse(await child.stdout.text());
      expect([await child.exited, job.stats.added]).toEqual([0, count]);
      return child.resourceUsage()!.maxRSS / 1024 ** 2;
    };

    const [small, large] = [await peak(6_000), await peak(60_000)];

    console.log(`peak memory of 6,000 and 60,000 records: ${small.toFixed(0)} and ${large.toFixed(0)} MB`);
    expect(large).toBeLessThan(small + 120);
  },
  240_000,
);

test("72: contacts in the night of a clock change keep their UTC time", async () => {
  const line = await aCommandLine();
  const times = [
    Date.UTC(2026, 2, 29, 0, 30),
    Date.UTC(2026, 2, 29, 1, 30),
    Date.UTC(2025, 9, 26, 0, 30),
    Date.UTC(2025, 9, 26, 1, 30),
  ];
  for (const [n, at] of times.entries()) {
    const [date, time] = new Date(at).toISOString().replace(/[-:]/g, "").split("T");
    uploaded(line, callOf(n), { at });
    booked(line, callOf(n), { QSO_DATE: date!, TIME_ON: time!.slice(0, 4) });
  }

  const { code } = await line.asProcess(["sync", "all"]);

  expect(code).toBe(0);
  const log = await logOf(line.world, line.bob.id);
  expect(log.map(({ startedAt }) => startedAt)).toEqual(times.toSorted((a, b) => a - b));
  expect(log.every(({ first, second }) => first !== null && second !== null)).toBe(true);
});

test("an account whose holder was killed is free for the next sync", async () => {
  const line = await aCommandLine();
  const ann = await aBob(line.world, "ann");
  uploaded(line, "K1AAA");
  const open = line.first.hold();
  const holder = line.spawn(["sync", "first", "--user", "bob"]);
  await line.first.journal.waitForArrival(1);
  expect(await countOf(line, "account_leases")).toBe(1);
  const world = { ...line.world, sleep: () => Bun.sleep(1) };
  const runner = new SyncRunner(world, 1);
  afterTest(() => runner.stop());
  const waiting = await startSync(world, runner, { userId: ann.id, source: "first", trigger: "manual" });

  const ended = runner.end(waiting.id);

  holder.kill("SIGKILL");
  // The service has finished the dead job's request before the account is free.
  open();
  await holder.exited;

  expect(await ended).toMatchObject({ status: "completed", stats: { added: 1 } });
  const jobs = await line.world.db.read(() => syncJobs.list({ userId: line.bob.id, limit: 1 }));
  expect(jobs).toMatchObject([{ status: "failed", error: { code: "interrupted" } }]);
  expect(await countOf(line, "account_leases")).toBe(0);
});

// Defence: downloaded files are readable by their owner only and are deleted
test("downloaded files are private, and removed at the start of the server and of the next sync", async () => {
  const line = await aCommandLine();
  const spoolDir = join(line.world.dataDir, "spool");
  for (let n = 0; n < 40; n++) uploaded(line, callOf(n), { at: START + n * HOUR });
  const leaveOne = async () => {
    const asked = line.first.requests.length;
    line.first.fail({ kind: "stall", at: 2_000, nth: asked + 1 });
    const child = line.spawn(["sync", "first", "--full"]);
    while (spoolsIn(spoolDir).length === 0) await Bun.sleep(2);
    child.kill("SIGKILL");
    await child.exited;
    const [spool] = spoolsIn(spoolDir);
    expect(statSync(join(spoolDir, spool!)).mode & 0o777).toBe(0o600);
    expect(statSync(spoolDir).mode & 0o777).toBe(0o700);
  };

  await leaveOne();
  expect((await line.qsolog(["sync", "first"])).code).toBe(0);
  expect(spoolsIn(spoolDir)).toEqual([]);

  await leaveOne();
  writeFileSync(join(spoolDir, "notes.txt"), "not ours");
  const { child, url } = await serving(placeOf(line.world.config));
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(readdirSync(spoolDir)).toEqual(["notes.txt"]);
  const [job] = await line.world.db.read(() => syncJobs.list({ userId: line.bob.id, limit: 1 }));
  expect(job).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});

// Defence: credentials never appear in logs, errors, file names, messages or on a terminal
test("no secret is written or shown in any case", async () => {
  const line = await aCommandLine();
  const { world, bob, store, book, first, second } = line;
  const logFile = join(world.dataDir, "all.log");
  const shown: string[] = [];
  const log = openLog({ file: logFile, level: "debug", clock: world.clock, echo: (text) => shown.push(text) });
  const password = "Zebra&Qu1x+%=/ñ-Wand";
  const otherPassword = "0ther Tap1r#secret";
  const login = "yu1distinct";
  const key = "C0FF-EE99-77AA-D00D";
  const otherKey = "DEAD-77BB-F00D-1234";
  store.users[0]!.password = password;
  store.users[0]!.login = login;
  store.addUser({ login, password, calls: ["YU1TEST"] });
  book.key = key;
  for (let n = 0; n < 40; n++) uploaded({ store }, callOf(n), { at: START + n * HOUR });
  booked(line, "K1AAA");
  const keep = async (answer: Promise<{ out: string; err: string }>) => {
    const { out, err } = await answer;
    shown.push(out, err);
  };
  const set = (source: string, secret: string, ...more: string[]) =>
    keep(line.asProcess(["service", "set", source, "--stdin", ...more], secret));

  await set("first", password, "--username", login);
  await set("second", key, "--callsign", "YU1TEST");
  for (const source of ["first", "second"]) await keep(line.qsolog(["service", "test", source]));
  const open = first.hold();
  const asked = first.requests.length;
  const child = line.spawn(["sync", "all"]);
  await first.journal.waitForArrival(asked + 1);
  const commandLine = readFileSync(`/proc/${child.pid}/cmdline`, "latin1");
  const processEnvironment = readFileSync(`/proc/${child.pid}/environ`, "latin1");
  open();
  shown.push(await child.stdout.text(), await child.stderr.text());
  expect(await child.exited).toBe(0);
  // All kinds of failures in this process, with a log at debug level.
  const runner = new SyncRunner({ ...world, log }, 1);
  afterTest(() => runner.stop());
  const fail = async (source: "first" | "second") => {
    const job = await startSync({ ...world, log }, runner, { userId: bob.id, source, trigger: "manual" });
    const ended = await runner.end(job.id);
    expect(ended!.status).toBe("failed");
    await cancelJob(world, { userId: bob.id, jobId: job.id, by: bob.id });
  };
  const faults = [
    { kind: "status", status: 502, times: 3 },
    { kind: "reset", times: 3 },
    { kind: "redirect" },
    { kind: "maintenance", tempting: true },
    { kind: "truncate", at: 60 },
  ] as const;
  for (const fault of faults) {
    for (const [source, service] of [["first", first] as const, ["second", second] as const]) {
      service.fail(fault);
      await fail(source);
    }
  }
  await setCredentials(world, bob.id, "first", { username: login, password: otherPassword });
  await setCredentials(world, bob.id, "second", { apiKey: otherKey });
  for (const source of ["first", "second"] as const) {
    await fail(source);
    await keep(line.qsolog(["service", "test", source]));
  }
  const unreachable = { ...world, log, config: { ...world.config, firstUrl: "http://127.0.0.1:9" } };
  const job = await startSync(unreachable, runner, { userId: bob.id, source: "first", trigger: "manual" });
  await runner.end(job.id);
  for (const words of [["service", "list"], ["jobs", "list"], ["audit"], ["config"]]) {
    await keep(line.qsolog(words));
    await keep(line.qsolog([...words, "--json"]));
  }
  await keep(line.qsolog(["jobs", "show", String(job.id), "--diff", "--leftovers", "--json"]));
  await keep(line.qsolog(["rollback", String(job.id), "--yes", "--json"]));

  const jobs = await world.db.read(() => syncJobs.list({ userId: bob.id, limit: 500 }));
  const audit = await world.db.read(() => many`SELECT * FROM admin_actions`);
  const files = readdirSync(world.dataDir).filter((name) => name.startsWith("qsolog.db"));
  const places: Record<string, string> = {
    "log file": readFileSync(logFile, "latin1"),
    "what was shown": Buffer.from(shown.join("\n")).toString("latin1"),
    "job rows": Buffer.from(JSON.stringify(jobs)).toString("latin1"),
    "audit rows": Buffer.from(JSON.stringify(audit)).toString("latin1"),
    "command line": commandLine,
    environment: processEnvironment,
    "spool folder": readdirSync(join(world.dataDir, "spool")).join("\n"),
    ...Object.fromEntries(files.map((name) => [name, readFileSync(join(world.dataDir, name), "latin1")])),
  };

  expect(jobs.length).toBeGreaterThan(10);
  expect(places["log file"]).toContain("provider.retry");
  expect(files).toContain("qsolog.db-wal");
  const secrets = [password, otherPassword, key, otherKey].flatMap(formsOf);
  const found = Object.entries(places).flatMap(([place, text]) =>
    secrets
      .filter((secret) => text.toLowerCase().includes(secret.toLowerCase()))
      .map((secret) => `${place}: ${secret}`),
  );
  expect(found).toEqual([]);
  const inTheOpen = Object.entries(places).filter(([, text]) => text.includes(login));
  expect(inTheOpen.map(([place]) => place)).toEqual([]);
  expect(await logOf(world, bob.id)).not.toEqual([]);
});

/** The forms in which a secret could appear: plain, in a URL, a form, JSON, or without dashes. */
const formsOf = (secret: string): string[] => [
  ...new Set([
    secret,
    Buffer.from(secret).toString("latin1"),
    encodeURIComponent(secret),
    new URLSearchParams({ x: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll("-", ""),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  ]),
];

const spoolsIn = (dir: string): string[] => {
  try {
    return readdirSync(dir).filter((name) => name.startsWith("spool-"));
  } catch {
    return [];
  }
};

const countUnderWay = async ({ world }: Awaited<ReturnType<typeof aCommandLine>>): Promise<number> =>
  (await world.db.read(() => many`SELECT id FROM sync_jobs WHERE status IN ('pending', 'running')`)).length;
