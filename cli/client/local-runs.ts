import { rmSync } from "node:fs";
import { jobView, type SyncJob } from "../../src/domain/sync-job.ts";
import type { User } from "../../src/domain/user.ts";
import type { SyncRunner } from "../../src/sync/job/runner.ts";
import type { World } from "../../src/world.ts";
import type { JobDocument, JobHearer, LogClient } from "../../src/logbook/contract.ts";

type Runs = Pick<LogClient, "startSync" | "startImport" | "untilEnd" | "interrupt" | "stop">;

/** The jobs that this process runs itself, one at a time. */
export const localRuns = (world: World, { id: userId }: Pick<User, "id">): Runs => {
  const { db, clock } = world;
  const hearers = new Map<number, JobHearer>();
  let opened: Promise<SyncRunner> | null = null;
  const open = () => (opened ??= aRunner(world));

  /** A job has no number before it has begun: what it tells until then is told to nobody. */
  const begin = async (start: (tell: JobHearer) => Promise<SyncJob>): Promise<SyncJob> => {
    let id: number | null = null;
    const job = await start((progress, stats) => {
      if (id !== null) hearers.get(id)?.(progress, stats);
    });
    id = job.id;
    return job;
  };

  const documentOf = (job: SyncJob): JobDocument => ({ job: jobView(job, clock()) });

  return {
    async startSync(source, { dryRun, ...options } = {}) {
      const { startSync } = await import("../../src/sync/source/service.ts");
      const runner = await open();
      const order = { userId, source, trigger: "cli" as const, options, dryRun };
      return documentOf(await begin((onProgress) => startSync(world, runner, { ...order, onProgress })));
    },

    async startImport(input, { dryRun, warn } = {}) {
      const [{ startImport }, { spoolImport }] = await Promise.all([
        import("../../src/sync/source/file.ts"),
        import("../../src/sync/source/spool.ts"),
      ]);
      const runner = await open();
      const path = typeof input === "string" ? input : await spoolImport(world.config.dataDir, input);
      const tidy = () => void (path === input || rmSync(path, { force: true }));
      try {
        const order = { userId, path, trigger: "cli" as const, dryRun, warn };
        const job = await begin((onProgress) => startImport(world, runner, { ...order, onProgress }));
        void runner.end(job.id).finally(tidy);
        return documentOf(job);
      } catch (error) {
        tidy();
        throw error;
      }
    },

    async untilEnd(jobId, hear) {
      if (hear) hearers.set(jobId, hear);
      const ended = await (await opened)?.end(jobId);
      hearers.delete(jobId);
      if (ended) return documentOf(ended);
      const syncJobs = await import("../../src/storage/sync-jobs.ts");
      return documentOf(await db.read(() => syncJobs.get(userId, jobId)));
    },

    async interrupt(jobId) {
      world.underWay.interrupt(jobId);
    },

    async stop() {
      await (await opened)?.stop();
    },
  };
};

/** One job at a time, after those that dead processes left behind were settled. */
const aRunner = async (world: World): Promise<SyncRunner> => {
  const { SyncRunner } = await import("../../src/sync/job/runner.ts");
  const { recover } = await import("../../src/sync/job/worker.ts");
  await recover(world);
  return new SyncRunner(world, 1);
};
