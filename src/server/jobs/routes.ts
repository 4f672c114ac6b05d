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
  route("POST /api/sync/:source", {
    name: "startSync",
    summary: "Start a sync",
    description:
      "`full` downloads everything; `since` what the service received or changed since that day. `resurrect` goes with `full` and restores contacts that you deleted. A dry run changes nothing.",
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
    handle: ({ app, asker, params, body }) => runs.sync(app, asker, params.source, body),
  }),
  route("GET /api/jobs", {
    name: "listJobs",
    summary: "List jobs, newest first",
    description: "`source` and `status` filter; several statuses are separated by commas. Answers are not cached.",
    query: only({ limit: Limit, cursor: Cursor, source: Type.Optional(Text), status: Type.Optional(Text) }),
    answer: only({ jobs: Type.Array(ListedJobShape), active: Count, nextCursor: NextCursor }),
    handle: ({ app, asker, query }) => jobs.listJobs(app, asker, query),
  }),
  route("GET /api/jobs/:id", {
    name: "getJob",
    summary: "Get a job",
    params: IdParam,
    answer: only({ job: JobShape }),
    handle: ({ app, asker, params }) => jobs.job(app, asker, params.id),
  }),
  route("GET /api/jobs/:id/changes", {
    name: "listJobChanges",
    summary: "List what a job changed",
    description: "Each change with what the contact was before and after.",
    params: IdParam,
    query: only({ limit: Limit, cursor: Cursor, kind: Type.Optional(words(CHAPTERS)) }),
    answer: only({ changes: Type.Array(ChangeShape), nextCursor: NextCursor }),
    handle: ({ app, asker, params, query }) => jobs.listChanges(app, asker, params.id, query),
  }),
  route("GET /api/jobs/:id/leftovers", {
    name: "listLeftovers",
    summary: "List the records that a job could not match or read",
    params: IdParam,
    query: only({ kind: Type.Optional(LeftoverKind), limit: Limit, cursor: Cursor }),
    answer: only({ leftovers: Type.Array(LeftoverShape), nextCursor: NextCursor }),
    handle: ({ app, asker, params, query }) => jobs.listLeftovers(app, asker, params.id, query),
  }),
  route("GET /api/jobs/:id/rollback", {
    name: "previewRollback",
    summary: "Preview a rollback or an undo",
    description:
      "Names at most 1,000 kept values and 100 contacts of each kind; `keptTotal` counts all values, `staying` the contacts that keep something newer.",
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
    handle: ({ app, asker, params, query }) =>
      runs.previewOfTakingBack(app, asker, { jobId: params.id, undo: query.undo }),
  }),
  route("DELETE /api/jobs/:id", {
    name: "rollBackJob",
    summary: "Cancel a failed or stale job and roll it back",
    description: "Deletes what the job added and restores what it updated. Answers when that is done.",
    params: IdParam,
    answer: RolledBack,
    status: 200,
    handle: ({ app, asker, params }) => runs.takeBack(app, asker, { jobId: params.id }),
  }),
  route("POST /api/jobs/:id/undo", {
    name: "undoJob",
    summary: "Undo a completed job that is not a sync",
    description: "Does what a rollback does.",
    params: IdParam,
    answer: RolledBack,
    status: 200,
    handle: ({ app, asker, params }) => runs.takeBack(app, asker, { jobId: params.id, undo: true }),
  }),
  route("POST /api/jobs/:id/stop", {
    name: "stopJob",
    summary: "Stop a job after its current batch",
    description: "The job ends as `interrupted`. A job that has ended stays as it is.",
    params: IdParam,
    answer: only({ job: JobShape }),
    status: 202,
    handle: ({ app, asker, params }) => runs.stopJob(app, asker, params.id),
  }),
  route("DELETE /api/leftovers/:id", {
    name: "dismissLeftover",
    summary: "Dismiss a record that was left over",
    description: "It is not tried again.",
    params: IdParam,
    handle: ({ app, asker, params }) => jobs.dismissLeftover(app, asker, params.id),
  }),
];
