import { MINUTE, type Clock } from "../domain/clock.ts";

const KEPT_FOR = 5 * MINUTE;
/** Slots, rows and awards in all answers together: some tens of megabytes. */
const MOST = 200_000;

interface Entry {
  userId: number;
  version: number;
  value: unknown;
  weight: number;
  until: number;
}

/** Answers about logs, as long as the log has the same version, and no longer than some minutes. */
export class AwardCache {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;
  readonly #most: number;
  #weight = 0;

  constructor(clock: Clock, most = MOST) {
    this.#clock = clock;
    this.#most = most;
  }

  find(userId: number, version: number, question: string): unknown {
    const name = nameOf(userId, question);
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    this.#drop(name);
    if (entry.version !== version || entry.until <= this.#clock()) return undefined;
    this.#put(name, entry);
    return entry.value;
  }

  /** What was asked for longest ago makes room. */
  keep(userId: number, version: number, question: string, value: unknown): void {
    const name = nameOf(userId, question);
    this.#drop(name);
    this.#forgetOlder(userId, version);
    const weight = weightOf(value);
    if (weight > this.#most) return;
    this.#put(name, { userId, version, value, weight, until: this.#clock() + KEPT_FOR });
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most) break;
      this.#drop(oldest);
    }
  }

  /** What was answered of an older log is of no use to anybody. */
  #forgetOlder(userId: number, version: number): void {
    for (const [name, entry] of this.#entries) {
      if (entry.userId === userId && entry.version < version) this.#drop(name);
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  #put(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    this.#weight += entry.weight;
  }

  #drop(name: string): void {
    this.#weight -= this.#entries.get(name)?.weight ?? 0;
    this.#entries.delete(name);
  }
}

const nameOf = (userId: number, question: string): string => `${userId} ${question}`;

/** The number of things in an answer: of its lists, and of itself. */
const weightOf = (value: unknown): number => {
  const lists = Array.isArray(value) ? [value] : Object.values(value ?? {}).filter(Array.isArray);
  return lists.reduce((sum, list) => sum + list.length, 1);
};
