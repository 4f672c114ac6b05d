import type { Statement } from "bun:sqlite";
import { ID_COLUMN, type Qso } from "../../domain/contact/qso.ts";
import { byService, SERVICES, type Service } from "../../domain/jobs/source.ts";
import { TemporaryTables } from "../engine/temporary-tables.ts";
import type { Candidates } from "../log/qsos.ts";

interface Row {
  id: number;
  qso: string;
}

/** The contacts as a dry run would leave them, in temporary tables. Contacts that it would add have negative ids. */
export class Scratch {
  readonly #tables: TemporaryTables;
  readonly #put: Statement;
  readonly #isThere: Statement;
  readonly #byId: Statement<Row>;
  readonly #byCall: Statement<Row>;
  readonly #byExternalId: Record<Service, Statement<Row>>;
  #size = 0;

  constructor(directory: string) {
    this.#tables = new TemporaryTables(directory, "the dry run", [
      `CREATE TEMP TABLE contacts (id INTEGER PRIMARY KEY, call TEXT, at INTEGER, qso TEXT,
         ${SERVICES.map((service) => `${service} TEXT`).join(", ")})`,
      "CREATE INDEX temp.added_by_call ON contacts (call, at) WHERE id < 0",
      ...SERVICES.map(
        (service) =>
          `CREATE INDEX temp.added_by_${service} ON contacts (${service}) WHERE id < 0 AND ${service} IS NOT NULL`,
      ),
    ]);
    const ask = (text: string) => this.#tables.connection.prepare<Row, (string | number)[]>(text) as Statement<Row>;
    const columns = ["id", "call", "at", "qso", ...SERVICES];
    this.#put = ask(
      `INSERT OR REPLACE INTO contacts (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    );
    this.#isThere = ask("SELECT id FROM contacts WHERE id = ?");
    this.#byId = ask("SELECT id, qso FROM contacts WHERE id = ?");
    this.#byCall = ask("SELECT id, qso FROM contacts WHERE call = ? AND at BETWEEN ? AND ? AND id < 0");
    this.#byExternalId = byService((service) => ask(`SELECT id, qso FROM contacts WHERE ${service} = ? AND id < 0`));
  }

  get size(): number {
    return this.#size;
  }

  putMany(contacts: readonly Qso[]): void {
    for (const qso of contacts) {
      const names = SERVICES.map((service) => qso[ID_COLUMN[service]]);
      if (this.#tables.do(() => this.#isThere.get(qso.id as never)) === null) this.#size += 1;
      const values = [qso.id, qso.call, qso.startedAt, JSON.stringify(qso), ...names];
      this.#tables.do(() => this.#put.run(...(values as never[])));
    }
  }

  find(id: number): Qso | null {
    const row = this.#tables.do(() => this.#byId.get(id as never));
    return row && toQso(row);
  }

  /** Contacts added by the dry run that a batch could mean, because they are in no table. */
  findAdded({ ids, timeRanges }: Candidates): Qso[] {
    const found = new Map<number, Qso>();
    const keep = (rows: Row[]) => {
      for (const row of rows) if (!found.has(row.id)) found.set(row.id, toQso(row));
    };
    for (const { call, from, to } of timeRanges) {
      keep(this.#tables.do(() => this.#byCall.all(...([call, from, to] as never[]))));
    }
    for (const service of SERVICES) {
      for (const id of ids[service]) keep(this.#tables.do(() => this.#byExternalId[service].all(id as never)));
    }
    return [...found.values()];
  }

  close(): void {
    this.#tables.close();
  }
}

const toQso = ({ qso }: Row): Qso => JSON.parse(qso) as Qso;
