import { Database as Connection, SQLiteError, type Statement } from "bun:sqlite";
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../domain/errors.ts";
import { ID_COLUMN, type Qso } from "../domain/qso.ts";
import { byService, SERVICES, type Service } from "../domain/source.ts";
import { packSnapshot, snapshotOf, unpackSnapshot, type Candidates } from "./qsos.ts";

const CACHE_KIB = 4 * 1024;

interface Row {
  id: number;
  qso: Uint8Array;
}

/**
 * The contacts as a dry run would leave them, however many: beyond what a small cache holds they are in a file, which
 * has no name as soon as it is open. Contacts that the run would add have negative ids.
 */
export class Scratch {
  readonly #path: string;
  readonly #userId: number;
  readonly #connection: Connection;
  readonly #put: Statement;
  readonly #byId: Statement<Row>;
  readonly #byCall: Statement<Row>;
  readonly #byExternalId: Record<Service, Statement<Row>>;
  #size = 0;

  constructor(path: string, userId: number) {
    this.#path = path;
    this.#userId = userId;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "wx", 0o600));
    this.#connection = new Connection(path, { readwrite: true, create: false });
    for (const pragma of ["journal_mode = MEMORY", "locking_mode = EXCLUSIVE", `cache_size = -${CACHE_KIB}`]) {
      this.#connection.run(`PRAGMA ${pragma}`);
    }
    this.#connection.run("BEGIN EXCLUSIVE");
    this.#connection.run(
      "CREATE TABLE contacts (id INTEGER PRIMARY KEY, call TEXT, at INTEGER, first TEXT, second TEXT, qso BLOB)",
    );
    this.#connection.run("CREATE INDEX added_by_call ON contacts (call, at) WHERE id < 0");
    for (const service of SERVICES) {
      this.#connection.run(
        `CREATE INDEX added_by_${service} ON contacts (${service}) WHERE id < 0 AND ${service} IS NOT NULL`,
      );
    }
    rmSync(path);
    const ask = (text: string) => this.#connection.prepare<Row, (string | number)[]>(text) as Statement<Row>;
    this.#put = ask("INSERT OR REPLACE INTO contacts (id, call, at, first, second, qso) VALUES (?, ?, ?, ?, ?, ?)");
    this.#byId = ask("SELECT id, qso FROM contacts WHERE id = ?");
    this.#byCall = ask("SELECT id, qso FROM contacts WHERE call = ? AND at BETWEEN ? AND ? AND id < 0");
    this.#byExternalId = byService((service) => ask(`SELECT id, qso FROM contacts WHERE ${service} = ? AND id < 0`));
  }

  get size(): number {
    return this.#size;
  }

  putMany(contacts: readonly Qso[]): void {
    for (const qso of contacts) {
      const [first, second] = SERVICES.map((service) => qso[ID_COLUMN[service]]);
      if (this.find(qso.id) === null) this.#size += 1;
      const values = [qso.id, qso.call, qso.startedAt, first!, second!, packSnapshot(snapshotOf(qso))];
      this.#inFile(() => this.#put.run(...(values as never[])));
    }
  }

  find(id: number): Qso | null {
    const row = this.#inFile(() => this.#byId.get(id as never));
    return row && this.#qsoOf(row);
  }

  /** Those of its own that a batch could mean: what a dry run added is in no table. */
  added({ ids, stretches }: Candidates): Qso[] {
    const found = new Map<number, Qso>();
    const keep = (rows: Row[]) => {
      for (const row of rows) if (!found.has(row.id)) found.set(row.id, this.#qsoOf(row));
    };
    for (const { call, from, to } of stretches) {
      keep(this.#inFile(() => this.#byCall.all(...([call, from, to] as never[]))));
    }
    for (const service of SERVICES) {
      for (const id of ids[service]) keep(this.#inFile(() => this.#byExternalId[service].all(id as never)));
    }
    return [...found.values()];
  }

  close(): void {
    this.#connection.close();
  }

  #qsoOf = ({ id, qso }: Row): Qso => ({ id, userId: this.#userId, ...unpackSnapshot(qso) });

  #inFile<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof SQLiteError) || error.code !== "SQLITE_FULL") throw error;
      throw new AppError("unavailable", `The disk is full: ${dirname(this.#path)} cannot keep the dry run.`);
    }
  }
}
