import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import type { ListedJob } from "../../src/domain/jobs/sync-job.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import * as qsoChanges from "../../src/storage/log/qso-changes.ts";
import { getLayers } from "../../src/storage/log/qsos.ts";
import { maybe, run } from "../../src/storage/engine/unit.ts";
import * as syncCursors from "../../src/storage/jobs/sync-cursors.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { cancelJob, finishRollbacks, previewCancel } from "../../src/sync/undo/rollback.ts";
import { recover } from "../../src/sync/job/worker.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { RunningJobs } from "../../src/kernel/running-jobs.ts";
import { isFull } from "../support/full.ts";
import { logOf, said, sync } from "../support/sync.ts";
import { copyOfPostgresDatabase, untilLeft } from "../support/databases.ts";
import { placeOf, QSOLOG } from "../support/qsolog.ts";
import { aDirectory } from "../support/directory.ts";
import { ENGINE, type TestWorld } from "../support/world.ts";
import { aCommandLine, type CommandLine } from "../cli/services.ts";
import { booked, callOf, countOf, HOUR, synced, uploaded } from "../sync/services.ts";

const IS_FULL = isFull(import.meta);
const KILLS_IN_THE_MIDDLE = IS_FULL ? 40 : 2;
const CONTACTS = IS_FULL ? 900 : 240;
const START = Date.UTC(2026, 0, 1);

const atOf = (n: number) => START + n * HOUR;
const minuteOf = (n: number) => new Date(atOf(n)).toISOString().slice(0, 16).replace("T", " ");

/** A log from a file and both services, with news in all three: some to add, some to update. */
const aBusyLine = async (): Promise<CommandLine & { file: string }> => {
  const line = await aCommandLine();
  const { world, bob } = line;
  const numbers = Array.from({ length: CONTACTS }, (_, n) => n);
  const file = numbers.filter((n) => n % 3 === 0).map((n) => said(callOf(n), minuteOf(n), { MODE: "CW" }));
  await sync(world, bob.id, "file", file);
  for (const n of numbers.filter((n) => n % 4 === 0)) uploaded(line, callOf(n), { at: atOf(n), qsl: undefined });
  expect((await synced({ ...line, runner: new SyncRunner(world, 1) }, "first")).status).toBe("completed");
  const now = Date.now();
  const known = new Map(line.store.qsosOf("yu1test").map((qso) => [qso.fields.CALL, qso]));
  for (const n of numbers) {
    const qso = known.get(callOf(n));
    const qsl = { rxqsl: now, detail: { DXCC: "291", STATE: "WI" } };
    if (qso) line.store.confirm(qso, qsl);
    else uploaded(line, callOf(n), { at: atOf(n), rxqso: now, qsl });
    const [date, time] = minuteOf(n).replace(/[-:]/g, "").split(" ");
    booked(line, callOf(n), { QSO_DATE: date!, TIME_ON: time!, APP_QRZLOG_STATUS: n % 2 ? "C" : "N" });
  }
  const path = join(world.dataDir, "news.adi");
  const news = numbers.map((n) => adifOf({ ...said(callOf(n), minuteOf(n), { MODE: "CW", QTH: "Home" }).fields }));
  writeFileSync(path, `<EOH>\n${news.join("")}`);
  return { ...line, file: path };
};

const adifOf = (fields: Record<string, string>): string =>
  `${Object.entries(fields)
    .map(([name, value]) => `<${name}:${value.length}>${value}`)
    .join("")}<EOR>\n`;

type Place = Pick<TestWorld["config"], "dataDir" | "databaseUrl">;

interface Killed {
  world: TestWorld;
  /** Spool files that existed when the process had died. */
  spools: number;
  close: () => Promise<void>;
}

/** Starts a command on a copy of the data, kills it at a given point, and opens what it left. */
const killed = async (
  line: CommandLine,
  words: readonly string[],
  source: Place,
  when: (child: { exited: Promise<number> }, place: Place) => Promise<unknown>,
): Promise<Killed> => {
  const dataDir = join(aDirectory(), "data");
  mkdirSync(dataDir, { mode: 0o700 });
  cpSync(source.dataDir, dataDir, { recursive: true });
  const databaseUrl =
    ENGINE === "sqlite" ? join(dataDir, "qsolog.db") : await copyOfPostgresDatabase(source.databaseUrl);
  const place = { dataDir, databaseUrl };
  const env = envOf(line, place);
  const child = Bun.spawn([...QSOLOG, ...words], {
    env: { PATH: process.env.PATH!, HOME: "/tmp", ...env },
    stdio: ["ignore", "ignore", "ignore"],
  });
  await when(child, place);
  child.kill("SIGKILL");
  await child.exited;
  if (ENGINE === "postgres") await untilLeft(databaseUrl);
  const spoolDir = join(dataDir, "spool");
  const spools = existsSync(spoolDir) ? readdirSync(spoolDir).length : 0;
  const { config } = readConfig({ env });
  const db = await openDatabase(config.databaseUrl, { time: SYSTEM_TIME });
  return { world: { ...line.world, config, db, dataDir }, spools, close: () => db.close() };
};

