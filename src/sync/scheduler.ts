import { Cron } from "croner";
import { getRetryTime } from "../domain/jobs/auto-sync.ts";
import { HOUR, SECOND, type Cancel } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { sendDueNotices } from "../notices/send-due.ts";
import type { SyncJob } from "../domain/jobs/sync-job.ts";
import { SERVICES } from "../domain/jobs/source.ts";
import * as attempts from "../storage/people/attempts.ts";
import * as storage from "../storage/jobs/auto-sync-settings.ts";
import { removeAskedBefore } from "../storage/jobs/last-asked.ts";
import * as sessions from "../storage/people/sessions.ts";
import { standalone } from "../storage/engine/unit.ts";
import type { JobRunner, SourceOf } from "./job/runner.ts";
import { startSync } from "./source/service.ts";
import { createJobSource } from "./source/source-of-job.ts";
import { failJobsOfDeadWorkers } from "./job/worker.ts";
import { resumeRepairs } from "./repair/run.ts";
import { finishRollbacks } from "./undo/rollback.ts";
import type { World } from "../world.ts";
import { clampNextSync, pauseSchedule, scheduleReady } from "./schedule.ts";

const EVERY_MINUTE = "* * * * *";

/** How often a server looks for queued syncs that any process can run. */
const QUEUE_READ_EVERY = 2 * SECOND;

/** Attempts and pauses older than this are forgotten. */
const COUNTED_FOR = HOUR;

/** Reasons for which a sync is refused for now. */
const RETRY_LATER: ReadonlySet<string | null | undefined> = new Set(["job_active", "rollback_active"]);

/** Starts due syncs, a few at the same time. Those that do not fit stay due. */
export class Scheduler {
  readonly #world: World;
  readonly #runner: JobRunner;
  readonly #concurrency: number;
  readonly #underWay = new Set<Promise<void>>();
  #metronome: Cron | null = null;
  readonly #stopping = new AbortController();
  #isPumping = false;
  #isAskedAgain = false;
  #isTableMissed = false;
  #missedSince: number | null = null;
  #endLooks: Cancel = () => {};
  lastTickAt: number | null = null;

  constructor(world: World, runner: JobRunner) {
    this.#world = world;
    this.#runner = runner;
    this.#concurrency = world.config.syncConcurrency;
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  get isRunning(): boolean {
    return this.#metronome !== null;
  }

  /** Ticks immediately and then every minute. A server also looks for queued syncs. */
  start(): void {
    const { db, log, clock, every } = this.#world;
    const onError = (error: unknown) => log.error("scheduler.failed", { error });
    const tick = () => this.#track(this.tick(clock()).catch(onError));
    // A minute begins at the same time everywhere. Without the offset all time zones are loaded.
    this.#metronome = new Cron(EVERY_MINUTE, { catch: onError, protect: true, utcOffset: 0 }, tick);
    void tick();
    if (db.isShared) this.#endLooks = every(QUEUE_READ_EVERY, () => void this.#track(this.startDue()));
  }

  /** Accepts no new syncs. Resolves when the last tick has finished. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#metronome?.stop();
    this.#metronome = null;
    this.#endLooks();
    await this.idle();
  }

  /** Resolves when everything that a tick started has finished. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  /** Fails the jobs of dead processes and starts what is due. */
  async tick(now: number): Promise<void> {
    try {
      await this.#look(now);
    } catch (error) {
      this.#missedSince ??= now;
      throw error;
    }
    if (this.#missedSince !== null) this.#world.log.warn("scheduler.recovered", { ms: now - this.#missedSince });
    this.#missedSince = null;
    this.lastTickAt = now;
  }

  async #look(now: number): Promise<void> {
    const { db, log } = this.#world;
    const { worker } = this.#runner;
    // On a server database, other programs see by its worker that this one runs.
    await (db.isShared ? worker.register() : worker.renew());
    await failJobsOfDeadWorkers(this.#world);
    await this.#runner.endLost();
    void this.#track(finishRollbacks(this.#world, () => this.#isStopped));
    if (!this.#isStopped) await resumeRepairs(this.#world, this.#runner);
    void this.#track(this.#deliver());
    await db.write(() => sessions.removeExpired(now));
    await db.write(() => standalone(attempts.removeBefore(now - COUNTED_FOR)));
    await db.write(() => standalone(removeAskedBefore(COUNTED_FOR, now)));
    if (await this.#hasTable()) {
      await db.write(() => scheduleReady(now));
      const broughtBack = await db.write(() => clampNextSync(now));
      if (broughtBack > 0) log.warn("auto_sync.rescheduled", { schedules: broughtBack });
      await this.startDue(now);
    }
  }

  /** Sends notifications independently of the syncs, because a target can take long to answer. */
  async #deliver(): Promise<void> {
    const { log } = this.#world;
    await sendDueNotices(this.#world, this.#stopping.signal).catch((error: unknown) =>
      log.error("notices.delivery_failed", { error }),
    );
  }

  /** The operator can revert the migration of the schedules; everything else works without that table. */
  async #hasTable(): Promise<boolean> {
    const { db, log } = this.#world;
    const isThere = await db.read(storage.isThere);
    if (!isThere && !this.#isTableMissed) log.warn("auto_sync.off", { reason: "its migration was reverted" });
    this.#isTableMissed = !isThere;
    return isThere;
  }

  /** Starts due syncs while there is room. Calls during a run cause one more run. */
  async startDue(now = this.#world.clock()): Promise<void> {
    this.#isAskedAgain = true;
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.#isAskedAgain && !this.#isStopped) {
        this.#isAskedAgain = false;
        await this.#startDue(now);
      }
    } finally {
      this.#isPumping = false;
    }
  }

