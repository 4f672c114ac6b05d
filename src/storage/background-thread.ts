import { AppError, type ErrorCode } from "../domain/errors.ts";
import type { FileIdentity } from "./file-identity.ts";

export type BackgroundTask =
  | { kind: "unit"; name: string; args: unknown }
  | { kind: "copy"; file: string }
  | { kind: "checkpoint" }
  | { kind: "shorten" }
  | { kind: "analyze" };
export type BackgroundAnswer = { id: number; value: unknown } | { id: number; error: PlainError };

/** An error as it crosses between threads. */
export interface PlainError {
  code: ErrorCode | null;
  message: string;
  rule?: string;
  retryAfterSeconds?: number;
  stack?: string;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A second thread with its own connection, started when it is first needed. */
export class BackgroundThread {
  readonly #entry: URL;
  readonly #file: string;
  readonly #identity: FileIdentity;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;
  #isStopped = false;

  constructor(entry: URL, file: string, identity: FileIdentity) {
    this.#entry = entry;
    this.#file = file;
    this.#identity = identity;
  }

  ask<T>(task: BackgroundTask): Promise<T> {
    if (this.#isStopped) return Promise.reject(new AppError("unavailable", "The program is stopping."));
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    worker.ref();
    worker.postMessage({ id, ...task });
    return answer as Promise<T>;
  }

  /** Lets the work under way end, then closes the thread's connection. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.allSettled([...this.#waiting.values()].map((waiting) => settled(waiting)));
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = null;
    const closed = new Promise<void>((resolve) => worker.addEventListener("close", () => resolve()));
    worker.postMessage("stop");
    await closed;
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { ref: false });
    worker.postMessage({ file: this.#file, identity: this.#identity });
    worker.onmessage = ({ data }: MessageEvent<BackgroundAnswer>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (this.#waiting.size === 0) worker.unref();
      if ("error" in data) waiting?.reject(revive(data.error));
      else waiting?.resolve(data.value);
    };
    const failed = (reason: string) => {
      if (this.#worker === worker) this.#worker = null;
      for (const waiting of this.#waiting.values()) waiting.reject(new Error(reason));
      this.#waiting.clear();
    };
    worker.onerror = (event) => failed(`the second thread failed: ${event.message}`);
    worker.addEventListener("close", () => failed("the second thread ended"));
    return worker;
  }
}

const settled = (waiting: Waiting) =>
  new Promise<void>((done) => {
    const { resolve, reject } = waiting;
    waiting.resolve = (value) => (resolve(value), done());
    waiting.reject = (error) => (reject(error), done());
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
