import { addWorked, factsOfContact, forgetWorked, workedIn, type Worked } from "../../awards/worked.ts";
import { gainsOfJob } from "../../awards/gains.ts";
import { DAY } from "../../kernel/clock.ts";
import { getEntityName } from "../../domain/radio/entity.ts";
import { AppError } from "../../kernel/errors.ts";
import { pickLatest, describeNews, type Taken, type Told } from "../../domain/jobs/feed.ts";
import { toGains, mergeGains, type Facts } from "../../domain/jobs/gains.ts";
import { NO_REASONS, NO_STATS, type JobTrigger } from "../../domain/jobs/sync-job.ts";
import * as notices from "../../notices/enqueue.ts";
import * as syncJobs from "../../storage/jobs/sync-jobs.ts";
import { lockUser, type Unit } from "../../storage/engine/unit.ts";
import * as users from "../../storage/people/users.ts";
import type { World } from "../../world.ts";
import { KeyedLock } from "../job/keyed-lock.ts";
import { applyFeed, type Placement, type AppliedFeed } from "./apply-feed.ts";

type Deps = Pick<World, "db" | "cache" | "clock" | "callFacts" | "config" | "ticks" | "turn">;

/** The entries that a program sends in one request. */
export interface FeedOrder {
  userId: number;
  client: string;
  told: readonly Told[];
  trigger: JobTrigger;
  dryRun?: boolean;
}

export interface FeedResult {
  jobId: number | null;
  taken: Taken[];
}

interface Part extends FeedResult {
  /** Whether the contact now counts for fewer awards than before. */
  loses: boolean;
}

/** Entries per transaction, so that other writers get a turn in between. */
const BATCH_SIZE = 100;
const MAX_TRIES = 5;
const RETRY_AFTER_ROLLBACK = 5;
const NEVER = new AbortController().signal;
/** Thrown if the log changed after its worked entities were counted. */
class Outdated extends Error {}

