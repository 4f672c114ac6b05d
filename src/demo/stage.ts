import type { AdifRecord } from "../domain/contact/adif-record.ts";
import { MINUTE } from "../kernel/clock.ts";
import { derive, RULES_VERSION } from "../domain/contact/derive.ts";
import { formatIsoDate } from "../kernel/instant.ts";
import type { Service } from "../domain/jobs/source.ts";
import { type JobStats, NO_REASONS, NO_STATS } from "../domain/jobs/sync-job.ts";
import type { User } from "../domain/people/user.ts";
import { type Stage, StoryTime } from "../simulated/scenario.ts";
import { type Entry, buildSyncedLayers } from "../simulated/world.ts";
import { changeLog } from "../storage/log/log-changes.ts";
import * as users from "../storage/people/users.ts";
import type * as qsos from "../storage/log/qsos.ts";
import * as syncCursors from "../storage/jobs/sync-cursors.ts";
import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import { cancelJob } from "../sync/undo/rollback.ts";
import type { Feed } from "../sync/job/run.ts";
import { readIncoming } from "../sync/match/incoming.ts";
import { decideBatch } from "../sync/job/decide.ts";
import { JobState } from "../sync/job/job-state.ts";
import { SyncRunner } from "../sync/job/runner.ts";
import { startSync } from "../sync/source/service.ts";
import { JobWorker } from "../sync/job/worker.ts";
import type { World } from "../world.ts";

/** How the story's events get into the database: the first log in one go, everything else by the program itself. */
export const stageOf = (
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
    const job = await runner.start({ userId, source: "file", trigger: "manual" }, () => ({
      prepare: async () => ({ cursorBefore: null, feed: feedOf(records), facts }),
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
    const layers = buildSyncedLayers(entry);
    return { createdAt: now, updatedAt: now, rulesVersion: RULES_VERSION, ...layers, ...derive(layers, facts)! };
  });
  const added = rows.length;
  const firstConfirmed = rows.filter((row) => row.firstConfirmed).length;
  const secondConfirmed = rows.filter((row) => row.secondConfirmed).length;
  await worker.register();
  await world.db.write(() => changeLog(userId, { added: rows }, "nobody"));
  await longDownload(world, userId, worker, "first", {
    at: now,
    stats: { fetched: added + firstConfirmed, added, updated: firstConfirmed, newlyConfirmed: firstConfirmed },
    cursor: cursorOfFirst(entries),
  });
  await longDownload(world, userId, worker, "second", {
    at: now + 20 * MINUTE,
    stats: { fetched: added, updated: added, newlyConfirmed: secondConfirmed },
    cursor: { since: formatIsoDate(now), sweptAt: now + 20 * MINUTE },
  });
};

interface Download {
  at: number;
  stats: Partial<JobStats>;
  cursor: unknown;
}

/** A job from long ago whose change records are removed, as after `db prune`. */
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
    yield* users.setRecordedSince(userId, at + 2 * MINUTE);
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
  const now = world.clock();
  await world.db.write(function* () {
    const { id } = yield* syncJobs.create({ userId, source: "file", trigger: "manual" }, now);
    const job = (yield* syncJobs.claim(id, workerId, null, now))!;
    const batch = yield* decideBatch({ job, memory: new JobState(job, false), facts, now }, incoming);
    const { stats, reasons } = yield* batch.write();
    const progress = { phase: "file", done: records.length, total: 3 * records.length };
    yield* syncJobs.setProgress(id, stats, reasons, progress);
  });
};
