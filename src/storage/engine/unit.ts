export type Value = string | number | boolean | null | Uint8Array;

/** What a template can contain: a parameter, or more SQL. */
type Part = Value | Sql | List | Table | Fork;

/** SQL text with its parameters. It can be a value in another one. */
export interface Sql {
  readonly strings: readonly string[];
  readonly values: readonly Part[];
}

/** Values as a table to join with, one array per column. */
export interface Table {
  readonly table: Readonly<Record<string, readonly string[] | readonly number[]>>;
}

/** SQL that differs between the engines. */
export interface Fork {
  readonly sqlite: Sql;
  readonly postgres: Sql;
}

/** The values of an `IN`, of any number. */
export interface List {
  readonly list: readonly string[] | readonly number[];
}

/**
 * What a unit is protected from. With one user's row locked, nothing else changes the data of that user: log, jobs,
 * schedule. With "alone", each of its statements stands alone. Without a scope, the unit is serializable.
 */
export type Scope = { user: number } | "alone";

/** The values of a row by the names that its columns have in `rows.ts`. */
export type RowValues = Readonly<Record<string, Value>>;

/** A row with the names of the columns that changed. */
export interface ChangedRow {
  id: number;
  values: RowValues;
  changed: readonly string[];
}

export type Step =
  | { kind: "scope"; scope: Scope }
  | { kind: "rows"; sql: Sql }
  | { kind: "run"; sql: Sql }
  | { kind: "script"; text: string }
  | { kind: "progress"; share: number }
  | { kind: "insertMany"; table: string; rows: readonly RowValues[]; onConflict: string; wantsIds: boolean }
  | { kind: "updateMany"; table: string; rows: readonly ChangedRow[] };

/**
 * SQL with a result: a generator that yields steps to an engine. A unit has no other effects, keeps no state outside
 * and catches no SQL errors, because an engine may run it again.
 */
export type Unit<T> = Generator<Step, T, unknown>;

export const sql = (strings: TemplateStringsArray, ...values: readonly Part[]): Sql => ({ strings, values });

/** Unescaped SQL text, for names chosen by code. Never for input. */
export const raw = (text: string): Sql => ({ strings: [text], values: [] });

export const EMPTY: Sql = raw("");

export const join = (parts: readonly Sql[], separator: string): Sql =>
  parts.length === 0
    ? EMPTY
    : { strings: ["", ...parts.slice(1).map(() => separator), ""], values: parts as readonly Sql[] };

/** `WHERE a AND b` of the conditions that are given, or nothing. */
export const where = (conditions: readonly (Sql | false | null | undefined)[]): Sql => {
  const given = conditions.filter((condition): condition is Sql => Boolean(condition));
  return given.length === 0 ? EMPTY : sql`WHERE ${join(given, " AND ")}`;
};

/** `column ${inList(values)}`: true if the column is one of the values. */
export const inList = (list: readonly string[] | readonly number[]): Sql => sql`${{ list }}`;

/** `FROM ${tableOf({ call, at })} AS wanted`: rows to join with, given as columns. */
export const tableOf = (table: Table["table"]): Sql => sql`${{ table }}`;

/** The text in a pattern of `LIKE … ESCAPE '\\'`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** `CASE column WHEN … END`: the time for each row. */
export const timesBy = (column: string, times: readonly (readonly [id: string | number, at: number])[]): Sql => {
  const cases = times.map(([id, at]) => sql`WHEN ${id} THEN CAST(${at} AS BIGINT)`);
  return sql`CASE ${raw(column)} ${join(cases, " ")} END`;
};

/** A select list that renames snake_case columns to camelCase. */
export const columns = (...names: readonly string[]): Sql =>
  raw(names.map((name) => (name.includes("_") ? `${name} AS "${camelCase(name)}"` : name)).join(", "));

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

export function* many<Row>(strings: TemplateStringsArray, ...values: readonly Part[]): Unit<Row[]> {
  return (yield { kind: "rows", sql: { strings, values } }) as Row[];
}

export function* maybe<Row>(strings: TemplateStringsArray, ...values: readonly Part[]): Unit<Row | null> {
  const rows = (yield { kind: "rows", sql: { strings, values } }) as Row[];
  return rows[0] ?? null;
}

/** The row of a statement that always returns one. */
export function* one<Row>(strings: TemplateStringsArray, ...values: readonly Part[]): Unit<Row> {
  const rows = (yield { kind: "rows", sql: { strings, values } }) as Row[];
  if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}: ${strings.join("?")}`);
  return rows[0]!;
}

/** The values of the only column. */
export function* manyValues<T>(strings: TemplateStringsArray, ...values: readonly Part[]): Unit<T[]> {
  const rows = yield* many<Record<string, T>>(strings, ...values);
  const [name] = Object.keys(rows[0] ?? {});
  return rows.map((row) => row[name!]!);
}

/** The value of the only column in the first row, or null. */
export function* maybeValue<T>(strings: TemplateStringsArray, ...values: readonly Part[]): Unit<T | null> {
  return (yield* manyValues<T>(strings, ...values))[0] ?? null;
}

/** Whether there is such a row: `yield* exists\`sessions WHERE id = ${id}\``. */
export function* exists(strings: TemplateStringsArray, ...values: readonly Part[]): Unit<boolean> {
  return (yield* maybe`SELECT 1 AS one FROM ${{ strings, values }} LIMIT 1`) !== null;
}

