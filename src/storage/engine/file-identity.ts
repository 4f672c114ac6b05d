import { closeSync, copyFileSync, fstatSync, openSync, readSync, rmSync, statSync, truncateSync } from "node:fs";

export interface FileIdentity {
  dev: number;
  ino: number;
}

/** What happened to the file of an open database. */
export type FileProblem = "missing" | "replaced" | "overwritten" | "log replaced";

const HEADER_BYTES = 64;
const CHANGE_COUNTER = 24;
const SCHEMA_COOKIE = 40;
const USER_VERSION = 60;

const NUMBER_BITS = 15;
const LAST_NUMBER = 2 ** NUMBER_BITS - 1;

/**
 * The user version of a file that a server uses. It has a random mark for the file and a counter that increases at
 * every start and checkpoint, so an older copy has a lower number. SQLite's own counter does not always increase with
 * a commit.
 */
export const nextVersion = (version: number, random: number): number => {
  const mark = Math.floor(version / 2 ** NUMBER_BITS) || 1 + (random % 0xffff);
  return mark * 2 ** NUMBER_BITS + Math.min((version % 2 ** NUMBER_BITS) + 1, LAST_NUMBER);
};

interface Header {
  mark: number;
  number: number;
  changes: number;
  schema: number;
}

/**
 * Checks whether a path still leads to the file that was opened. A replaced file has another inode. `cp` keeps the
 * inode, so if the file was touched, the header is compared: it has the mark of the file, which copies made by qsolog
 * do not have, and counters that only increase. Checkpoints, other commands and VACUUM keep both; an older copy of the
 * same file has lower counters.
 */
export class OpenFile {
  readonly identity: FileIdentity;
  readonly #path: string;
  /** Never closed while the database is open: SQLite loses its locks when any handle of the process is closed. */
  #handle: number | null = null;
  #logs = new Map<string, FileIdentity>();
  #touchedAt = 0;
  #header: Header | null = null;
  /** False while a reader keeps the mark from moving from the write-ahead log into the file. */
  #isMarked = false;
  /** Whether the file was touched since the last check. */
  isTouched = false;

  /** A given identity is that of the connection that this process opened first. */
  constructor(path: string, identity?: FileIdentity) {
    this.#path = path;
    this.identity = identity ?? identityOf(path) ?? { dev: 0, ino: 0 };
  }

  /** From now on also compares the contents. The mark must be in the file or in its write-ahead log. */
  compareContents(version: number): void {
    const handle = openSync(this.#path, "r");
    this.#handle = handle;
    if (!isSame(fstatSync(handle), this.identity)) return;
    for (const end of ["-wal", "-shm"]) {
      const log = identityOf(this.#path + end);
      if (log) this.#logs.set(end, log);
    }
    this.#touchedAt = fstatSync(handle).ctimeMs;
    const header = headerOf(handle);
    const { mark } = partsOf(version);
    this.#isMarked = header?.mark === mark;
    this.isTouched = true;
    this.#header = { ...(header ?? { number: 0, changes: 0, schema: 0 }), mark };
  }

  /** Costs one `stat` if nothing happened. */
  problem(): FileProblem | null {
    const found = statOf(this.#path);
    if (found === null) return "missing";
    if (found === "unknown") return null;
    if (!isSame(found, this.identity)) return "replaced";
    if (this.#header === null || found.ctimeMs === this.#touchedAt) return null;
    const header = headerOf(this.#handle!);
    if (header === null) return "overwritten";
    this.#isMarked ||= header.mark === this.#header.mark;
    const { mark } = this.#header;
    if (this.#isMarked && !isLater(this.#header, header)) return "overwritten";
    this.#touchedAt = found.ctimeMs;
    this.isTouched = true;
    this.#header = { ...header, mark };
    return null;
  }

  /** The same for the write-ahead log, which is never replaced while the database is open. */
  logProblem(): FileProblem | null {
    const log = this.#logs.get("-wal");
    if (!log) return null;
    const found = statOf(`${this.#path}-wal`);
    return found === "unknown" || (found && isSame(found, log)) ? null : "log replaced";
  }

  /**
   * Moves the write-ahead log away, so that neither the next program nor SQLite at the end of this process applies it
   * to the new file. A copy is kept under another name.
   */
  setLogsAside(): void {
    for (const [end, log] of this.#logs) {
      const path = this.#path + end;
      const found = identityOf(path);
      if (!found || !isSame(found, log)) continue;
      if (end === "-wal") {
        copyFileSync(path, `${path}.replaced`);
        truncateSync(path);
      }
      rmSync(path);
    }
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
    this.#handle = null;
  }
}

const isLater = (known: Header, found: Header): boolean =>
  found.mark === known.mark &&
  found.number >= known.number &&
  found.changes >= known.changes &&
  found.schema >= known.schema;

const partsOf = (version: number): Pick<Header, "mark" | "number"> => ({
  mark: Math.floor(version / 2 ** NUMBER_BITS),
  number: version % 2 ** NUMBER_BITS,
});

const isSame = (a: FileIdentity, b: FileIdentity): boolean => a.dev === b.dev && a.ino === b.ino;

/** Null if the file system does not answer, which says nothing about the file. */
const statOf = (path: string) => {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return "unknown";
  }
};

const identityOf = (path: string): FileIdentity | null => {
  const found = statOf(path);
  return found && found !== "unknown" ? { dev: found.dev, ino: found.ino } : null;
};

/** Null if the file is too short to be a database, for example in the middle of `cp`. */
const headerOf = (handle: number): Header | null => {
  const bytes = Buffer.alloc(HEADER_BYTES);
  if (readSync(handle, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null;
  return {
    ...partsOf(bytes.readUInt32BE(USER_VERSION)),
    changes: bytes.readUInt32BE(CHANGE_COUNTER),
    schema: bytes.readUInt32BE(SCHEMA_COOKIE),
  };
};
