import { AppError } from "../../domain/errors.ts";
import type { Service } from "../../domain/source.ts";
import type { JobOptions, JobTrigger, SyncJob } from "../../domain/sync-job.ts";
import * as leases from "../../storage/account-leases.ts";
import * as stored from "../../storage/service-credentials.ts";
import * as syncJobs from "../../storage/sync-jobs.ts";
import * as syncCursors from "../../storage/sync-cursors.ts";
import * as users from "../../storage/users.ts";
import type { World } from "../../world.ts";
import type { AccountInUse } from "../job/end.ts";
import type { Feed, RunOptions } from "../job/run.ts";
import type { JobSource, Preparation, SyncRunner } from "../job/runner.ts";
import { resolveDeadWorkers } from "../job/worker.ts";
import { openCredentials, providerDeps } from "./credentials.ts";

type Deps = Pick<
  World,
  | "db"
  | "clock"
  | "random"
  | "log"
  | "underWay"
  | "vault"
  | "providers"
  | "config"
  | "ticks"
  | "sleep"
  | "turn"
  | "after"
  | "deadline"
  | "callFacts"
  | "lastAsked"
>;

export interface SyncOrder {
  userId: number;
  source: Service;
  trigger: JobTrigger;
  options?: JobOptions;
  dryRun?: boolean;
  attempt?: number;
  onProgress?: RunOptions["onProgress"];
  mostRecordsABatch?: number;
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
  return runner.start(
    { userId, source, trigger, options, dryRun, attempt },
    new ServiceSync(deps, order, runner.worker.id),
  );
};

/** A sync of a service: its credentials, the account for itself, the cursor, and the download. */
class ServiceSync implements JobSource {
  account: AccountInUse | null = null;
  readonly #deps: Deps;
  readonly #order: SyncOrder;
  readonly #workerId: string;

  constructor(deps: Deps, order: SyncOrder, workerId: string) {
    this.#deps = deps;
    this.#order = order;
    this.#workerId = workerId;
  }

  async prepare(job: SyncJob, signal: AbortSignal): Promise<Preparation> {
    const { db, providers, callFacts } = this.#deps;
    const { userId, source, onProgress, mostRecordsABatch } = this.#order;
    const { credentials, stored: known } = await openCredentials(this.#deps, userId, source);
    const account: AccountInUse = { credentials: known, workerId: this.#workerId, lease: "none" };
    this.account = account;
    const facts = await callFacts();
    const user = await db.read(() => users.get(userId));
    const cursorBefore = await db.read(() => syncCursors.find(userId, source));
    const { full = false, since = null } = job.options;
    const request = { credentials, cursor: cursorBefore, full, since, callsign: credentials.callsign ?? user.callsign };
    const needs = { ...providerDeps(this.#deps, source), onProgress: this.#downloading(job) };
    const download = (): Feed => providers[source].download(needs, request, signal);
    return { cursorBefore, feed: this.#leased(account, download, signal), facts, onProgress, mostRecordsABatch };
  }

  /** A download that nobody else makes for the same account meanwhile, in this process or another. */
  async *#leased(account: AccountInUse, download: () => Feed, signal: AbortSignal): Feed {
    await this.#takeLease(account, signal);
    return yield* download();
  }

  async #takeLease(account: AccountInUse, signal: AbortSignal): Promise<void> {
    const { db, clock, sleep } = this.#deps;
    const { source, loginHash } = account.credentials;
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      account.lease = "asked";
      const isTaken = await db.write(() => leases.take(source, loginHash, this.#workerId, clock()));
      account.lease = isTaken ? "held" : "none";
      if (isTaken) return;
      if (tries % DEAD_LOOKED_FOR_EVERY === 1) await resolveDeadWorkers(this.#deps);
      await sleep(LEASE_ASKED_EVERY_MS, signal);
    }
  }

  /** Says now and then how much of an answer has come: a long report takes minutes. */
  #downloading({ id, stats }: SyncJob): (bytes: number) => void {
    const { db, clock, log } = this.#deps;
    const { onProgress } = this.#order;
    let toldAt = -Infinity;
    return (bytes) => {
      onProgress?.({ phase: "downloading", done: bytes }, stats);
      if (clock() - toldAt < PROGRESS_TOLD_EVERY_MS) return;
      toldAt = clock();
      db.write(() => syncJobs.setPhase(id, { phase: "downloading", done: bytes })).catch((error) =>
        log.debug("progress.not_told", { job: id, error }),
      );
    };
  }
}
