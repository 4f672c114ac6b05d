/** A value that SQL can carry. */
export type Value = string | number | boolean | null | Uint8Array;

/** A piece of SQL with its parameters. Pieces compose: a piece may stand where a value stands. */
export interface Sql {
  readonly strings: readonly string[];
  readonly values: readonly (Value | Sql | List | Table | Fork)[];
}

/** Values as a table that others can be joined with, one array a column. */
export interface Table {
  readonly table: Readonly<Record<string, readonly string[] | readonly number[]>>;
}

/** What the engines say differently. */
export interface Fork {
  readonly sqlite: Sql;
  readonly postgres: Sql;
}

/** The values of an `IN`, however many there are. */
export interface List {
  readonly list: readonly string[] | readonly number[];
}

/**
 * What a unit has to itself. With one user's row locked, nothing else changes what is that user's: the log, the jobs, the
 * schedule. Alone, each of its statements stands for itself. What says neither is kept apart from everything.
 */
export type Scope = { user: number } | "alone";

/** A row of which some columns have changed, by their places in the list of columns. */
export interface ChangedRow {
  id: number;
  values: readonly Value[];
  changed: readonly number[];
}

export type Step =
  | { kind: "scope"; scope: Scope }
  | { kind: "rows"; sql: Sql }
  | { kind: "run"; sql: Sql }
  | { kind: "script"; text: string }
  | { kind: "progress"; share: number }
  | {
      kind: "insertMany";
      table: string;
      columns: readonly string[];
      rows: readonly (readonly Value[])[];
      tail: string;
    }
  | { kind: "updateMany"; table: string; columns: readonly string[]; rows: readonly ChangedRow[] };

/**
 * SQL with a result: a generator that yields steps and is driven by an engine. A unit has no effect but SQL, keeps no
 * state outside itself and catches no SQL error, because an engine may run it again.
 */
export type Unit<T> = Generator<Step, T, unknown>;

export const sql = (strings: TemplateStringsArray, ...values: readonly (Value | Sql | List | Table | Fork)[]): Sql => ({
  strings,
  values,
});

/** SQL text as it stands, for names that code chose. Never for text from outside. */
export const raw = (text: string): Sql => ({ strings: [text], values: [] });

export const EMPTY: Sql = raw("");

export const join = (parts: readonly Sql[], separator: string): Sql =>
  parts.length === 0
    ? EMPTY
    : { strings: ["", ...parts.slice(1).map(() => separator), ""], values: parts as readonly Sql[] };

/** `WHERE a AND b` of the conditions that apply, or nothing. */
export const where = (conditions: readonly (Sql | false | null | undefined)[]): Sql => {
  const given = conditions.filter((condition): condition is Sql => Boolean(condition));
  return given.length === 0 ? EMPTY : sql`WHERE ${join(given, " AND ")}`;
};

/** `column ${inList(values)}`: true where the column is one of the values. */
export const inList = (list: readonly string[] | readonly number[]): Sql => sql`${{ list }}`;

/** `FROM ${tableOf({ call, at })} AS wanted`: rows to be joined with, which the columns give by their places. */
export const tableOf = (table: Table["table"]): Sql => sql`${{ table }}`;

/** `CASE column WHEN … END`: the time that belongs to each row. */
export const timesBy = (column: string, times: readonly (readonly [id: string | number, at: number])[]): Sql => {
  const cases = times.map(([id, at]) => sql`WHEN ${id} THEN CAST(${at} AS BIGINT)`);
  return sql`CASE ${raw(column)} ${join(cases, " ")} END`;
};

/** A select list that gives snake_case columns their camelCase names. */
export const columns = (...names: readonly string[]): Sql =>
  raw(names.map((name) => (name.includes("_") ? `${name} AS "${camelCase(name)}"` : name)).join(", "));

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

export function* many<Row>(
  strings: TemplateStringsArray,
  ...values: readonly (Value | Sql | List | Table | Fork)[]
): Unit<Row[]> {
  return (yield { kind: "rows", sql: { strings, values } }) as Row[];
}

