import { SQL, type ReservedSQL } from "bun";
import { AppError } from "../domain/errors.ts";
import { performWork, Toolbox, type BackgroundWork, type Database, type DatabaseOptions } from "./database.ts";
import { TRIGRAM_INDEX } from "./qso-texts.ts";
import { render, type List, type Notice, type Scope, type Step, type Table, type Unit, type Value } from "./unit.ts";

const CONNECTIONS = 10;
const ONE_AT_A_TIME_LOCK = 7373;
const TEXTS_LOCK = 7374;
const CHANNEL = "qsolog";
const GIVE_UP_AFTER_MS = 10_000;
/** So long a new connection is tried for where the old one broke; whoever asks is told soon that there is none. */
const RECONNECT_FOR_MS = 1_500;
const LONGEST_PAUSE_MS = 200;
const MOST_ROWS_A_STATEMENT = 2_000;

/**
 * A process that stops in the middle of a transaction holds nobody up for ever. What is counted comes from covering
 * indexes, which the planner takes for dear where it believes in turning disks; what is asked is too short to be compiled.
 */
const SESSION = {
  application_name: "qsolog",
  idle_in_transaction_session_timeout: "30s",
  lock_timeout: "5s",
  random_page_cost: "1.1",
  jit: "off",
};

/** The server engine: every step of a unit is awaited inside one transaction on a connection of its own. */
export class PostgresDatabase implements Database {
  readonly engine = "postgres";
  /** A batch is as large as one statement carries well: nobody here waits while the server works. */
  readonly batch = { most: 500, first: 250, aimMs: 500 };
  readonly slice = { most: 1_000, first: 500, aimMs: 1_000, pauseMs: 0 };
  readonly isShared = true;
  readonly toolbox = new Toolbox();
  readonly location: string;
  readonly #sql: SQL;
  readonly #time: DatabaseOptions["time"];
  readonly #giveUpAfterMs: number;
  readonly #types = new Map<string, Promise<ReadonlyMap<string, string>>>();
  #collisions = 0;

  constructor(
    url: string,
    { time, giveUpAfterMs = GIVE_UP_AFTER_MS }: Pick<DatabaseOptions, "time" | "giveUpAfterMs">,
  ) {
    this.#time = time;
    this.#giveUpAfterMs = giveUpAfterMs;
    this.location = withoutPassword(url);
    this.#sql = new SQL(url, { bigint: true, max: CONNECTIONS, connectionTimeout: 5, connection: SESSION });
  }

  read<T>(unit: () => Unit<T>): Promise<T> {
    return this.#untilDone(() => this.#transaction(unit, () => "REPEATABLE READ READ ONLY"));
  }

  /** The first step of a unit says what it needs to be protected from. */
  write<T>(unit: () => Unit<T>): Promise<T> {
    return this.#untilDone(() => this.#transaction(unit, isolationFor).catch(unlessStandby));
  }

  /** The work happens in the server's own process, so it holds up nothing here. */
  inBackground<Args, Result, Tools>(work: BackgroundWork<Args, Result, Tools>, args: Args): Promise<Result> {
    return performWork(this, work, args);
  }

  async exclusively<T>(job: () => Promise<T>): Promise<T> {
    const connection = await this.#reserve();
    try {
      await connection.unsafe("SET lock_timeout = 0");
      await connection.unsafe("SELECT pg_advisory_lock($1)", [ONE_AT_A_TIME_LOCK]);
      return await job();
    } finally {
      await connection.unsafe("SELECT pg_advisory_unlock($1)", [ONE_AT_A_TIME_LOCK]).catch(() => {});
      await connection.unsafe("RESET lock_timeout").catch(() => {});
      connection.release();
    }
  }

