import type { Statement } from "bun:sqlite";
import { TemporaryTables } from "../engine/temporary-tables.ts";

export interface Waiting {
  call: string;
  at: number;
  /** Whether an item exists is looked up by this name. */
  name: string;
  text: string;
}

/** Any number of items that are processed at the end of a job, sorted by callsign and time. */
export class Backlog {
  readonly #tables: TemporaryTables;
  readonly #put: Statement;
  readonly #known: Statement;

  constructor(directory: string) {
    this.#tables = new TemporaryTables(directory, "unresolved records", [
      "CREATE TEMP TABLE waiting (place INTEGER PRIMARY KEY, call TEXT, at INTEGER, name TEXT, text TEXT)",
      "CREATE INDEX temp.waiting_by_name ON waiting (name)",
    ]);
    const { connection } = this.#tables;
    this.#put = connection.prepare("INSERT INTO waiting (call, at, name, text) VALUES (?, ?, ?, ?)");
    this.#known = connection.prepare("SELECT 1 FROM waiting WHERE name = ?");
  }

  put({ call, at, name, text }: Waiting): void {
    this.#tables.do(() => this.#put.run(call, at, name, text));
  }

  has(name: string): boolean {
    return this.#known.get(name) !== null;
  }

  /** Yields each item with its position in the download. Callsigns keep the order in which they came. */
  *readInOrder(): Generator<{ place: number; text: string }> {
    const { connection } = this.#tables;
    const places = this.#tables.do(() =>
      connection
        .query<{ place: number }, []>(
          `SELECT place FROM (SELECT place, at, min(place) OVER (PARTITION BY call) AS first FROM waiting)
           ORDER BY first, at, place`,
        )
        .all(),
    );
    const textAt = connection.prepare<{ text: string }, [number]>("SELECT text FROM waiting WHERE place = ?");
    for (const { place } of places) yield { place, text: textAt.get(place)!.text };
  }

  close(): void {
    this.#tables.close();
  }
}
