/** @jsxImportSource @kitajs/html */
import { Type } from "../schema-types.ts";
import { AppError } from "../../domain/errors.ts";
import { readNumbers, writeCursor } from "../../storage/page-cursor.ts";
import { jobView, type JobStatus } from "../../domain/sync-job.ts";
import type { Source } from "../../domain/source.ts";
import * as leftovers from "../../storage/leftovers.ts";
import * as qsoChanges from "../../storage/qso-changes.ts";
import * as syncJobs from "../../storage/sync-jobs.ts";
import { cancelJob, previewCancel } from "../../sync/undo/rollback.ts";
import { diffOf } from "../../sync/undo/diff.ts";
import { listJobs } from "../../sync/job-pages.ts";
import type { Outcome } from "../../../views/form.tsx";
import { Job } from "../../../views/pages/job.tsx";
import type { ShownChange } from "../../../views/partials/change.tsx";
import { Jobs } from "../../../views/pages/jobs.tsx";
import { Rollback } from "../../../views/pages/rollback.tsx";
import { counted } from "../../../views/words.ts";
import { fitForm } from "../forms.ts";
import { Cursor, Id, IdParam, only, SourceWord, StatusWord } from "../shapes.ts";
import { labelsOf } from "../dashboard/pages.tsx";
import { formRoute, pageRoute, type PageCall } from "../page-route.ts";

const ROWS_A_PAGE = 50;

/** A form sends what was left open as an empty text. */
const orOpen = <T extends import("typebox").TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Literal("")]));

const JobsQuery = only({ source: orOpen(SourceWord), status: orOpen(StatusWord), cursor: Cursor });
const Count = Type.Optional(Type.Integer({ minimum: 0 }));
const Done = Type.Optional(Type.Literal("dismissed"));
const JobQuery = only({ changes: Cursor, leftovers: Cursor, deleted: Count, restored: Count, done: Done });
const DismissForm = only({ leftover: Id });

/** A query of what is given, or nothing. */
export const queryOf = (given: Record<string, string | undefined>): string => {
  const named = Object.entries(given).filter((one): one is [string, string] => !!one[1]);
  return named.length === 0 ? "" : `?${new URLSearchParams(named)}`;
};

const jobsPage = async ({
  app,
  caller,
  query,
}: PageCall<unknown, { source?: string; status?: string; cursor?: string }>) => {
  const source = (query.source || undefined) as Source | undefined;
  const status = (query.status || undefined) as JobStatus | undefined;
  const asked = { cursor: query.cursor, source, statuses: status && [status] };
  const { jobs, active, nextCursor } = await listJobs(app, caller.user.id, asked);
  return {
    title: "Jobs",
    body: (
      <Jobs
        jobs={jobs}
        active={active}
        filter={{ source, status }}
        here={queryOf({ source, status, cursor: query.cursor })}
        next={nextCursor && queryOf({ source, status, cursor: nextCursor })}
        labels={labelsOf(app)}
        now={app.clock()}
      />
    ),
  };
};

interface JobAsked {
  changes?: string;
  leftovers?: string;
  deleted?: number;
  restored?: number;
  done?: "dismissed";
}

type JobCall = PageCall<{ id: number }, JobAsked>;

const jobPage = async ({ app, caller, params, query }: JobCall, { problem, done }: Outcome) => {
  const afterOf = (name: string, cursor: string | undefined) =>
    cursor === undefined ? 0 : readNumbers([name, params.id], cursor, 1)[0]!;
  const [job, changed, left] = await app.db.read(function* () {
    const afterId = afterOf("leftovers", query.leftovers);
    return [
      yield* syncJobs.get(caller.user.id, params.id),
      yield* qsoChanges.list(params.id, afterOf("changes", query.changes), ROWS_A_PAGE + 1),
      yield* leftovers.list(params.id, { afterId, limit: ROWS_A_PAGE + 1 }),
    ] as const;
  });
  const parts = { changes: query.changes, leftovers: query.leftovers };
  const nextOf = (name: "changes" | "leftovers", rows: readonly { id: number }[]) =>
    rows.length > ROWS_A_PAGE
      ? `jobs/${job.id}${queryOf({ ...parts, [name]: writeCursor([name, job.id], [rows[ROWS_A_PAGE - 1]!.id]) })}#${name}`
      : null;
  return {
    title: `Job ${job.id}`,
    body: (
      <Job
        job={jobView(job, app.clock())}
        labels={labelsOf(app)}
        changes={changed.slice(0, ROWS_A_PAGE).map(changeShown)}
        leftovers={left
          .slice(0, ROWS_A_PAGE)
          .map((one) => ({ ...one, record: one.record.fields, isOpen: one.resolvedAt === null }))}
        nextChanges={nextOf("changes", changed)}
        nextLeftovers={nextOf("leftovers", left)}
        here={queryOf(parts)}
        takenBack={takenBackWords(query)}
        done={done ?? query.done}
        problem={problem}
      />
    ),
  };
};