  /** Only the tables that have changed much: the server looks after the rest. Indexes alone answer what was vacuumed. */
  async analyze(): Promise<void> {
    const changed = await this.#sql.unsafe(`
      SELECT format('%I', relname) AS name FROM pg_stat_user_tables
      WHERE schemaname = current_schema() AND n_mod_since_analyze > 1000 + n_live_tup / 10`);
    for (const { name } of changed) await this.#sql.unsafe(`VACUUM (ANALYZE, SKIP_LOCKED) ${name}`);
  }

  /** Made once, which takes a while, and kept by the server. Who finds somebody else at it leaves it to them. */
  async indexTexts(): Promise<"never"> {
    const connection = await this.#reserve();
    try {
      const [lock] = await connection.unsafe("SELECT pg_try_advisory_lock($1) AS mine", [TEXTS_LOCK]);
      if (lock.mine) await makeTextIndex(connection);
    } finally {
      await connection.unsafe("SELECT pg_advisory_unlock($1)", [TEXTS_LOCK]).catch(() => {});
      await connection.unsafe("RESET lock_timeout").catch(() => {});
      connection.release();
    }
    return "never";
  }

  async copyTo(): Promise<void> {
    throw new AppError("invalid", "A PostgreSQL database is backed up with pg_dump.");
  }

  async catchUp(): Promise<void> {}

  async onNotice(hear: (notice: Notice | null) => void): Promise<() => Promise<void>> {
    const heard = (text: string) => hear(JSON.parse(text) as Notice);
    const subscription = await this.#sql.listen(CHANNEL, heard, () => hear(null));
    return () => subscription.unlisten();
  }

  async sizeBytes(): Promise<number> {
    const [row] = await this.#sql.unsafe("SELECT pg_database_size(current_database()) AS bytes");
    return Number(row.bytes);
  }

  async close(): Promise<void> {
    await this.#sql.close({ timeout: 5 });
  }

  async #reserve(): Promise<ReservedSQL> {
    try {
      return await this.#sql.reserve();
    } catch (error) {
      throw readable(error, this.location);
    }
  }

  /** What collided with others, or lost its connection before it was committed, is done again from its beginning. */
  async #untilDone<T>(transaction: () => Promise<T>): Promise<T> {
    const began = this.#time.ticks();
    for (let tries = 0; ; tries++) {
      try {
        return await transaction();
      } catch (error) {
        const passed = this.#time.ticks() - began;
        if (isCollision(error)) {
          if (passed > this.#giveUpAfterMs) throw busy(error);
        } else if (!isLost(error) || passed > RECONNECT_FOR_MS) throw readable(error, this.location);
      }
      // The first to collide with somebody who is done by now need not wait.
      if (tries > 0) await this.#time.sleep(Math.min(5 * 2 ** tries, LONGEST_PAUSE_MS) + this.#spread());
    }
  }

  /** Units that collided try again at different moments. */
  #spread(): number {
    return (this.#collisions++ % 7) * 6;
  }

  async #transaction<T>(unit: () => Unit<T>, modeFor: (first: Step | null) => string): Promise<T> {
    const steps = unit();
    const first = steps.next();
    const connection = await this.#sql.reserve();
    try {
      await connection.unsafe(`BEGIN ISOLATION LEVEL ${modeFor(first.done ? null : first.value)}`);
      const { value, xid } = await this.#drive(connection, steps, first);
      await this.#commit(connection, xid);
      return value;
    } catch (error) {
      await connection.unsafe("ROLLBACK").catch(() => {});
      throw error;
    } finally {
      connection.release();
    }
  }

  async #drive<T>(connection: ReservedSQL, steps: Unit<T>, first: IteratorResult<Step, T>) {
    let xid: string | null = null;
    let step = first;
    while (!step.done) {
      const { value } = step;
      if (value.kind === "scope") xid = (await enter(connection, value.scope)) ?? xid;
      step = steps.next(value.kind === "scope" ? undefined : await this.#take(connection, value));
    }
    return { value: step.value, xid };
  }

  /** Where the connection broke before the answer came, the server is asked what became of the transaction. */
  async #commit(connection: ReservedSQL, xid: string | null): Promise<void> {
    try {
      await connection.unsafe("COMMIT");
    } catch (error) {
      if (!isLost(error)) throw error;
      if (xid === null) throw new CommitUnknown(error);
      if (!(await this.#isCommitted(xid, error))) throw error;
    }
  }

  async #isCommitted(xid: string, cause: unknown): Promise<boolean> {
    const giveUpAt = this.#time.ticks() + this.#giveUpAfterMs;
    while (this.#time.ticks() < giveUpAt) {
      try {
        const [row] = await this.#sql.unsafe("SELECT pg_xact_status(CAST($1 AS xid8)) AS status", [xid]);
        if (row.status !== "in progress") return row.status === "committed";
      } catch (error) {
        // A server that took over and never heard of the transaction has nothing of it.
        if (!isLost(error)) return false;
      }
      await this.#time.sleep(LONGEST_PAUSE_MS);
    }
    throw new CommitUnknown(cause);
  }

  async #take(connection: ReservedSQL, step: Exclude<Step, { kind: "scope" }>): Promise<unknown> {
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
      case "notify":
        return void (await connection.unsafe("SELECT pg_notify($1, $2)", [CHANNEL, JSON.stringify(step.notice)]));
      case "insertMany":
        return this.#insertMany(connection, step);
      case "updateMany":
        return this.#updateMany(connection, step);
    }
  }

  async #insertMany(
    connection: ReservedSQL,
    { table, columns, rows, tail }: Extract<Step, { kind: "insertMany" }>,
  ): Promise<unknown[]> {
    const given: unknown[] = [];
    const from = await this.#arrays(connection, table, columns);
    const text = `INSERT INTO ${table} (${columns.join(", ")}) SELECT * FROM ${from} ${tail}`;
    for (let start = 0; start < rows.length; start += MOST_ROWS_A_STATEMENT) {
      const chunk = rows.slice(start, start + MOST_ROWS_A_STATEMENT);
      const answer = await connection.unsafe(
        text,
        columns.map((_, place) => arrayOf(chunk.map((row) => row[place]!))),
      );
      for (const row of plain(answer)) given.push(row);
    }
    return given;
  }

  /** One statement for all rows writes each column that changed in any of them. */
  async #updateMany(
    connection: ReservedSQL,
    { table, columns, rows }: Extract<Step, { kind: "updateMany" }>,
  ): Promise<void> {
    const places = [...new Set(rows.flatMap(({ changed }) => changed))].sort((a, b) => a - b);
    const names = places.map((place) => columns[place]!);
    const from = await this.#arrays(connection, table, ["id", ...names]);
    const assignments = names.map((name) => `${name} = changed.${name}`).join(", ");
    const text = `UPDATE ${table} SET ${assignments} FROM ${from} AS changed (${["id", ...names].join(", ")})
                  WHERE ${table}.id = changed.id`;
    const values = places.map((place) => arrayOf(rows.map((row) => row.values[place]!)));
    await connection.unsafe(text, [arrayOf(rows.map(({ id }) => id)), ...values]);
  }

  /** The rows of a statement as one array a column, so that their number does not change its text. */
  async #arrays(connection: ReservedSQL, table: string, columns: readonly string[]): Promise<string> {
    const types = await this.#typesOf(connection, table);
    return `unnest(${columns.map((name, index) => `CAST($${index + 1} AS ${types.get(name)}[])`).join(", ")})`;
  }

  #typesOf(connection: ReservedSQL, table: string): Promise<ReadonlyMap<string, string>> {
    const known = this.#types.get(table);
    if (known) return known;
    const asked = typesOf(connection, table);
    this.#types.set(table, asked);
    asked.catch(() => this.#types.delete(table));
    return asked;
  }
}

/** The connection broke while a transaction was committed, and nobody can tell whether it was. */
class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super("The connection broke while a transaction was committed.", { cause });
  }
}

/** Rules that look across users hold only where transactions come one after the other. */
const isolationFor = (first: Step | null): string => {
  if (first?.kind !== "scope") return "SERIALIZABLE";
  return first.scope === "alone" ? "READ COMMITTED" : "REPEATABLE READ";
};

/**
 * Locks what a unit asks for; gives the number of the transaction. The row is written, so that whoever waited for it
 * begins anew and sees what the one before has done: a lock alone would leave it the snapshot it came with.
 */
const enter = async (connection: ReservedSQL, scope: Scope): Promise<string | null> => {
  if (scope === "alone") return null;
  const text = `UPDATE users SET log_version = log_version WHERE id = CAST($1 AS BIGINT)
                RETURNING CAST(pg_current_xact_id() AS TEXT) AS xid`;
  const [row] = await connection.unsafe(text, [scope.user]);
  return row?.xid ?? null;
};

/** An index whose making broke off is there and of no use. */
const makeTextIndex = async (connection: ReservedSQL): Promise<void> => {
  const [known] = await connection.unsafe(
    "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('qsos_text')",
  );
  if (known?.valid) return;
  await connection.unsafe("SET lock_timeout = 0");
  await connection.unsafe("CREATE EXTENSION IF NOT EXISTS pg_trgm");
  if (known) await connection.unsafe("DROP INDEX CONCURRENTLY qsos_text");
  await connection.unsafe(`CREATE INDEX CONCURRENTLY ${TRIGRAM_INDEX}`);
  await connection.unsafe("ANALYZE qsos");
};

const typesOf = async (connection: ReservedSQL, table: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await connection.unsafe(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = CAST($1 AS regclass) AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  return new Map(rows.map(({ name, type }: Record<string, string>) => [name, type]));
};

const DIALECT = {
  engine: "postgres" as const,
  placeholder: (index: number) => `$${index}`,
  list: (values: List["list"], placeholder: string): [string, ...Value[]] => {
    if (values.length === 0) return ["IN (NULL)"];
    const type = typeof values[0] === "number" ? "BIGINT" : "TEXT";
    return [`= ANY (CAST(${placeholder} AS ${type}[]))`, arrayOf(values)];
  },
  table: (columns: Table["table"], placeholder: (index: number) => string): [string, ...Value[]] => {
    const names = Object.keys(columns);
    const arrays = Object.values(columns).map((values, index) => {
      const type = typeof values[0] === "number" ? "BIGINT" : "TEXT";
      return `CAST(${placeholder(index + 1)} AS ${type}[])`;
    });
    return [
      `(SELECT * FROM unnest(${arrays.join(", ")}) AS given (${names.join(", ")}))`,
      ...Object.values(columns).map(arrayOf),
    ];
  },
};

/** An array as PostgreSQL reads it. */
const arrayOf = (values: readonly Value[]): string => `{${values.map(element).join(",")}}`;

const element = (value: Value): string => {
  // A field that a row leaves out is nothing, as it is where values are bound one by one.
  if (value == null) return "NULL";
  if (typeof value === "string") return `"${storable(value).replace(/["\\]/g, "\\$&")}"`;
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "number" ? String(value) : `"\\\\x${Buffer.from(value).toString("hex")}"`;
};

