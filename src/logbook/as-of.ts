import { MINUTE, SECOND } from "../kernel/clock.ts";
import { parseDay } from "../kernel/day.ts";
import { AppError } from "../kernel/errors.ts";
import { formatMoment, type AsOf } from "../kernel/time-text.ts";
import { Listeners, type OnProgress } from "../kernel/progress.ts";
import { Semaphore, SemaphoreFull } from "../kernel/semaphore.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type { Building, PastDeps, PastLog } from "./build-as-of.ts";

interface Kept {
  log: Promise<PastLog>;
  /** Listeners while it is being built; null when it is ready. */
  hearers: Listeners | null;
  askers: number;
  usedAt: number;
}

const MAX_CACHED = 2;
const KEPT_FOR_MS = 5 * MINUTE;
const LOOK_EVERY_MS = 30 * SECOND;
/** A change that is being written now can carry a time up to this long ago. */
const WRITTEN_BY = 10 * MINUTE;
/** How long a server lets a caller without progress reports wait. */
export const PATIENCE_MS = 8 * SECOND;
/** Logs are built one after the other. Further callers are refused when this many wait. */
const IN_LINE = { room: 8, roomOfLane: 1 };

type Deps = Building & Pick<World, "every">;

/** Logs as of past times. Each is rebuilt from change records into a temporary database, which is kept for a while. */
export class PastLogs {
  readonly #deps: Deps;
  readonly #patienceMs: number;
  readonly #kept = new Map<string, Kept>();
  readonly #building = new Semaphore(1, IN_LINE);
  #endLooks: (() => void) | null = null;

  constructor(deps: Deps, { patienceMs = Infinity } = {}) {
    this.#deps = deps;
    this.#patienceMs = patienceMs;
  }

  /** Asks a question about the log as of a time. */
  async ask<T>(asker: LogCaller, at: number, question: (deps: PastDeps) => Promise<T>): Promise<T> {
    const { deps, letGo } = await this.hold(asker, at);
    try {
      return await question(deps);
    } finally {
      await letGo();
    }
  }

  /** Opens the log as of a time. It stays open until `letGo` is called. */
  async hold(
    { owner: { id }, onProgress }: LogCaller,
    at: number,
  ): Promise<{ deps: PastDeps; letGo(): Promise<void> }> {
    const kept = await this.#find(id, at);
    if (onProgress) kept.hearers?.add(onProgress);
    kept.askers += 1;
    const letGo = async () => {
      kept.askers -= 1;
      kept.usedAt = this.#deps.ticks();
      await this.#makeRoom();
    };
    try {
      const { deps } = await this.#soon(kept.log, onProgress);
      return { deps, letGo };
    } catch (error) {
      await letGo();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#endLooks?.();
    for (const [name, { log }] of this.#kept) {
      this.#kept.delete(name);
      await log.then((past) => past.close()).catch(() => {});
    }
  }

  async #find(userId: number, at: number): Promise<Kept> {
    const { db, clock, ticks, every } = this.#deps;
    const isFinal = clock() - at > WRITTEN_BY;
    const version = isFinal ? "" : await db.read(() => users.logVersion(userId));
    const name = `${userId} ${at} ${version}`;
    const known = this.#kept.get(name);
    if (known) return known;
    const hearers = new Listeners();
    const log = this.#building.run(() => this.#build(userId, at, hearers.tell), String(userId));
    const kept: Kept = { log, hearers, askers: 0, usedAt: ticks() };
    this.#kept.set(name, kept);
    this.#endLooks ??= every(LOOK_EVERY_MS, () => void this.#makeRoom());
    log.then(
      () => (kept.hearers = null),
      () => this.#kept.delete(name),
    );
    return kept;
  }

  async #build(userId: number, at: number, tell: OnProgress): Promise<PastLog> {
    const { buildPastLog } = await import("./build-as-of.ts");
    return buildPastLog(this.#deps, userId, at, tell);
  }

