import { mkdirSync } from "node:fs";
import { open, readFile, rename, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Time } from "../kernel/clock.ts";
import { SECOND } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { Heard } from "./parsed-contact.ts";

export interface Entry extends Heard {
  n: number;
  /** When it was heard. */
  at: number;
}

/** A line of the file: whom it is for, what was heard, or which of that is done. */
type Line = { to: string } | Entry | { done: number[] };

interface Deps extends Pick<Time, "sleep"> {
  clock: () => number;
}

interface Opening {
  folder: string;
  /** The log that is meant: what waits for one is not told to another. */
  to: string;
}

export const QUEUE_FILE = "queue.jsonl";
export const REFUSED_FILE = "refused.jsonl";

/** A flood from the network may fill neither disk nor memory. */
const MAX_QUEUED = 200_000;
/** So many are looked at for what is told next. */
const STRETCH = 2_000;
/** As many as fit into one request, however much is said of each. */
const MAX_BATCH_SIZE = 50;
/** What takes the place of a packet follows at once. */
const ANSWERED_WITHIN = 2 * SECOND;
const DISK_TRIED_AGAIN_AFTER = 1 * SECOND;

/**
 * What was heard and is not in the log yet, in memory and on disk. The file is only appended to, so that a kill at any
 * moment loses nothing that was acknowledged; it is emptied whenever all of it is done.
 */
export class Queue {
  readonly #deps: Deps;
  readonly #path: string;
  readonly #folder: string;
  readonly #to: string;
  readonly #waiting = new Map<number, Entry>();
  /** The newest entry that answers, by what it answers. */
  readonly #answers = new Map<string, number>();
  #file: FileHandle | null = null;
  /** What the file holds for certain. */
  #size = 0;
  #next = 1;
  #unwritten: { line: Line; written: () => void }[] = [];
  #writing: Promise<void> | null = null;
  #closing = new AbortController();
  #wake = Promise.withResolvers<void>();
  /** Why nothing can be written at the moment. */
  diskProblem: string | null = null;

  private constructor(deps: Deps, { folder, to }: Opening) {
    this.#deps = deps;
    this.#folder = folder;
    this.#path = join(folder, QUEUE_FILE);
    this.#to = to;
  }