/** Applies what programs send contact by contact. Requests for the same log run one after the other. */
export class Feeds {
  readonly #deps: Deps;
  readonly #lines = new KeyedLock();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async take(order: FeedOrder): Promise<FeedResult> {
    const done = await this.#lines.acquire(String(order.userId), NEVER);
    try {
      return await this.#takeAll(order);
    } finally {
      done();
    }
  }

  async #takeAll(order: FeedOrder): Promise<FeedResult> {
    const result: FeedResult = { jobId: null, taken: [] };
    const toCount = new Set<number>();
    try {
      for (let start = 0; start < order.told.length; start += BATCH_SIZE) {
        const told = order.told.slice(start, start + BATCH_SIZE);
        const { jobId, taken, loses } = await this.#retryPart({ ...order, told });
        await this.#deps.turn();
        if (loses) toCount.add(jobId!);
        result.jobId = jobId;
        result.taken.push(...taken);
      }
      return result;
    } finally {
      for (const jobId of toCount) await this.#recountGains(order.userId, jobId);
    }
  }

  async #retryPart(order: FeedOrder): Promise<Part> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#applyPart(order);
      } catch (error) {
        if (!(error instanceof Outdated) || tries === MAX_TRIES) throw toRefusal(error);
      }
    }
  }

  async #applyPart(order: FeedOrder): Promise<Part> {
    const { db, clock, callFacts } = this.#deps;
    const { userId, client, told, trigger, dryRun = false } = order;
    const worked = await workedIn(this.#deps, userId);
    const facts = await callFacts();
    const now = clock();
    const run = function* (job: Counted): Unit<AppliedFeed & { fresh: Facts[] }> {
      const { callsign } = yield* users.get(userId);
      const taken = yield* applyFeed(job, told.map(addOwnCallsign(callsign)), facts, now);
      return { ...taken, fresh: findNewFacts(taken.placements, worked) };
    };
    if (dryRun) {
      const taken = listTaken(await db.read(() => run({ ...DRY_RUN, userId, client })));
      return { jobId: null, taken, loses: false };
    }
    const written = await db.write(function* () {
      yield* lockUser(userId);
      if ((yield* users.logVersion(userId)) !== worked.version) throw new Outdated();
      const job = yield* syncJobs.openFeed({ userId, client, day: now - (now % DAY) }, trigger, now);
      const taken = yield* run(job);
      const fresh = toGains(taken.fresh.flatMap((names) => [...names]));
      const gains = mergeGains(job.gains, fresh);
      yield* syncJobs.countOn(job.id, { ...taken, gains, latest: pickLatest(job.latest, listTaken(taken), now) }, now);
      yield* notices.enqueueGains(job, fresh, now);
      yield* notices.enqueueLeftovers(job, taken.placements.filter(isLeft).length, now);
      return { ...taken, jobId: job.id, version: yield* users.logVersion(userId) };
    });
    const { jobId, placements, fresh, version } = written;
    addWorked(this.#deps, userId, worked, fresh, version);
    return { jobId, taken: listTaken(written), loses: placements.some(losesAwards) };
  }

  /**
   * A corrected or deleted contact can lose what it counted for. Counting again is slow, so it is done once per
   * request.
   */
  async #recountGains(userId: number, jobId: number): Promise<void> {
    forgetWorked(this.#deps, userId);
    const gains = await gainsOfJob(this.#deps, jobId, userId);
    await this.#deps.db.write(() => syncJobs.setGains(jobId, gains));
  }
}

type Counted = Parameters<typeof applyFeed>[0];

const DRY_RUN = { id: 0, source: "feed", options: {}, dryRun: true, stats: NO_STATS, reasons: NO_REASONS } as const;

/** If the program does not say which own callsign was used, it is the user's callsign. */
const addOwnCallsign =
  (callsign: string | null) =>
  (told: Told): Told => {
    const { fields } = told;
    if (!fields || callsign === null || fields.STATION_CALLSIGN !== undefined) return told;
    return { ...told, fields: { ...fields, STATION_CALLSIGN: callsign } };
  };

/** What each entry brings that neither the log nor an earlier entry had. */
const findNewFacts = (placements: readonly Placement[], worked: Worked): Facts[] => {
  const known: Facts = new Set();
  return placements.map(({ after }) => {
    const fresh: Facts = new Set();
    for (const name of after ? factsOfContact(after) : []) {
      if (!worked.facts.has(name) && !known.has(name)) fresh.add(name);
    }
    for (const name of fresh) known.add(name);
    return fresh;
  });
};

const isLeft = ({ outcome }: Placement): boolean => outcome === "unmatched" || outcome === "rejected";

const losesAwards = ({ before, after }: Placement): boolean => {
  if (!before || before === after) return false;
  const left = after ? factsOfContact(after) : new Set<string>();
  return [...factsOfContact(before)].some((name) => !left.has(name));
};

const listTaken = ({ placements, fresh }: AppliedFeed & { fresh: Facts[] }): Taken[] =>
  placements.map((placement, at) => toTaken(placement, fresh[at]!));

const toTaken = ({ outcome, reason, qsoId, before, after }: Placement, fresh: Facts): Taken => {
  const qso = after ?? before;
  return {
    outcome,
    reason,
    qsoId: outcome === "deleted" || (qsoId ?? 0) < 0 ? null : qsoId,
    call: qso?.call ?? null,
    startedAt: qso?.startedAt ?? null,
    band: qso?.band ?? null,
    mode: qso ? (qso.submode ?? qso.mode) : null,
    stationCallsign: qso?.stationCallsign ?? null,
    entity: qso && qso.dxcc !== null ? getEntityName(qso.dxcc) : null,
    news: describeNews(fresh, qso?.band ?? null),
  };
};

/** A rollback ends soon, so the program is asked to retry instead of losing its entry. */
const toRefusal = (error: unknown): unknown => {
  if (error instanceof Outdated) {
    return new AppError("unavailable", "The log changes too often at the moment. Try again.", { retryAfterSeconds: 1 });
  }
  if (!(error instanceof AppError) || error.rule !== "rollback_active") return error;
  return new AppError("unavailable", error.message, { rule: error.rule, retryAfterSeconds: RETRY_AFTER_ROLLBACK });
};
