import { AppError } from "../../kernel/errors.ts";
import type { OnProgress } from "../../kernel/progress.ts";
import { stopping, type BackgroundTask, type PreviewAnswer } from "./background-thread.ts";

/** A user occupies at most one, so the second is free for others. */
const THREADS = 2;
const MAX_WAITING_OF_USER = 8;
/** Each keeps a snapshot open, and the write-ahead log cannot be shortened while one is open. */
const MAX_PREVIEWS = 4;
const RETRY_AFTER_SECONDS = 5;

/** A read of one user's log. Questions with the same identity share one answer. */
export interface LogQuestion {
  userId: number;
  identity: string;
  name: string;
  args: unknown;
  /** Reads a whole log in slices. Other questions get a turn in between. */
  isPreview: boolean;
}

export interface Waiting {
  signal?: AbortSignal | undefined;
  /** For jobs and programs, which cannot retry. They are queued even if the user has many questions waiting. */
  isNeverRefused?: boolean | undefined;
  /** Called after each slice of a preview. */
  onProgress?: OnProgress | undefined;
}

export interface Reader {
  start(): void;
  ask<T>(task: BackgroundTask): Promise<T>;
  stop(): Promise<void>;
}

type Asker = PromiseWithResolvers<unknown> & Pick<Waiting, "onProgress">;

interface Task extends LogQuestion {
  key: number;
  askers: Set<Asker>;
  /** The thread that has the snapshot of a started preview. */
  reader: Reader | null;
}

/**
 * Reads large logs in two threads. Users take turns, each with at most one running question, and identical questions
 * are answered together. A question that nobody waits for any more is dropped before it starts, and a preview also
 * between two slices.
 */
export class ReaderThreads {
  readonly #readers: readonly Reader[];
  readonly #busy = new Map<Reader, Task>();
  /** Waiting questions by user, in the order of their turns. */
  readonly #lines = new Map<number, Task[]>();
  readonly #tasks = new Map<string, Task>();
  /** Previews that have a snapshot open. */
  readonly #previews = new Set<Task>();
  #lastKey = 0;
  #isStopped = false;

  constructor(startReader: () => Reader) {
    this.#readers = Array.from({ length: THREADS }, startReader);
  }