export function* maybe<Row>(
  strings: TemplateStringsArray,
  ...values: readonly (Value | Sql | List | Table | Fork)[]
): Unit<Row | null> {
  const rows = (yield { kind: "rows", sql: { strings, values } }) as Row[];
  return rows[0] ?? null;
}

/** The only row of a statement that always gives one. */
export function* one<Row>(
  strings: TemplateStringsArray,
  ...values: readonly (Value | Sql | List | Table | Fork)[]
): Unit<Row> {
  const rows = (yield { kind: "rows", sql: { strings, values } }) as Row[];
  if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}: ${strings.join("?")}`);
  return rows[0]!;
}

/** Runs a statement and gives the number of rows it changed. */
export function* run(
  strings: TemplateStringsArray,
  ...values: readonly (Value | Sql | List | Table | Fork)[]
): Unit<number> {
  return (yield { kind: "run", sql: { strings, values } }) as number;
}

/** Several statements without parameters, as migrations are written. */
export function* script(text: string): Unit<void> {
  yield { kind: "script", text };
}

/** Inserts rows in the order given, in as many statements as the engine needs. With `RETURNING` it gives those rows. */
export function* insertMany<Row = never>(
  table: string,
  columnNames: readonly string[],
  rows: readonly (readonly Value[])[],
  tail = "",
): Unit<Row[]> {
  if (rows.length === 0) return [];
  return (yield { kind: "insertMany", table, columns: columnNames, rows, tail }) as Row[];
}

/** Writes the changed columns of rows that are known by their ids. */
export function* updateMany(table: string, columnNames: readonly string[], rows: readonly ChangedRow[]): Unit<void> {
  const changed = rows.filter((row) => row.changed.length > 0);
  if (changed.length > 0) yield { kind: "updateMany", table, columns: columnNames, rows: changed };
}

/** Tells which share of a long read is done, between 0 and 1. */
export function* tellProgress(share: number): Unit<void> {
  yield { kind: "progress", share };
}

/** What the engines say differently, each in its own words. */
export const byEngine = (fork: Fork): Sql => sql`${fork}`;

/** The time of whoever all programs share: the server of the database, or the machine they run on. */
export const databaseNow = (now: number): Sql =>
  byEngine({
    sqlite: sql`${now}`,
    postgres: raw("(CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT))"),
  });

/** The first words of a unit that changes what is one user's: until it is done nobody else does. */
export function* lockUser(userId: number): Unit<void> {
  yield { kind: "scope", scope: { user: userId } };
}

/** A unit, whole, whose statements need no protection from what others write between them. */
export function* standalone<T>(unit: Unit<T>): Unit<T> {
  yield { kind: "scope", scope: "alone" };
  return yield* unit;
}

/** Runs a part of a unit so that a refusal inside it takes back what the part wrote, and only that. */
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

/** Text and parameters of a piece of SQL in the placeholder style of an engine. */
export const render = (
  piece: Sql,
  dialect: {
    engine: keyof Fork;
    placeholder(index: number): string;
    list(values: List["list"], placeholder: string): [text: string, ...parameters: Value[]];
    table(columns: Table["table"], placeholder: (index: number) => string): [text: string, ...parameters: Value[]];
  },
): { text: string; values: Value[] } => {
  const values: Value[] = [];
  const textOf = (part: Sql): string => {
    let text = part.strings[0]!;
    for (let index = 0; index < part.values.length; index++) {
      const value = part.values[index]!;
      if (value !== null && typeof value === "object" && "strings" in value) text += textOf(value);
      else if (value !== null && typeof value === "object" && "list" in value) {
        const [listText, ...parameters] = dialect.list(value.list, dialect.placeholder(values.length + 1));
        values.push(...parameters);
        text += listText;
      } else if (value !== null && typeof value === "object" && "table" in value) {
        const before = values.length;
        const [tableText, ...parameters] = dialect.table(value.table, (index) => dialect.placeholder(before + index));
        values.push(...parameters);
        text += tableText;
      } else if (value !== null && typeof value === "object" && "sqlite" in value) {
        text += textOf(value[dialect.engine]);
      } else {
        values.push(value as Value);
        text += dialect.placeholder(values.length);
      }
      text += part.strings[index + 1]!;
    }
    return text;
  };
  return { text: textOf(piece), values };
};