  static async open(deps: Deps, opening: Opening): Promise<Queue> {
    const queue = new Queue(deps, opening);
    mkdirSync(opening.folder, { recursive: true, mode: 0o700 });
    await queue.#load();
    return queue;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** What one before this left is kept, without what is done. */
  async #load(): Promise<void> {
    const { to, waiting } = await readQueue(this.#folder);
    if (waiting.length > 0 && to !== null && to !== this.#to) {
      throw new AppError(
        "conflict",
        `${this.#path} holds ${waiting.length} contacts for ${to}. Listen for that log first, or move the file away.`,
        { rule: "queue_elsewhere" },
      );
    }
    for (const entry of waiting) this.#hold(entry);
    this.#next = Math.max(0, ...this.#waiting.keys()) + 1;
    const text = [{ to: this.#to }, ...waiting].map(asLine).join("");
    const draft = await open(`${this.#path}.new`, "w", 0o600);
    await draft.writeFile(text);
    await draft.datasync();
    await draft.close();
    await rename(`${this.#path}.new`, this.#path);
    this.#size = Buffer.byteLength(text);
  }

  #hold(entry: Entry): void {
    this.#waiting.set(entry.n, entry);
    if (entry.answers !== undefined) this.#answers.set(entry.answers, entry.n);
  }

  /** Resolves when it is on disk. It may be told before. */
  async add(heard: readonly Heard[]): Promise<Entry[]> {
    if (this.#waiting.size + heard.length > MAX_QUEUED) {
      throw new AppError("too_large", `${MAX_QUEUED} contacts wait already.`);
    }
    const at = this.#deps.clock();
    const entries = heard.map((one): Entry => ({ n: this.#next++, at, ...one }));
    for (const entry of entries) this.#hold(entry);
    this.#changed();
    await Promise.all(entries.map((entry) => this.#write(entry)));
    return entries;
  }

  /** What can be told next, of one program; and what an answer has made worthless. */
  next(now: number): { told: Entry[]; answered: Entry[] } {
    const stretch = this.#waiting.values().take(STRETCH).toArray();
    const answered = stretch.filter((entry) => this.#isAnswered(entry));
    const clients = Map.groupBy(
      stretch.filter((entry) => !this.#isAnswered(entry)),
      ({ client }) => client,
    );
    for (const entries of clients.values()) {
      const open = entries.findIndex((entry) => isOpen(entry, now));
      const told = entries.slice(0, open === -1 ? MAX_BATCH_SIZE : Math.min(open, MAX_BATCH_SIZE));
      if (told.length > 0) return { told, answered };
    }
    return { told: [], answered };
  }

  #isAnswered({ n, awaits }: Entry): boolean {
    return awaits !== undefined && (this.#answers.get(awaits) ?? 0) > n;
  }

  /** They are in the log, or worth nothing any more. */
  done(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    for (const { n, answers } of entries) {
      this.#waiting.delete(n);
      if (answers !== undefined && this.#answers.get(answers) === n) this.#answers.delete(answers);
    }
    const numbers = new Set(entries.map(({ n }) => n));
    this.#unwritten = this.#unwritten.filter(({ line, written }) => {
      const isDone = "n" in line && numbers.has(line.n);
      if (isDone) written();
      return !isDone;
    });
    void this.#write({ done: [...numbers] });
  }

  /** A log will never take them: they are put aside for a person to look at. */
  async refuse(entries: readonly Entry[], reason: string): Promise<void> {
    const file = await open(join(this.#folder, REFUSED_FILE), "a", 0o600);
    try {
      await file.appendFile(entries.map((entry) => `${JSON.stringify({ ...entry, reason })}\n`).join(""));
      await file.datasync();
    } finally {
      await file.close();
    }
    this.done(entries);
  }

  /** Resolves when something more was heard. */
  changed(): Promise<void> {
    return this.#wake.promise;
  }

  #changed(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  #write(line: Line): Promise<void> {
    return new Promise((written) => {
      this.#unwritten.push({ line, written });
      this.#writing ??= this.#writeAll().finally(() => (this.#writing = null));
    });
  }

  /** Everything that came meanwhile goes to the disk together. */
  async #writeAll(): Promise<void> {
    await Promise.resolve();
    while (this.#unwritten.length > 0) {
      const batch = [...this.#unwritten];
      try {
        await (this.#waiting.size === 0 ? this.#empty() : this.#append(batch.map(({ line }) => asLine(line)).join("")));
        this.diskProblem = null;
        this.#unwritten = this.#unwritten.filter((one) => !batch.includes(one));
        for (const { written } of batch) written();
      } catch (error) {
        this.diskProblem = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
        await this.#file?.close().catch(() => {});
        this.#file = null;
        if (this.#closing.signal.aborted) return;
        await this.#deps.sleep(DISK_TRIED_AGAIN_AFTER, this.#closing.signal).catch(() => {});
      }
    }
  }

  async #append(text: string): Promise<void> {
    if (this.#file === null) {
      this.#file = await open(this.#path, "a", 0o600);
      // What a full disk left of the last try would spoil the next line.
      if ((await this.#file.stat()).size > this.#size) await this.#file.truncate(this.#size);
    }
    await this.#file.appendFile(text);
    await this.#file.datasync();
    this.#size += Buffer.byteLength(text);
  }

  async #empty(): Promise<void> {
    const header = asLine({ to: this.#to });
    this.#file ??= await open(this.#path, "a", 0o600);
    await this.#file.truncate(0);
    this.#size = 0;
    await this.#append(header);
  }

  /** What can be written is on disk then. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
    await this.#file?.close();
    this.#file = null;
  }
}

const isOpen = ({ awaits, at }: Entry, now: number): boolean =>
  awaits !== undefined && now >= at && now - at < ANSWERED_WITHIN;

const asLine = (line: Line): string => `${JSON.stringify(line)}\n`;

export interface QueueFound {
  /** The log it is for; null where nothing says so. */
  to: string | null;
  waiting: Entry[];
}

/** What a queue holds on disk. A line that was not finished was acknowledged to nobody. */
export const readQueue = async (folder: string): Promise<QueueFound> => {
  const text = await textOf(join(folder, QUEUE_FILE));
  const found = new Map<number, Entry>();
  let to: string | null = null;
  for (const line of text.split("\n").map(parsed)) {
    if (line === null) continue;
    if ("to" in line) to = String(line.to);
    else if ("done" in line) for (const n of line.done) found.delete(n);
    else if (Number.isSafeInteger(line.n) && line.told) found.set(line.n, line);
  }
  return { to, waiting: [...found.values()] };
};

/** How many a log has refused for good. */
export const countRefused = async (folder: string): Promise<number> => {
  const text = await textOf(join(folder, REFUSED_FILE));
  return text.split("\n").filter((line) => line !== "").length;
};

const parsed = (text: string): Line | null => {
  try {
    const line: unknown = JSON.parse(text);
    return line !== null && typeof line === "object" ? (line as Line) : null;
  } catch {
    return null;
  }
};

const textOf = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
