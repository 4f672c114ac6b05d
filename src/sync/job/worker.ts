import { hostname } from "node:os";
import { DAY, SECOND, type Cancel } from "../../kernel/clock.ts";
import type { SyncJob } from "../../domain/jobs/sync-job.ts";
import { isAlive, isGone, getOwnMark } from "../../kernel/processes.ts";
import { removeStaleSpools } from "../../providers/spool.ts";
import { standalone } from "../../storage/engine/unit.ts";
import * as leases from "../../storage/jobs/account-leases.ts";
import * as syncJobs from "../../storage/jobs/sync-jobs.ts";
import * as workers from "../../storage/jobs/workers.ts";
import type { World } from "../../world.ts";
import { getSpoolDir, removeStaleImports } from "../source/spool.ts";
import { failLostJobs, failOrphanedJobs, type Lost } from "./finish.ts";

type Deps = Pick<World, "db" | "clock" | "every" | "random" | "log" | "underWay">;
type Writer = Pick<World["db"], "write">;

const BEAT_EVERY = 10 * SECOND;
/** How often the worker checks whether another process asked for one of its jobs to stop. */
const STOPS_READ_EVERY = 2 * SECOND;
const DEAD_AFTER = 90 * SECOND;
/** A heartbeat this far in the future was written while a clock was wrong. */
const CLOCKS_APART = 1 * DAY;

/** The row that shows other processes that this process runs jobs and is alive. */
export class JobWorker {
  readonly id: string;
  readonly #deps: Deps;
  readonly #mark = getOwnMark();
  /** Null while the worker has no heartbeat. */
  #endTimers: Cancel | null = null;

  constructor(deps: Deps, id = Buffer.from(deps.random(12)).toString("hex")) {
    this.#deps = deps;
    this.id = id;
  }

  /**
   * Creates or renews the row before a job needs it. Others may have declared this worker dead while the machine slept.
   * The heartbeat continues until `stop`.
   */
  async register(db: Writer = this.#deps.db): Promise<void> {
    await this.#beat(db);
    this.#endTimers ??= this.#startTimers();
  }

  #startTimers(): Cancel {
    const { every } = this.#deps;
    const endBeat = every(BEAT_EVERY, () => void this.#beatQuietly());
    const endLooks = every(STOPS_READ_EVERY, () => void this.interruptStoppedJobs());
    return () => {
      endBeat();
      endLooks();
    };
  }

  /** Sends a heartbeat before dead workers are looked for: a locked database delays this worker's heartbeats too. */
  async renew(): Promise<void> {
    if (this.#endTimers) await this.#beat(this.#deps.db);
  }

  /** The jobs and leases that carry this worker's id. */
  listHeld(): Promise<Lost> {
    const { id } = this;
    return this.#deps.db.read(function* () {
      return { jobIds: yield* syncJobs.listIdsOf(id), leases: yield* leases.listOf(id) };
    });
  }

  /** Ends the listed jobs and releases the listed leases. */
  async endLost(lost: Lost): Promise<void> {
    if (lost.jobIds.length === 0 && lost.leases.length === 0) return;
    const { db, clock, log } = this.#deps;
    const now = clock();
    logOrphans(log, await db.write(() => failLostJobs(this.id, lost, now)));
  }

  /** Ends whatever still carries this worker's id. */
  async stop(): Promise<void> {
    if (!this.#endTimers) return;
    this.#endTimers();
    const { db, clock } = this.#deps;
    const now = clock();
    await db.write(() => failOrphanedJobs([this.id], now));
    this.#endTimers = null;
  }

  /** Stops the heartbeat. */
  endBeat(): void {
    this.#endTimers?.();
    this.#endTimers = null;
  }

  async #beat(db: Writer): Promise<void> {
    const beatAt = this.#deps.clock();
    const beat = () =>
      db.write(() => standalone(workers.recordBeat({ id: this.id, host: hostname(), beatAt, ...this.#mark })));
    if (await beat()) return;
    await this.#giveUp(db);
    await beat();
  }

  /** Its heartbeat was too old, so other processes may already run its jobs: stop them here. */
  async #giveUp(db: Writer): Promise<void> {
    const { clock, log, underWay } = this.#deps;
    const now = clock();
    const ended = await db.write(() => failOrphanedJobs([this.id], now));
    log.warn("worker.expired", { jobs: ended.length });
    underWay.interruptAll();
  }

  /** Interrupts jobs that another process stopped, ended or deleted with their user. */
  async interruptStoppedJobs(): Promise<void> {
    const { db, underWay, log } = this.#deps;
    const asked = [...underWay.ids];
    if (asked.length === 0) return;
    try {
      const active = new Set(await db.read(() => syncJobs.listNotStopped(asked)));
      // Only the jobs that were queried: a job that started since then is not in the result.
      for (const id of asked) if (!active.has(id)) underWay.interrupt(id);
    } catch (error) {
      log.debug("worker.stop_check_failed", { error });
    }
  }

  async #beatQuietly(): Promise<void> {
    try {
      await this.#beat(this.#deps.db);
    } catch (error) {
      this.#deps.log.warn("worker.heartbeat_failed", { error });
    }
  }
}

/** Fails the jobs of dead workers: killed on this host, or without a heartbeat for too long. */
export const failJobsOfDeadWorkers = async ({
  db,
  clock,
  log,
}: Pick<Deps, "db" | "clock" | "log">): Promise<SyncJob[]> => {
  const now = clock();
  const dead = (await db.read(() => workers.list(now))).filter(isDead).map(({ id }) => id);
  const orphans = await db.write(() => failOrphanedJobs(dead, now));
  logOrphans(log, orphans);
  return orphans;
};

const logOrphans = (log: Deps["log"], orphans: readonly SyncJob[]): void => {
  for (const { id, userId, source } of orphans) log.warn("job.orphaned", { job: id, user: userId, source });
};

/** A worker is dead if its process has ended on this host, or if it has been silent for too long. */
export const isDead = ({ host, place = null, pid, born = null, silentMs }: workers.Worker): boolean => {
  if (silentMs > DEAD_AFTER || -silentMs > CLOCKS_APART) return true;
  return place === null ? host === hostname() && !isAlive(pid) : isGone({ place, pid, born });
};

/**
 * Cleans up after dead processes: fails their jobs, so that they can be rolled back, and removes their temporary files.
 */
export const recover = async (deps: Pick<World, "db" | "clock" | "log" | "config">): Promise<SyncJob[]> => {
  const { log, config } = deps;
  const failed = await failJobsOfDeadWorkers(deps);
  const swept = removeStaleSpools(getSpoolDir(config.dataDir)) + removeStaleImports(config.dataDir);
  if (swept > 0) log.info("temporary_files.removed", { files: swept });
  return failed;
};