const envOf = ({ services }: CommandLine, place: Place) => ({
  ...placeOf(place),
  QSOLOG_FIRST_URL: services.firstUrl,
  QSOLOG_SECOND_URL: services.secondUrl,
  QSOLOG_PACE: "0",
});

/** Runs a command to its end on data that another process left. */
const commandOn = async (line: CommandLine, { config }: TestWorld, words: readonly string[]) => {
  const env = { PATH: process.env.PATH!, HOME: "/tmp", ...envOf(line, config) };
  const child = Bun.spawn([...QSOLOG, ...words], { env, stdio: ["ignore", "ignore", "ignore"] });
  return { code: await child.exited };
};

/** Checks everything that must hold after a kill at any time. Returns the status of the job. */
const check = async (
  { world }: Killed,
  userId: number,
  before: Qso[],
  cursors: unknown[],
): Promise<ListedJob | null> => {
  const known = await world.db.read(() => syncJobs.list({ userId, limit: 1 }));
  const wasActive = known.filter(({ status }) => status === "pending" || status === "running");
  const failed = await recover(world);
  expect(failed.map(({ id, error }) => [id, error?.code])).toEqual(wasActive.map(({ id }) => [id, "interrupted"]));
  expect(readdirSync(world.dataDir).includes("spool") ? readdirSync(join(world.dataDir, "spool")) : []).toEqual([]);
  expect(await countOf({ world }, "workers")).toBe(0);
  expect(await countOf({ world }, "account_leases")).toBe(0);
  expect(soundness(world.config.databaseUrl)).toEqual([["ok"], []]);

  const [job] = await world.db.read(() => syncJobs.list({ userId, limit: 1 }));
  if (!job || failed.length === 0) return null;
  await expectChangesToMatch(world, userId, job);
  expect([
    await world.db.read(() => syncCursors.find(userId, "first")),
    await world.db.read(() => syncCursors.find(userId, "second")),
  ]).toEqual(cursors);
  await cancelJob(world, { userId, jobId: job.id, by: null });
  expect(await logOf(world, userId)).toEqual(before);
  return job;
};

/** A database server checks this itself. */
const soundness = (file: string): unknown[] => {
  if (ENGINE === "postgres") return [["ok"], []];
  const db = new Database(file, { readonly: true });
  try {
    return [
      db
        .query<{ integrity_check: string }, []>("PRAGMA integrity_check")
        .all()
        .map((row) => row.integrity_check),
      db.query("PRAGMA foreign_key_check").all(),
    ];
  } finally {
    db.close();
  }
};

/** Each change must end in the state in which the next one begins, or in the current state. */
const expectChangesToMatch = async (world: TestWorld, userId: number, { id, stats }: ListedJob): Promise<void> => {
  const changes = (await world.db.read(() => qsoChanges.list(id, { afterId: 0, limit: 10_000 }))).changes;
  // Two records of one batch that change the same contact make one change.
  expect(changes.length).toBeLessThanOrEqual(stats.added + stats.updated);
  expect(changes.length === 0).toBe(stats.added + stats.updated === 0);
  const rows = new Map((await logOf(world, userId)).map((qso) => [qso.id, qso]));
  for (const [index, { qsoId, after }] of changes.entries()) {
    const next = changes.slice(index + 1).find((change) => change.qsoId === qsoId);
    expect(getLayers(after!)).toEqual(getLayers(next ? next.before! : rows.get(qsoId)!));
  }
};

