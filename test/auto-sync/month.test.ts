import { expect, test } from "bun:test";
import { byOwner } from "../../src/logbook/caller.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/kernel/clock.ts";
import { SyncError, type DownloadRequest } from "../../src/domain/jobs/provider.ts";
import { SERVICES, type Service } from "../../src/domain/jobs/source.ts";
import { changeSchedule } from "../../src/logbook/schedule.ts";
import { scheduleAfterCredentials } from "../../src/sync/schedule.ts";
import { one, run } from "../../src/storage/engine/unit.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { startSync } from "../../src/sync/source/service.ts";
import { testApp, type TestApp } from "../support/app.ts";
import { aUser, ENGINE } from "../support/world.ts";

const USERS = 50;
const DAYS = 30;
const INTERVALS = [12, 24, 24, 48, 168, 720];
const CONCURRENCY = 4;
/** After a start many syncs are due together; otherwise a sync waits for the next tick and a free slot. */
const LATE_AT_A_START = 3 * HOUR;
const LATE = 12 * MINUTE;

/** What the rules say about a user and service, computed independently of the program. */
interface Plan {
  userId: number;
  source: Service;
  intervalHours: number;
  /** When the next sync must start; null if it must not. */
  due: { from: number; to: number } | null;
  failuresInARow: number;
  syncs: number;
  /** How many syncs fail, starting with the third. */
  troubles: number;
  trouble: SyncError | null;
}

interface Held {
  plan: Plan;
  until: number;
  release: () => void;
}

const spread = (wait: number): number => Math.min(10 * MINUTE, wait * 0.05);

const window = (at: number, wait: number) => ({ from: at + wait, to: at + wait + spread(wait) });

const credentialsOf = ({ userId, source }: Pick<Plan, "userId" | "source">): Record<string, string> =>
  source === "first" ? { username: `user${userId}`, password: "x" } : { apiKey: `AAAA-BBBB-CCCC-${1000 + userId}` };

const TROUBLES = [
  null,
  new SyncError("network", "The line is down."),
  null,
  new SyncError("busy", "Later, please.", 2 * 3600),
  null,
  new SyncError("truncated", "Half an answer."),
];

/** Simulates a month minute by minute and checks every start. */
class Month {
  app!: TestApp;
  readonly plans: Plan[] = [];
  readonly #held = new Set<Held>();
  readonly started: Plan[] = [];
  readonly wrong: string[] = [];
  #startedAt = 0;

  async begin(): Promise<void> {
    this.app = await testApp({ env: { QSOLOG_SYNC_CONCURRENCY: String(CONCURRENCY) } });
    for (const service of [this.app.first, this.app.second]) {
      const planOf = (request: DownloadRequest) => this.#planOf(service.source, request);
      service.until = (request, signal) => this.#hold(planOf(request), signal);
      service.fails = (request: DownloadRequest) => this.#failureOf(planOf(request));
    }
    for (let n = 0; n < USERS; n++) {
      const { id } = await aUser(this.app, `user${n}`);
      for (const [index, source] of SERVICES.entries()) {
        const intervalHours = INTERVALS[(n + index * 2) % INTERVALS.length]!;
        const trouble = TROUBLES[(n + index) % TROUBLES.length]!;
        const troubles = trouble ? 1 + (n % 6) : 0;
        const plan = { userId: id, source, intervalHours, due: null, failuresInARow: 0, syncs: 0, troubles, trouble };
        this.plans.push(plan);
        await setCredentials(this.app, id, source, credentialsOf(plan));
      }
    }
    this.#startedAt = this.app.clock();
  }

  async enable(plan: Plan): Promise<void> {
    const { source, intervalHours, userId } = plan;
    await changeSchedule(this.app, byOwner({ id: userId, username: "" }), {
      [source]: { enabled: true, intervalHours },
    });
    plan.due = { from: this.app.clock(), to: this.app.clock() };
  }