const changeShown = ({ id, qsoId, kind, before, after }: qsoChanges.Change): ShownChange => {
  const { call, startedAt, band, mode, submode } = after;
  return { id, qsoId, kind, call, startedAt, band, mode: submode ?? mode, diff: diffOf(before, after) };
};

const takenBackWords = ({ deleted, restored }: JobAsked): string | undefined =>
  deleted === undefined
    ? undefined
    : `Taken back: ${counted(deleted, "QSO")} deleted, ${counted(restored ?? 0, "QSO")} restored.`;

/** What is refused has no preview, only the reason. */
const rollbackPage = async (call: PageCall<{ id: number }>, undo: boolean, outcome: Outcome) => {
  const { app, caller, params } = call;
  const order = { userId: caller.user.id, jobId: params.id, by: caller.user.id, undo };
  const job = await app.db.read(() => syncJobs.get(caller.user.id, params.id));
  const tried = await previewCancel(app, order).then(
    (preview) => ({ preview, refusal: null }),
    (error: unknown) => {
      if (error instanceof AppError && error.code === "conflict") return { preview: null, refusal: error };
      throw error;
    },
  );
  const form = undo ? "undo" : "rollback";
  const problem =
    outcome.problem ?? (tried.refusal && { form, message: tried.refusal.message, fields: {}, values: {} });
  return {
    title: undo ? "Undo an import" : "Roll back a job",
    status: tried.refusal ? 409 : 200,
    body: (
      <Rollback
        job={jobView(job, app.clock())}
        labels={labelsOf(app)}
        undo={undo}
        preview={tried.preview}
        problem={problem ?? undefined}
      />
    ),
  };
};

const takeBack = async ({ app, caller, params }: PageCall<{ id: number }>, undo: boolean) => {
  const { result } = await cancelJob(app, { userId: caller.user.id, jobId: params.id, by: caller.user.id, undo });
  return { goto: `/jobs/${params.id}?deleted=${result.deleted}&restored=${result.restored}` };
};

const dismissLeftover = async ({ app, caller, params }: JobCall, fields: Record<string, string>) => {
  const { leftover } = fitForm(DismissForm, fields);
  const isDismissed = await app.db.write(function* () {
    yield* syncJobs.get(caller.user.id, params.id);
    return yield* leftovers.dismiss(caller.user.id, leftover, app.clock());
  });
  if (!isDismissed) throw new AppError("conflict", "This record is settled already.");
  return "dismissed";
};

const ofJob = { access: "user", params: IdParam, query: JobQuery } as const;

export const jobPages = [
  pageRoute({ path: "/jobs", access: "user", query: JobsQuery }, jobsPage),
  pageRoute({ path: "/jobs/:id", ...ofJob }, (call) => jobPage(call, {})),
  formRoute({ path: "/jobs/:id/dismiss", ...ofJob, form: "dismiss", back: "/jobs/:id" }, dismissLeftover, jobPage),
  pageRoute({ path: "/jobs/:id/rollback", access: "user", params: IdParam }, (call) => rollbackPage(call, false, {})),
  pageRoute({ path: "/jobs/:id/undo", access: "user", params: IdParam }, (call) => rollbackPage(call, true, {})),
  formRoute(
    { path: "/jobs/:id/rollback", access: "user", params: IdParam, form: "rollback" },
    (call) => takeBack(call, false),
    (call, outcome) => rollbackPage(call, false, outcome),
  ),
  formRoute(
    { path: "/jobs/:id/undo", access: "user", params: IdParam, form: "undo" },
    (call) => takeBack(call, true),
    (call, outcome) => rollbackPage(call, true, outcome),
  ),
];
