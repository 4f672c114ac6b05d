import type { LogCaller } from "../../src/logbook/caller.ts";
import type { JobHearer } from "../../src/logbook/contract.ts";
import type { OnProgress } from "../../src/kernel/progress.ts";
import { lazy } from "../../src/kernel/lazy.ts";
import type { World } from "../../src/world.ts";
import type { User } from "../../src/domain/people/user.ts";
import { answeredBy, type Logbook } from "./logbook.ts";
import { QUESTIONS, type LocalLog } from "./questions.ts";

/** A user's log in a database opened by this process. Everything is loaded when it is first needed. */
export const localClient = (
  world: World,
  { id, username }: Pick<User, "id" | "username">,
  onProgress?: OnProgress,
): Logbook => {
  const asker: LogCaller = { owner: { id, username }, by: "operator", onProgress };
  const hearers = new Map<number, JobHearer>();

  const recover = lazy(async () => {
    const [{ recover: failLostJobs }, { finishRollbacks }] = await Promise.all([
      import("../../src/sync/job/worker.ts"),
      import("../../src/sync/undo/rollback.ts"),
    ]);
    await failLostJobs(world);
    await finishRollbacks(world);
  });
  const withPast = lazy(async () => {
    const { PastLogs } = await import("../../src/logbook/as-of.ts");
    return { ...world, pasts: new PastLogs(world) };
  });
  const withAwards = lazy(async () => {
    const { Awards } = await import("../../src/awards/book.ts");
    return { ...(await withPast()), awards: new Awards(world) };
  });
  /** One job at a time. */
  const withRunner = lazy(async () => {
    const [{ SyncRunner }] = await Promise.all([import("../../src/sync/job/runner.ts"), recover()]);
    return { ...world, runner: new SyncRunner(world, 1) };
  });
  /** A job has no id before it has started, so earlier progress is dropped. */
  const begin: LocalLog["begin"] = async (start) => {
    let jobId: number | null = null;
    const started = await start({
      onProgress: (...news) => jobId !== null && hearers.get(jobId)?.(...news),
    });
    jobId = started.job.id;
    return started;
  };
  const log: LocalLog = { world, asker, withPast, withAwards, withRunner, recover, begin };

  return {
    ...answeredBy(QUESTIONS, (question, asked) => question.here(log, ...(asked as never))),
    runsJobsHere: true,
    async *exportAdif(parameters) {
      const { exportContacts } = await import("../../src/logbook/contacts.ts");
      yield* (await exportContacts(await withPast(), asker, parameters)).pieces;
    },
    async previewRepair(request) {
      return (await import("../../src/logbook/repairs.ts")).previewRepair(world, asker, request);
    },
    async previewMerge(request) {
      return (await import("../../src/logbook/duplicates.ts")).previewMerge(world, asker, request);
    },
    async startImport(input, options) {
      const [{ importLog }, running] = [await import("../../src/logbook/job-actions.ts"), await withRunner()];
      return begin((hearing) => importLog(running, asker, input, { ...options, ...hearing }));
    },
    async untilEnd(jobId, hear) {
      if (hear) hearers.set(jobId, hear);
      const ended = await (await import("../../src/logbook/job-actions.ts")).untilEnd(world, asker, jobId);
      hearers.delete(jobId);
      return ended;
    },
    async stop() {
      if (withRunner.isMade()) {
        await (await withRunner()).runner.stop();
        await sendNotices(world);
      }
      if (withPast.isMade()) await (await withPast()).pasts.close();
    },
  };
};

/** How long a command waits for its notifications to be sent. A server sends the rest. */
const NOTICES_MS = 5_000;

const sendNotices = async (world: World): Promise<void> => {
  const { tellNow } = await import("../../src/logbook/notices.ts");
  await tellNow(world, world.deadline(NOTICES_MS));
};
