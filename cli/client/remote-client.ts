import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "../../src/kernel/errors.ts";
import { isActive } from "../../src/domain/jobs/sync-job.ts";
import { assertLog, readLog } from "../../src/sync/source/log-file.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import type { AdifInput, ImportOptions, JobDocument } from "../../src/logbook/contract.ts";
import { answeredBy, type Logbook } from "./logbook.ts";
import { QUESTIONS, type Question } from "./questions.ts";
import type { ServerLink } from "./server-link.ts";

/** Rejects early if the signal aborts. */
type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
const SLOWER = 1.5;
/** How often in a row a server can be unreachable while a job runs. This is enough time to restart it. */
const MISSES = 30;

/** Sends a question to its route: the values of the path in order, then the query or body. */
const send = (link: ServerLink, { route, has, isSlow }: Question, asked: readonly unknown[]): Promise<unknown> => {
  const [method, path] = route.split(" ") as [string, string];
  const values = [...asked];
  const filled = path.replaceAll(/:\w+/g, () => encodeURIComponent(String(values.shift())));
  const [rest] = values as [object?];
  return link.ask(method, filled, {
    ...(method === "GET" ? { query: rest as Record<string, string> } : { body: rest }),
    has: has ?? undefined,
    ...(isSlow ? { patienceMs: 0 } : {}),
  });
};

/** The log of the token's user on a server. Jobs run there and continue when the client ends. */
export const remoteClient = (link: ServerLink, pause: Pause = waitFor): Logbook => {
  const watching = new AbortController();
  const rest = async (ms: number): Promise<void> => {
    await pause(ms, watching.signal);
    watching.signal.throwIfAborted();
  };
  const look = (jobId: number) =>
    link.ask<JobDocument>("GET", `/api/jobs/${jobId}`, { has: "job", patienceMs: 30_000 });

  const lookPatiently = async (jobId: number): Promise<JobDocument> => {
    for (let missed = 1; ; missed++) {
      try {
        return await look(jobId);
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (missed > MISSES) throw lostSightOf(jobId, error);
        await rest(error.retryAfterSeconds === undefined ? MAX_PAUSE_MS : error.retryAfterSeconds * 1_000);
      }
    }
  };

  return {
    ...answeredBy(QUESTIONS, (question, asked) => send(link, question, asked)),
    runsJobsHere: false,
    exportAdif: (parameters) => link.pieces("/api/qsos/export", { ...parameters }),
    previewRepair: (request) =>
      link.ask("POST", "/api/repairs", { body: { ...request, dryRun: true }, has: "preview", patienceMs: 0 }),
    previewMerge: (request) =>
      link.ask("POST", "/api/duplicates/merge", { body: { ...request, dryRun: true }, has: "preview", patienceMs: 0 }),

    async startImport(input, { dryRun, warn } = {}) {
      await link.ask("GET", "/api/me", { has: "user" });
      return withFile(input, async (path) => {
        await assertLog(SYSTEM_TIME, path);
        const order = { query: { dryRun }, body: Bun.file(path), has: "job", patienceMs: 0 };
        const started = await link.ask<JobDocument>("POST", "/api/qsos/import", order);
        if (warn) await tellProblems(path, warn);
        return started;
      });
    },

    async untilEnd(jobId, hear) {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * SLOWER, MAX_PAUSE_MS)) {
        const document = await lookPatiently(jobId);
        const { job } = document;
        if (!isActive(job)) return document;
        if (job.progress) hear?.(job.progress, job.stats);
        await rest(pauseMs);
      }
    },

    async stop() {
      watching.abort();
      link.drop();
    },
  };
};

const waitFor: Pause = (ms, signal) => wait(ms, undefined, { signal });

/** A server that restarts or is busy will be back soon. */
const isPassing = (error: unknown): error is AppError =>
  error instanceof AppError && ["unavailable", "rate_limited"].includes(error.code);

const lostSightOf = (jobId: number, { code, message }: AppError): AppError =>
  new AppError(code, `${message} Job ${jobId} was running. Check it later: qsolog jobs show ${jobId}`);

/** A stream is stored in a temporary file while it is sent. */
const withFile = async <T>(input: AdifInput, work: (path: string) => Promise<T>): Promise<T> => {
  if (typeof input === "string") return work(input);
  const folder = await mkdtemp(join(tmpdir(), "qsolog-import-"));
  try {
    const path = join(folder, "log.adi");
    await writeFile(path, input);
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** The server returns only the number of unreadable records, so their positions are found by reading the file again. */
const tellProblems = async (path: string, warn: NonNullable<ImportOptions["warn"]>): Promise<void> => {
  for await (const { problems } of readLog(SYSTEM_TIME, path)) for (const problem of problems) warn(problem);
};
