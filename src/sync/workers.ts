import { hostname } from "node:os";
import { SECOND } from "../domain/clock.ts";
import type { SyncJob } from "../domain/sync-job.ts";
import * as syncJobs from "../storage/sync-jobs.ts";
import * as workers from "../storage/workers.ts";
import type { World } from "../world.ts";

type Deps = Pick<World, "db" | "clock" | "random" | "log">;

const BEAT_EVERY = 10 * SECOND;
const DEAD_AFTER = 90 * SECOND;

/** This process as the runner of jobs: a row that others can see is alive. */
export class JobWorker {
  readonly id: string;
  readonly #deps: Deps;
  #registered: Promise<void> | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.id = Buffer.from(deps.random(12)).toString("hex");
  }

  /** Makes the row before the first job; the beat goes on until `stop`. */
  register(): Promise<void> {
    return (this.#registered ??= this.#add());
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    if (!this.#registered) return;
    await this.#registered.catch(() => {});
    await this.#deps.db.write(() => workers.remove([this.id]));
  }

  async #add(): Promise<void> {
    const { db, clock } = this.#deps;
    await db.write(() => workers.add({ id: this.id, host: hostname(), pid: process.pid, beatAt: clock() }));
    this.#timer = setInterval(() => void this.#beat(), BEAT_EVERY);
    this.#timer.unref();
  }

  async #beat(): Promise<void> {
    const { db, clock, log } = this.#deps;
    try {
      await db.write(() => workers.beat(this.id, clock()));
    } catch (error) {
      log.warn("worker.beat_failed", { error });
    }
  }
}

/** Fails the jobs of workers that are gone: killed on this host, or silent for too long anywhere. */
export const resolveDeadWorkers = async ({ db, clock, log }: Omit<Deps, "random">): Promise<SyncJob[]> => {
  const now = clock();
  const dead = (await db.read(workers.list)).filter((worker) => isDead(worker, now)).map(({ id }) => id);
  const orphans = await db.write(function* () {
    const failed = yield* syncJobs.failOrphans(dead, now);
    if (dead.length > 0) yield* workers.remove(dead);
    return failed;
  });
  for (const { id, userId, source } of orphans) log.warn("job.orphaned", { job: id, user: userId, source });
  return orphans;
};

const isDead = ({ host, pid, beatAt }: workers.Worker, now: number): boolean =>
  now - beatAt > DEAD_AFTER || (host === hostname() && !isAlive(pid));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
};
