import { SQL } from "bun";
import { AppError } from "../../kernel/errors.ts";
import {
  OutcomeUnknown,
  runWork,
  type WorkRequester,
  type Work,
  type Database,
  type DatabaseOptions,
} from "./database.ts";
import { render, snakeCase, type Dialect, type Scope, type Step, type Unit, type Value } from "./unit.ts";

/** Per process. */
export const MAX_CONNECTIONS = 10;
const ONE_AT_A_TIME_LOCK = 7373;
const GIVE_UP_AFTER_MS = 10_000;
/** How long a transaction is retried after its connection broke. */
const RECONNECT_FOR_MS = 1_500;
const MAX_PAUSE_MS = 200;
/**
 * After this long without an answer, a second connection checks whether the server still works on the statement.
 * Opening a connection can take as long.
 */
const SILENT_AFTER_MS = 3_000;
const SECONDS_TO_END = 5;
const MAX_ROWS_PER_STATEMENT = 2_000;
const MAX_ROWS_CHANGED = 20_000;
const MAX_PAGES_HIDDEN = 2_000;

/**
 * The tables that a batch reads contacts from, and the column it uses. After this many new rows the planner's
 * statistics are updated.
 */
const LOOKED_UP: Record<string, { column: string; most: number }> = {
  qsos: { column: "user_id", most: 2_000 },
  records: { column: "qso_id", most: 1_000 },
  qso_service_ids: { column: "qso_id", most: 1_000 },
};

/**
 * The time-outs keep a process that stops in a transaction from blocking others forever. Counts come from covering
 * indexes, which the planner considers expensive if it assumes hard disks. Queries are too short to be worth
 * compiling.
 */
const SETTINGS = [
  "SET LOCAL idle_in_transaction_session_timeout = '30s'",
  "SET LOCAL lock_timeout = '5s'",
  "SET LOCAL random_page_cost = 1.1",
  "SET LOCAL jit = off",
].join("; ");
/** Everything else is set in each transaction: poolers refuse other parameters of a connection. */
const SESSION = { application_name: "qsolog" };