const bind = (value: Value): Value => {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" ? storable(value) : value;
};

/** PostgreSQL keeps no NUL in a text. */
const storable = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "") : text);

const plain = (rows: Iterable<Record<string, unknown>>): Record<string, unknown>[] => {
  const result: Record<string, unknown>[] = [];
  for (const row of rows) {
    for (const name in row) if (typeof row[name] === "bigint") row[name] = Number(row[name]);
    result.push(row);
  }
  return result;
};

const COLLISIONS: ReadonlySet<string> = new Set([
  "40001", // a serialization failure
  "40P01", // a deadlock
  "55P03", // a lock that was not to be had in time
]);

const READ_ONLY = "25006";

const stateOf = (error: unknown): string => String((error as { errno?: unknown })?.errno ?? "");

const isCollision = (error: unknown): boolean => COLLISIONS.has(stateOf(error));

/** The connection is gone, or its server: the transaction is not committed. */
const isLost = (error: unknown): boolean => {
  const state = stateOf(error);
  if (/^(08|57P|53)/.test(state) || state === "25P03") return true;
  return /CONNECTION|TIMEOUT/.test(String((error as { code?: unknown })?.code ?? ""));
};

/** After a failover the server of before may answer, and take nothing. */
const unlessStandby = (error: unknown): never => {
  if (stateOf(error) === READ_ONLY) throw Object.assign(new Error("standby", { cause: error }), { code: "CONNECTION" });
  throw error;
};

const busy = (cause: unknown): AppError =>
  new AppError("unavailable", "The database is busy: others are writing to it. Try again.", {
    retryAfterSeconds: 5,
    cause,
  });

const readable = (error: unknown, location: string): unknown => {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const state = stateOf(error);
  const say = (message: string, retryAfterSeconds?: number) =>
    new AppError("unavailable", message, { cause: error, retryAfterSeconds });
  if (state === "53100") return say("The disk of the database server is full: nothing was written.");
  if (state.startsWith("28")) return say(`The database server refused the sign-in for ${location}.`);
  if (state === "3D000") return say(`The database ${location} does not exist.`);
  if (error instanceof CommitUnknown) {
    return say(
      `The connection to ${location} broke: what was written last may be there or not. Look before trying again.`,
    );
  }
  return isLost(error) ? say(`The database server of ${location} cannot be reached.`, 5) : error;
};

const withoutPassword = (url: string): string => {
  const shown = new URL(url);
  shown.password = "";
  shown.search = "";
  return shown.toString();
};
