import { Cron } from "croner";
import { nextAfterSuccess, spreadFor } from "../domain/auto-sync.ts";
import { AppError } from "../domain/errors.ts";
import { SERVICES, type Service } from "../domain/source.ts";
import type { SyncJob } from "../domain/sync-job.ts";
import * as storage from "../storage/auto-sync-settings.ts";
import * as sessions from "../storage/sessions.ts";
import type { SyncRunner } from "../sync/runner.ts";
import { startSync } from "../sync/service-sync.ts";
import { resolveDeadWorkers } from "../sync/workers.ts";
import type { World } from "../world.ts";
import { autoSyncFailed, autoSyncOrphaned, pause, syncCompleted } from "./settings.ts";

export const TICK_SECONDS = 60;

const EVERY_MINUTE = "* * * * *";

/** Starts the syncs that are due, a few at a time; what does not fit now is due a little longer. */
export class Scheduler {
  readonly #world: World;
  readonly #runner: SyncRunner;
  readonly #concurrency: number;
  readonly #underWay = new Set<Promise<void>>();
  #metronome: Cron | null = null;
  #isPumping = false;
  lastTickAt: number | null = null;

  constructor(world: World, runner: SyncRunner) {
    this.#world = world;
    this.#runner = runner;
    this.#concurrency = world.config.syncConcurrency;
  }

  get isRunning(): boolean {
    return this.#metronome !== null;
  }

  /** The first tick at once, then one every minute. */
  start(): void {
    const { log, clock } = this.#world;
    const onError = (error: unknown) => log.error("tick.failed", { error });
    this.#metronome = new Cron(EVERY_MINUTE, { catch: onError, protect: true }, () => this.tick(clock()));
    const first = this.tick(clock()).catch(onError);
    this.#track(first);
  }

  /** No new syncs; resolves when nothing of the last tick is under way. */
  async stop(): Promise<void> {
    this.#metronome?.stop();
    this.#metronome = null;
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
  }

  /** Gives up what dead programs left, and starts what is due. */
  async tick(now: number): Promise<void> {
    const { db } = this.#world;
    await this.resume(await resolveDeadWorkers(this.#world));
    await db.write(() => sessions.removeExpired(now));
    await this.pump();
    this.lastTickAt = now;
  }

  /** The syncs of programs that died are due again before long. */
  async resume(orphans: readonly SyncJob[]): Promise<void> {
    const { db, clock } = this.#world;
    const now = clock();
    if (orphans.length === 0) return;
    await db.write(function* () {
      for (const job of orphans) yield* autoSyncOrphaned(job, now);
    });
  }

  /** Starts due syncs while there is room for them. */
  async pump(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      for (const source of SERVICES) await this.#pump(source);
    } finally {
      this.#isPumping = false;
    }
  }

  async #pump(source: Service): Promise<void> {
    const { db, clock } = this.#world;
    const room = this.#concurrency - this.#runner.size;
    if (room <= 0) return;
    const now = clock();
    for (const due of await db.read(() => storage.listDue(source, now, room))) {
      const next = nextAfterSuccess(now, due.intervalHours, spreadFor(due.userId, source, now));
      if (await db.write(() => storage.claim(source, due, next))) await this.#start(due, source);
    }
  }

  async #start({ userId, failures }: storage.Due, source: Service): Promise<void> {
    const { db, log } = this.#world;
    try {
      const job = await startSync(this.#world, this.#runner, {
        userId,
        source,
        trigger: "auto",
        attempt: failures + 1,
        onComplete: syncCompleted,
      });
      this.#track(this.#follow(job));
    } catch (error) {
      if (error instanceof AppError && error.rule === "not_configured") return db.write(() => pause(userId, source));
      if (error instanceof AppError && error.rule === "job_active") return;
      log.error("auto_sync.not_started", { user: userId, source, error });
    }
  }

  /** When a sync ends there is room for the next. */
  async #follow(started: SyncJob): Promise<void> {
    const { db, clock } = this.#world;
    const job = await this.#runner.end(started.id);
    if (job?.status === "failed") {
      const now = clock();
      await db.write(() => autoSyncFailed(job, job.retryAfterSeconds ?? null, now));
    }
    if (this.isRunning) await this.pump();
  }

  #track(work: Promise<void>): void {
    const { log } = this.#world;
    const tracked: Promise<void> = work
      .catch((error: unknown) => log.error("auto_sync.lost", { error }))
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }
}
