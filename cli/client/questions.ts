import type { LogCaller } from "../../src/logbook/caller.ts";
import type { JobHearer } from "../../src/logbook/contract.ts";
import type { PastLogs } from "../../src/logbook/as-of.ts";
import type { Awards } from "../../src/awards/book.ts";
import type { JobRunner } from "../../src/sync/job/runner.ts";
import type { ApiRoute } from "../../src/server/api-routes.ts";
import type { World } from "../../src/world.ts";

/** The routes of a server by name, such as `GET /api/jobs/:id`. Only types, so no server code is loaded. */
type Types = NonNullable<ApiRoute["types"]>;
type RouteName = Types["request"];
type TypesOf<Name extends RouteName> = Extract<Types, { request: Name }>;

type NamesIn<Path> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? [Name, ...NamesIn<`/${More}`>]
    : [Rest]
  : [];
type ValuesOf<Names extends readonly unknown[], Values> = { [At in keyof Names]: Values[Names[At] & keyof Values] };
type Input<Name extends RouteName> = TypesOf<Name>["query"] | TypesOf<Name>["body"];

/** The parameters of the path in order, then the query or body. */
export type ArgumentsOf<Name extends RouteName> = [
  ...ValuesOf<NamesIn<Name>, TypesOf<Name>["params"]>,
  ...([Input<Name>] extends [never] ? [] : {} extends Input<Name> ? [asked?: Input<Name>] : [asked: Input<Name>]),
];

export type AnswerOf<Name extends RouteName> = TypesOf<Name>["answer"];

/** A log in a database opened by this process. Its parts are created when they are first needed. */
export interface LocalLog {
  world: World;
  asker: LogCaller;
  withPast(): Promise<World & { pasts: PastLogs }>;
  withAwards(): Promise<World & { pasts: PastLogs; awards: Awards }>;
  withRunner(): Promise<World & { runner: JobRunner }>;
  /** First fails the jobs of processes that died. */
  recover(): Promise<void>;
  /** Starts a job and passes its progress to the caller that waits for its end. */
  begin<Started extends { job: { id: number } }>(
    start: (hearing: { onProgress: JobHearer }) => Promise<Started>,
  ): Promise<Started>;
}

export interface Question<Name extends RouteName = RouteName> {
  route: Name;
  /** A field that every answer of the route has. An answer without it does not come from a qsolog server. */
  has: (keyof AnswerOf<Name> & string) | null;
  /** It can take minutes. */
  isSlow?: boolean;
  /** Answers the question from the local database. */
  here(log: LocalLog, ...asked: ArgumentsOf<Name>): Promise<AnswerOf<Name>>;
}

const question = <const Name extends RouteName>(
  route: Name,
  has: Question<Name>["has"],
  here: Question<Name>["here"],
  options: { isSlow?: boolean } = {},
): Question<Name> => ({ route, has, here, ...options });

const awards = () => import("../../src/logbook/awards.ts");
const contacts = () => import("../../src/logbook/contacts.ts");
const duplicates = () => import("../../src/logbook/duplicates.ts");
const jobActions = () => import("../../src/logbook/job-actions.ts");
const jobs = () => import("../../src/logbook/jobs.ts");
const needs = () => import("../../src/logbook/need.ts");
const notices = () => import("../../src/logbook/notices.ts");
const reconcile = () => import("../../src/logbook/reconcile.ts");
const repairs = () => import("../../src/logbook/repairs.ts");
const schedules = () => import("../../src/logbook/schedule.ts");
const services = () => import("../../src/logbook/services.ts");

const SLOW = { isSlow: true };

/**
 * The questions that commands ask about a log: the route that answers each on a server, and the function that answers
 * it locally. Arguments and answers have the types of the route.
 */
