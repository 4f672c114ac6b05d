import { MINUTE, SECOND } from "../kernel/clock.ts";
import { parseDay } from "../kernel/day.ts";
import { AppError } from "../kernel/errors.ts";
import { moment, type AsOf } from "../kernel/time-text.ts";
import { Hearers, type OnProgress } from "../kernel/progress.ts";
import { Semaphore, SemaphoreFull } from "../kernel/semaphore.ts";
import * as qsoChanges from "../storage/log/qso-changes.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type { Building, PastDesk, PastLog } from "./build-as-of.ts";

interface Kept {
  log: Promise<PastLog>;
  /** Those who wait for it; null when it is there. */
  hearers: Hearers | null;
  askers: number;
  usedAt: number;
}

const MAX_CACHED = 2;
const KEPT_FOR_MS = 5 * MINUTE;
const LOOK_EVERY_MS = 30 * SECOND;
/** What is written now may carry a moment that is this long over. */
const WRITTEN_BY = 10 * MINUTE;
/** So long a server lets somebody wait who does not hear how far it is. */
export const PATIENCE_MS = 8 * SECOND;
/** Logs are put together one after the other; whoever comes when this many wait is told so. */
const IN_LINE = { room: 8, roomOfLane: 1 };

type Deps = Building & Pick<World, "every">;

/** Logs as they were: each is put together from change records, in a database of its own that is kept for a while. */
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

  /** Asks a log as it was at a moment. */
  async ask<T>({ id, onProgress }: PastAsker, at: number, question: (desk: PastDesk) => Promise<T>): Promise<T> {
    const { desk, letGo } = await this.hold({ id, onProgress }, at);
    try {
      return await question(desk);
    } finally {
      await letGo();
    }
  }

  /** A log as it was at a moment, which stays until it is let go. */
  async hold({ id, onProgress }: PastAsker, at: number): Promise<{ desk: PastDesk; letGo(): Promise<void> }> {
    const kept = await this.#find(id, at);
    if (onProgress) kept.hearers?.add(onProgress);
    kept.askers += 1;
    const letGo = async () => {
      kept.askers -= 1;
      kept.usedAt = this.#deps.ticks();
      await this.#makeRoom();
    };
    try {
      const { desk } = await this.#soon(kept.log, onProgress);
      return { desk, letGo };
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
    const hearers = new Hearers();
    const log = this.#building.pass(() => this.#build(userId, at, hearers.tell), String(userId));
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

  /** A large log takes longer than a program waits; it goes on, and is there when somebody asks again. */
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
  new AppError("unavailable", "The log of that day is still being put together. Ask again in a moment.", {
    retryAfterSeconds: 5,
  });

type PastAsker = Pick<LogCaller, "id" | "onProgress">;

/** Whatever a question needs of the log that it is about. */
type LogDesk = Partial<PastDesk>;

/** The end of a day. A day before changes were recorded is refused. */
export function* momentOf(userId: number, asOf: string): Unit<AsOf> {
  const at = parseDay(asOf, "asOf", true) - 1;
  const recordedSince = yield* qsoChanges.recordedSince(userId);
  if (at < recordedSince) throw tooEarly(recordedSince);
  return { at, recordedSince };
}

/** Asks a log as it is, or as it was at the end of a day; the answer says since when that is known. */
export const readAsOf = async <Desk extends LogDesk & Pick<World, "db" | "clock">, T extends object>(
  desk: Desk & { pasts: PastLogs },
  asker: PastAsker,
  asOf: string | null | undefined,
  question: (desk: Desk) => Promise<T>,
): Promise<T & { asOf?: AsOf }> => {
  if (asOf == null) return question(desk);
  const { at, recordedSince } = await desk.db.read(() => momentOf(asker.id, asOf));
  const answer =
    at >= desk.clock() ? question(desk) : desk.pasts.ask(asker, at, (past) => question(past as unknown as Desk));
  return { ...(await answer), asOf: { at, recordedSince } };
};

type Pieces = AsyncGenerator<string, void, void>;

/** The same for what goes out in pieces. What makes no sense is refused before the first of them. */
export const exportAsOf = async <Desk extends LogDesk & Pick<World, "db" | "clock">>(
  desk: Desk & { pasts: PastLogs },
  asker: PastAsker,
  asOf: string | null | undefined,
  make: (of: Pick<World, "db">) => Pieces,
): Promise<Pieces> => {
  const then = await readAsOf(desk, asker, asOf, async () => ({}));
  return then.asOf === undefined || then.asOf.at >= desk.clock()
    ? make(desk)
    : heldWhile(desk.pasts, asker, then.asOf.at, make);
};

async function* heldWhile(
  pasts: PastLogs,
  asker: PastAsker,
  at: number,
  make: (of: Pick<World, "db">) => Pieces,
): Pieces {
  const { desk, letGo } = await pasts.hold(asker, at);
  try {
    yield* make(desk);
  } finally {
    await letGo();
  }
}

const tooEarly = (since: number): AppError => {
  const message = `What the log was is recorded since ${moment(since)}: what it was before, nobody knows.`;
  return new AppError("invalid", message, { fields: [{ path: "asOf", message }], rule: "not_recorded" });
};
