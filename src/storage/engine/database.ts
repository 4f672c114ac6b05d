import type { Time } from "../../kernel/clock.ts";
import type { OnProgress } from "../../kernel/progress.ts";
import { AppError } from "../../kernel/errors.ts";
import type { BackgroundThread } from "./background-thread.ts";
import type { FileIdentity } from "./file-identity.ts";
import type { Waiting } from "./reader-threads.ts";
import type { Unit } from "./unit.ts";

/**
 * A unit that can run in another thread: its name finds it there, its arguments and result are plain data. What else
 * it needs, such as large tables, it prepares where it runs.
 */
export interface Work<Args, Result, Tools = void> {
  readonly name: string;
  readonly access: "read" | "write";
  readonly unit: (args: Args, tools: Tools) => Unit<Result>;
  readonly prepare?: Preparation<Args, Tools>;
  /** Reads a whole log, on one snapshot and in slices. */
  readonly isPreview?: boolean;
}

/** Who waits for background work: a user, or with null the program itself, as at a sign-in. */
export interface WorkRequester extends Waiting {
  userId: number | null;
}

/** What is made for work is kept where it runs, as long as it would be made the same. */
interface Preparation<Args, Tools> {
  versionOf(args: Args): Promise<string>;
  make(args: Args): Promise<Tools>;
}

export interface Database {
  readonly engine: "sqlite" | "postgres";
  /** So many contacts of a rollback or a repair are written in one transaction: others may write in between. */
  readonly sliceSize: number;
  /** Whether programs on several machines may work on it. */
  readonly isShared: boolean;
  /** Where the data is, without secrets. */
  readonly location: string;
  /** Runs a unit that only reads, on one snapshot. */
  read<T>(unit: () => Unit<T>): Promise<T>;
  /** Runs a unit as one transaction that nothing interleaves with. */
  write<T>(unit: () => Unit<T>): Promise<T>;
  /** Runs long work where it does not hold up the event loop, and a user's reads where they do not hold up other users. */
  inWorker<Args, Result, Tools>(work: Work<Args, Result, Tools>, args: Args, requester: WorkRequester): Promise<Result>;
  /** Runs a job that must not run in two processes at once. */
  withExclusiveLock<T>(job: () => Promise<T>): Promise<T>;
  /** Keeps everybody from writing while the work lasts, which only reads. */
  freezeWrites<T>(work: () => Promise<T>): Promise<T>;
  /** Tells the query planner what the tables look like now. */
  analyze(): Promise<void>;
  /** Writes a whole, consistent copy into a new file. */
  copyTo(file: string): Promise<void>;
  sizeBytes(): Promise<number>;
  /**
   * For a server with an embedded database: reports once when the file was moved, replaced, overwritten or removed by
   * another program. From then on nothing is written.
   */
  watchFile?(random: number, report: (message: string) => void): Promise<void>;
  /** Where jobs run beside the requests of a server. Without it they run where they are started. */
  readonly jobsThread?: BackgroundThread;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  time: Pick<Time, "ticks" | "sleep" | "turn" | "every">;
  /** The file to run in other threads. Without one, work runs where it is asked for. */
  backgroundThread?: URL;
  /** How long an operation tries to get at a locked database. */
  giveUpAfterMs?: number;
  /** How long a server may say nothing before it is asked whether it is there. */
  silentAfterMs?: number;
  /**
   * This process has the file open already, as this one. To look into it once more would end the locks SQLite holds on it,
   * because the system takes them from a process with the first of its handles that closes.
   */
  openHere?: FileIdentity;
  isReadOnly?: boolean;
}

/**
 * The connection broke while a unit was committed, and the server could not be asked yet whether it was. `settle` asks: it
 * gives what the unit gave, or null where nothing of it is there, and rejects while nobody answers.
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
  prepare?: Preparation<Args, Tools>,
): Work<Args, Result, Tools> => ({ name, access, unit, prepare });

/** Reads a whole log: other work gets a turn between its slices. */
export const definePreview = <Args, Result, Tools = void>(
  name: string,
  unit: (args: Args, tools: Tools) => Unit<Result>,
  prepare?: Preparation<Args, Tools>,
): Work<Args, Result, Tools> => ({ ...defineWork(name, "read", unit, prepare), isPreview: true });

/** Runs such work on the connection at hand. */
export const runWork = async <Args, Result, Tools>(
  db: Pick<Database, "read" | "write"> & { toolbox: WorkerCache },
  work: Work<Args, Result, Tools>,
  args: Args,
  onProgress: OnProgress = () => {},
): Promise<Result> => {
  const tools = await db.toolbox.toolsFor(work, args);
  return db[work.access](() => withProgress(work.unit(args, tools), onProgress));
};

/** Hears how far a unit is. */
export function* withProgress<T>(unit: Unit<T>, onProgress: OnProgress): Unit<T> {
  let step = unit.next();
  while (!step.done) {
    if (step.value.kind === "progress") onProgress(step.value.share);
    step = unit.next(yield step.value);
  }
  return step.value;
}

/** What work has prepared so far. */
export class WorkerCache {
  readonly #made = new Map<unknown, { version: string; tools: unknown }>();

  async toolsFor<Args, Tools>({ prepare }: Work<Args, unknown, Tools>, args: Args): Promise<Tools> {
    if (!prepare) return undefined as Tools;
    const version = await prepare.versionOf(args);
    const known = this.#made.get(prepare);
    if (known?.version === version) return known.tools as Tools;
    const tools = await prepare.make(args);
    this.#made.set(prepare, { version, tools });
    return tools;
  }
}
