import { AppError } from "../domain/errors.ts";
import { SyncError } from "../domain/provider.ts";
import type { Service } from "../domain/source.ts";
import type { JobOptions, JobTrigger, SyncJob } from "../domain/sync-job.ts";
import * as leases from "../storage/account-leases.ts";
import * as stored from "../storage/service-credentials.ts";
import * as syncJobs from "../storage/sync-jobs.ts";
import * as syncCursors from "../storage/sync-cursors.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import { openCredentials, rememberRefusal } from "./credentials.ts";
import type { Feed, RunOptions } from "./engine.ts";
import { providerDeps, type ProviderWorld } from "./provider-deps.ts";
import type { Prepare, SyncRunner } from "./runner.ts";
import { resolveDeadWorkers } from "./workers.ts";

type Deps = ProviderWorld & Pick<World, "db" | "underWay" | "vault" | "providers" | "deadline" | "callFacts">;

export interface SyncOrder {
  userId: number;
  source: Service;
  trigger: JobTrigger;
  options?: JobOptions;
  dryRun?: boolean;
  attempt?: number;
  onProgress?: RunOptions["onProgress"];
  mostRecordsAPage?: number;
}

const PROGRESS_TOLD_EVERY_MS = 2_000;
const LEASE_ASKED_EVERY_MS = 250;
const DEAD_LOOKED_FOR_EVERY = 4;

/** Starts a sync; refuses one that makes no sense, or of a service without credentials, before any job is made. */
export const startSync = async (deps: Deps, runner: SyncRunner, order: SyncOrder): Promise<SyncJob> => {
  const { userId, source, trigger, options = {}, dryRun, attempt } = order;
  if (options.full && options.since !== undefined) {
    throw new AppError("invalid", "Say full or since, not both.", {
      fields: [{ path: "since", message: "goes without full" }],
    });
  }
  if (options.resurrect && !options.full) {
    throw new AppError("invalid", "Resurrect goes with full.", {
      fields: [{ path: "resurrect", message: "goes with full" }],
    });
  }
  if (!(await deps.db.read(() => stored.find(userId, source)))) {
    const { label } = deps.providers[source];
    throw new AppError("conflict", `There are no credentials for ${label}.`, { rule: "not_configured" });
  }
  return runner.start({ userId, source, trigger, options, dryRun, attempt }, serviceJob(deps, runner, order));
};

/** What a job of a service needs: credentials, the account for itself, the cursor, and the download. */
const serviceJob =
  (deps: Deps, runner: SyncRunner, { userId, source, onProgress, mostRecordsAPage }: SyncOrder): Prepare =>
  async (job, signal) => {
    const { db, clock, providers, callFacts } = deps;
    const opened = await openCredentials(deps, userId, source);
    const { credentials } = opened;
    const { loginHash } = opened.stored;
    const facts = await callFacts();
    const user = await db.read(() => users.get(userId));
    const cursorBefore = await db.read(() => syncCursors.find(userId, source));
    const { full = false, since = null } = job.options;
    const request = { credentials, cursor: cursorBefore, full, since, callsign: credentials.callsign ?? user.callsign };
    const needs = { ...providerDeps(deps, source), onProgress: downloading(deps, job, onProgress) };
    const download = (): Feed => providers[source].download(needs, request, signal);
    return {
      cursorBefore,
      feed: leasedFeed(
        deps,
        { source, loginHash, workerId: runner.worker.id },
        download,
        (error) => rememberRefusal(deps, opened.stored, error),
        signal,
      ),
      options: {
        facts,
        onProgress,
        mostRecordsAPage,
        cursorTo: (after) => after,
        *onComplete(completed) {
          const now = completed.finishedAt ?? clock();
          yield* stored.setState(opened.stored, "ok", null, now);
          const current = yield* stored.find(userId, source);
          // How far one account was downloaded says nothing of the one that took its place meanwhile.
          if (current?.loginHash !== loginHash) yield* syncCursors.set(userId, source, null, now);
        },
      },
    };
  };

/** Says now and then how much of an answer has come: a long report takes minutes. */
const downloading = (
  { db, clock, log }: Deps,
  { id, stats }: SyncJob,
  onProgress: RunOptions["onProgress"],
): ((bytes: number) => void) => {
  let toldAt = -Infinity;
  return (bytes) => {
    onProgress?.({ phase: "downloading", done: bytes }, stats);
    if (clock() - toldAt < PROGRESS_TOLD_EVERY_MS) return;
    toldAt = clock();
    db.write(() => syncJobs.setPhase(id, { phase: "downloading", done: bytes })).catch((error) =>
      log.debug("progress.not_told", { job: id, error }),
    );
  };
};

interface Lease {
  source: Service;
  loginHash: string;
  workerId: string;
}

/** A download that nobody else makes for the same account meanwhile, in this process or another. */
async function* leasedFeed(
  deps: Deps,
  lease: Lease,
  download: () => Feed,
  onRefused: (error: SyncError) => Promise<void>,
  signal: AbortSignal,
): Feed {
  await takeLease(deps, lease, signal);
  try {
    return yield* download();
  } catch (error) {
    if (error instanceof SyncError) await onRefused(error);
    throw error;
  } finally {
    await deps.db.write(() => leases.release(lease.source, lease.loginHash, lease.workerId));
  }
}

const takeLease = async (deps: Deps, { source, loginHash, workerId }: Lease, signal: AbortSignal): Promise<void> => {
  const { db, clock, sleep } = deps;
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    if (await db.write(() => leases.take(source, loginHash, workerId, clock()))) return;
    if (tries % DEAD_LOOKED_FOR_EVERY === 1) await resolveDeadWorkers(deps);
    await sleep(LEASE_ASKED_EVERY_MS, signal);
  }
};
