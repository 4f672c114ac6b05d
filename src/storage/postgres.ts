import { SQL, type ReservedSQL, type TransactionSQL } from "bun";
import { AppError } from "../domain/errors.ts";
import { performWork, Toolbox, type BackgroundWork, type Database, type DatabaseOptions } from "./database.ts";
import { render, type List, type Step, type Unit, type Value } from "./unit.ts";

const RETRIES = 5;
const MAX_PARAMETERS = 60_000;
const MAX_ROWS_A_STATEMENT = 500;
const CONNECTIONS = 10;
const ONE_AT_A_TIME_LOCK = 7373;

/** The server engine: every step of a unit is awaited inside one transaction on a connection of its own. */
export class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly toolbox = new Toolbox();
  readonly location: string;
  readonly #sql: SQL;
  readonly #time: DatabaseOptions["time"];
  #collisions = 0;

  constructor(url: string, { time }: Pick<DatabaseOptions, "time">) {
    this.#time = time;
    this.location = withoutPassword(url);
    this.#sql = new SQL(url, { bigint: true, max: CONNECTIONS, connectionTimeout: 5 });
  }

  read<T>(unit: () => Unit<T>): Promise<T> {
    return this.#transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY", unit);
  }

  write<T>(unit: () => Unit<T>): Promise<T> {
    return this.#transaction("ISOLATION LEVEL SERIALIZABLE", unit);
  }

  /** The work happens in the server's own process, so it holds up nothing here. */
  inBackground<Args, Result, Tools>(work: BackgroundWork<Args, Result, Tools>, args: Args): Promise<Result> {
    return performWork(this, work, args);
  }

  async exclusively<T>(job: () => Promise<T>): Promise<T> {
    const connection = await this.#reserve();
    try {
      await connection.unsafe("SELECT pg_advisory_lock($1)", [ONE_AT_A_TIME_LOCK]);
      return await job();
    } finally {
      await connection.unsafe("SELECT pg_advisory_unlock($1)", [ONE_AT_A_TIME_LOCK]).catch(() => {});
      connection.release();
    }
  }

  async analyze(): Promise<void> {
    await this.#sql.unsafe("ANALYZE");
  }

  async copyTo(): Promise<void> {
    throw new AppError("invalid", "A PostgreSQL database is backed up with pg_dump.");
  }

  async catchUp(): Promise<void> {}

  async sizeBytes(): Promise<number> {
    const [row] = await this.#sql.unsafe("SELECT pg_database_size(current_database()) AS bytes");
    return Number(row.bytes);
  }

  async close(): Promise<void> {
    await this.#sql.close({ timeout: 5 });
  }

  /** Units that collided try again at different moments. */
  #spread(): number {
    return (this.#collisions++ % 7) * 6;
  }

  async #reserve(): Promise<ReservedSQL> {
    try {
      return await this.#sql.reserve();
    } catch (error) {
      throw readable(error, this.location);
    }
  }

  async #transaction<T>(mode: string, unit: () => Unit<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#sql.begin(mode, (transaction) => drive(transaction, unit()));
      } catch (error) {
        if (!isCollision(error)) throw readable(error, this.location);
        if (tries > RETRIES) {
          throw new AppError("unavailable", "The database is busy: others are writing to it. Try again.", {
            retryAfterSeconds: 5,
            cause: error,
          });
        }
      }
      await this.#time.sleep(5 * 2 ** tries + this.#spread());
    }
  }
}

const drive = async <T>(connection: TransactionSQL, unit: Unit<T>): Promise<T> => {
  let step = unit.next();
  while (!step.done) step = unit.next(await take(connection, step.value));
  return step.value;
};

const take = async (connection: TransactionSQL, step: Step): Promise<unknown> => {
  switch (step.kind) {
    case "rows": {
      const { text, values } = render(step.sql, DIALECT);
      return plain(await connection.unsafe(text, values.map(bind)));
    }
    case "run": {
      const { text, values } = render(step.sql, DIALECT);
      return Number((await connection.unsafe(text, values.map(bind))).count ?? 0);
    }
    case "script":
      return void (await connection.unsafe(step.text));
    case "insertMany":
      return insertMany(connection, step);
  }
};

const insertMany = async (
  connection: TransactionSQL,
  { table, columns, rows, tail }: Extract<Step, { kind: "insertMany" }>,
): Promise<unknown[]> => {
  const size = Math.min(MAX_ROWS_A_STATEMENT, Math.floor(MAX_PARAMETERS / columns.length));
  const given: unknown[] = [];
  for (let start = 0; start < rows.length; start += size) {
    const chunk = rows.slice(start, start + size);
    let place = 0;
    const tuples = chunk.map((row) => `(${row.map(() => `$${++place}`).join(", ")})`).join(", ");
    const text = `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${tuples} ${tail}`;
    const answer = await connection.unsafe(text, chunk.flat().map(bind));
    for (const row of plain(answer)) given.push(row);
  }
  return given;
};

const DIALECT = {
  placeholder: (index: number) => `$${index}`,
  list: (values: List["list"], placeholder: string): [string, ...Value[]] => {
    if (values.length === 0) return ["(NULL)"];
    const type = typeof values[0] === "number" ? "BIGINT" : "TEXT";
    const elements = `json_array_elements_text(CAST(CAST(${placeholder} AS TEXT) AS JSON)) AS item`;
    return [`(SELECT CAST(item AS ${type}) FROM ${elements})`, JSON.stringify(values)];
  },
};

const bind = (value: Value): Value => (typeof value === "boolean" ? Number(value) : value);

const plain = (rows: Iterable<Record<string, unknown>>): Record<string, unknown>[] => {
  const result: Record<string, unknown>[] = [];
  for (const row of rows) {
    for (const name in row) if (typeof row[name] === "bigint") row[name] = Number(row[name]);
    result.push(row);
  }
  return result;
};

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";

const stateOf = (error: unknown): string => String((error as { errno?: unknown })?.errno ?? "");

const isCollision = (error: unknown): boolean => [SERIALIZATION_FAILURE, DEADLOCK].includes(stateOf(error));

const readable = (error: unknown, location: string): unknown => {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const code = String((error as { code?: unknown }).code ?? "");
  const state = stateOf(error);
  const say = (message: string, retryAfterSeconds?: number) =>
    new AppError("unavailable", message, { cause: error, retryAfterSeconds });
  if (state === "53100") return say("The disk of the database server is full: nothing was written.");
  if (state.startsWith("28")) return say(`The database server refused the sign-in for ${location}.`);
  if (state === "3D000") return say(`The database ${location} does not exist.`);
  if (state.startsWith("08") || state.startsWith("57P") || state.startsWith("53") || /CONNECTION|TIMEOUT/.test(code)) {
    return say(`The database server of ${location} cannot be reached.`, 5);
  }
  return error;
};

const withoutPassword = (url: string): string => {
  const shown = new URL(url);
  shown.password = "";
  shown.search = "";
  return shown.toString();
};
