import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { createUser } from "../../src/admin/users.ts";
import { type Config, readConfig } from "../../src/config.ts";
import type { AdifRecord } from "../../src/domain/adif-record.ts";
import { OPERATOR } from "../../src/domain/actor.ts";
import { type Clock, MINUTE } from "../../src/domain/clock.ts";
import { derive, RULES_VERSION } from "../../src/domain/derive.ts";
import { isoDate } from "../../src/domain/instant.ts";
import type { Service } from "../../src/domain/source.ts";
import { type JobStats, NO_REASONS, NO_STATS } from "../../src/domain/sync-job.ts";
import type { User } from "../../src/domain/user.ts";
import { SILENT_LOG } from "../../src/log.ts";
import { serve } from "../../src/main.ts";
import { play, type Stage, STORY_TAKES, StoryTime } from "../../src/simulated/script.ts";
import type { SimulatedServices } from "../../src/simulated/services.ts";
import { ACCOUNTS, type Entry, heardLayers, OWN_CALL, SimulatedWorld } from "../../src/simulated/world.ts";
import * as qsos from "../../src/storage/qsos.ts";
import * as syncCursors from "../../src/storage/sync-cursors.ts";
import * as syncJobs from "../../src/storage/sync-jobs.ts";
import { cancelJob } from "../../src/sync/cancel.ts";
import { changeSettings, syncCompleted } from "../../src/auto-sync/settings.ts";
import { setCredentials } from "../../src/sync/credentials.ts";
import type { Feed } from "../../src/sync/engine.ts";
import { readIncoming } from "../../src/sync/incoming.ts";
import { draftPage } from "../../src/sync/page.ts";
import { SyncRunner } from "../../src/sync/runner.ts";
import { startSync } from "../../src/sync/service-sync.ts";
import { JobWorker } from "../../src/sync/workers.ts";
import { openWorld, sleep, type World } from "../../src/world.ts";
import { randomBytes, type Shell } from "../shell.ts";

interface DemoFlags {
  port?: string;
  host?: string;
  keep?: boolean;
}

export const register = (program: Command, shell: Shell): void => {
  const command = program
    .command("demo")
    .description("serve a ready world, with both services simulated, that is gone at the end")
    .option("--port <value>", "listen port, 0 for any free one")
    .option("--host <value>", "listen address")
    .option("--keep", "leave the data directory at the end")
    .option("--json", "answer as JSON")
    .action((flags: DemoFlags) => runDemo(shell, flags));
  shell.forms.set(command, { examples: ["qsolog demo", "qsolog demo --port 8080 --keep"] });
};

const runDemo = async (shell: Shell, { port, host, keep = false }: DemoFlags): Promise<void> => {
  const { terminal, env } = shell;
  const dataDir = mkdtempSync(join(tmpdir(), "qsolog-demo-"));
  const leave = () => {
    if (keep) terminal.err(`The data directory is kept: ${dataDir}`);
    else rmSync(dataDir, { recursive: true, force: true });
  };
  const asked = untilAskedToEnd(leave);
  try {
    const address = { port: port ?? (env.QSOLOG_PORT || undefined), host: host ?? (env.QSOLOG_HOST || undefined) };
    const demo = await createDemoWorld({ dataDir, ...address, clock: Date.now, random: randomBytes });
    try {
      const said: string[] = [];
      const outside = { clock: Date.now, random: randomBytes, echoLog: false, migrate: true, gallery: true };
      const server = await serve(demo.config, { ...outside, say: (words) => said.push(words) });
      shell.answer(signInDocument(demo, server.url), () => signInWords(demo));
      for (const words of said) terminal.err(words);
      await asked;
      await server.stop();
    } finally {
      await demo.stop();
    }
  } finally {
    leave();
  }
};

/** The first signal lets everything end in order; a second one ends it at once. */
const untilAskedToEnd = (leave: () => void): Promise<void> =>
  new Promise((resolve) => {
    let asked = false;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        if (asked) {
          leave();
          process.exit(1);
        }
        asked = true;
        resolve();
      });
    }
  });

const signInDocument = ({ config, users, passwords }: DemoWorld, url: string) => ({
  url,
  dataDir: config.dataDir,
  users: users.map(({ username, role }) => ({ username, role, password: passwords[username] })),
});

