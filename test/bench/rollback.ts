/** How long another user's write waits while a large job is previewed, rolled back and pruned, and how long that takes. */
import { BACKGROUND_THREAD } from "../../src/background/thread.ts";
import { readConfig } from "../../src/config.ts";
import { derive, RULES_VERSION } from "../../src/domain/derive.ts";
import { NO_LAYERS, type Layers } from "../../src/domain/layers.ts";
import { firstOrigin } from "../../src/domain/origins/first.ts";
import { secondOrigin } from "../../src/domain/origins/second.ts";
import type { SyncJob } from "../../src/domain/sync-job.ts";
import { SILENT_LOG } from "../../src/log.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import * as qsoChanges from "../../src/storage/qso-changes.ts";
import * as qsos from "../../src/storage/qsos.ts";
import * as syncJobs from "../../src/storage/sync-jobs.ts";
import * as users from "../../src/storage/users.ts";
import * as workers from "../../src/storage/workers.ts";
import { cancelJob, previewCancel } from "../../src/sync/undo/rollback.ts";
import { TIME } from "../../src/time.ts";
import { JobsUnderWay } from "../../src/under-way.ts";
import { prune } from "../../src/upkeep/prune.ts";
import { aLog, type Contact } from "../support/log-generator.ts";
import { asFirst, asSecond, CHEAP_FACTS } from "../support/log-records.ts";
import { addUser, withDatabase } from "./database.ts";
import { print } from "./figure.ts";

const CONTACTS = process.argv.includes("--quick") ? 20_000 : 260_000;
const PAGE = 500;
const NOW = Date.UTC(2026, 7, 1);
const LONGEST_WAIT_MS = 200;
const PAUSE_BETWEEN_WRITES_MS = 10;

await withDatabase(async (filling, file) => {
  const userId = await addUser(filling, "ann");
  const otherId = await addUser(filling, "bob");
  const { known, failed } = await fill(filling, userId);
  await filling.analyze();

  const db = await openDatabase(file, { time: TIME, backgroundThread: BACKGROUND_THREAD });
  const { config } = readConfig({ env: { QSOLOG_DATABASE_URL: file } });
  const world = {
    db,
    config,
    clock: () => NOW,
    sleep: TIME.sleep,
    ticks: TIME.ticks,
    log: SILENT_LOG,
    underWay: new JobsUnderWay<SyncJob>(),
  };
  const request = { userId, jobId: failed, by: null };
  const write = () => db.write(() => users.raiseLogVersion(otherId));

  const previewed = await beside(write, () => previewCancel(world, request));
  report("preview", previewed);
  const rolledBack = await beside(write, () => cancelJob(world, request));
  report("rollback", rolledBack);
  const { deleted, restored } = rolledBack.value.tally;
  if (deleted + restored !== CONTACTS) throw new Error(`rolled back ${deleted + restored} of ${CONTACTS}`);
  await db.write(() => syncJobs.complete(known, null, null, 1));
  report("prune", await beside(write, () => prune({ ...world, clock: () => NOW + 1 }, { olderThanMs: 0 })));
  await db.close();
});

interface Measured<T> {
  value: T;
  seconds: number;
  longestWaitMs: number;
}

/** Writes again and again as another user, until the work is done. */
async function beside<T>(write: () => Promise<void>, work: () => Promise<T>): Promise<Measured<T>> {
  const begun = performance.now();
  let isDone = false;
  const done = work().finally(() => (isDone = true));
  let longestWaitMs = 0;
  while (!isDone) {
    const before = performance.now();
    await write();
    longestWaitMs = Math.max(longestWaitMs, performance.now() - before);
    await TIME.sleep(PAUSE_BETWEEN_WRITES_MS);
  }
  const value = await done;
  return { value, seconds: (performance.now() - begun) / 1000, longestWaitMs };
}

function report(name: string, { seconds, longestWaitMs }: Measured<unknown>): void {
  print({ name: `${name} of ${CONTACTS} contacts`, value: seconds, unit: "s" });
  print({ name: "  longest wait of another's write", value: longestWaitMs, unit: "ms", limit: LONGEST_WAIT_MS });
}

/** A completed job brought one half; a failed one updated it, and added the other. */
async function fill(db: Database, userId: number): Promise<{ known: number; failed: number }> {
  const contacts = [...aLog({ contacts: CONTACTS })];
  const half = contacts.slice(0, CONTACTS / 2);
  const known = await db.write(() => running(userId, "first"));
  const failed = await db.write(() => running(userId, "second"));
  for (const page of pagesOf(half)) {
    const rows = page.map((contact) => rowOf(firstOrigin.hear(NO_LAYERS, asFirst(contact), "qso")));
    const ids = await added(db, userId, known, rows);
    await updated(db, failed, page, ids, rows);
  }
  for (const page of pagesOf(contacts.slice(CONTACTS / 2))) {
    const rows = page.map((contact) => rowOf(secondOrigin.hear(NO_LAYERS, asSecond(contact))));
    await added(db, userId, failed, rows);
  }
  await db.write(() => syncJobs.fail(failed, "network", "The connection was lost.", NOW));
  return { known, failed };
}

function* running(userId: number, source: "first" | "second") {
  const { id } = yield* syncJobs.create({ userId, source, trigger: "manual" }, NOW);
  yield* workers.beat({ id: "bench", host: "", pid: process.pid, beatAt: NOW });
  yield* syncJobs.claim(id, "bench", null, NOW);
  return id;
}

function added(db: Database, userId: number, jobId: number, rows: readonly qsos.Snapshot[]): Promise<number[]> {
  return db.write(function* () {
    const ids = yield* qsos.addMany(userId, rows);
    const changes = ids.map((qsoId, index) => qsoChanges.changeFrom(qsoId, null, rows[index]!));
    yield* qsoChanges.addMany(jobId, changes, [], NOW);
    return ids;
  });
}

function updated(
  db: Database,
  jobId: number,
  page: readonly Contact[],
  ids: readonly number[],
  rows: readonly qsos.Snapshot[],
): Promise<void> {
  return db.write(function* () {
    const changes = [];
    for (const [index, qsoId] of ids.entries()) {
      const before = rows[index]!;
      const after = rowOf(secondOrigin.hear(qsos.layersOf(before), asSecond(page[index]!)));
      yield* qsos.replaceMany([{ id: qsoId, after, before }]);
      changes.push(qsoChanges.changeFrom(qsoId, before, after));
    }
    yield* qsoChanges.addMany(jobId, changes, [], NOW);
  });
}

function rowOf(layers: Layers): qsos.Snapshot {
  return { createdAt: NOW, updatedAt: NOW, rulesVersion: RULES_VERSION, ...layers, ...derive(layers, CHEAP_FACTS)! };
}

function* pagesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += PAGE) yield all.slice(start, start + PAGE);
}
