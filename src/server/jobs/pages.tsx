/** @jsxImportSource @kitajs/html */
import type { Static } from "typebox";
import { Type } from "typebox";
import { AppError } from "../../kernel/errors.ts";
import { getContact } from "../../domain/jobs/job-words.ts";
import type { ChangeView } from "../../logbook/contract.ts";
import { CHAPTERS, findFirstPart } from "../../domain/jobs/job-story.ts";
import { dismissLeftover, job as jobOf, jobStory, listJobs } from "../../logbook/jobs.ts";
import { settleAsSaid } from "../../logbook/reconcile.ts";
import { splitNewer } from "../../logbook/dashboard.ts";
import { previewOfTakingBack, stopJob, takeBack } from "../../logbook/job-actions.ts";
import type { Outcome } from "../../../views/form.tsx";
import { Job, titleJob } from "../../../views/pages/job.tsx";
import type { ShownChange } from "../../../views/partials/contacts/change.tsx";
import { Jobs } from "../../../views/pages/jobs.tsx";
import { Rollback } from "../../../views/pages/rollback.tsx";
import { asked, problemOf, queryOf } from "../pages/forms.ts";
import { Cursor, Id, IdParam, only, Text, words } from "../http/shapes.ts";
import { formRoute, pageRoute, type PageCall } from "../pages/page-route.ts";
import { JOB_TEXTS } from "../../../views/texts/jobs.ts";

const JobsQuery = only({
  source: Type.Optional(Text),
  status: Type.Optional(Text),
  cursor: Cursor,
  upTo: Type.Optional(Id),
});
const Count = Type.Optional(Type.Integer({ minimum: 0 }));
const Done = Type.Optional(Type.Literal("dismissed"));
const JobQuery = only({
  changes: Cursor,
  leftovers: Cursor,
  deleted: Count,
  restored: Count,
  undo: Type.Optional(Type.Boolean()),
  tab: Type.Optional(words([...CHAPTERS, "left"] as const)),
  done: Done,
});

const jobsPage = async ({ app, asker, query }: PageCall<unknown, Static<typeof JobsQuery>>) => {
  const { upTo, ...words } = query;
  const question = asked(words);
  const { cursor, ...filter } = question;
  const { jobs: found, active, nextCursor } = await listJobs(app, asker, question);
  const { jobs, newer } = splitNewer(found, upTo);
  return {
    title: JOB_TEXTS.list.title,
    body: (
      <Jobs
        jobs={jobs}
        newer={newer.length}
        active={active}
        filter={filter}
        here={queryOf({ ...filter, cursor })}
        next={nextCursor && queryOf({ ...filter, cursor: nextCursor })}
        now={app.clock()}
      />
    ),
  };
};

type JobAsked = Static<typeof JobQuery>;
type JobCall = PageCall<{ id: number }, JobAsked>;

const jobPage = async ({ app, asker, params, query }: JobCall, { problem, done }: Outcome) => {
  const cursors = { changes: query.changes, leftovers: query.leftovers };
  const isAboutLeftovers = query.leftovers !== undefined || problem !== undefined || done !== undefined;
  const tab = isAboutLeftovers ? "left" : (query.tab ?? findFirstPart((await jobOf(app, asker, params.id)).job.stats));
  const kind = tab === "left" ? undefined : tab;
  const { job, changes, leftovers, candidates } = await jobStory(app, asker, params.id, { ...cursors, kind });
  const nextOf = (list: "changes" | "leftovers", cursor: string | null) =>
    cursor && `jobs/${job.id}${queryOf({ tab, [list]: cursor })}#${list}`;
  return {
    title: titleJob(job),
    body: (
      <Job
        job={job}
        changes={changes.changes.map(changeShown)}
        leftovers={leftovers.leftovers}
        candidates={candidates}
        nextChanges={nextOf("changes", changes.nextCursor)}
        nextLeftovers={nextOf("leftovers", leftovers.nextCursor)}
        here={queryOf({ tab: changes.changes.length > 0 ? tab : query.tab, ...cursors })}
        tab={tab}
        takenBack={takenBackWords(query)}
        done={done}
        problem={problem}
      />
    ),
  };
};

const changeShown = (change: ChangeView): ShownChange => {
  const { id, qsoId, kind, diff } = change;
  const { call, startedAt, band, mode, submode } = getContact(change);
  return { id, qsoId, kind, call, startedAt, band, mode: submode ?? mode, diff };
};

const takenBackWords = ({ deleted, restored, undo }: JobAsked): string | undefined =>
  deleted === undefined ? undefined : JOB_TEXTS.rollback.done(undo === true, deleted, restored ?? 0);

/** A refused rollback has no preview, only the reason. */
const rollbackPage = (undo: boolean) => async (call: PageCall<{ id: number }>, outcome: Outcome) => {
  const { app, asker, params } = call;
  const { job: taken } = await jobOf(app, asker, params.id);
  const title = JOB_TEXTS.rollback.pageTitle(undo, titleJob(taken));
  const tried = await previewOfTakingBack(app, call.watching(title), { jobId: params.id, undo }).then(
    (preview) => ({ preview, refusal: null }),
    (error: unknown) => {
      if (error instanceof AppError && error.code === "conflict") return { preview: null, refusal: error };
      throw error;
    },
  );
  const form = undo ? "undo" : "rollback";
  const problem = outcome.problem ?? (tried.refusal && problemOf(form, { message: tried.refusal.message }));
  return {
    title,
    status: tried.refusal ? 409 : 200,
    body: <Rollback job={taken} undo={undo} preview={tried.preview} problem={problem ?? undefined} />,
  };
};

const rollBack =
  (undo: boolean) =>
  async ({ app, asker, params }: PageCall<{ id: number }>) => {
    const { rollback } = await takeBack(app, asker, { jobId: params.id, undo });
    const counts = `deleted=${rollback.deleted}&restored=${rollback.restored}`;
    return { goto: `/jobs/${params.id}?${counts}${undo ? "&undo=true" : ""}` };
  };

const ofJob = { params: IdParam, query: JobQuery } as const;

export const jobPages = [
  pageRoute("/jobs", { query: JobsQuery, page: jobsPage }),
  pageRoute("/jobs/:id", { ...ofJob, page: jobPage }),
  formRoute("/jobs/:id/dismiss", {
    ...ofJob,
    form: "dismiss",
    back: "/jobs/:id",
    fields: only({ leftover: Id }),
    done: "dismissed",
    submit: ({ app, asker }, { leftover }) => dismissLeftover(app, asker, leftover),
    page: jobPage,
  }),
  formRoute("/jobs/:id/settle", {
    ...ofJob,
    form: "settle",
    fields: only({ settle: Text }),
    async submit({ app, asker }, { settle }) {
      const [, leftover = "0", act = ""] = /^(\d{1,15}) (\S+)$/.exec(settle) ?? [];
      const { job } = await settleAsSaid(app, asker, Number(leftover), act);
      return { goto: `/jobs/${job.id}` };
    },
    page: jobPage,
  }),
  formRoute("/jobs/:id/stop", {
    ...ofJob,
    form: "stop",
    back: "/jobs/:id",
    async submit({ app, asker, params }) {
      await stopJob(app, asker, params.id);
    },
  }),
  ...[false, true].flatMap((undo) => {
    const form = undo ? "undo" : "rollback";
    const page = rollbackPage(undo);
    return [
      pageRoute(`/jobs/:id/${form}`, { params: IdParam, page }),
      formRoute(`/jobs/:id/${form}`, { params: IdParam, form, submit: rollBack(undo), page }),
    ];
  }),
];