// Invariant: a killed process leaves nothing half done
test(
  `a process killed in the middle of a job leaves a valid log, ${KILLS_IN_THE_MIDDLE} times, and a rollback restores it`,
  async () => {
    const line = await aBusyLine();
    const { world, bob } = line;
    const [before, cursors] = [await logOf(world, bob.id), await cursorsOf(line)];
    const pristine = await closedCopy(line);
    const commands = [
      ["sync", "first"],
      ["sync", "second"],
      ["qso", "import", line.file],
    ];
    /** The duration of each command when it last ran undisturbed. */
    const took = new Map<string, number>();
    const spread: Record<string, number> = {};
    let [inTheMiddle, spools] = [0, 0];
    for (let round = 0; inTheMiddle < KILLS_IN_THE_MIDDLE && round < KILLS_IN_THE_MIDDLE * 12; round++) {
      const words = commands[round % commands.length]!;
      const name = words[1]!;
      const whole = took.get(name) ?? Number.POSITIVE_INFINITY;
      const began = performance.now();
      const left = await killed(line, words, pristine, ({ exited }) => {
        const ended = exited.then((code) => void (code === 0 && took.set(name, performance.now() - began)));
        return Number.isFinite(whole) ? Promise.race([ended, Bun.sleep(whole * (0.3 + 0.7 * Math.random()))]) : ended;
      });
      const job = await check(left, bob.id, before, cursors);
      spools += left.spools;
      const place = job
        ? job.startedAt === null
          ? "pending"
          : job.stats.fetched > 0
            ? "writing"
            : "asking"
        : "beside";
      if (place === "asking" || place === "writing") inTheMiddle += 1;
      spread[place] = (spread[place] ?? 0) + 1;
      await left.close();
    }

    if (IS_FULL) console.log("killed", spread, "spools left", spools);
    expect(inTheMiddle).toBe(KILLS_IN_THE_MIDDLE);
  },
  IS_FULL ? 900_000 : 120_000,
);

const ROLLBACKS_KILLED = IS_FULL ? 15 : 2;
const IN_SLICES = 2_000;

// Invariant: a killed process leaves nothing half done
test(
  `a process killed in the middle of a rollback leaves a valid log, ${ROLLBACKS_KILLED} times, and the next command completes it`,
  async () => {
    const line = await aBusyLine();
    const { world, bob } = line;
    const [before, cursors] = [await logOf(world, bob.id), await cursorsOf(line)];
    const records = Array.from({ length: IN_SLICES }, (_, n) =>
      said(callOf(n), minuteOf(n), { MODE: "CW", QTH: "Oslo" }),
    );
    const job = await sync(world, bob.id, "file", records, { failure: new Error("lost") });
    const { deleted, restored } = await previewCancel(world, { userId: bob.id, jobId: job.id, by: null });
    expect([deleted > 0, restored > 0]).toEqual([true, true]);
    const pristine = await closedCopy(line);
    let inTheMiddle = 0;
    for (let round = 0; inTheMiddle < ROLLBACKS_KILLED && round < ROLLBACKS_KILLED * 12; round++) {
      const words = ["rollback", String(job.id), "--yes"];
      const left = await killed(line, words, pristine, async (child, { databaseUrl }) => {
        let hasEnded = false;
        void child.exited.then(() => (hasEnded = true));
        const db = await openDatabase(databaseUrl, { time: SYSTEM_TIME });
        const begun = () => maybe`SELECT 1 AS n FROM sync_jobs WHERE rolling_back_since IS NOT NULL`;
        while (!hasEnded && (await db.read(begun)) === null) await Bun.sleep(1);
        await Bun.sleep(40 * Math.random());
        await db.close();
      });
      const found = await left.world.db.read(() => syncJobs.get(bob.id, job.id));
      expect(soundness(left.world.config.databaseUrl)).toEqual([["ok"], []]);
      if (found.rollingBackSince !== null) {
        inTheMiddle += 1;
        const half = (await logOf(left.world, bob.id)).length;
        expect(half).toBeGreaterThan(before.length);
        expect(half).toBeLessThan(before.length + deleted);
        if (round % 2 === 0) await finishRollbacks({ ...left.world, underWay: new RunningJobs() });
        else expect((await commandOn(line, left.world, ["rollback", String(job.id), "--yes"])).code).toBe(3);
        expect(await left.world.db.read(() => syncJobs.findRollback(job.id))).toMatchObject({ deleted, restored });
        expect(await logOf(left.world, bob.id)).toEqual(before);
        expect(await cursorsOf({ ...line, world: left.world })).toEqual(cursors);
      }
      await left.close();
    }
    expect(inTheMiddle).toBe(ROLLBACKS_KILLED);
  },
  IS_FULL ? 900_000 : 120_000,
);

const cursorsOf = async ({ world, bob }: CommandLine) => [
  await world.db.read(() => syncCursors.find(bob.id, "first")),
  await world.db.read(() => syncCursors.find(bob.id, "second")),
];

/** The data as a process finds it that starts alone. */
const closedCopy = async ({ world }: CommandLine): Promise<Place> => {
  const dataDir = join(aDirectory(), "pristine");
  mkdirSync(dataDir);
  cpSync(join(world.dataDir, "secret"), join(dataDir, "secret"));
  // Earlier jobs were run by this process, which is still alive.
  await world.db.write(() => run`DELETE FROM workers`);
  const file = join(dataDir, "qsolog.db");
  if (ENGINE === "sqlite") await world.db.copyTo(file);
  return {
    dataDir,
    databaseUrl: ENGINE === "sqlite" ? file : await copyOfPostgresDatabase(world.config.databaseUrl),
  };
};
