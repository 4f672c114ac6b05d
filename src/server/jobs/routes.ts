import { isoDate } from "../../domain/instant.ts";
import { Type } from "../schema-types.ts";
import type { App } from "../../app.ts";
import { parseDay } from "../../domain/day.ts";
import { AppError } from "../../domain/errors.ts";
import { isActive, jobView, noLeftover, type JobStatus } from "../../domain/sync-job.ts";
import * as leftovers from "../../storage/leftovers.ts";
import * as syncJobs from "../../storage/sync-jobs.ts";
import { cancelJob, previewCancel } from "../../sync/undo/rollback.ts";
import { listChanges, listJobs, listLeftovers, rolledBackView } from "../../sync/job-pages.ts";
import { startSync } from "../../sync/source/service.ts";
import { readText } from "../../schema.ts";
import { route } from "../route.ts";
import {
  Count,
  Cursor,
  Id,
  IdParam,
  JobShape,
  Kept,
  Limit,
  NextCursor,
  only,
  orNull,
  ServiceParam,
  SourceWord,
  StatusWord,
  Text,
  words,
} from "../shapes.ts";

const RolledBack = only({ job: JobShape, rollback: only({ deleted: Count, restored: Count, kept: Count }) });
const ChangeShape = only({
  id: Id,
  qsoId: Id,
  kind: words(["added", "updated"] as const),
  before: orNull(Type.Record(Text, Type.Unknown())),
  after: Type.Record(Text, Type.Unknown()),
  diff: Type.Array(only({ field: Text, before: Type.Unknown(), after: Type.Unknown() })),
});
const LeftoverKind = words(["unmatched", "rejected"] as const);
const LeftoverShape = only({
  id: Id,
  kind: LeftoverKind,
  reason: Text,
  record: Type.Record(Text, Text),
  candidates: Type.Array(Type.Integer()),
});

export const jobRoutes = [
  route(
    {
      method: "POST",
      path: "/api/sync/:source",
      access: "user",
      summary: "Start a sync",
      params: ServiceParam,
      body: only({
        full: Type.Optional(Type.Boolean()),
        since: Type.Optional(Type.Union([Text, Type.Integer()])),
        dryRun: Type.Optional(Type.Boolean()),
        resurrect: Type.Optional(Type.Boolean()),
      }),
      answer: only({ job: JobShape }),
      status: 202,
    },
    async ({ app, caller, params, body }) => {
      const { dryRun, since, ...options } = body;
      const day = since === undefined ? {} : { since: isoDate(parseDay(String(since), "since")) };
      const job = await startSync(app, app.runner, {
        userId: caller.user.id,
        source: params.source,
        trigger: "manual",
        options: { ...options, ...day },
        dryRun,
      });
      return { job: jobView(job, app.clock()) };
    },
  ),
  route(
    {
      method: "GET",
      path: "/api/jobs",
      access: "user",
      summary: "Jobs, newest first",
      query: only({ limit: Limit, cursor: Cursor, source: Type.Optional(SourceWord), status: Type.Optional(Text) }),
      answer: only({ jobs: Type.Array(JobShape), active: Count, nextCursor: NextCursor }),
    },
    ({ app, caller, query: { status, ...asked } }) =>
      listJobs(app, caller.user.id, { ...asked, statuses: status?.split(",").map((one) => readStatus(one)) }),
  ),
  route(
    {
      method: "GET",
      path: "/api/jobs/:id",
      access: "user",
      summary: "A job",
      params: IdParam,
      answer: only({ job: JobShape }),
    },
    async ({ app, caller, params }) => {
      const job = await app.db.read(() => syncJobs.get(caller.user.id, params.id));
      return { job: jobView(job, app.clock()) };
    },
  ),
  route(
    {
      method: "GET",
      path: "/api/jobs/:id/changes",
      access: "user",
      summary: "What a job changed, field by field",
      params: IdParam,
      query: only({ limit: Limit, cursor: Cursor }),
      answer: only({ changes: Type.Array(ChangeShape), nextCursor: NextCursor }),
    },
    ({ app, caller, params, query }) => listChanges(app, caller.user.id, params.id, query),
  ),
  route(
    {
      method: "GET",
      path: "/api/jobs/:id/leftovers",
      access: "user",
      summary: "The records a job could not match or read",
      params: IdParam,
      query: only({ kind: Type.Optional(LeftoverKind), limit: Limit, cursor: Cursor }),
      answer: only({ leftovers: Type.Array(LeftoverShape), nextCursor: NextCursor }),
    },
    ({ app, caller, params, query }) => listLeftovers(app, caller.user.id, params.id, query),
  ),
  route(
    {
      method: "GET",
      path: "/api/jobs/:id/rollback",
      access: "user",
      summary: "What rolling a job back would do, or with undo, undoing an import",
      params: IdParam,
      query: only({ undo: Type.Optional(Type.Boolean()) }),
      answer: only({ deleted: Count, restored: Count, kept: Type.Array(Kept) }),
    },
    ({ app, caller, params, query }) =>
      previewCancel(app, { userId: caller.user.id, jobId: params.id, by: caller.user.id, undo: query.undo }),
  ),
  route(
    {
      method: "DELETE",
      path: "/api/jobs/:id",
      access: "user",
      summary: "Cancel a failed or stale job and roll it back",
      params: IdParam,
      answer: RolledBack,
      status: 200,
    },
    ({ app, caller, params }) => takenBack(app, { userId: caller.user.id, jobId: params.id, by: caller.user.id }),
  ),
  route(
    {
      method: "POST",
      path: "/api/jobs/:id/undo",
      access: "user",
      summary: "Undo a completed import",
      params: IdParam,
      answer: RolledBack,
      status: 200,
    },
    ({ app, caller, params }) =>
      takenBack(app, { userId: caller.user.id, jobId: params.id, by: caller.user.id, undo: true }),
  ),
  route(
    {
      method: "POST",
      path: "/api/jobs/:id/stop",
      access: "user",
      summary: "Ask a job to stop at its next page; it ends as interrupted",
      params: IdParam,
      answer: only({ job: JobShape }),
      status: 202,
    },
    async ({ app, caller, params }) => {
      const job = await app.db.read(() => syncJobs.get(caller.user.id, params.id));
      if (!app.underWay.interrupt(job.id) && isActive(job)) {
        throw new AppError("conflict", "Another program runs this job: stop it there.", { rule: "job_elsewhere" });
      }
      return { job: jobView(job, app.clock()) };
    },
  ),
  route(
    {
      method: "DELETE",
      path: "/api/leftovers/:id",
      access: "user",
      summary: "Dismiss a record left over: it is not offered again",
      params: IdParam,
    },
    async ({ app, caller, params }) => {
      if (!(await app.db.write(() => leftovers.dismiss(caller.user.id, params.id, app.clock())))) {
        throw noLeftover(caller.user.username, params.id);
      }
    },
  ),
];

const OneStatus = only({ status: StatusWord });

const readStatus = (status: string): JobStatus => readText(OneStatus, { status }).status;

const takenBack = async (app: App, request: Parameters<typeof cancelJob>[1]) => {
  const taken = await cancelJob(app, request);
  return rolledBackView(taken, app.clock());
};
