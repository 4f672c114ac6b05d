import type { LogCaller } from "../../src/logbook/caller.ts";
import type { JobHearer, Logbook } from "../../src/logbook/contract.ts";
import type { OnProgress } from "../../src/kernel/progress.ts";
import { lazy } from "../../src/kernel/lazy.ts";
import type { World } from "../../src/world.ts";
import type { User } from "../../src/domain/people/user.ts";

const contacts = () => import("../../src/logbook/contacts.ts");
const jobs = () => import("../../src/logbook/jobs.ts");
const runs = () => import("../../src/logbook/job-actions.ts");
const repairs = () => import("../../src/logbook/repairs.ts");
const duplicates = () => import("../../src/logbook/duplicates.ts");
const reconciling = () => import("../../src/logbook/reconcile.ts");
const services = () => import("../../src/logbook/services.ts");
const schedules = () => import("../../src/logbook/schedule.ts");
const notices = () => import("../../src/logbook/notices.ts");
const awards = () => import("../../src/logbook/awards.ts");

/**
 * The log of a user in a database that this process has open. What a question needs is loaded when it is asked: most
 * commands ask one.
 */
export const localClient = (
  world: World,
  { id, username }: Pick<User, "id" | "username">,
  onProgress?: OnProgress,
): Logbook => {
  const asker: LogCaller = { id, username, via: "operator", onProgress };
  const hearers = new Map<number, JobHearer>();

  /** What programs that died left half done comes to its end first. */
  const settled = lazy(async () => {
    const [{ recover }, { finishRollbacks }] = await Promise.all([
      import("../../src/sync/job/worker.ts"),
      import("../../src/sync/undo/rollback.ts"),
    ]);
    await recover(world);
    await finishRollbacks(world);
    return runs();
  });
  /** One job at a time. */
  const running = lazy(async () => {
    const [{ SyncRunner }] = await Promise.all([import("../../src/sync/job/runner.ts"), settled()]);
    return { ...world, runner: new SyncRunner(world, 1) };
  });
  const looking = lazy(async () => {
    const { PastLogs } = await import("../../src/logbook/as-of.ts");
    return { ...world, pasts: new PastLogs(world) };
  });
  const counting = lazy(async () => {
    const { Awards } = await import("../../src/awards/book.ts");
    return { ...(await looking()), awards: new Awards(world) };
  });

  /** A job has no number before it has begun: what it tells until then is told to nobody. */
  const begin = async <Started extends { job: { id: number } }>(
    start: (hearing: { onProgress: JobHearer }) => Promise<Started>,
  ): Promise<Started> => {
    let started: Started | null = null;
    const onProgress: JobHearer = (...news) => started && hearers.get(started.job.id)?.(...news);
    return (started = await start({ onProgress }));
  };

  const asking = () => import("../../src/logbook/need.ts");
  const feeding = lazy(async () => {
    const [{ Feeds }, { feed }] = await Promise.all([
      import("../../src/sync/feed/feeds.ts"),
      import("../../src/logbook/feeds.ts"),
    ]);
    return { ...world, feeds: new Feeds(world), feed };
  });

  return {
    runsJobsHere: true,
    async account() {
      const { getUserById } = await import("../../src/people/listing.ts");
      const { username: name, callsign } = await getUserById(world, id);
      return { username: name, callsign };
    },

    qsos: async (parameters) => (await contacts()).listContacts(await looking(), asker, parameters),
    qso: async (qsoId, asked) => (await contacts()).contact(await looking(), asker, qsoId, asked),
    why: async (qsoId) => (await import("../../src/logbook/why.ts")).why(world, asker, qsoId),
    addQso: async (typed) => (await contacts()).addContact(world, asker, typed),
    editQso: async (qsoId, patch) => (await contacts()).editContact(world, asker, qsoId, patch),
    deleteQso: async (qsoId) => (await contacts()).deleteContact(world, asker, qsoId),
    async *exportAdif(parameters) {
      yield* (await (await contacts()).exportContacts(await looking(), asker, parameters)).pieces;
    },
    figure: async (name, asked) =>
      (await import("../../src/logbook/figures.ts")).figure(await looking(), asker, name, asked),
    stats: async (asked = {}) =>
      (await import("../../src/logbook/statistics.ts")).statistics(await looking(), asker, asked),

    jobs: async (asked) => (await jobs()).listJobs(world, asker, asked),
    job: async (jobId) => (await jobs()).job(world, asker, jobId),
    changes: async (jobId, asked) => (await jobs()).listChanges(world, asker, jobId, asked),
    leftovers: async (jobId, asked) => (await jobs()).listLeftovers(world, asker, jobId, asked),
    dismissLeftover: async (leftoverId) => (await jobs()).dismissLeftover(world, asker, leftoverId),

    rollbackPreview: async (jobId, { undo } = {}) =>
      (await settled()).previewOfTakingBack(world, asker, { jobId, undo }),
    rollback: async (jobId) => (await settled()).takeBack(world, asker, { jobId }),
    undo: async (jobId) => (await settled()).takeBack(world, asker, { jobId, undo: true }),
    async startSync(source, wishes) {
      const [{ sync }, desk] = [await runs(), await running()];
      return begin((hearing) => sync(desk, asker, source, wishes, hearing));
    },
    reconcile: async (asked) => (await reconciling()).reconcile(world, asker, asked),
    async settle(wishes) {
      const [{ settle }, desk] = [await reconciling(), await running()];
      return settle(desk, asker, wishes);
    },
    previewRepair: async (wishes) => (await repairs()).previewRepair(world, asker, wishes),
    async startRepair(wishes) {
      const [{ repair }, desk] = [await repairs(), await running()];
      return begin((hearing) => repair(desk, asker, wishes, hearing));
    },
    duplicates: async (asked) => (await duplicates()).listDuplicates(world, asker, asked),
    previewMerge: async (wishes) => (await duplicates()).previewMerge(world, asker, wishes),
    async startMerge(wishes) {
      const [{ merge }, desk] = [await duplicates(), await running()];
      return begin((hearing) => merge(desk, asker, wishes, hearing));
    },
    async feed(wishes) {
      const { feed, ...desk } = await feeding();
      return feed(desk, asker, wishes);
    },
    async startImport(input, wishes) {
      const [{ importLog }, desk] = [await runs(), await running()];
      return begin((hearing) => importLog(desk, asker, input, { ...wishes, ...hearing }));
    },
    async untilEnd(jobId, hear) {
      if (hear) hearers.set(jobId, hear);
      const ended = await (await runs()).untilEnd(world, asker, jobId);
      hearers.delete(jobId);
      return ended;
    },
    interrupt: async (jobId) => (await runs()).stopJob(world, asker, jobId),

    services: async () => (await services()).listServices(world, asker),
    setCredentials: async (source, given) => (await services()).setCredentials(world, asker, source, given),
    testCredentials: async (source) => (await services()).testCredentials(world, asker, source),
    clearCredentials: async (source) => (await services()).clearCredentials(world, asker, source),
    schedule: async () => (await schedules()).schedule(world, asker),
    changeSchedule: async (change) => (await schedules()).changeSchedule(world, asker, change),

    targets: async () => (await notices()).listTargets(world, asker),
    addTarget: async (order) => (await notices()).addTarget(world, asker, order),
    changeTarget: async (targetId, events) => (await notices()).changeTarget(world, asker, targetId, events),
    removeTarget: async (targetId) => (await notices()).removeTarget(world, asker, targetId),
    testTarget: async (targetId) => (await notices()).testTarget(world, asker, targetId),

    awards: async (asked) => (await awards()).awards(await counting(), asker, asked),
    award: async (name, asked) => (await awards()).award(await counting(), asker, name, asked),
    matrix: async (name, asked) => (await awards()).matrix(await counting(), asker, name, asked),
    needed: async (name, asked) => (await awards()).needed(await counting(), asker, name, asked),
    cards: async (name, asked) =>
      (await import("../../src/logbook/cards.ts")).cards(await counting(), asker, name, asked),
    need: async (wishes) => (await asking()).need(world, asker, wishes),
    needs: async (asked) => (await asking()).needs(world, asker, asked),
    news: async (since) => (await awards()).newsSince(world, asker, since),

    async stop() {
      if (running.isMade()) {
        await (await running()).runner.stop();
        await tell(world);
      }
      if (looking.isMade()) await (await looking()).pasts.close();
    },
  };
};

/** So long a command waits for those that are told of its jobs; what did not arrive is a server's to send. */
const TELLING_MS = 5_000;

const tell = async (world: World): Promise<void> => {
  const { tellNow } = await notices();
  await tellNow(world, world.deadline(TELLING_MS));
};