  async disable(plan: Plan): Promise<void> {
    const settings = await changeSchedule(this.app, byOwner({ id: plan.userId, username: "" }), {
      [plan.source]: { enabled: false },
    });
    expect(settings[plan.source].nextSyncAt).toBeNull();
    plan.due = null;
  }

  /** Stops the program and later starts another one on the same database. */
  async restart(after: number): Promise<void> {
    const { app } = this;
    for (const { plan } of this.#held) plan.due = { from: app.clock(), to: app.clock() };
    this.#held.clear();
    await app.stop();
    app.clock.advance(after);
    this.app = await testApp({ world: app, services: app.services, empty: true });
    this.#startedAt = app.clock();
  }

  #planOf(source: Service, { credentials }: DownloadRequest): Plan {
    const name = credentials.username ?? credentials.apiKey;
    const plan = this.plans.find((one) => one.source === source && Object.values(credentialsOf(one)).includes(name!))!;
    return plan;
  }

  #check(plan: Plan): void {
    const now = this.app.clock();
    const name = `user ${plan.userId} ${plan.source}, sync ${plan.syncs}, at ${new Date(now).toISOString()}`;
    const late = now - this.#startedAt < LATE_AT_A_START ? LATE_AT_A_START : LATE;
    if ([...this.#held].some((held) => held.plan === plan)) this.wrong.push(`${name}: twice at a time`);
    if (plan.due === null) this.wrong.push(`${name}: must not run`);
    else if (now < plan.due.from) this.wrong.push(`${name}: ${(plan.due.from - now) / SECOND} s early`);
    else if (now > Math.max(plan.due.to, this.#startedAt) + late) {
      this.wrong.push(`${name}: ${(now - plan.due.to) / MINUTE} min late`);
    }
    plan.due = null;
    plan.syncs += 1;
    this.started.push(plan);
  }

  /** A download takes up to three minutes of simulated time. */
  #hold(plan: Plan, signal: AbortSignal): Promise<void> {
    this.#check(plan);
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = { plan, until: this.app.clock() + ((plan.userId + plan.syncs) % 4) * MINUTE, release: resolve };
    this.#held.add(held);
    signal.addEventListener("abort", () => this.#held.delete(held));
    return promise;
  }

  #failureOf(plan: Plan): SyncError | null {
    const now = this.app.clock();
    const interval = plan.intervalHours * HOUR;
    if (plan.syncs < 3 || plan.troubles === 0) {
      plan.failuresInARow = 0;
      plan.due = window(now, interval);
      return null;
    }
    plan.troubles -= 1;
    plan.failuresInARow += 1;
    const wait = Math.min(15 * MINUTE * 2 ** (plan.failuresInARow - 1), interval);
    const asked = (plan.trouble!.retryAfterSeconds ?? 0) * SECOND;
    plan.due = { from: now + Math.max(wait, asked), to: now + Math.max(wait, asked) + spread(wait) };
    return plan.trouble;
  }

  /** Waits until nothing can continue without time passing. */
  async #quiet(): Promise<void> {
    for (let calm = 0; calm < 2;) {
      await new Promise(setImmediate);
      calm = this.app.runner.size === this.#held.size ? calm + 1 : 0;
    }
  }

  /** Advances to the next minute in which something can happen, or to the end. */
  async step(end: number): Promise<void> {
    const { app } = this;
    const next = Math.min(end, await this.#nextDue(), ...[...this.#held].map(({ until }) => until));
    const minute = Math.max(Math.ceil(next / MINUTE), Math.floor(app.clock() / MINUTE) + 1) * MINUTE;
    app.clock.advance(minute - app.clock());
    for (const held of this.#held) {
      if (held.until > app.clock()) continue;
      this.#held.delete(held);
      held.release();
    }
    await this.#quiet();
    // The heartbeat of a running program, which a jump of the clock leaves behind.
    await app.db.write(() => run`UPDATE workers SET beat_at = ${app.clock()}`);
    await app.scheduler.tick(app.clock());
    await this.#quiet();
  }

  async #nextDue(): Promise<number> {
    const row = await this.app.db.read(
      () => one<{ first: number | null; second: number | null }>`
        SELECT CAST(min(first_next_sync_at) AS BIGINT) AS first, CAST(min(second_next_sync_at) AS BIGINT) AS second
        FROM auto_sync_settings`,
    );
    return Math.min(row.first ?? Infinity, row.second ?? Infinity);
  }

