import { Type } from "typebox";
import { CHANGE_KINDS, RESOLUTIONS } from "../../domain/jobs/sync-job.ts";
import { CHAPTERS } from "../../domain/jobs/job-story.ts";
import * as jobs from "../../logbook/jobs.ts";
import * as runs from "../../logbook/job-actions.ts";
import { route } from "../http/route.ts";
import {
  Count,
  Cursor,
  Id,
  IdParam,
  JobShape,
  Kept,
  Previewed,
  LaterJob,
  Limit,
  ListedJobShape,
  Ms,
  NextCursor,
  only,
  orNull,
  ServiceParam,
  SourceWord,
  Text,
  words,
} from "../http/shapes.ts";

const RolledBack = only({
  job: JobShape,
  rollback: only({ deleted: Count, restored: Count, kept: Count, later: Type.Array(LaterJob) }),
});
const ChangeShape = only({
  id: Id,
  qsoId: Id,
  kind: words(CHANGE_KINDS),
  before: orNull(Type.Record(Text, Type.Unknown())),
  after: orNull(Type.Record(Text, Type.Unknown())),
  diff: Type.Array(only({ field: Text, before: Type.Unknown(), after: Type.Unknown() })),
});
const Named = Type.Array(only(Previewed));
const LeftoverKind = words(["unmatched", "rejected"] as const);
const LeftoverShape = only({
  id: Id,
  kind: LeftoverKind,
  reason: Text,
  record: Type.Record(Text, Text),
  candidates: Type.Array(Type.Integer()),
  resolvedAt: orNull(Ms),
  resolution: orNull(words(RESOLUTIONS)),
  actions: only({ dismiss: Type.Boolean() }),
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
        confirm: Type.Optional(Type.Boolean()),
      }),
      answer: only({ job: JobShape }),
      status: 202,
    },
    ({ app, asker, params, body }) => runs.sync(app, asker, params.source, body),
  ),
  route(
    {
      method: "GET",
      path: "/api/jobs",
      access: "user",
      summary: "Jobs, newest first",
      query: only({ limit: Limit, cursor: Cursor, source: Type.Optional(Text), status: Type.Optional(Text) }),
      answer: only({ jobs: Type.Array(ListedJobShape), active: Count, nextCursor: NextCursor }),
    },
    ({ app, asker, query }) => jobs.listJobs(app, asker, query),
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
    ({ app, asker, params }) => jobs.job(app, asker, params.id),
  ),
  route(
    {
      method: "GET",
      path: "/api/jobs/:id/changes",
      access: "user",
      summary: "What a job changed, field by field",
      params: IdParam,
      query: only({ limit: Limit, cursor: Cursor, kind: Type.Optional(words(CHAPTERS)) }),
      answer: only({ changes: Type.Array(ChangeShape), nextCursor: NextCursor }),
    },
    ({ app, asker, params, query }) => jobs.listChanges(app, asker, params.id, query),
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
    ({ app, asker, params, query }) => jobs.listLeftovers(app, asker, params.id, query),
  ),
  route(
    {
      method: "GET",
      path: "/api/jobs/:id/rollback",
      access: "user",
      summary: "What rolling a job back would do, or with undo, undoing it",
      params: IdParam,
      query: only({ undo: Type.Optional(Type.Boolean()) }),
      answer: only({
        deleted: Count,
        restored: Count,
        kept: Type.Array(Kept),
        keptTotal: Count,
        later: Type.Array(LaterJob),
        stopped: Type.Array(only({ jobId: Id, source: SourceWord })),
        staying: Count,
        contacts: only({ deleted: Named, restored: Named, stays: Named }),
      }),
    },
    ({ app, asker, params, query }) => runs.previewOfTakingBack(app, asker, { jobId: params.id, undo: query.undo }),
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
    ({ app, asker, params }) => runs.takeBack(app, asker, { jobId: params.id }),
  ),
  route(
    {
      method: "POST",
      path: "/api/jobs/:id/undo",
      access: "user",
      summary: "Undo a job that completed and is no sync",
      params: IdParam,
      answer: RolledBack,
      status: 200,
    },
    ({ app, asker, params }) => runs.takeBack(app, asker, { jobId: params.id, undo: true }),
  ),
  route(
    {
      method: "POST",
      path: "/api/jobs/:id/stop",
      access: "user",
      summary: "Ask a job to stop after its current batch; it ends as interrupted",
      params: IdParam,
      answer: only({ job: JobShape }),
      status: 202,
    },
    ({ app, asker, params }) => runs.stopJob(app, asker, params.id),
  ),
  route(
    {
      method: "DELETE",
      path: "/api/leftovers/:id",
      access: "user",
      summary: "Dismiss a record left over: it is not offered again",
      params: IdParam,
    },
    ({ app, asker, params }) => jobs.dismissLeftover(app, asker, params.id),
  ),
];
