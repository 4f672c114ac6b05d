import type { Statement } from "bun:sqlite";
import { UnlinkedTempFile } from "../engine/unlinked-temp-file.ts";

export interface Waiting {
  call: string;
  at: number;
  /** Whether an item exists is looked up by this name. */
  name: string;
  text: string;
}

type Row = Waiting & { place: number };

const BATCH_SIZE = 500;

/** A temporary file for any number of items that are processed at the end of a job, sorted by callsign and time. */
export class Backlog {
  readonly #file: UnlinkedTempFile;
  readonly #put: Statement;
  readonly #known: Statement;
  readonly #next: Statement<Row>;

  constructor(path: string) {
    this.#file = new UnlinkedTempFile(path, "unresolved records", [
      "CREATE TABLE waiting (place INTEGER PRIMARY KEY, call TEXT, at INTEGER, name TEXT, text TEXT)",
      "CREATE INDEX waiting_by_name ON waiting (name)",
      "CREATE INDEX waiting_in_order ON waiting (call, at, place)",
    ]);
    const { connection } = this.#file;
    this.#put = connection.prepare("INSERT INTO waiting (call, at, name, text) VALUES (?, ?, ?, ?)");
    this.#known = connection.prepare("SELECT 1 FROM waiting WHERE name = ?");
    this.#next = connection.prepare<Row, (string | number)[]>(
      `SELECT call, at, place, name, text FROM waiting WHERE (call, at, place) > (?, ?, ?)
       ORDER BY call, at, place LIMIT ${BATCH_SIZE}`,
    ) as Statement<Row>;
  }

  put(all: readonly Waiting[]): void {
    for (const { call, at, name, text } of all)
      this.#file.do(() => this.#put.run(...([call, at, name, text] as never[])));
  }

  has(name: string): boolean {
    return this.#known.get(name as never) !== null;
  }

  /** Yields each item with its position in the download. */
  *readInOrder(): Generator<Row> {
    for (let after: readonly (string | number)[] = ["", 0, 0]; ;) {
      const rows = this.#next.all(...(after as never[]));
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) return;
      after = [last.call, last.at, last.place];
    }
  }

  close(): void {
    this.#file.close();
  }
}