  read<T>(question: LogQuestion, { isNeverRefused = false, signal, onProgress }: Waiting = {}): Promise<T> {
    if (this.#isStopped) return Promise.reject(stopping());
    if (signal?.aborted) return Promise.reject(cancelled());
    const known = this.#tasks.get(question.identity);
    if (!known && !isNeverRefused && this.#waitingOf(question.userId) >= MAX_WAITING_OF_USER)
      return Promise.reject(tooManyWaiting());
    const task = known ?? { ...question, key: ++this.#lastKey, askers: new Set<Asker>(), reader: null };
    const asker: Asker = { ...Promise.withResolvers<unknown>(), onProgress };
    task.askers.add(asker);
    signal?.addEventListener("abort", () => this.#hangUp(task, asker), { once: true });
    if (!known) {
      // Start both before a second user asks, because starting a thread takes time.
      for (const reader of this.#readers) reader.start();
      this.#tasks.set(task.identity, task);
      this.#wait(task);
      this.#startNext();
    }
    return asker.promise as Promise<T>;
  }

  /** Waits for running reads. Refuses waiting ones. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const task of [...this.#lines.values()].flat()) this.#settle(task, ({ reject }) => reject(stopping()));
    this.#lines.clear();
    await Promise.all(this.#readers.map((reader) => reader.stop()));
  }

  /** Without started previews. */
  #waitingOf(userId: number): number {
    return (this.#lines.get(userId) ?? []).filter(({ reader }) => reader === null).length;
  }

  #hangUp(task: Task, asker: Asker): void {
    if (!task.askers.delete(asker)) return;
    asker.reject(cancelled());
    if (task.askers.size === 0) this.#drop(task);
  }

  /** A running statement cannot be interrupted, so the task is dropped after its slice. */
  #drop(task: Task): void {
    if ([...this.#busy.values()].includes(task)) return;
    const line = this.#lines.get(task.userId)!;
    line.splice(line.indexOf(task), 1);
    if (line.length === 0) this.#lines.delete(task.userId);
    this.#forget(task);
    this.#startNext();
  }

  #forget(task: Task): void {
    this.#tasks.delete(task.identity);
    if (!this.#previews.delete(task)) return;
    task.reader!.ask({ kind: "dropPreview", key: task.key }).catch(() => {});
  }

  #settle(task: Task, tell: (asker: Asker) => void): void {
    this.#previews.delete(task);
    this.#tasks.delete(task.identity);
    for (const asker of task.askers) tell(asker);
    task.askers.clear();
  }

  #wait(task: Task): void {
    const line = this.#lines.get(task.userId);
    if (line) line.push(task);
    else this.#lines.set(task.userId, [task]);
  }

  #startNext(): void {
    for (const reader of this.#readers) {
      const task = this.#busy.has(reader) ? null : this.#takeFor(reader);
      if (task) void this.#run(reader, task);
    }
  }

  #takeFor(reader: Reader): Task | null {
    const busyUsers = new Set([...this.#busy.values()].map(({ userId }) => userId));
    for (const [userId, line] of this.#lines) {
      if (busyUsers.has(userId)) continue;
      const at = line.findIndex((task) => this.#canRun(task, reader));
      if (at < 0) continue;
      const [task] = line.splice(at, 1);
      if (line.length === 0) this.#lines.delete(userId);
      return task!;
    }
    return null;
  }

  /** A preview stays in its thread. A user has one at a time, so that one user cannot take all snapshots. */
  #canRun({ userId, isPreview, reader: begunIn }: Task, reader: Reader): boolean {
    if (begunIn !== null) return begunIn === reader;
    if (!isPreview) return true;
    return this.#previews.size < MAX_PREVIEWS && ![...this.#previews].some((other) => other.userId === userId);
  }

  async #run(reader: Reader, task: Task): Promise<void> {
    this.#busy.set(reader, task);
    try {
      const answer = task.isPreview ? await this.#nextSlice(reader, task) : await reader.ask(questionOf(task));
      this.#busy.delete(reader);
      if (answer !== NOT_DONE) this.#settle(task, ({ resolve }) => resolve(answer));
      else if (this.#isStopped) this.#settle(task, ({ reject }) => reject(stopping()));
      else if (task.askers.size === 0) this.#forget(task);
      else this.#wait(task);
    } catch (error) {
      this.#busy.delete(reader);
      this.#settle(task, ({ reject }) => reject(error));
    }
    this.#endTurnOf(task.userId);
    this.#startNext();
  }

  #endTurnOf(userId: number): void {
    const line = this.#lines.get(userId);
    this.#lines.delete(userId);
    if (line) this.#lines.set(userId, line);
  }

  async #nextSlice(reader: Reader, task: Task): Promise<unknown> {
    const { key, name, args } = task;
    const hasBegun = task.reader !== null;
    task.reader = reader;
    this.#previews.add(task);
    const order = hasBegun ? { kind: "resumePreview" as const, key } : { kind: "preview" as const, key, name, args };
    const answer = await reader.ask<PreviewAnswer>(order);
    if (answer.isDone) return answer.value;
    for (const { onProgress } of task.askers) onProgress?.(answer.share);
    return NOT_DONE;
  }
}

const NOT_DONE = Symbol("not done");

const questionOf = ({ name, args }: Task): BackgroundTask => ({ kind: "unit", name, args });

const cancelled = (): AppError => new AppError("unavailable", "The request was cancelled.");

const tooManyWaiting = (): AppError => {
  const message = "You have too many requests in progress. Try again in a few seconds.";
  return new AppError("rate_limited", message, { rule: "too_many_waiting", retryAfterSeconds: RETRY_AFTER_SECONDS });
};
