import type { Progress } from "../domain/awards/award.ts";
import type { QsoView } from "../domain/contact/qso-view.ts";
import type { Activity } from "../domain/statistics/activity.ts";
import type { Gains, NewsSince } from "../domain/jobs/gains.ts";
import type { News } from "../awards/news.ts";
import type { Statistics } from "../domain/statistics/statistics.ts";
import { toJobView, type JobInList, type ListedJob } from "../domain/jobs/sync-job.ts";
import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import type { World } from "../world.ts";
import { awards, newsSince } from "./awards.ts";
import type { LogCaller } from "./caller.ts";
import { listContacts } from "./contacts.ts";
import { readSettled } from "./jobs.ts";
import { serviceSetups, type ServiceSetup } from "./services.ts";
import { atAGlance } from "./statistics.ts";

const NO_GAINS: readonly Gains[] = [];
const JOBS_SHOWN = 5;
const JOBS_LOOKED_AT = 20;

const CONTACTS_SHOWN = "6";

/** What the log brought its owner. It is read again when no job is active, because jobs change it all the time. */
export interface Glance {
  activity: Activity;
  awards: readonly Progress[];
  contacts: readonly QsoView[];
  /** What jobs newly brought in the last month. */
  recent: News;
}

export interface DashboardDocument {
  statistics: Statistics;
  glance: Glance | null;
  jobs: JobInList[];
  /** Jobs that started later. Adding them to the list would move it while the user reads it. */
  newer: JobInList[];
  active: number;
  services: ServiceSetup[];
  news: NewsSince | null;
}

type Deps = Pick<World, "db" | "cache" | "clock" | "log" | "vault" | "providers"> & Parameters<typeof awards>[0];

export interface DashboardParameters {
  /** What is new since this time is announced. */
  since: number | null;
  /** The newest job that is already displayed. */
  upTo?: number | undefined;
  /** Jobs that ended after this time are shown by their row. Announcing them above the list would move it. */
  openedAt: number;
  /** Whether the page was just opened, and needs everything. */
  isWhole: boolean;
}

/** Everything on the dashboard: figures, last jobs, services, and what is new since a time. */
export const dashboard = async (
  deps: Deps,
  caller: LogCaller,
  { since, upTo, openedAt, isWhole }: DashboardParameters,
): Promise<DashboardDocument> => {
  const { db, clock } = deps;
  const now = clock();
  const look = () =>
    db.read(function* () {
      const found = yield* syncJobs.list({ userId: caller.owner.id, limit: JOBS_LOOKED_AT });
      return {
        jobs: found,
        active: yield* syncJobs.countActive(caller.owner.id),
      };
    });
  const { jobs, active } = await readSettled(deps, look, (looked) => looked.active > 0);
  const { statistics, activity } = await atAGlance(deps, caller);
  const isEmpty = statistics.total === 0;
  return {
    statistics,
    glance: isEmpty || (active > 0 && !isWhole) ? null : { activity, ...(await loadGlance(deps, caller, openedAt)) },
    ...splitNewer(
      jobs.map((job) => toJobView(job, now)),
      upTo,
      JOBS_SHOWN,
    ),
    active,
    services: await serviceSetups(deps, caller),
    news: since === null ? null : await loadNews(deps, caller.owner.id, jobs.filter(isNews(since, openedAt)), since),
  };
};

const loadGlance = async (deps: Deps, caller: LogCaller, openedAt: number): Promise<Omit<Glance, "activity">> => {
  const recent = await newsSince(deps, caller, undefined);
  return {
    awards: (await awards(deps, caller)).awards,
    contacts: (await listContacts(deps, caller, { limit: CONTACTS_SHOWN })).qsos,
    recent: { ...recent, jobs: recent.jobs.filter(({ finishedAt }) => finishedAt <= openedAt) },
  };
};

/** Splits jobs into those up to the given one, limited in number, and newer ones. */
export const splitNewer = <Job extends { id: number }>(jobs: readonly Job[], upTo = Infinity, most = Infinity) => ({
  jobs: jobs.filter(({ id }) => id <= upTo).slice(0, most),
  newer: jobs.filter(({ id }) => id > upTo),
});

const isNews =
  (since: number, until: number) =>
  ({ finishedAt, dryRun }: ListedJob): boolean =>
    finishedAt !== null && finishedAt > since && finishedAt <= until && !dryRun;

const loadNews = async (
  { db, cache }: Deps,
  userId: number,
  ended: readonly ListedJob[],
  since: number,
): Promise<NewsSince> => {
  const done = ended.filter(({ status }) => status === "completed");
  const ids = done.map(({ id }) => id);
  const sum = (count: (job: ListedJob) => number) => done.reduce((total, job) => total + count(job), 0);
  return {
    since,
    jobs: done.length,
    added: sum(({ stats }) => stats.added),
    updated: sum(({ stats }) => stats.updated),
    confirmed: sum(({ stats }) => stats.newlyConfirmed),
    // There can be thousands of names. The same array is returned until the log changes, so that it is rendered once.
    gains:
      ids.length === 0
        ? NO_GAINS
        : await cache.getOrCompute(userId, `gains ${ids.join()}`, () =>
            db.read(() => syncJobs.listGainsOf(userId, ids)),
          ),
    failed: ended.filter(({ status }) => status === "failed").length,
  };
};
