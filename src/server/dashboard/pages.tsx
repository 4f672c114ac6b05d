/** @jsxImportSource @kitajs/html */
import { isoDate } from "../../domain/instant.ts";
import { Type } from "../schema-types.ts";
import { parseDay } from "../../domain/day.ts";
import { byService, SERVICES } from "../../domain/source.ts";
import { jobView, type SyncJob } from "../../domain/sync-job.ts";
import * as credentials from "../../storage/service-credentials.ts";
import * as syncJobs from "../../storage/sync-jobs.ts";
import * as users from "../../storage/users.ts";
import { startSync } from "../../sync/source/service.ts";
import type { App } from "../../app.ts";
import type { Labels } from "../../../views/labels.ts";
import type { Outcome } from "../../../views/form.tsx";
import { Dashboard } from "../../../views/pages/dashboard.tsx";
import { gainsOf } from "../../../views/partials/gains.tsx";
import { Board, LogAtAGlance, type BoardProps, type News } from "../../../views/partials/board.tsx";
import { fitForm } from "../forms.ts";
import { only, ServiceParam } from "../shapes.ts";
import { lastVisit } from "./last-visit.ts";
import { formRoute, pageRoute, type PageCall } from "../page-route.ts";
import { scheduleOf } from "../schedule/schedule-of.ts";
import { statisticsAtHand } from "./statistics-at-hand.tsx";

const JOBS_SHOWN = 5;
const JOBS_LOOKED_AT = 20;

const DoneQuery = only({ done: Type.Optional(Type.String({ maxLength: 40 })) });
const Ticked = Type.Optional(Type.Literal("on"));
const SyncForm = only({ full: Ticked, dryRun: Ticked, since: Type.Optional(Type.String({ maxLength: 40 })) });

export const labelsOf = ({ providers }: Pick<App, "providers">): Labels => ({
  ...byService((service) => providers[service].label),
  file: "File",
});

const boardOf = async (
  { app, caller }: PageCall,
  since: number | null,
): Promise<BoardProps & { charts: JSX.Element }> => {
  const userId = caller.user.id;
  const now = app.clock();
  const { logVersion, jobs, active, known, schedule } = await app.db.read(function* () {
    return {
      logVersion: yield* users.logVersion(userId),
      jobs: yield* syncJobs.list({ userId, limit: since === null ? JOBS_SHOWN : JOBS_LOOKED_AT }),
      active: yield* syncJobs.countActive(userId),
      known: yield* credentials.list(userId),
      schedule: yield* scheduleOf(userId),
    };
  });

  const { statistics, charts } = await statisticsAtHand(app, userId, logVersion);
  return {
    statistics,
    charts,
    jobs: jobs.slice(0, JOBS_SHOWN).map((job) => jobView(job, now)),
    active,
    services: SERVICES.map((source) => {
      const stored = known.find((one) => one.source === source);
      return {
        source,
        label: app.providers[source].label,
        configured: stored !== undefined,
        state: stored?.state ?? "unknown",
        reason: stored?.stateReason ?? null,
        schedule: schedule[source],
      };
    }),
    news: since === null ? null : newsOf(jobs, since),
    labels: labelsOf(app),
    now,
  };
};

const newsOf = (jobs: readonly SyncJob[], since: number): News => {
  const ended = jobs.filter(({ finishedAt, dryRun }) => finishedAt !== null && finishedAt > since && !dryRun);
  const done = ended.filter(({ status }) => status === "completed");
  const sum = (count: (job: SyncJob) => number) => done.reduce((total, job) => total + count(job), 0);
  return {
    since,
    jobs: done.length,
    added: sum(({ stats }) => stats.added),
    updated: sum(({ stats }) => stats.updated),
    confirmed: sum(({ stats }) => stats.newlyConfirmed),
    gains: done.flatMap(({ gains }) => gainsOf(gains)),
    failed: ended.filter(({ status }) => status === "failed").length,
  };
};

const dashboardPage = async (call: PageCall, outcome: Outcome) => {
  const { app, caller, request } = call;
  const { since, cookie } = lastVisit(app.config, request, caller.user.id, app.clock());
  call.header("set-cookie", cookie);
  const { callsign, username } = caller.user;
  return {
    title: "Dashboard",
    body: <Dashboard name={callsign ?? username} {...await boardOf(call, since)} {...outcome} />,
  };
};

export const dashboardPages = [
  pageRoute({ path: "/", access: "user", query: DoneQuery }, (call) => dashboardPage(call, { done: call.query.done })),
  pageRoute({ path: "/partials/board", access: "user" }, async (call) => {
    const { since } = lastVisit(call.app.config, call.request, call.caller.user.id, call.app.clock());
    const { charts, ...board } = await boardOf(call, since);
    const fragment = (
      <>
        <Board {...board} />
        {board.active === 0 ? <LogAtAGlance charts={charts} isAnew /> : ""}
      </>
    );
    return { fragment };
  }),
  formRoute(
    { path: "/sync/:source", access: "user", params: ServiceParam, form: "sync" },
    async ({ app, caller, params }, fields) => {
      const { full, dryRun, since } = fitForm(SyncForm, fields);
      const day = since === undefined ? {} : { since: isoDate(parseDay(since, "since")) };
      await startSync(app, app.runner, {
        userId: caller.user.id,
        source: params.source,
        trigger: "manual",
        options: { ...(full ? { full: true } : {}), ...day },
        dryRun: dryRun !== undefined,
      });
      return params.source;
    },
    (call, { problem, done }) =>
      dashboardPage(call, {
        done,
        ...(problem ? { problem: { ...problem, form: `sync-${call.params.source}` } } : {}),
      }),
  ),
];
