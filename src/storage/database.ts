import type { Unit } from "./unit.ts";

/** A unit that can run in a second thread: its name finds it there, its arguments and result are plain data. */
export interface AsideWork<Args, Result> {
  readonly name: string;
  readonly access: "read" | "write";
  readonly unit: (args: Args) => Unit<Result>;
}

export interface Database {
  readonly engine: "sqlite" | "postgres";
  /** Where the data is, without secrets. */
  readonly location: string;
  /** Runs a unit that only reads, on one snapshot. */
  read<T>(unit: () => Unit<T>): Promise<T>;
  /** Runs a unit as one transaction that nothing interleaves with. */
  write<T>(unit: () => Unit<T>): Promise<T>;
  /** Runs long work where it does not hold up the event loop. */
  aside<Args, Result>(work: AsideWork<Args, Result>, args: Args): Promise<Result>;
  /** Runs a job that must not run in two processes at once. */
  exclusively<T>(job: () => Promise<T>): Promise<T>;
  /** Tells the query planner what the tables look like now. */
  analyze(): Promise<void>;
  /** Writes a whole, consistent copy into a new file. */
  copyTo(file: string): Promise<void>;
  sizeBytes(): Promise<number>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The file to run in the second thread. Without one, work runs where it is asked for. */
  asideThread?: URL;
  /** How long an operation tries to get at a locked database. */
  giveUpAfterMs?: number;
}

export const defineAside = <Args, Result>(
  name: string,
  access: "read" | "write",
  unit: (args: Args) => Unit<Result>,
): AsideWork<Args, Result> => ({ name, access, unit });