/** PostgreSQL: every step of a unit is awaited, in one transaction on its own connection. */
export class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly sliceSize = 250;
  readonly isShared = true;
  readonly location: string;
  readonly #url: string;
  readonly #time: DatabaseOptions["time"];
  readonly #giveUpAfterMs: number;
  readonly #silentAfterMs: number;
  readonly #types = new Map<string, Promise<ReadonlyMap<string, string>>>();
  readonly #maxConnections: number;
  #pool: SQL;
  #collisions = 0;
  /** How many rows were added to each table since its statistics were updated. */
  readonly #unheardOf = new Map<string, number>();
  #wasThere = false;

  constructor(
    url: string,
    {
      time,
      giveUpAfterMs = GIVE_UP_AFTER_MS,
      silentAfterMs = SILENT_AFTER_MS,
      maxConnections = MAX_CONNECTIONS,
    }: Pick<DatabaseOptions, "time" | "giveUpAfterMs" | "silentAfterMs" | "maxConnections">,
  ) {
    this.#url = url;
    this.#time = time;
    this.#giveUpAfterMs = giveUpAfterMs;
    this.location = withoutPassword(url);
    this.#silentAfterMs = silentAfterMs;
    this.#maxConnections = maxConnections;
    this.#pool = this.#connect(maxConnections);
  }

  #connect(max: number): SQL {
    const connectionTimeout = this.#silentAfterMs / 1_000;
    return new SQL(this.#url, { bigint: true, max, connectionTimeout, connection: SESSION });
  }

  /** When one connection breaks, the others of the pool usually lead to the same dead server. */
  #replacePool(old: SQL, secondsToEnd: number): void {
    if (this.#pool === old) this.#pool = this.#connect(this.#maxConnections);
    void old.close({ timeout: secondsToEnd }).catch(() => {});
  }

  read<T>(unit: () => Unit<T>): Promise<T> {
    return this.#untilDone(() => this.#transaction(unit, () => READING, PID));
  }

  /** The first step of a unit says which lock it needs. */
  async write<T>(unit: () => Unit<T>): Promise<T> {
    const value = await this.#untilDone(() => this.#transaction(unit, isolationFor, PID_AND_XID).catch(unlessStandby));
    await this.#tellPlanner();
    return value;
  }

  /** The work runs in the process of the database server, so it does not block this one. */
  inWorker<Args, Result, Tools>(
    work: Work<Args, Result, Tools>,
    args: Args,
    { onProgress }: WorkRequester,
  ): Promise<Result> {
    return runWork(this, work, args, onProgress);
  }

  withExclusiveLock<T>(job: () => Promise<T>): Promise<T> {
    return this.#connected(async (ask) => {
      await ask("SET lock_timeout = 0");
      try {
        await ask("SELECT pg_advisory_lock($1)", [ONE_AT_A_TIME_LOCK]);
        return await job();
      } finally {
        await ask("SELECT pg_advisory_unlock($1)", [ONE_AT_A_TIME_LOCK]).catch(() => {});
        await ask("RESET lock_timeout").catch(() => {});
      }
    }).catch((error: unknown) => Promise.reject(this.#readable(error)));
  }

  /** Two callers exclude each other. */
  freezeWrites<T>(work: () => Promise<T>): Promise<T> {
    return this.#connected(async (ask) => {
      try {
        await ask(`BEGIN; ${SETTINGS}; SET LOCAL idle_in_transaction_session_timeout = 0`);
        const [tables] = await ask(`
          SELECT string_agg(format('%I', tablename), ', ') AS names FROM pg_tables WHERE schemaname = current_schema()`);
        await ask(`LOCK TABLE ${tables!.names} IN SHARE ROW EXCLUSIVE MODE`);
      } catch (error) {
        throw isCollision(error) ? busy(error) : this.#readable(error);
      }
      try {
        return await work();
      } finally {
        await ask("ROLLBACK").catch(() => {});
      }
    });
  }

  /**
   * Analyzes only tables that changed by about one log, because autovacuum waits for far more changes in a table of
   * many logs. Index-only scans need pages that are visible to all transactions; if an older transaction is still
   * open, the next run makes them so.
   */
  analyze(): Promise<void> {
    return this.#connected(async (ask) => {
      // Report what this connection wrote immediately. Servers before version 15 do so soon anyway.
      await ask("SELECT pg_stat_force_next_flush()").catch(() => {});
      const changed = await ask(`
        SELECT format('%I', t.relname) AS name FROM pg_stat_user_tables t JOIN pg_class c ON c.oid = t.relid
        WHERE t.schemaname = current_schema()
          AND (t.n_mod_since_analyze > 1000 + least(t.n_live_tup / 10, ${MAX_ROWS_CHANGED})
               OR c.relpages - c.relallvisible > 100 + least(c.relpages / 10, ${MAX_PAGES_HIDDEN}))`);
      for (const { name } of changed) await ask(`VACUUM (ANALYZE, SKIP_LOCKED) ${name}`);
    });
  }

  async copyTo(): Promise<void> {
    throw new Error("a server database has no file");
  }

  onSnapshot<T>(work: (read: Database["read"]) => Promise<T>): Promise<T> {
    return this.#connected(async (ask) => {
      await ask(`BEGIN ISOLATION LEVEL ${READING}; SET LOCAL idle_in_transaction_session_timeout = 0`);
      try {
        return await work((unit) => {
          const steps = unit();
          return this.#drive(ask, steps, steps.next());
        });
      } finally {
        await ask("ROLLBACK").catch(() => {});
      }
    }).catch((error: unknown) => Promise.reject(this.#readable(error)));
  }

  /**
   * While a log is being filled, the planner assumes that it is empty and would read all of it for each batch. A small
   * sample of user ids is exact enough and takes a fraction of a batch. Plans made for the empty table are discarded.
   */
  async #tellPlanner(): Promise<void> {
    const grown = [...this.#unheardOf].filter(([table, rows]) => rows >= LOOKED_UP[table]!.most);
    if (grown.length === 0) return;
    const tables = grown.map(([table]) => `${table} (${LOOKED_UP[table]!.column})`);
    for (const [table] of grown) this.#unheardOf.delete(table);
    await this.#connected(async (ask) => {
      await ask("SET default_statistics_target = 10");
      await ask(`ANALYZE (SKIP_LOCKED) ${tables.join(", ")}`);
      await ask("RESET default_statistics_target");
    }).catch(() => {});
  }

  async sizeBytes(): Promise<number> {
    const [row] = await this.#untilDone(() =>
      this.#connected((ask) => ask("SELECT pg_database_size(current_database()) AS bytes")),
    );
    return Number(row!.bytes);
  }

  async close(): Promise<void> {
    await this.#pool.close({ timeout: SECONDS_TO_END });
  }

  /** Asks over a new connection, because those of the pool may be broken. */
  async #isWorking(pid: number | null): Promise<boolean> {
    const sql = this.#connect(1);
    try {
      const rows = await sql.unsafe("SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND pid = $1", [pid]);
      return rows.length > 0;
    } finally {
      void sql.close({ timeout: 0 }).catch(() => {});
    }
  }

  /** Repeats a transaction that conflicted with another, or lost its connection before the commit. */
  async #untilDone<T>(transaction: () => Promise<T>): Promise<T> {
    const began = this.#time.ticks();
    let lostAt: number | null = null;
    for (let tries = 0; ; tries++) {
      try {
        return await transaction();
      } catch (error) {
        if (isCollision(error)) {
          if (this.#time.ticks() - began > this.#giveUpAfterMs) throw busy(error);
        } else {
          lostAt ??= this.#time.ticks();
          const isOver = isUnreachable(error) || this.#time.ticks() - lostAt > RECONNECT_FOR_MS;
          if (!isLost(error) || isOver) throw this.#readable(error);
        }
      }
      // The first to conflict need not wait, because the other one has finished.
      if (tries > 0) await this.#time.sleep(Math.min(5 * 2 ** tries, MAX_PAUSE_MS) + this.#spread());
    }
  }

  #readable(error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof AppError) return error;
    const state = stateOf(error);
    const say = (message: string) => new AppError("unavailable", message, { cause: error });
    if (state === DISK_FULL) return say("The disk of the database server is full. Nothing was saved.");
    const said = `PostgreSQL says: ${error.message}.`;
    if (state.startsWith("28")) return say(`The database server rejected the sign-in for ${this.location}. ${said}`);
    if (state === "3D000")
      return say(`The database ${this.location} does not exist. Create it: createdb --owner=USER NAME`);
    if (state === "42501") {
      return say(
        `${said} Make the user that qsolog signs in as the owner: ALTER DATABASE … OWNER TO …, in ${this.location}.`,
      );
    }
    if (PREPARED_ELSEWHERE.has(state)) {
      return say(
        "A pooler in transaction mode changes the connection between two statements. Set pool_mode = session.",
      );
    }
    if (/TLS|SSL/.test(codeOf(error)) || /SSL/.test(error.message)) {
      return say(`No encrypted connection to ${this.location}: ${error.message}. Check sslmode in the address.`);
    }
    return isLost(error) ? this.#away(error) : error;
  }

  /** At the start of the program the message names the address; later it does not. */
  #away(cause?: unknown): AppError {
    const where = this.#wasThere ? "" : ` of ${this.location}`;
    const reason = !this.#wasThere && cause instanceof Error ? ` (${cause.message})` : "";
    const what = isFull(cause) ? "has no free connections" : `cannot be reached${reason}`;
    const details = { rule: "database_away", retryAfterSeconds: 5, cause };
    return new AppError("unavailable", `The database server${where} ${what}. Try again in a moment.`, details);
  }

  /** A random delay, so that units that conflicted retry at different times. */
  #spread(): number {
    return (this.#collisions++ % 7) * 6;
  }

  /** Lends a connection of the pool, and closes the pool if the server stops answering. */
  async #connected<T>(work: (ask: Ask, hasPid: (pid: number) => void) => Promise<T>): Promise<T> {
    const pool = this.#pool;
    const connection = await pool.reserve();
    let pid: number | null = null;
    let askedAt: number | null = null;
    const ask: Ask = async (text, values) => {
      askedAt = this.#time.ticks();
      try {
        return await connection.unsafe(text, values as unknown[]);
      } finally {
        askedAt = null;
      }
    };
    /**
     * The statement that the server was not working on at the last check. It can have ended just before, so only the
     * second check counts.
     */
    let missed: number | null = null;
    const endChecks = this.#time.every(this.#silentAfterMs, async () => {
      const since = askedAt;
      if (since === null || this.#time.ticks() - since < this.#silentAfterMs) return;
      // A server without room for another connection is running.
      const isWorking = await this.#isWorking(pid).catch((error) => stateOf(error).startsWith("53") || null);
      if (askedAt !== since || isWorking) return;
      if (isWorking === null || missed === since) this.#replacePool(pool, 0);
      missed = since;
    });
    try {
      return await work(ask, (known) => (pid = known));
    } catch (error) {
      if (isLost(error) || isStandby(error)) this.#replacePool(pool, SECONDS_TO_END);
      throw error;
    } finally {
      endChecks();
      connection.release();
    }
  }

  #transaction<T>(unit: () => Unit<T>, modeFor: (first: Step | null) => string, names: string): Promise<T> {
    const steps = unit();
    const first = steps.next();
    return this.#connected(async (ask, hasPid) => {
      try {
        const mode = modeFor(first.done ? null : first.value);
        const { pid, xid } = namesIn(await ask(`BEGIN ISOLATION LEVEL ${mode}; ${SETTINGS}; SELECT ${names}`));
        hasPid(pid);
        this.#wasThere = true;
        const value = await this.#drive(ask, steps, first);
        await ask("COMMIT").catch((error: unknown) => this.#unlessCommitted(error, xid, value));
        return value;
      } catch (error) {
        if (!isLost(error)) await ask("ROLLBACK").catch(() => {});
        throw error;
      }
    });
  }

  async #drive<T>(ask: Ask, steps: Unit<T>, first: IteratorResult<Step, T>): Promise<T> {
    let step = first;
    while (!step.done) step = steps.next(await this.#take(ask, step.value));
    return step.value;
  }

  /**
   * If the connection broke before the answer arrived, asks the server whether the transaction was committed. A
   * transaction that only read has no id and is repeated.
   */
  async #unlessCommitted<T>(error: unknown, xid: string | null, value: T): Promise<void> {
    if (!isLost(error) || xid === null) throw error;
    const giveUpAt = this.#time.ticks() + this.#giveUpAfterMs;
    while (this.#time.ticks() < giveUpAt) {
      const isCommitted = await this.#isCommitted(xid).catch(() => null);
      if (isCommitted === true) return;
      if (isCommitted === false) throw error;
      await this.#time.sleep(MAX_PAUSE_MS);
    }
    const message =
      "The connection to the database broke off. The last change may or may not have been saved. Check before you try again.";
    throw new OutcomeUnknown(message, async () => ((await this.#isCommitted(xid)) ? { value } : null), error);
  }

  /** Rejects while nobody can answer. */
  async #isCommitted(xid: string): Promise<boolean> {
    const ask = (ask: Ask) => ask("SELECT pg_xact_status(CAST($1 AS xid8)) AS status", [xid]);
    try {
      const [row] = await this.#connected(ask);
      if (row!.status === "in progress") throw this.#away();
      return row!.status === "committed";
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (!isLost(error)) return false; // A server that took over and never heard of the transaction has nothing of it.
      throw this.#away(error);
    }
  }

  async #take(ask: Ask, step: Step): Promise<unknown> {
    switch (step.kind) {
      case "scope":
        return enter(ask, step.scope);
      case "rows": {
        const { text, values } = render(step.sql, DIALECT);
        return plain(await ask(text, values.map(bind)));
      }
      case "run": {
        const { text, values } = render(step.sql, DIALECT);
        return Number((await ask(text, values.map(bind))).count ?? 0);
      }
      case "script":
        return void (await ask(step.text));
      case "progress":
        return undefined;
      case "insertMany":
        return this.#insertMany(ask, step);
      case "updateMany":
        return this.#updateMany(ask, step);
    }
  }

  async #insertMany(
    ask: Ask,
    { table, rows, onConflict, wantsIds }: Extract<Step, { kind: "insertMany" }>,
  ): Promise<number[]> {
    const ids: number[] = [];
    const names = Object.keys(rows[0]!);
    const columns = names.map(snakeCase);
    if (table in LOOKED_UP) this.#unheardOf.set(table, (this.#unheardOf.get(table) ?? 0) + rows.length);
    const from = await this.#arrays(ask, table, columns);
    const text = `INSERT INTO ${table} (${columns.join(", ")}) SELECT * FROM ${from} ${onConflict} ${wantsIds ? "RETURNING id" : ""}`;
    for (let start = 0; start < rows.length; start += MAX_ROWS_PER_STATEMENT) {
      const chunk = rows.slice(start, start + MAX_ROWS_PER_STATEMENT);
      const answer = await ask(
        text,
        names.map((name) => arrayOf(chunk.map((row) => row[name]!))),
      );
      for (const { id } of answer) ids.push(Number(id));
    }
    return ids;
  }

  /** One statement writes every column that changed in any of the rows. */
  async #updateMany(ask: Ask, { table, rows }: Extract<Step, { kind: "updateMany" }>): Promise<void> {
    const names = [...new Set(rows.flatMap(({ changed }) => changed))].sort();
    const columns = names.map(snakeCase);
    const from = await this.#arrays(ask, table, ["id", ...columns]);
    const assignments = columns.map((column) => `${column} = changed.${column}`).join(", ");
    const text = `UPDATE ${table} SET ${assignments} FROM ${from} AS changed (${["id", ...columns].join(", ")})
                  WHERE ${table}.id = changed.id`;
    const values = names.map((name) => arrayOf(rows.map((row) => row.values[name]!)));
    await ask(text, [arrayOf(rows.map(({ id }) => id)), ...values]);
  }

  /** Passes rows as one array per column, so that the text of the statement does not depend on their number. */
  async #arrays(ask: Ask, table: string, columns: readonly string[]): Promise<string> {
    const types = await this.#typesOf(ask, table);
    return `unnest(${columns.map((name, index) => `CAST($${index + 1} AS ${types.get(name)}[])`).join(", ")})`;
  }

  #typesOf(ask: Ask, table: string): Promise<ReadonlyMap<string, string>> {
    const known = this.#types.get(table);
    if (known) return known;
    const asked = typesOf(ask, table);
    this.#types.set(table, asked);
    asked.catch(() => this.#types.delete(table));
    return asked;
  }
}

