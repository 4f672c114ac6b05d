import { isActive, jobView, noLeftover, type JobStatus } from "../../src/domain/sync-job.ts";
import type { User } from "../../src/domain/user.ts";
import type { World } from "../../src/world.ts";
import type { LogClient } from "../../src/logbook/contract.ts";

type JobQuestions = Pick<
  LogClient,
  "jobs" | "job" | "changes" | "leftovers" | "dismissLeftover" | "rollbackPreview" | "rollback" | "undo"
>;

/** The jobs of a user in a database that this process has open, and the ways to take one back. */
export const localJobs = (world: World, { id: userId }: Pick<User, "id">): JobQuestions => {
  const { db, clock } = world;
  const pages = () => import("../../src/sync/job-pages.ts");

  const takeBack = async (jobId: number, undo: boolean) => {
    const { cancelJob } = await import("../../src/sync/undo/rollback.ts");
    const { resolveDeadWorkers } = await import("../../src/sync/job/worker.ts");
    await resolveDeadWorkers(world);
    const { rolledBackView } = await pages();
    const taken = await cancelJob(world, { userId, jobId, by: null, undo });
    return rolledBackView(taken, clock());
  };

  /** A job of a program that is gone is not under way, whoever looks. Asked only where something seems to be. */
  const settled = async (): Promise<boolean> => {
    const [workers, { isDead, resolveDeadWorkers }] = await Promise.all([
      import("../../src/storage/workers.ts"),
      import("../../src/sync/job/worker.ts"),
    ]);
    const known = await db.read(workers.list);
    return known.some((worker) => isDead(worker, clock())) && (await resolveDeadWorkers(world)).length > 0;
  };

  return {
    async jobs({ status, ...asked }) {
      const { listJobs } = await pages();
      const look = () => listJobs(world, userId, { ...asked, statuses: status?.split(",") as JobStatus[] | undefined });
      const found = await look();
      return found.active > 0 && (await settled()) ? look() : found;
    },

    async job(id) {
      const syncJobs = await import("../../src/storage/sync-jobs.ts");
      const look = () => db.read(() => syncJobs.get(userId, id));
      const found = await look();
      return { job: jobView(isActive(found) && (await settled()) ? await look() : found, clock()) };
    },

    changes: async (jobId, asked) => (await pages()).listChanges(world, userId, jobId, asked),
    leftovers: async (jobId, asked) => (await pages()).listLeftovers(world, userId, jobId, asked),

    async dismissLeftover(id) {
      const leftovers = await import("../../src/storage/leftovers.ts");
      const users = await import("../../src/storage/users.ts");
      const now = clock();
      if (await db.write(() => leftovers.dismiss(userId, id, now))) return;
      const { username } = await db.read(() => users.get(userId));
      throw noLeftover(username, id);
    },

    async rollbackPreview(jobId, { undo } = {}) {
      const { previewCancel } = await import("../../src/sync/undo/rollback.ts");
      const { resolveDeadWorkers } = await import("../../src/sync/job/worker.ts");
      await resolveDeadWorkers(world);
      return previewCancel(world, { userId, jobId, by: null, undo });
    },
    rollback: (jobId) => takeBack(jobId, false),
    undo: (jobId) => takeBack(jobId, true),
  };
};
