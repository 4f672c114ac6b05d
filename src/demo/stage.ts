import type { AdifRecord } from "../domain/contact/adif-record.ts";
import { MINUTE } from "../kernel/clock.ts";
import { derive, RULES_VERSION } from "../domain/contact/derive.ts";
import { formatIsoDate } from "../kernel/instant.ts";
import type { Service } from "../domain/jobs/source.ts";
import { type JobStats, NO_REASONS, NO_STATS } from "../domain/jobs/sync-job.ts";
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
export class Stage {
  readonly #world: World;
  readonly #userId: number;
  readonly #runner: SyncRunner;
  /** Has a job that never ends. */
  readonly #hung: JobWorker;

  constructor(world: World, userId: number, runner: SyncRunner, hung: JobWorker) {
    this.#world = world;
    this.#userId = userId;
    this.#runner = runner;
    this.#hung = hung;
  }

  /** Fills the log with everything the services know, as if by two long downloads. */
  async fill(entries: readonly Entry[]): Promise<void> {
    const { db, callFacts, clock } = this.#world;
    const facts = await callFacts();
    const now = clock();
    const rows = entries.map((entry): qsos.Snapshot => {
      const layers = buildSyncedLayers(entry);
      return { createdAt: now, updatedAt: now, rulesVersion: RULES_VERSION, ...layers, ...derive(layers, facts)! };
    });
    const added = rows.length;
    const firstConfirmed = rows.filter((row) => row.firstConfirmed).length;
    const secondConfirmed = rows.filter((row) => row.secondConfirmed).length;
    await this.#runner.worker.register();
    await db.write(() => changeLog(this.#userId, { added: rows }, "nobody"));
    await this.#addDownload("first", {
      at: now,
      stats: { fetched: added + firstConfirmed, added, updated: firstConfirmed, newlyConfirmed: firstConfirmed },
      cursor: cursorOfFirst(entries),
    });
    await this.#addDownload("second", {
      at: now + 20 * MINUTE,
      stats: { fetched: added, updated: added, newlyConfirmed: secondConfirmed },
      cursor: { since: formatIsoDate(now), sweptAt: now + 20 * MINUTE },
    });
  }

  /** Adds a job from long ago whose change records are removed, as after `db prune`. */
  async #addDownload(source: Service, { at, stats, cursor }: Download): Promise<void> {
    const userId = this.#userId;
    const workerId = this.#runner.worker.id;
    await this.#world.db.write(function* () {
      const { id } = yield* syncJobs.create({ userId, source, trigger: "manual", options: { full: true } }, at);
      yield* syncJobs.claim(id, workerId, null, at + 40);
      const progress = { phase: "done", done: stats.fetched ?? 0 };
      yield* syncJobs.setProgress(id, { ...NO_STATS, ...stats }, NO_REASONS, progress);
      yield* syncJobs.complete(id, cursor, null, at + 2 * MINUTE);
      yield* syncCursors.set(userId, source, cursor, at + 2 * MINUTE);
      yield* users.setRecordedSince(userId, at + 2 * MINUTE);
    });
  }

  async import(records: readonly AdifRecord[]): Promise<void> {
    const job = await this.#runner.start({ userId: this.#userId, source: "file", trigger: "manual" }, () => ({
      prepare: async () => ({ cursorBefore: null, feed: feedOf(records) }),
    }));
    await this.#runner.end(job.id);
  }

  /** Starts an import that writes these records and then hangs. */
  async importAndHang(records: readonly AdifRecord[]): Promise<void> {
    const { db, callFacts, clock } = this.#world;
    const userId = this.#userId;
    const workerId = this.#hung.id;
    const facts = await callFacts();
    const incoming = records.map((record) => readIncoming(record, "file", "record", facts));
    const now = clock();
    await db.write(function* () {
      const { id } = yield* syncJobs.create({ userId, source: "file", trigger: "manual" }, now);
      const job = (yield* syncJobs.claim(id, workerId, null, now))!;
      const batch = yield* decideBatch({ job, memory: new JobState(job, false), facts, now }, incoming);
      const { stats, reasons } = yield* batch.write();
      const progress = { phase: "file", done: records.length, total: 3 * records.length };
      yield* syncJobs.setProgress(id, stats, reasons, progress);
    });
  }

  /** Resolves to the id of the job. */
  async sync(source: Service): Promise<number> {
    const job = await startSync(this.#world, this.#runner, { userId: this.#userId, source, trigger: "auto" });
    await this.#runner.end(job.id);
    return job.id;
  }

  async rollBack(jobId: number): Promise<void> {
    await cancelJob(this.#world, { userId: this.#userId, jobId, by: this.#userId });
  }
}

interface Download {
  at: number;
  stats: Partial<JobStats>;
  cursor: unknown;
}

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

const cursorOfFirst = (entries: readonly Entry[]) => {
  const newest = (name: string) =>
    entries
      .map(({ lotw }) => lotw.fields[name] ?? "")
      .sort()
      .at(-1)!;
  return { qso: newest("APP_LOTW_RXQSO"), qsl: newest("APP_LOTW_RXQSL") };
};