  /** The longest overdue sync comes first, across all services. */
  async #startDue(now: number): Promise<void> {
    const { db } = this.#world;
    const sourceOf: SourceOf = (job, runner) => createJobSource(this.#world, job, runner);
    const queued = await this.#runner.takeQueued(SERVICES, sourceOf);
    for (const job of queued) void this.#track(this.#follow(job));
    const room = this.#concurrency - this.#runner.runningCount;
    if (room <= 0) return;
    const found = await db.read(function* () {
      return (yield* storage.isThere()) ? yield* storage.listDue(now, room) : [];
    });
    for (const due of found) await this.#claim(due, now);
  }

  /** Moves the due time before the sync starts. If the process dies without a trace, the sync is retried soon. */
  async #claim(due: storage.Due, now: number): Promise<void> {
    const { db } = this.#world;
    const lease = getRetryTime(now);
    if (!(await db.write(() => standalone(storage.claim(due, lease))))) return;
    if (!(await this.#start(due)))
      await db.write(() => standalone(storage.claim({ ...due, nextSyncAt: lease }, due.nextSyncAt)));
  }

  /** Returns false if another sync of the service or a rollback is active. The sync stays due. */
  async #start({ userId, source, failures }: storage.Due): Promise<boolean> {
    const { db, log } = this.#world;
    try {
      const order = { userId, source, trigger: "auto" as const, attempt: failures + 1 };
      const job = await startSync(this.#world, this.#runner, order);
      void this.#track(this.#follow(job));
    } catch (error) {
      if (error instanceof AppError && RETRY_LATER.has(error.rule)) return false;
      if (error instanceof AppError && error.rule === "not_configured")
        await db.write(() => pauseSchedule(userId, source));
      else log.error("auto_sync.start_failed", { user: userId, source, error });
    }
    return true;
  }

  /** When a sync ends, there is room for the next. */
  async #follow(started: SyncJob): Promise<void> {
    await this.#runner.end(started.id);
    if (!this.#isStopped) await this.startDue();
  }

  #track(work: Promise<void>): Promise<void> {
    const { log } = this.#world;
    const tracked: Promise<void> = work
      .catch((error: unknown) => log.error("scheduler.task_failed", { error }))
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
    return tracked;
  }
}
