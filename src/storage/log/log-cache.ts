import { MINUTE, type Clock } from "../../kernel/clock.ts";
import { Listeners, type OnProgress } from "../../kernel/progress.ts";
import type { Database } from "../engine/database.ts";
import type { Waiting } from "../engine/reader-threads.ts";
import * as users from "../people/users.ts";

const KEEP_MS = 5 * MINUTE;
/** The limit for all answers together, counted in values such as numbers and texts; some tens of megabytes. */
const MAX_WEIGHT = 1_000_000;

interface Entry {
  userId: number;
  version: number;
  answer: Promise<unknown>;
  weight: number;
  until: number;
  /** Null once the answer has been computed. */
  askers: Waiters | null;
}

/** The callers that wait for an answer. Its signal aborts when all of them have disconnected. */
class Waiters {
  readonly #controller = new AbortController();
  readonly #hearers = new Listeners();
  #count = 0;

  get onProgress(): OnProgress {
    return this.#hearers.tell;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  add({ signal, onProgress }: Waiting): void {
    this.#count += 1;
    if (onProgress) this.#hearers.add(onProgress);
    const hangUp = () => {
      this.#count -= 1;
      if (this.#count === 0) this.#controller.abort();
    };
    signal?.addEventListener("abort", hangUp, { once: true });
  }
}

/**
 * Caches what was computed from a log, until the log changes or five minutes have passed. Identical questions asked
 * during the computation share its answer.
 */
export class LogCache {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #maxWeight: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #weight = 0;

  constructor({ db, clock }: { db: Database; clock: Clock }, maxWeight = MAX_WEIGHT) {
    this.#db = db;
    this.#clock = clock;
    this.#maxWeight = maxWeight;
  }

  /** Returns the cached answer or computes it. All callers get the same object. */
  async getOrCompute<T>(
    userId: number,
    question: string,
    compute: (waiting: Waiting) => Promise<T>,
    asker: Waiting = {},
  ): Promise<T> {
    const version = await this.#versionOf(userId);
    asker.signal?.throwIfAborted();
    const known = this.#find(userId, question, version);
    if (known && !known.askers?.signal.aborted) {
      known.askers?.add(asker);
      return known.answer as Promise<T>;
    }
    const askers = new Waiters();
    askers.add(asker);
    const answer = compute(askers);
    const entry = this.#put(userId, question, version, answer, askers);
    try {
      this.#weigh(nameOf(userId, question), entry, await answer);
    } catch (error) {
      this.#drop(nameOf(userId, question), entry);
      throw error;
    }
    return answer;
  }

  /** Returns the cached answer if there is one. */
  async find<T>(userId: number, question: string): Promise<T | undefined> {
    return this.#find(userId, question, await this.#versionOf(userId))?.answer as Promise<T> | undefined;
  }

  /** Stores an answer about a version of the log. */
  put(userId: number, question: string, version: number, answer: unknown): void {
    const entry = this.#put(userId, question, version, Promise.resolve(answer), null);
    this.#weigh(nameOf(userId, question), entry, answer);
  }

  forget(userId: number, question: string): void {
    this.#drop(nameOf(userId, question));
  }

  get size(): number {
    return this.#entries.size;
  }

  #versionOf(userId: number): Promise<number> {
    return this.#db.read(() => users.logVersion(userId));
  }

  #find(userId: number, question: string, version: number): Entry | undefined {
    const name = nameOf(userId, question);
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    if (entry.version !== version || entry.until <= this.#clock()) return void this.#drop(name);
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry;
  }

  #put(userId: number, question: string, version: number, answer: Promise<unknown>, askers: Waiters | null): Entry {
    const name = nameOf(userId, question);
    for (const [other, entry] of this.#entries) {
      const isOutdated = entry.userId === userId && entry.version < version;
      if (other === name || isOutdated || entry.until <= this.#clock()) this.#drop(other);
    }
    const entry = { userId, version, answer, weight: 1, until: this.#clock() + KEEP_MS, askers };
    this.#entries.set(name, entry);
    this.#weight += entry.weight;
    return entry;
  }

  #weigh(name: string, entry: Entry, answer: unknown): void {
    entry.askers = null;
    if (this.#entries.get(name) !== entry) return;
    const weight = measureWeight(answer, this.#maxWeight);
    if (weight > this.#maxWeight) return this.#drop(name, entry);
    this.#weight += weight - entry.weight;
    entry.weight = weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) break;
      this.#drop(oldest);
    }
  }

  #drop(name: string, only = this.#entries.get(name)): void {
    const entry = this.#entries.get(name);
    if (!entry || entry !== only) return;
    this.#entries.delete(name);
    this.#weight -= entry.weight;
  }
}

const nameOf = (userId: number, question: string): string => `${userId} ${question}`;

/** The number of values in an answer. Counting stops above `most`. */
const measureWeight = (answer: unknown, most: number): number => {
  let weight = 0;
  const left: unknown[] = [answer];
  while (left.length > 0 && weight <= most) {
    const value = left.pop();
    weight += 1;
    if (typeof value !== "object" || value === null) continue;
    if (value instanceof Map) for (const [key, one] of value) left.push(key, one);
    else if (value instanceof Set) for (const one of value) left.push(one);
    else for (const one of Object.values(value)) left.push(one);
  }
  return weight;
};
