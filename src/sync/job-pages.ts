import { readNumbers, writeCursor } from "../storage/page-cursor.ts";
import type { Source } from "../domain/source.ts";
import { jobView, type JobStatus } from "../domain/sync-job.ts";
import * as leftovers from "../storage/leftovers.ts";
import * as qsoChanges from "../storage/qso-changes.ts";
import * as syncJobs from "../storage/sync-jobs.ts";
import type { World } from "../world.ts";
import type { cancelJob } from "./undo/rollback.ts";
import { diffOf } from "./undo/diff.ts";

type Deps = Pick<World, "db" | "clock">;

interface PageAsked {
  limit?: number;
  cursor?: string;
}

interface JobsAsked extends PageAsked {
  source?: Source;
  statuses?: JobStatus[];
}

const JOBS_A_PAGE = 20;
const ROWS_A_PAGE = 50;

/** A page of a user's jobs, newest first. */
export const listJobs = async (
  { db, clock }: Deps,
  userId: number,
  { limit = JOBS_A_PAGE, cursor, source, statuses }: JobsAsked,
) => {
  const question = ["jobs", source, statuses];
  const [createdAt, id] = cursor === undefined ? [] : readNumbers(question, cursor, 2);
  const before = createdAt === undefined || id === undefined ? undefined : { createdAt, id };
  const [found, active] = await db.read(function* () {
    const page = yield* syncJobs.list({ userId, source, statuses, before, limit: limit + 1 });
    return [page, yield* syncJobs.countActive(userId)] as const;
  });
  const jobs = found.slice(0, limit);
  const last = jobs.at(-1);
  const nextCursor = found.length > limit && last ? writeCursor(question, [last.createdAt, last.id]) : null;
  return { jobs: jobs.map((job) => jobView(job, clock())), active, nextCursor };
};

/** A page of what one of a user's jobs changed, field by field. */
export const listChanges = async (
  { db }: Pick<Deps, "db">,
  userId: number,
  jobId: number,
  { limit = ROWS_A_PAGE, cursor }: PageAsked,
) => {
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
};

/** A page of what one of a user's jobs could not match or read. */
export const listLeftovers = async (
  { db }: Pick<Deps, "db">,
  userId: number,
  jobId: number,
  { kind, limit = ROWS_A_PAGE, cursor }: PageAsked & { kind?: leftovers.Leftover["kind"] },
) => {
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
};

/** What became of a job that was taken back, in counts. */
export const rolledBackView = ({ job, result }: Awaited<ReturnType<typeof cancelJob>>, now: number) => {
  const { deleted, restored, kept } = result;
  return { job: jobView(job, now), rollback: { deleted, restored, kept: kept.length } };
};
