import { AppError, type ErrorCode } from "../../kernel/errors.ts";
import type { FileIdentity } from "./file-identity.ts";

export type BackgroundTask =
  | { kind: "unit"; name: string; args: unknown }
  /** Work in slices: `resumePreview` runs the next one, `dropPreview` ends it. */
  | { kind: "preview"; key: number; name: string; args: unknown }
  | { kind: "resumePreview"; key: number }
  | { kind: "dropPreview"; key: number }
  | { kind: "copy"; file: string }
  | { kind: "maintain"; call: "analyze" | "checkpoint" | "shorten" }
  /** Runs the pending jobs of a worker until none are left. */
  | { kind: "runJobs"; order: unknown };
/** Messages that get no answer. */
export type BackgroundMessage = { kind: "look" } | { kind: "stopJobs" } | { kind: "reopenLog" };
export type BackgroundAnswer = { id: number; value: unknown } | { id: number; error: PlainError };

/** A job of the thread has ended. */
export interface JobEnded {
  ended: number;
}

/** The result of one slice. */
export type PreviewAnswer = { isDone: false; share: number } | { isDone: true; value: unknown };

/** An error in the form in which it crosses between threads. */
export interface PlainError {
  code: ErrorCode | null;
  message: string;
  rule?: string;
  retryAfterSeconds?: number;
  stack?: string;
}

/** The database file that a thread opens when it starts. */
export interface ThreadStart {
  file: string;
  identity: FileIdentity;
  isReadOnly: boolean;
}

/** A thread with its own connection, started when it is first needed and again after a crash. */
export class BackgroundThread {
  readonly #entry: URL;
  readonly #start: ThreadStart;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #worker: Worker | null = null;
  #lastId = 0;
  #isStopped = false;
  /** Called for each job that ends in the thread. */
  onJobEnded: (jobId: number) => void = () => {};

  constructor(entry: URL, start: ThreadStart) {
    this.#entry = entry;
    this.#start = start;
  }

  ask<T>(task: BackgroundTask): Promise<T> {
    if (this.#isStopped) return Promise.reject(stopping());
    const worker = this.#started();
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    worker.ref();
    worker.postMessage({ id, ...task });
    return waiting.promise as Promise<T>;
  }

  start(): void {
    this.#started();
  }

  /** Sends a message if the thread is running. */
  tell(message: BackgroundMessage): void {
    this.#worker?.postMessage(message);
  }

  /** Ends an idle thread to free its memory. The next task starts it again. */
  rest(): void {
    if (this.#waiting.size > 0 || !this.#worker) return;
    this.#worker.postMessage("stop");
    this.#worker = null;
  }

  /** Waits for work in progress, then closes the thread's connection. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.allSettled([...this.#waiting.values()].map(({ promise }) => promise));
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = null;
    const closed = new Promise<void>((resolve) => worker.addEventListener("close", () => resolve()));
    worker.postMessage("stop");
    await closed;
  }

  #started(): Worker {
    return (this.#worker ??= this.#open());
  }

  #open(): Worker {
    const worker = new Worker(this.#entry, { ref: false });
    worker.postMessage(this.#start);
    worker.onmessage = ({ data }: MessageEvent<BackgroundAnswer | JobEnded>) => {
      if ("ended" in data) return this.onJobEnded(data.ended);
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (this.#waiting.size === 0) worker.unref();
      if ("error" in data) waiting?.reject(revive(data.error));
      else waiting?.resolve(data.value);
    };
    const failed = (cause: unknown) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const waiting of this.#waiting.values()) waiting.reject(crashed(this.#start.isReadOnly, cause));
      this.#waiting.clear();
    };
    worker.onerror = ({ message }) => {
      failed(message);
      worker.terminate();
    };
    worker.addEventListener("close", () => failed("the thread ended"));
    return worker;
  }
}

export const stopping = (): AppError => new AppError("unavailable", "The server is stopping. Try again in a moment.");

/** A read can be repeated. Of a write, nobody knows whether it was committed. */
export const crashed = (wasReading: boolean, cause?: unknown): AppError =>
  new AppError("unavailable", "The server failed before it could answer.", {
    retryAfterSeconds: wasReading ? 1 : undefined,
    cause,
  });

export const flatten = (error: unknown): PlainError => {
  if (error instanceof AppError) {
    const { code, message, rule, retryAfterSeconds } = error;
    return { code, message, rule, retryAfterSeconds };
  }
  const known = error instanceof Error ? error : new Error(String(error));
  return { code: null, message: known.message, stack: known.stack };
};

const revive = ({ code, message, rule, retryAfterSeconds, stack }: PlainError): Error => {
  if (code) return new AppError(code, message, { rule, retryAfterSeconds });
  const error = new Error(message);
  if (stack) error.stack = stack;
  return error;
};
