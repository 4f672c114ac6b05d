import { createReadStream, existsSync, mkdirSync, statSync } from "node:fs";
import { open, rename, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Time } from "../kernel/clock.ts";
import { MINUTE, SECOND } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { parseInstant } from "../kernel/instant.ts";
import type { ParsedContact } from "./parsed-contact.ts";

export interface Entry extends ParsedContact {
  n: number;
  /** When it was received. */
  at: number;
}

/** A line of the file: the log it is for, an entry, or the entries that are done. */
type Line = { to: string } | Entry | { done: number[] };

interface Deps extends Pick<Time, "sleep"> {
  clock: () => number;
}

interface Opening {
  folder: string;
  /** The log that receives the entries. Entries for one log are never sent to another. */
  to: string;
  limits?: Limits;
}

export const QUEUE_FILE = "queue.jsonl";
export const REFUSED_FILE = "refused.jsonl";

interface Limits {
  /** Of the entries that wait. They are in memory too. */
  memoryBytes: number;
  /** Of a file, with entries that are done. */
  diskBytes: number;
}

/** They hold if the network is flooded with packets. */
const LIMITS: Limits = { memoryBytes: 64 * 1024 ** 2, diskBytes: 256 * 1024 ** 2 };
/** How many entries are considered for the next request. */
const SCAN_SIZE = 2_000;
/** So many entries fit into one request, however large they are. */
const MAX_BATCH_SIZE = 50;
/** The replacement of a deletion follows immediately. */
const ANSWERED_WITHIN = 2 * SECOND;
/** Two forms of a contact start at the same time, or one is cut to its minute. */
const MAX_START_DIFFERENCE = 2 * MINUTE;
const DISK_TRIED_AGAIN_AFTER = 1 * SECOND;

/**
 * Contacts that were received and are not in the log yet, in memory and on disk. The file is only appended to, so that
 * a kill never loses an acknowledged entry. It is truncated when all entries are done.
 */
export class Queue {
  readonly #deps: Deps;
  readonly #path: string;
  readonly #folder: string;
  readonly #to: string;
  readonly #limits: Limits;
  readonly #waiting = new Map<number, Entry>();
  /** The bytes of each waiting entry as a line, and of all of them. */
  readonly #bytes = new Map<number, number>();
  #waitingBytes = 0;
  /** The newest entry that is an answer, by what it answers. */
  readonly #answers = new Map<string, number>();
  /** The contacts of the last seconds that can arrive in another form. */
  readonly #recent = new Map<string, Entry>();
  #file: FileHandle | null = null;
  /** The size of the file up to the last complete write. */
  #size = 0;
  #next = 1;
  #unwritten: { line: Line; written: () => void }[] = [];
  #writing: Promise<void> | null = null;
  #closing = new AbortController();
  #wake = Promise.withResolvers<void>();
  /** Why the disk cannot be written at the moment. */
  diskProblem: string | null = null;
  /** Whether entries were refused because too many were waiting. */
  isFull = false;

