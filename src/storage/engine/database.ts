import type { Time } from "../../kernel/clock.ts";
import type { OnProgress } from "../../kernel/progress.ts";
import { AppError } from "../../kernel/errors.ts";
import type { BackgroundThread } from "./background-thread.ts";
import type { FileIdentity } from "./file-identity.ts";
import type { Waiting } from "./reader-threads.ts";
import type { Unit } from "./unit.ts";

/**
 * A unit that can run in another thread, where it is found by its name. Arguments and result are plain data.
 */
export interface Work<Args, Result, Tools = void> {
  readonly name: string;
  readonly access: "read" | "write";
  readonly unit: (args: Args, tools: Tools) => Unit<Result>;
  /** Loads data that the unit needs, in its thread. */
  readonly prepare?: (args: Args) => Promise<Tools>;
  /** Reads a whole log, on one snapshot and in slices. */
  readonly isPreview?: boolean;
}

/** Who waits for background work: a user, or with null the program itself, for example during a sign-in. */
export interface WorkRequester extends Waiting {
  userId: number | null;
}

export interface Database {
  readonly engine: "sqlite" | "postgres";
  /** How many contacts of a rollback or bulk edit are written per transaction, so that others can write in between. */
  readonly sliceSize: number;
  /** Whether programs on several machines can use it. */
  readonly isShared: boolean;
  /** The path or address of the database, without secrets. */
  readonly location: string;
  read<T>(unit: () => Unit<T>): Promise<T>;
  /** Runs a unit in one transaction. No other writer runs in between. */
  write<T>(unit: () => Unit<T>): Promise<T>;
  /** Runs long work without blocking the event loop. Reads of one user do not delay other users. */
  inWorker<Args, Result, Tools>(work: Work<Args, Result, Tools>, args: Args, requester: WorkRequester): Promise<Result>;
  /** Runs a job that must not run in two processes at the same time. */
  withExclusiveLock<T>(job: () => Promise<T>): Promise<T>;
  /** Blocks all writes while `work`, which only reads, runs. */
  freezeWrites<T>(work: () => Promise<T>): Promise<T>;
  /** Of a server: passes on a reader that sees one moment, while others write. */
  onSnapshot?<T>(work: (read: Database["read"]) => Promise<T>): Promise<T>;
  /** Updates the statistics of the query planner. */
  analyze(): Promise<void>;
  /** Writes a complete, consistent copy into a new file. */
  copyTo(file: string): Promise<void>;
  sizeBytes(): Promise<number>;
  /**
   * For a server on SQLite: reports once when another program moved, replaced, overwrote or removed the file. After
   * that nothing is written.
   */
  watchFile?(random: number, report: (message: string) => void): Promise<void>;
  /** The thread that runs jobs next to a server's requests. Without it, jobs run in the thread that starts them. */
  readonly jobsThread?: BackgroundThread;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  time: Pick<Time, "ticks" | "sleep" | "turn" | "every">;
  /** The file to run in other threads. Without it, work runs in the calling thread. */
  backgroundThread?: URL;
  /** How long an operation waits for a locked database. */
  giveUpAfterMs?: number;
  /** How many connections to a server are opened, all at the first question. */
  maxConnections?: number;
  /** After this time without an answer, a server is asked whether it still works. */
  silentAfterMs?: number;
  /**
   * This process already has the file open. Opening and closing it once more would release SQLite's locks, because the
   * system drops all locks of a process when it closes any handle of the file.
   */
  openHere?: FileIdentity;
  isReadOnly?: boolean;
}

/**
 * The connection broke during a commit, and nobody knows yet whether it succeeded. `settle` asks the server: it
 * returns the value of the unit if it was committed, null if it was not, and rejects while the server cannot answer.
 */
export class OutcomeUnknown extends AppError {
  readonly settle: () => Promise<{ value: unknown } | null>;

  constructor(message: string, settle: OutcomeUnknown["settle"], cause: unknown) {
    super("unavailable", message, { cause });
    this.settle = settle;
  }
}

export const defineWork = <Args, Result, Tools = void>(
  name: string,
  access: "read" | "write",
  unit: (args: Args, tools: Tools) => Unit<Result>,
  prepare?: Work<Args, Result, Tools>["prepare"],
): Work<Args, Result, Tools> => ({ name, access, unit, prepare });

/** Defines work that reads a whole log. Other work gets a turn between its slices. */
export const definePreview = <Args, Result, Tools = void>(
  name: string,
  unit: (args: Args, tools: Tools) => Unit<Result>,
  prepare?: Work<Args, Result, Tools>["prepare"],
): Work<Args, Result, Tools> => ({ ...defineWork(name, "read", unit, prepare), isPreview: true });

/** Runs work on the given connection. */
export const runWork = async <Args, Result, Tools>(
  db: Pick<Database, "read" | "write">,
  work: Work<Args, Result, Tools>,
  args: Args,
  onProgress: OnProgress = () => {},
): Promise<Result> => {
  const tools = (await work.prepare?.(args)) as Tools;
  return db[work.access](() => withProgress(work.unit(args, tools), onProgress));
};

/** Reports the progress of a unit. */
export function* withProgress<T>(unit: Unit<T>, onProgress: OnProgress): Unit<T> {
  let step = unit.next();
  while (!step.done) {
    if (step.value.kind === "progress") onProgress(step.value.share);
    step = unit.next(yield step.value);
  }
  return step.value;
}
