import { AppError } from "../../kernel/errors.ts";
import { SyncError, type LastAsked } from "../../domain/jobs/provider.ts";
import type { Service } from "../../domain/jobs/source.ts";
import type { JobOptions, JobTrigger, SyncJob } from "../../domain/jobs/sync-job.ts";
import { LastAskedTable } from "../../storage/jobs/last-asked.ts";
import { canOpen } from "../../storage/engine/secret-fingerprint.ts";
import * as leases from "../../storage/jobs/account-leases.ts";
import * as stored from "../../storage/jobs/service-credentials.ts";
import * as syncJobs from "../../storage/jobs/sync-jobs.ts";
import * as syncCursors from "../../storage/jobs/sync-cursors.ts";
import { standalone, type Unit } from "../../storage/engine/unit.ts";
import * as users from "../../storage/people/users.ts";
import { SEALED_ELSEWHERE } from "../../kernel/vault.ts";
import type { World } from "../../world.ts";
import { Interrupted, toLease, releaseAccount, type AccountInUse } from "../job/finish.ts";
import type { WorkDatabase } from "../job/retrying-database.ts";
import type { RunOptions } from "../job/run.ts";
import type { JobRunner, JobSource, Preparation, SyncRunner } from "../job/runner.ts";
import { failJobsOfDeadWorkers } from "../job/worker.ts";
import { buildProviderDeps, describeStrangeBook, openCredentials } from "./credentials.ts";

export interface SyncOrder {
  userId: number;
  source: Service;
  trigger: JobTrigger;
  options?: JobOptions;
  dryRun?: boolean;
  attempt?: number;
  /** The user agrees to download a logbook of another callsign. */
  confirm?: boolean;
  onProgress?: RunOptions["onProgress"];
  maxBatchRecords?: number;
}

const PROGRESS_TOLD_EVERY_MS = 2_000;
const LEASE_ASKED_EVERY_MS = 250;
const DEAD_LOOKED_FOR_EVERY = 4;

/** Starts a sync. Refuses impossible options, or a service without credentials, before a job is created. */
export const startSync = async (deps: World, runner: JobRunner, order: SyncOrder): Promise<SyncJob> => {
  const { userId, source, trigger, options = {}, dryRun, attempt } = order;
  if (options.full && options.since !== undefined) {
    throw new AppError("invalid", "Use either full or since, not both.", {
      fields: [{ path: "since", message: "cannot be combined with full" }],
    });
  }
  if (options.resurrect && !options.full) {
    throw new AppError("invalid", "resurrect requires full.", {
      fields: [{ path: "resurrect", message: "requires full" }],
    });
  }
  const known = await deps.db.read(() => stored.find(userId, source));
  if (!known) {
    const { label } = deps.providers[source];
    throw new AppError("conflict", `${label} is not set up.`, { rule: "not_configured" });
  }
  if (!canOpen(deps.vault, known)) {
    throw new AppError("conflict", SEALED_ELSEWHERE, { rule: "sealed_elsewhere" });
  }
  if (trigger !== "auto") await assertOwnBook(deps, order, known);
  const newJob = { userId, source, trigger, options, dryRun, attempt, confirmed: order.confirm };
  return runner.start(newJob, (runner) => new ServiceSync(deps, order, runner));
};

/** Checks the owner of the logbook before the service is asked, if it is already known. */
const assertOwnBook = async ({ db }: World, order: SyncOrder, known: stored.StoredCredentials): Promise<void> => {
  const strange = known.book === null ? null : await checkBookOwner(db, order, known);
  if (strange !== null) throw new AppError("conflict", strange, { rule: "other_callsign" });
};

/** Why the user must confirm the download of this logbook. Asked once, before the first download. */
const checkBookOwner = async (
  db: WorkDatabase,
  { userId, source, dryRun, confirm }: SyncOrder,
  known: stored.StoredCredentials,
): Promise<string | null> => {
  if (dryRun || confirm) return null;
  const { callsign, cursor } = await db.read(function* () {
    return { callsign: (yield* users.get(userId)).callsign, cursor: yield* syncCursors.find(userId, source) };
  });
  const strange = cursor === null ? describeStrangeBook(known, callsign) : null;
  return (
    strange && `${strange} Nothing was downloaded. To download it anyway, confirm the sync (--yes on the command line).`
  );
};

/** Syncs with a service: opens the credentials, leases the account, reads the cursor and downloads. */
export class ServiceSync implements JobSource {
  account: AccountInUse | null = null;
  isWaiting = false;
  readonly runsAnywhere: boolean;
  readonly #deps: World;
  readonly #order: SyncOrder;
  readonly #runner: SyncRunner;
  #db: WorkDatabase;
  #leaveLine = () => {};

  constructor(deps: World, order: SyncOrder, runner: SyncRunner) {
    this.#deps = deps;
    this.#db = deps.db;
    this.#order = order;
    // A sync started on the command line runs in that process, because the user waits for it.
    this.runsAnywhere = order.trigger !== "cli";
    this.#runner = runner;
  }