export const QUESTIONS = {
  account: question("GET /api/me", "user", async ({ world, asker }) => {
    const { getUserById } = await import("../../src/people/get-user.ts");
    return { user: await getUserById(world, asker.owner.id) };
  }),

  qsos: question("GET /api/qsos", "qsos", async (log, asked = {}) =>
    (await contacts()).listContacts(await log.withPast(), log.asker, asked),
  ),
  qso: question("GET /api/qsos/:id", "call", async (log, id, asked) =>
    (await contacts()).contact(await log.withPast(), log.asker, id, asked),
  ),
  why: question("GET /api/qsos/:id/why", "fields", async ({ world, asker }, id) =>
    (await import("../../src/logbook/why.ts")).why(world, asker, id),
  ),
  addQso: question("POST /api/qsos", "call", async ({ world, asker }, typed = {}) =>
    (await contacts()).addContact(world, asker, typed),
  ),
  editQso: question("PATCH /api/qsos/:id", "call", async ({ world, asker }, id, patch = {}) =>
    (await contacts()).editContact(world, asker, id, patch),
  ),
  deleteQso: question("DELETE /api/qsos/:id", null, async ({ world, asker }, id) =>
    (await contacts()).deleteContact(world, asker, id),
  ),
  feed: question("POST /api/feed", "taken", async ({ world, asker }, told) => {
    const [{ Feeds }, { feed }] = await Promise.all([
      import("../../src/sync/feed/feeds.ts"),
      import("../../src/logbook/feeds.ts"),
    ]);
    return feed({ ...world, feeds: new Feeds(world) }, asker, told);
  }),
  stats: question("GET /api/stats", "byBand", async (log, asked = {}) =>
    (await import("../../src/logbook/statistics.ts")).statistics(await log.withPast(), log.asker, asked),
  ),
  figure: question("GET /api/stats/:figure", null, async (log, name, asked) =>
    (await import("../../src/logbook/figures.ts")).figure(await log.withPast(), log.asker, name, asked),
  ),

  jobs: question("GET /api/jobs", "jobs", async ({ world, asker }, asked = {}) =>
    (await jobs()).listJobs(world, asker, asked),
  ),
  job: question("GET /api/jobs/:id", "job", async ({ world, asker }, id) => (await jobs()).job(world, asker, id)),
  changes: question("GET /api/jobs/:id/changes", "changes", async ({ world, asker }, id, asked = {}) =>
    (await jobs()).listChanges(world, asker, id, asked),
  ),
  leftovers: question("GET /api/jobs/:id/leftovers", "leftovers", async ({ world, asker }, id, asked = {}) =>
    (await jobs()).listLeftovers(world, asker, id, asked),
  ),
  dismissLeftover: question("DELETE /api/leftovers/:id", null, async ({ world, asker }, id) =>
    (await jobs()).dismissLeftover(world, asker, id),
  ),
  rollbackPreview: question(
    "GET /api/jobs/:id/rollback",
    "kept",
    async ({ world, asker, recover }, jobId, asked) => {
      await recover();
      return (await jobActions()).previewOfTakingBack(world, asker, { jobId, undo: asked?.undo });
    },
    SLOW,
  ),
  rollback: question(
    "DELETE /api/jobs/:id",
    "rollback",
    async ({ world, asker, recover }, jobId) => {
      await recover();
      return (await jobActions()).takeBack(world, asker, { jobId });
    },
    SLOW,
  ),
  undo: question(
    "POST /api/jobs/:id/undo",
    "rollback",
    async ({ world, asker, recover }, jobId) => {
      await recover();
      return (await jobActions()).takeBack(world, asker, { jobId, undo: true });
    },
    SLOW,
  ),
  interrupt: question("POST /api/jobs/:id/stop", "job", async ({ world, asker }, id) =>
    (await jobActions()).stopJob(world, asker, id),
  ),
  startSync: question("POST /api/sync/:source", "job", async (log, source, options) => {
    const [{ sync }, running] = [await jobActions(), await log.withRunner()];
    return log.begin((hearing) => sync(running, log.asker, source, options, hearing));
  }),
  startRepair: question("POST /api/repairs", "job", async (log, request) => {
    const [{ repair }, running] = [await repairs(), await log.withRunner()];
    return log.begin((hearing) => repair(running, log.asker, request, hearing));
  }),
  duplicates: question(
    "GET /api/duplicates",
    "groups",
    async ({ world, asker }, asked = {}) => (await duplicates()).listDuplicates(world, asker, asked),
    SLOW,
  ),
  startMerge: question("POST /api/duplicates/merge", "job", async (log, request = {}) => {
    const [{ merge }, running] = [await duplicates(), await log.withRunner()];
    return log.begin((hearing) => merge(running, log.asker, request, hearing));
  }),
  reconcile: question(
    "GET /api/reconcile",
    "counts",
    async ({ world, asker }, asked = {}) => (await reconcile()).reconcile(world, asker, asked),
    SLOW,
  ),
  settle: question("POST /api/reconcile/settle", "job", async (log, request) =>
    (await reconcile()).settle(await log.withRunner(), log.asker, request),
  ),

  services: question("GET /api/services", "services", async ({ world, asker }) =>
    (await services()).listServices(world, asker),
  ),
  setCredentials: question(
    "PUT /api/services/:source/credentials",
    "label",
    async ({ world, asker }, source, given = {}) => (await services()).setCredentials(world, asker, source, given),
  ),
  testCredentials: question("POST /api/services/:source/test", "label", async ({ world, asker }, source) =>
    (await services()).testCredentials(world, asker, source),
  ),
  clearCredentials: question("DELETE /api/services/:source/credentials", null, async ({ world, asker }, source) =>
    (await services()).clearCredentials(world, asker, source),
  ),
  schedule: question("GET /auto-sync/settings", "first", async ({ world, asker }) =>
    (await schedules()).schedule(world, asker),
  ),
  changeSchedule: question("PUT /auto-sync/settings", "first", async ({ world, asker }, change = {}) =>
    (await schedules()).changeSchedule(world, asker, change),
  ),

  targets: question("GET /api/notices/targets", "targets", async ({ world, asker }) =>
    (await notices()).listTargets(world, asker),
  ),
  addTarget: question("POST /api/notices/targets", "host", async ({ world, asker }, order) =>
    (await notices()).addTarget(world, asker, order),
  ),
  changeTarget: question("PUT /api/notices/targets/:id", "host", async ({ world, asker }, id, { events }) =>
    (await notices()).changeTarget(world, asker, id, events),
  ),
  removeTarget: question("DELETE /api/notices/targets/:id", null, async ({ world, asker }, id) =>
    (await notices()).removeTarget(world, asker, id),
  ),
  testTarget: question("POST /api/notices/targets/:id/test", "host", async ({ world, asker }, id) =>
    (await notices()).testTarget(world, asker, id),
  ),

  awards: question("GET /api/awards", "awards", async (log, asked) =>
    (await awards()).awards(await log.withAwards(), log.asker, asked),
  ),
  award: question("GET /api/awards/:id", "slots", async (log, name, asked) =>
    (await awards()).award(await log.withAwards(), log.asker, name, asked),
  ),
  matrix: question("GET /api/awards/:id/matrix", "rows", async (log, name, asked) =>
    (await awards()).matrix(await log.withAwards(), log.asker, name, asked),
  ),
  needed: question("GET /api/awards/:id/needed", "neverWorked", async (log, name, asked) =>
    (await awards()).needed(await log.withAwards(), log.asker, name, asked),
  ),
  cards: question("GET /api/awards/:id/cards", "cards", async (log, name, asked) =>
    (await awards()).cards(await log.withAwards(), log.asker, name, asked),
  ),
  need: question("GET /api/need", "awards", async ({ world, asker }, request) =>
    (await needs()).need(world, asker, request),
  ),
  needs: question("POST /api/need", "answers", async ({ world, asker }, { asked }) => ({
    answers: await (await needs()).needs(world, asker, asked),
  })),
  news: question("GET /api/news", "jobs", async ({ world, asker }, asked) =>
    (await awards()).newsSince(world, asker, asked?.since),
  ),
};