  private constructor(deps: Deps, { folder, to, limits = LIMITS }: Opening) {
    this.#deps = deps;
    this.#limits = limits;
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

  /** Loads the entries that an earlier process left, without those that are done. */
  async #load(): Promise<void> {
    const { to, waiting } = await readQueue(this.#folder);
    if (waiting.length > 0 && to !== null && to !== this.#to) {
      throw new AppError(
        "conflict",
        `${this.#path} contains ${waiting.length} contacts for ${to}. Run qsolog listen for that log first, or move the file away.`,
        { rule: "queue_elsewhere" },
      );
    }
    for (const entry of waiting) this.#hold(entry, formatLine(entry));
    this.#next = waiting.reduce((last, { n }) => Math.max(last, n), 0) + 1;
    await this.#rewrite();
  }

  /** Replaces the file by one with the entries that are waiting. */
  async #rewrite(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
    const draft = await open(`${this.#path}.new`, "w", 0o600);
    let size = 0;
    try {
      for (const line of [{ to: this.#to }, ...this.#waiting.values()]) {
        const text = formatLine(line);
        await draft.appendFile(text);
        size += Buffer.byteLength(text);
      }
      await draft.datasync();
    } finally {
      await draft.close();
    }
    await rename(`${this.#path}.new`, this.#path);
    this.#size = size;
  }

  #hold(entry: Entry, line: string): void {
    this.#waiting.set(entry.n, entry);
    const bytes = Buffer.byteLength(line);
    this.#bytes.set(entry.n, bytes);
    this.#waitingBytes += bytes;
    if (entry.answers !== undefined) this.#answers.set(entry.answers, entry.n);
    if (entry.sameAs === undefined) return;
    // The oldest come first.
    this.#recent.delete(entry.sameAs);
    this.#recent.set(entry.sameAs, entry);
  }

  /** Resolves when the entries are on disk. They can be sent before that. */
  async add(heard: readonly ParsedContact[]): Promise<Entry[]> {
    const at = this.#deps.clock();
    const poorer: Entry[] = [];
    const entries = heard
      .map((one, index): Entry => ({ n: this.#next + index, at, ...one }))
      .filter((entry) => {
        const other = this.#findOtherForm(entry);
        if (other && countFields(entry) < countFields(other)) return false;
        if (other) poorer.push(other);
        return true;
      });
    const lines = entries.map(formatLine);
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
    this.isFull = this.#waitingBytes + bytes > this.#limits.memoryBytes;
    if (this.isFull) throw new AppError("too_large", `The queue is full: ${this.size} contacts are waiting.`);
    this.#next += heard.length;
    for (const [index, entry] of entries.entries()) this.#hold(entry, lines[index]!);
    this.#changed();
    const written = entries.map((entry) => this.#write(entry));
    this.done(poorer);
    await Promise.all(written);
    return entries;
  }

  /** The same contact in the form that arrived before. */
  #findOtherForm({ sameAs, ...entry }: Entry): Entry | undefined {
    for (const [mark, { at }] of this.#recent) {
      if (isWithin(ANSWERED_WITHIN, at, entry.at)) break;
      this.#recent.delete(mark);
    }
    const other = sameAs === undefined ? undefined : this.#recent.get(sameAs);
    return other && isSameContact(other, entry) ? other : undefined;
  }

  /** The entries of one program to send next, and entries that an answer has made obsolete. */
  next(now: number): { told: Entry[]; answered: Entry[] } {
    const stretch = this.#waiting.values().take(SCAN_SIZE).toArray();
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

  /** Removes entries that are in the log or obsolete. */
  done(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    for (const { n, answers } of entries) {
      this.#waiting.delete(n);
      this.#waitingBytes -= this.#bytes.get(n) ?? 0;
      this.#bytes.delete(n);
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

  /** Moves entries that the log will never accept to another file, for the user to check, as long as it is not full. */
  async refuse(entries: readonly Entry[], reason: string): Promise<void> {
    const path = join(this.#folder, REFUSED_FILE);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > this.#limits.diskBytes) return this.done(entries);
    const file = await open(path, "a", 0o600);
    try {
      await file.appendFile(entries.map((entry) => `${JSON.stringify({ ...entry, reason })}\n`).join(""));
      await file.datasync();
    } finally {
      await file.close();
    }
    this.done(entries);
  }

  /** Resolves when another entry is added. */
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

  /** Entries queued during the last flush are written in one batch. */
  async #writeAll(): Promise<void> {
    await Promise.resolve();
    while (this.#unwritten.length > 0) {
      const batch = [...this.#unwritten];
      try {
        if (this.#waiting.size === 0) await this.#empty();
        else if (this.#size > this.#limits.diskBytes) await this.#rewrite();
        else await this.#append(batch.map(({ line }) => formatLine(line)).join(""));
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
      // Remove what a failed write left behind, otherwise the next line would be damaged.
      if ((await this.#file.stat()).size > this.#size) await this.#file.truncate(this.#size);
    }
    await this.#file.appendFile(text);
    await this.#file.datasync();
    this.#size += Buffer.byteLength(text);
  }

  async #empty(): Promise<void> {
    const header = formatLine({ to: this.#to });
    this.#file ??= await open(this.#path, "a", 0o600);
    await this.#file.truncate(0);
    this.#size = 0;
    await this.#append(header);
  }

  /** Resolves when everything that can be written is on disk. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
    await this.#file?.close();
    this.#file = null;
  }
}

const isOpen = ({ awaits, at }: Entry, now: number): boolean =>
  awaits !== undefined && now >= at && isWithin(ANSWERED_WITHIN, at, now);

const isWithin = (ms: number, a: number, b: number): boolean => Math.abs(a - b) < ms;

/** Programs cannot log a station twice within seconds, unless an operator enters an old contact. */
const isSameContact = (a: Entry, b: Entry): boolean => {
  const [from, to] = [a, b].map(({ told: { fields } }) => parseInstant(fields?.QSO_DATE, fields?.TIME_ON)?.at ?? 0);
  return isWithin(MAX_START_DIFFERENCE, from!, to!);
};

const countFields = ({ told }: Entry): number => Object.keys(told.fields ?? {}).length;

const formatLine = (line: Line): string => `${JSON.stringify(line)}\n`;

export interface QueueFound {
  /** The log it is for, or null if the file does not say. */
  to: string | null;
  waiting: Entry[];
}

/** Reads a queue from disk. An unfinished line was never acknowledged. */
export const readQueue = async (folder: string): Promise<QueueFound> => {
  const found = new Map<number, Entry>();
  let to: string | null = null;
  for await (const text of readLines(join(folder, QUEUE_FILE))) {
    const line = parseLine(text);
    if (line === null) continue;
    if ("to" in line) to = String(line.to);
    else if ("done" in line) for (const n of line.done) found.delete(n);
    else if (Number.isSafeInteger(line.n) && line.told) found.set(line.n, line);
  }
  return { to, waiting: [...found.values()] };
};

/** The number of entries that logs have refused for good. */
export const countRefused = async (folder: string): Promise<number> => {
  let count = 0;
  for await (const line of readLines(join(folder, REFUSED_FILE))) if (line !== "") count += 1;
  return count;
};

const parseLine = (text: string): Line | null => {
  try {
    const line: unknown = JSON.parse(text);
    return line !== null && typeof line === "object" ? (line as Line) : null;
  } catch {
    return null;
  }
};

/** The lines of a file that can be too large for one string. Line separators of Unicode do not end a line. */
async function* readLines(file: string): AsyncGenerator<string> {
  if (!existsSync(file)) return;
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
  yield rest;
}