const signInWords = ({ config, users, passwords }: DemoWorld): string =>
  [
    ...users.map(({ username, role, callsign }) => `${username} (${role}, ${callsign}): ${passwords[username]}`),
    `From another shell: qsolog sync second --user bob --data-dir ${config.dataDir}`,
  ].join("\n");

export interface DemoWorld {
  config: Config;
  services: SimulatedServices;
  /** Ann, who is an administrator, and Bob, whose log it is. */
  users: readonly User[];
  /** By username. */
  passwords: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

interface DemoOptions {
  /** An empty one. */
  dataDir: string;
  port?: string;
  host?: string;
  clock: Clock;
  random: World["random"];
}

/** These passwords guard nothing, and are made anew in every demo. */
const PASSWORD_COST = { memoryCost: 8_192, timeCost: 1 };
const PACE = 0.2;

/** A database with a log and jobs of every kind in it, and both services at work beside it. */
export const createDemoWorld = async ({ dataDir, port, host, clock, random }: DemoOptions): Promise<DemoWorld> => {
  const now = clock();
  const time = new StoryTime(now - STORY_TAKES);
  const { loadCallFacts } = await import("../../src/callsign/facts.ts");
  const facts = await loadCallFacts(dataDir);
  const patiently = (ms: number, signal: AbortSignal) => sleep(ms, signal).catch(() => {});
  const simulated = new SimulatedWorld({ clock: time.clock, sleep: patiently, locate: facts.locate });
  await using started = new AsyncDisposableStack();
  started.defer(() => simulated.stop());
  simulated.services.start();
  const config = writeConfig({ dataDir, port, host }, simulated.services);
  const opened = await openWorld(config, { clock: time.clock, random, log: SILENT_LOG });
  started.defer(() => opened.db.close());
  const world = { ...opened, config: { ...config, pace: 0 }, passwordCost: PASSWORD_COST };
  // A hung job is one whose program is alive; this one beats for as long as the demo lasts.
  const hung = new JobWorker({ ...world, clock });
  started.defer(() => hung.stop());
  await hung.register();

  const passwords = { ann: passwordFrom(random), bob: passwordFrom(random) };
  const users = await addUsers(world, passwords);
  const runner = new SyncRunner(world, 1);
  await play(simulated, stageOf(world, users[1], runner, hung, time), now).finally(() => runner.stop());
  await world.db.analyze();
  time.catchUp(clock);
  await schedule({ ...world, clock }, users[1]);
  simulated.start();
  const running = started.move();
  return { config, services: simulated.services, users, passwords, stop: () => running.disposeAsync() };
};

/** Both services are scheduled, and none of them is due while somebody looks around. */
const schedule = async (world: World, { id }: User): Promise<void> => {
  await changeSettings(world, id, {
    first: { enabled: true, intervalHours: 48 },
    second: { enabled: true, intervalHours: 72 },
  });
  const completed = await world.db.read(() => syncJobs.list({ userId: id, statuses: ["completed"], limit: 50 }));
  await world.db.write(function* () {
    for (const job of completed.toReversed()) yield* syncCompleted(job);
  });
};

const addUsers = async (world: World, passwords: { ann: string; bob: string }): Promise<readonly [User, User]> => {
  const { ann: annSays, bob: bobSays } = passwords;
  const administrator = { username: "ann", password: annSays, callsign: "YU2DEMO", role: "admin" as const };
  const ann = await createUser(world, OPERATOR, administrator);
  const bob = await createUser(world, OPERATOR, { username: "bob", password: bobSays, callsign: OWN_CALL });
  await setCredentials(world, bob.id, "first", ACCOUNTS.first);
  await setCredentials(world, bob.id, "second", ACCOUNTS.second);
  return [ann, bob];
};

/** Settings that other processes on the data directory find too; nothing comes from the operator's own environment. */
const writeConfig = (
  { dataDir, port, host }: Pick<DemoOptions, "dataDir" | "port" | "host">,
  { firstUrl, secondUrl }: SimulatedServices,
): Config => {
  const settings = { first_url: firstUrl, second_url: secondUrl, pace: String(PACE) };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  writeFileSync(join(dataDir, "qsolog.toml"), lines.join(""), { mode: 0o600 });
  return readConfig({ env: {}, flags: { dataDir, port, host } }).config;
};

const passwordFrom = (random: World["random"]): string => `demo-${Buffer.from(random(5)).toString("hex")}`;

/** How the story's events come into the database: the log at once, what follows as the program itself does it. */
const stageOf = (
  world: World,
  { id: userId }: Pick<User, "id">,
  runner: SyncRunner,
  hung: JobWorker,
  time: StoryTime,
): Stage => ({
  turnTo: (at) => time.turnTo(at),
  fill: (entries) => fill(world, userId, runner, entries),
  async import(records) {
    const facts = await world.callFacts();
    const job = await runner.start({ userId, source: "file", trigger: "manual" }, async () => ({
      cursorBefore: null,
      feed: feedOf(records),
      options: { facts },
    }));
    await runner.end(job.id);
  },
  importAndHang: (records) => importAndHang(world, userId, hung, records),
  async sync(source) {
    const job = await startSync(world, runner, { userId, source, trigger: "auto" });
    await runner.end(job.id);
    return job.id;
  },
  async rollBack(jobId) {
    await cancelJob(world, { userId, jobId, by: userId });
  },
});

async function* feedOf(records: readonly AdifRecord[]): Feed {
  const total = records.length;
  yield {
    phase: "file",
    part: "record",
    count: total,
    total,
    rejected: [],
    records: async function* () {
      yield [...records];
    },
  };
  return null;
}

const fill = async (world: World, userId: number, { worker }: SyncRunner, entries: readonly Entry[]): Promise<void> => {
  const facts = await world.callFacts();
  const now = world.clock();
  const rows = entries.map((entry): qsos.Snapshot => {
    const layers = heardLayers(entry);
    return { createdAt: now, updatedAt: now, rulesVersion: RULES_VERSION, ...layers, ...derive(layers, facts)! };
  });
  const added = rows.length;
  const firstConfirmed = rows.filter((row) => row.firstConfirmed).length;
  const secondConfirmed = rows.filter((row) => row.secondConfirmed).length;
  await worker.register();
  await world.db.write(() => qsos.addMany(userId, rows));
  await longDownload(world, userId, worker, "first", {
    at: now,
    stats: { fetched: added + firstConfirmed, added, updated: firstConfirmed, newlyConfirmed: firstConfirmed },
    cursor: cursorOfFirst(entries),
  });
  await longDownload(world, userId, worker, "second", {
    at: now + 20 * MINUTE,
    stats: { fetched: added, updated: added, newlyConfirmed: secondConfirmed },
    cursor: { since: isoDate(now), sweptAt: now + 20 * MINUTE },
  });
};

interface Download {
  at: number;
  stats: Partial<JobStats>;
  cursor: unknown;
}

/** A job long over: what it changed is no longer kept, as after `db prune`. */
const longDownload = (
  { db }: World,
  userId: number,
  worker: JobWorker,
  source: Service,
  { at, stats, cursor }: Download,
) =>
  db.write(function* () {
    const { id } = yield* syncJobs.create({ userId, source, trigger: "manual", options: { full: true } }, at);
    yield* syncJobs.claim(id, worker.id, null, at + 40);
    yield* syncJobs.setProgress(id, { ...NO_STATS, ...stats }, NO_REASONS, { phase: "done", done: stats.fetched ?? 0 });
    yield* syncJobs.complete(id, cursor, null, at + 2 * MINUTE);
    yield* syncCursors.set(userId, source, cursor, at + 2 * MINUTE);
  });

const cursorOfFirst = (entries: readonly Entry[]) => {
  const newest = (name: string) =>
    entries
      .map(({ lotw }) => lotw.fields[name] ?? "")
      .sort()
      .at(-1)!;
  return { qso: newest("APP_LOTW_RXQSO"), qsl: newest("APP_LOTW_RXQSL") };
};

const importAndHang = async (
  world: World,
  userId: number,
  { id: workerId }: JobWorker,
  records: readonly AdifRecord[],
) => {
  const facts = await world.callFacts();
  const incoming = records.map((record) => readIncoming(record, "file", "record", facts));
  const memory = { taken: new Set<number>(), overlay: null, rejectedKept: 0 };
  const now = world.clock();
  await world.db.write(function* () {
    const { id } = yield* syncJobs.create({ userId, source: "file", trigger: "manual" }, now);
    const job = (yield* syncJobs.claim(id, workerId, null, now))!;
    const page = yield* draftPage(job, incoming, memory, facts, now);
    yield* page.write();
    const progress = { phase: "file", done: records.length, total: 3 * records.length };
    yield* syncJobs.setProgress(id, page.result.stats, page.result.reasons, progress);
  });
};