  /**
   * Building a large log can take longer than a program waits. It continues in the background and is ready for the next
   * request.
   */
  async #soon(log: Promise<PastLog>, onProgress?: OnProgress): Promise<PastLog> {
    const waited = new AbortController();
    const late =
      this.#patienceMs === Infinity
        ? new Promise<never>(() => {})
        : this.#deps.sleep(this.#patienceMs, waited.signal).then(() => {
            if (!onProgress) throw notYet();
            onProgress(0);
            return log;
          });
    late.catch(() => {});
    try {
      return await Promise.race([log, late]);
    } catch (error) {
      throw error instanceof SemaphoreFull ? notYet() : error;
    } finally {
      waited.abort(new Error("It is there."));
    }
  }

  async #makeRoom(): Promise<void> {
    const idle = [...this.#kept].filter(([, { askers }]) => askers === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    let tooMany = this.#kept.size - MAX_CACHED;
    for (const [name, { log, usedAt }] of idle) {
      if (tooMany-- <= 0 && this.#deps.ticks() - usedAt < KEPT_FOR_MS) continue;
      this.#kept.delete(name);
      await log.then((past) => past.close()).catch(() => {});
    }
  }
}

const notYet = (): AppError =>
  new AppError("unavailable", "The log of that day is still being prepared. Try again in a moment.", {
    retryAfterSeconds: 5,
  });

/** The dependencies of a question about a log. */
type LogDeps = Partial<PastDeps>;

/** The end of a day. Throws for a day before changes were recorded. */
export function* parseAsOf(userId: number, asOf: string): Unit<AsOf> {
  const at = parseDay(asOf, "asOf", true) - 1;
  const recordedSince = yield* users.getRecordedSince(userId);
  if (at < recordedSince) throw tooEarly(recordedSince);
  return { at, recordedSince };
}

/** Asks a question about the log now or at the end of a day. The answer says since when changes are recorded. */
export const readAsOf = async <Current extends LogDeps & Pick<World, "db" | "clock">, T extends object>(
  deps: Current & { pasts: PastLogs },
  caller: LogCaller,
  asOf: string | null | undefined,
  question: (deps: Current) => Promise<T>,
): Promise<T & { asOf?: AsOf }> => {
  if (asOf == null) return question(deps);
  const { at, recordedSince } = await deps.db.read(() => parseAsOf(caller.owner.id, asOf));
  const answer =
    at >= deps.clock() ? question(deps) : deps.pasts.ask(caller, at, (past) => question(past as unknown as Current));
  return { ...(await answer), asOf: { at, recordedSince } };
};

type Pieces = AsyncGenerator<string, void, void>;

/** The same for an answer in chunks. Invalid requests throw before the first chunk. */
export const exportAsOf = async <Current extends LogDeps & Pick<World, "db" | "clock">>(
  deps: Current & { pasts: PastLogs },
  caller: LogCaller,
  asOf: string | null | undefined,
  make: (of: Pick<World, "db">) => Pieces,
): Promise<Pieces> => {
  const then = await readAsOf(deps, caller, asOf, async () => ({}));
  return then.asOf === undefined || then.asOf.at >= deps.clock()
    ? make(deps)
    : heldWhile(deps.pasts, caller, then.asOf.at, make);
};

async function* heldWhile(
  pasts: PastLogs,
  caller: LogCaller,
  at: number,
  make: (of: Pick<World, "db">) => Pieces,
): Pieces {
  const { deps, letGo } = await pasts.hold(caller, at);
  try {
    yield* make(deps);
  } finally {
    await letGo();
  }
}

const tooEarly = (since: number): AppError => {
  const message = `Past states of the log are available since ${formatMoment(since)}. Choose a later time.`;
  return new AppError("invalid", message, { fields: [{ path: "asOf", message }], rule: "not_recorded" });
};