/** Runs a statement on one connection. */
type Ask = (text: string, values?: readonly unknown[]) => Promise<Rows>;
type Rows = Record<string, any>[] & { count?: number };

const READING = "REPEATABLE READ READ ONLY";

/** The ids of a connection and of a writing transaction, by which the outcome is asked later. */
const PID = "pg_backend_pid() AS pid";
const PID_AND_XID = `${PID}, CAST(pg_current_xact_id() AS TEXT) AS xid`;

/** From the last of several results. */
const namesIn = (answers: readonly any[]): { pid: number; xid: string | null } => {
  const { pid, xid = null } = [answers.at(-1)].flat()[0];
  return { pid: Number(pid), xid };
};

/** Rules that span several users hold only if transactions are serializable. */
const isolationFor = (first: Step | null): string => {
  if (first?.kind !== "scope") return "SERIALIZABLE";
  return first.scope === "alone" ? "READ COMMITTED" : "REPEATABLE READ";
};

/**
 * Takes the lock of a unit. It writes the user's row, so that a waiting transaction starts again and sees what the one
 * before did. A lock alone would keep its old snapshot.
 */
const enter = async (ask: Ask, scope: Scope): Promise<void> => {
  if (scope === "alone") return;
  await ask("UPDATE users SET log_version = log_version WHERE id = CAST($1 AS BIGINT)", [scope.user]);
};