/** The number of rows: `yield* countRows\`qsos WHERE user_id = ${userId}\``. */
export function* countRows(strings: TemplateStringsArray, ...values: readonly Part[]): Unit<number> {
  return (yield* one<{ n: number }>`SELECT count(*) AS n FROM ${{ strings, values }}`).n;
}

/** Runs a statement without a result. */
export function* run(strings: TemplateStringsArray, ...values: readonly Part[]): Unit<void> {
  yield { kind: "run", sql: { strings, values } };
}

/** Runs a statement and returns the number of changed rows. */
export function* countChanged(strings: TemplateStringsArray, ...values: readonly Part[]): Unit<number> {
  return (yield { kind: "run", sql: { strings, values } }) as number;
}

/** Runs a statement and returns whether it changed any row. */
export function* hasEffect(strings: TemplateStringsArray, ...values: readonly Part[]): Unit<boolean> {
  return (yield* countChanged(strings, ...values)) > 0;
}

/** Several statements without parameters, as in migrations. */
export function* script(text: string): Unit<void> {
  yield { kind: "script", text };
}

/** Inserts rows in this order, in as many statements as the engine needs. All rows have the same columns. */
export function* insertMany(table: string, rows: readonly RowValues[], onConflict = ""): Unit<void> {
  if (rows.length > 0) yield { kind: "insertMany", table, rows, onConflict, wantsIds: false };
}

/** Inserts rows and returns their new ids in order. */
export function* insertForIds(table: string, rows: readonly RowValues[]): Unit<number[]> {
  if (rows.length === 0) return [];
  return (yield { kind: "insertMany", table, rows, onConflict: "", wantsIds: true }) as number[];
}

/** Writes the changed columns of rows, found by their ids. */
export function* updateMany(table: string, rows: readonly ChangedRow[]): Unit<void> {
  const changed = rows.filter((row) => row.changed.length > 0);
  if (changed.length > 0) yield { kind: "updateMany", table, rows: changed };
}

/** Reports the progress of a long read, from 0 to 1. */
export function* tellProgress(share: number): Unit<void> {
  yield { kind: "progress", share };
}

export const byEngine = (fork: Fork): Sql => sql`${fork}`;

/** The time that all programs share: that of the database server, or of the machine. */
export const databaseNow = (now: number): Sql =>
  byEngine({
    sqlite: sql`${now}`,
    postgres: raw("(CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT))"),
  });

/** Begins a unit that changes one user's data. Other such units wait until it ends. */
export function* lockUser(userId: number): Unit<void> {
  yield { kind: "scope", scope: { user: userId } };
}

/** A whole unit whose statements need no protection from writes in between. */
export function* standalone<T>(unit: Unit<T>): Unit<T> {
  yield { kind: "scope", scope: "alone" };
  return yield* unit;
}

/** Runs a part of a unit. If it is refused, only this part is rolled back. */
export function* withSavepoint<T>(
  part: () => Unit<T>,
  isRefusal: (error: unknown) => boolean,
): Unit<T | { refused: unknown }> {
  yield* script("SAVEPOINT attempt");
  try {
    const value = yield* part();
    yield* script("RELEASE SAVEPOINT attempt");
    return value;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    yield* script("ROLLBACK TO SAVEPOINT attempt");
    yield* script("RELEASE SAVEPOINT attempt");
    return { refused: error };
  }
}

/** How an engine writes what differs. Lists and tables return their text and its parameters. */
export interface Dialect {
  engine: keyof Fork;
  placeholder(index: number): string;
  list(values: List["list"], placeholder: string): [text: string, ...parameters: Value[]];
  table(columns: Table["table"], placeholder: (index: number) => string): [text: string, ...parameters: Value[]];
}

/** Text and parameters of SQL for an engine. */
export const render = (sql: Sql, dialect: Dialect): { text: string; values: Value[] } => {
  const values: Value[] = [];
  const textOf = (part: Part): string => {
    if (part === null || typeof part !== "object" || part instanceof Uint8Array) {
      values.push(part);
      return dialect.placeholder(values.length);
    }
    if ("strings" in part) {
      let text = part.strings[0]!;
      for (let index = 0; index < part.values.length; index++)
        text += textOf(part.values[index]!) + part.strings[index + 1]!;
      return text;
    }
    if ("sqlite" in part) return textOf(part[dialect.engine]);
    const before = values.length;
    const placeholder = (index: number) => dialect.placeholder(before + index);
    const [text, ...parameters] =
      "list" in part ? dialect.list(part.list, placeholder(1)) : dialect.table(part.table, placeholder);
    values.push(...parameters);
    return text;
  };
  return { text: textOf(sql), values };
};