  async runTo(end: number): Promise<void> {
    while (this.app.clock() < end) await this.step(end);
  }

  /** The user syncs by hand between two scheduled syncs, which moves the schedule. */
  async syncByHand(plan: Plan): Promise<void> {
    const { app } = this;
    const before = plan.syncs;
    plan.due = { from: app.clock(), to: app.clock() };
    await startSync(app, app.runner, { ...plan, trigger: "manual" });
    while (plan.syncs === before || [...this.#held].some((held) => held.plan === plan)) {
      await this.#quiet();
      if (this.#held.size > 0) await this.step(app.clock() + MINUTE);
    }
  }
}

// Invariant: a scheduled sync starts exactly once
test.skipIf(ENGINE !== "sqlite")(
  "a month of two services for fifty users: every sync starts in time, once, and never too many run at the same time",
  async () => {
    const month = new Month();
    await month.begin();
    const noon = month.app.clock();
    for (const [index, plan] of month.plans.entries()) {
      await month.runTo(noon + index * 7 * MINUTE);
      await month.enable(plan);
    }
    const [disabled, byHand, rejected] = [month.plans[26]!, month.plans[20]!, month.plans[32]!];

    await month.runTo(noon + 4 * DAY + 5 * HOUR);
    await month.syncByHand(byHand);
    await month.runTo(noon + 6 * DAY);
    await month.disable(disabled);
    await month.runTo(noon + 8 * DAY);
    rejected.trouble = new SyncError("auth_failed", "Wrong password.");
    rejected.troubles = 1;
    while (rejected.troubles > 0) await month.step(Infinity);
    rejected.due = null;
    const syncsUntilRejected = rejected.syncs;
    await month.runTo(noon + 12 * DAY);
    expect(rejected.syncs).toBe(syncsUntilRejected);
    await setCredentials(month.app, rejected.userId, rejected.source, credentialsOf(rejected));
    await month.app.db.write(() => scheduleAfterCredentials(rejected.userId, rejected.source, month.app.clock()));
    rejected.due = { from: month.app.clock(), to: month.app.clock() + 10 * MINUTE };
    await month.enable(disabled);
    disabled.due = { from: month.app.clock(), to: month.app.clock() + disabled.intervalHours * HOUR };
    await month.runTo(noon + 15 * DAY);
    await month.restart(2 * DAY);
    await month.runTo(noon + 22 * DAY);
    await month.restart(1 * MINUTE);
    await month.runTo(noon + DAYS * DAY);

    expect(month.wrong).toEqual([]);
    expect(Math.max(month.app.first.maxRunning, month.app.second.maxRunning)).toBeLessThanOrEqual(CONCURRENCY);
    const now = month.app.clock();
    const overdue = month.plans.filter(({ due }) => due !== null && due.to + LATE < now);
    expect(overdue).toEqual([]);
    const fewest = (plan: Plan) => Math.floor(((DAYS - 4) * 24) / (plan.intervalHours + 1));
    expect(month.plans.filter((plan) => plan !== disabled && plan !== rejected && plan.syncs < fewest(plan))).toEqual(
      [],
    );
    expect(month.started.length).toBeGreaterThan(1_500);
    const recovered = month.plans.filter(
      ({ trouble, troubles, failuresInARow }) => trouble && troubles + failuresInARow === 0,
    );
    expect(recovered.length).toBeGreaterThan(20);
  },
  120_000,
);