const typesOf = async (ask: Ask, table: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await ask(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = CAST($1 AS regclass) AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
};

const DIALECT: Dialect = {
  engine: "postgres",
  placeholder: (index) => `$${index}`,
  list: (values, placeholder) => {
    if (values.length === 0) return ["IN (NULL)"];
    const type = typeof values[0] === "number" ? "BIGINT" : "TEXT";
    return [`= ANY (CAST(${placeholder} AS ${type}[]))`, arrayOf(values)];
  },
  table: (columns, placeholder) => {
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

/** An array in PostgreSQL's text format. */
const arrayOf = (values: readonly Value[]): string => `{${values.map(element).join(",")}}`;

const element = (value: Value): string => {
  // A missing field is NULL, as with values that are bound one by one.
  if (value == null) return "NULL";
  if (typeof value === "string") return `"${storable(value).replace(/["\\]/g, "\\$&")}"`;
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "number" ? String(value) : `"\\\\x${Buffer.from(value).toString("hex")}"`;
};

const bind = (value: Value): Value => {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" ? storable(value) : value;
};

/** PostgreSQL cannot store NUL in text. */
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

/** The errors of a standby: it accepts no writes and has no such isolation level. */
const OF_STANDBY: ReadonlySet<string> = new Set(["25006", "0A000"]);

const DISK_FULL = "53100";

/** A prepared statement of another connection, or none of this one. */
const PREPARED_ELSEWHERE: ReadonlySet<string> = new Set(["42P05", "26000"]);

const stateOf = (error: unknown): string => String((error as { errno?: unknown })?.errno ?? "");

const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? "");

const isCollision = (error: unknown): boolean => COLLISIONS.has(stateOf(error));

/** The connection or its server is gone, so the transaction is not committed. */
const isLost = (error: unknown): boolean => {
  const state = stateOf(error);
  if (/^(08|57P|53)/.test(state) || state === "25P03") return true;
  return /CONNECTION|TIMEOUT/.test(codeOf(error));
};

/** Bun tried to connect until its own time-out. */
const isUnreachable = (error: unknown): boolean => /CONNECTION_(TIMEOUT|FAILED)/.test(codeOf(error));

/** The server has no free connection. */
const isFull = (error: unknown): boolean => stateOf(error) === "53300";

const isStandby = (error: unknown): boolean => OF_STANDBY.has(stateOf(error));

/** After a failover, the old server may answer but refuse writes. */
const unlessStandby = (error: unknown): never => {
  if (isStandby(error)) throw Object.assign(new Error("standby", { cause: error }), { code: "CONNECTION" });
  throw error;
};

const busy = (cause: unknown): AppError =>
  new AppError("unavailable", "The database is busy. Try again.", {
    retryAfterSeconds: 5,
    cause,
  });

const withoutPassword = (url: string): string => {
  const shown = new URL(url);
  shown.password = "";
  shown.search = "";
  return shown.toString();
};