  /** Waits until no other job, in any process, uses the same account. */
  async admit(db: WorkDatabase, { id: jobId, fence }: syncJobs.HeldJob, signal: AbortSignal): Promise<void> {
    this.#db = db;
    const { userId, source } = this.#order;
    const { lines, worker } = this.#runner;
    const credentials = await db.read(() => stored.find(userId, source));
    if (!credentials) throw new SyncError("not_configured", "This service is not set up.");
    const name = `${source} ${credentials.loginHash}`;
    this.account = { credentials, holder: { workerId: worker.id, jobId, fence }, lease: "none" };
    this.isWaiting = lines.isLocked(name);
    this.#leaveLine = await lines.acquire(name, signal);
    await this.#waitForLease(signal);
    this.isWaiting = false;
  }

  onEnd(): void {
    this.#leaveLine();
  }

  async prepare(db: WorkDatabase, job: syncJobs.HeldJob, signal: AbortSignal): Promise<Preparation | null> {
    const { providers } = this.#deps;
    const { userId, source, onProgress, maxBatchRecords } = this.#order;
    const { credentials, stored: known } = await openCredentials({ ...this.#deps, db }, userId, source);
    if (!(await this.#isStill(known))) return null;
    const user = await db.read(() => users.get(userId));
    const cursorBefore = await db.read(() => syncCursors.find(userId, source));
    const { full = false, since = null } = job.options;
    const request = {
      credentials,
      cursor: cursorBefore,
      full,
      since,
      callsign: credentials.callsign ?? user.callsign,
      onBook: (book: string) => this.#meet(known, book),
    };
    const needs = {
      ...buildProviderDeps(this.#deps, source),
      lastAsked: this.#asking(),
      onProgress: this.#downloading(job),
    };
    const feed = providers[source].download(needs, request, signal);
    return { cursorBefore, feed, onProgress, maxBatchRecords };
  }

  async #meet(known: stored.StoredCredentials, book: string): Promise<void> {
    const db = this.#db;
    const isAgreed = this.#order.confirm === true;
    if (book !== known.book || isAgreed) {
      await this.#whileHeld(function* () {
        yield* stored.setBook(known, book, isAgreed);
      });
    }
    const strange = await checkBookOwner(db, this.#order, { ...known, book });
    if (strange !== null) throw new SyncError("other_callsign", strange);
  }

  /** Writes only while the lease is held: the machine may have slept and another job may have the account. */
  async #whileHeld(write: () => Unit<void>): Promise<void> {
    const lease = toLease(this.account!);
    const now = this.#deps.clock();
    await this.#db.write(function* () {
      if (!(yield* leases.isHeld(lease, now))) throw new Interrupted();
      yield* write();
    });
  }

  /** Paces each request together with those of other processes. Refuses it if the lease was lost. */
  #asking(): LastAsked {
    const { clock, vault } = this.#deps;
    // Uses the job's database, which retries while the real one is unreachable.
    const anywhere = new LastAskedTable(this.#db, clock, vault);
    const held = async (ask: () => Promise<number>): Promise<number> => {
      const lease = toLease(this.account!);
      if (!(await this.#db.read(() => leases.isHeld(lease, clock())))) throw new Interrupted();
      return ask();
    };
    return {
      mark: (name) => anywhere.mark(name),
      waitFor: (name, ms) => held(() => anywhere.waitFor(name, ms)),
      take: (name, ms) => held(() => anywhere.take(name, ms)),
    };
  }

  /**
   * Whether the credentials are unchanged. They can be replaced while the job waits, even by those of another account.
   */
  async #isStill(known: stored.StoredCredentials): Promise<boolean> {
    const account = this.account!;
    if (account.credentials.loginHash === known.loginHash) {
      this.account = { ...account, credentials: known };
      return true;
    }
    await this.#db.write(() => standalone(releaseAccount(account)));
    this.account = null;
    this.#leaveLine();
    return false;
  }

  async #waitForLease(signal: AbortSignal): Promise<void> {
    const account = this.account!;
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      account.lease = "asked";
      const isTaken = await this.#db.write(() => standalone(leases.take(toLease(account), this.#deps.clock())));
      account.lease = isTaken ? "held" : "none";
      if (isTaken) return;
      this.isWaiting = true;
      if (tries % DEAD_LOOKED_FOR_EVERY === 1) await failJobsOfDeadWorkers(this.#deps);
      await this.#deps.sleep(LEASE_ASKED_EVERY_MS, signal);
    }
  }

  /** Reports the size of the download from time to time, because a long report takes minutes. */
  #downloading(job: syncJobs.HeldJob): (bytes: number) => void {
    const { db, clock, log } = this.#deps;
    const { onProgress } = this.#order;
    let toldAt = -Infinity;
    return (bytes) => {
      onProgress?.({ phase: "downloading", done: bytes }, job.stats);
      if (clock() - toldAt < PROGRESS_TOLD_EVERY_MS) return;
      toldAt = clock();
      db.write(() => standalone(syncJobs.setPhase(job, { phase: "downloading", done: bytes }))).catch((error) =>
        log.debug("progress.write_failed", { job: job.id, error }),
      );
    };
  }
}
