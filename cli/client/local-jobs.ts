import { readNumbers, writeCursor } from "../../src/domain/page-cursor.ts";
import { isActive, jobView, noLeftover, type JobStatus } from "../../src/domain/sync-job.ts";
import type { User } from "../../src/domain/user.ts";
import type { World } from "../../src/world.ts";
import type { LogClient } from "./log-client.ts";

type JobQuestions = Pick<
  LogClient,
  "jobs" | "job" | "changes" | "leftovers" | "dismissLeftover" | "rollbackPreview" | "rollback" | "undo"
>;

const JOBS_A_PAGE = 20;
const ROWS_A_PAGE = 50;

/** The jobs of a user in a database that this process has open, and the ways to take one back. */
export const localJobs = (
  world: World,
  { id: userId }: Pick<User, "id">,
  onTakenBack: (jobId: number) => Promise<void>,
): JobQuestions => {
  const { db, clock } = world;

  const takeBack = async (jobId: number, undo: boolean) => {
    const { cancelJob } = await import("../../src/sync/cancel.ts");
    const { resolveDeadWorkers } = await import("../../src/sync/workers.ts");
    await resolveDeadWorkers(world);
    const { job, result } = await cancelJob(world, { userId, jobId, by: null, undo });
    await onTakenBack(jobId);
    const { deleted, restored, kept } = result;
    return { job: jobView(job, clock()), rollback: { deleted, restored, kept: kept.length } };
  };

  /** A job of a program that is gone is not under way, whoever looks. Asked only where something seems to be. */
  const settled = async (): Promise<boolean> => {
    const [workers, { isDead, resolveDeadWorkers }] = await Promise.all([
      import("../../src/storage/workers.ts"),
      import("../../src/sync/workers.ts"),
    ]);
    const known = await db.read(workers.list);
    return known.some((worker) => isDead(worker, clock())) && (await resolveDeadWorkers(world)).length > 0;
  };

  return {
    async jobs({ limit = JOBS_A_PAGE, cursor, source, status }) {
      const syncJobs = await import("../../src/storage/sync-jobs.ts");
      const statuses = status?.split(",") as JobStatus[] | undefined;
      const question = ["jobs", source, statuses];
      const [createdAt, id] = cursor === undefined ? [] : readNumbers(question, cursor, 2);
      const before = createdAt === undefined || id === undefined ? undefined : { createdAt, id };
      const look = () =>
        db.read(function* () {
          const page = yield* syncJobs.list({ userId, source, statuses, before, limit: limit + 1 });
          return [page, yield* syncJobs.countActive(userId)] as const;
        });
      let [found, active] = await look();
      if (active > 0 && (await settled())) [found, active] = await look();
      const jobs = found.slice(0, limit);
      const last = jobs.at(-1);
      const nextCursor = found.length > limit && last ? writeCursor(question, [last.createdAt, last.id]) : null;
      return { jobs: jobs.map((job) => jobView(job, clock())), active, nextCursor };
    },

    async job(id) {
      const syncJobs = await import("../../src/storage/sync-jobs.ts");
      const look = () => db.read(() => syncJobs.get(userId, id));
      const found = await look();
      return { job: jobView(isActive(found) && (await settled()) ? await look() : found, clock()) };
    },

    async changes(jobId, { limit = ROWS_A_PAGE, cursor }) {
      const [syncJobs, qsoChanges, { diffOf }] = await Promise.all([
        import("../../src/storage/sync-jobs.ts"),
        import("../../src/storage/qso-changes.ts"),
        import("../../src/sync/diff.ts"),
      ]);
      const question = ["changes", jobId];
      const after = cursor === undefined ? 0 : readNumbers(question, cursor, 1)[0]!;
      const found = await db.read(function* () {
        yield* syncJobs.get(userId, jobId);
        return yield* qsoChanges.list(jobId, after, limit + 1);
      });
      const changes = found
        .slice(0, limit)
        .map(({ id, qsoId, kind, before, after }) => ({ id, qsoId, kind, before, after, diff: diffOf(before, after) }));
      return { changes, nextCursor: found.length > limit ? writeCursor(question, [changes.at(-1)!.id]) : null };
    },

    async leftovers(jobId, { kind, limit = ROWS_A_PAGE, cursor }) {
      const syncJobs = await import("../../src/storage/sync-jobs.ts");
      const leftovers = await import("../../src/storage/leftovers.ts");
      const question = ["leftovers", jobId, kind];
      const afterId = cursor === undefined ? 0 : readNumbers(question, cursor, 1)[0]!;
      const found = await db.read(function* () {
        yield* syncJobs.get(userId, jobId);
        return yield* leftovers.list(jobId, { kind, afterId, limit: limit + 1 });
      });
      const page = found.slice(0, limit).map(({ id, kind: found, reason, record, candidates }) => ({
        id,
        kind: found,
        reason,
        record: record.fields,
        candidates,
      }));
      return { leftovers: page, nextCursor: found.length > limit ? writeCursor(question, [page.at(-1)!.id]) : null };
    },

    async dismissLeftover(id) {
      const leftovers = await import("../../src/storage/leftovers.ts");
      const users = await import("../../src/storage/users.ts");
      const now = clock();
      if (await db.write(() => leftovers.dismiss(userId, id, now))) return;
      const { username } = await db.read(() => users.get(userId));
      throw noLeftover(username, id);
    },

    async rollbackPreview(jobId, { undo } = {}) {
      const { previewCancel } = await import("../../src/sync/cancel.ts");
      const { resolveDeadWorkers } = await import("../../src/sync/workers.ts");
      await resolveDeadWorkers(world);
      return previewCancel(world, { userId, jobId, by: null, undo });
    },
    rollback: (jobId) => takeBack(jobId, false),
    undo: (jobId) => takeBack(jobId, true),
  };
};
