import { AppError } from "../kernel/errors.ts";
import type { Database } from "../storage/engine/database.ts";
import { migrate, migrationStates } from "../storage/engine/migrate.ts";
import * as moving from "../storage/engine/copy-tables.ts";
import type { MovedTable, Row } from "../storage/engine/copy-tables.ts";
import * as workers from "../storage/jobs/workers.ts";
import { isDead } from "../sync/job/worker.ts";
import type { World } from "../world.ts";
import { listProgramsUsing } from "./users-of-file.ts";

type Source = Pick<Database, "engine" | "location" | "read">;

interface Deps extends Pick<World, "clock"> {
  from: Source;
  to: Database;
}

interface Options {
  /** Starts again and deletes what an interrupted move has copied. */
  anew?: boolean;
  onProgress?: (progress: Progress) => void;
  /** Stops between two batches. What was copied stays, and the next move continues. */
  signal?: AbortSignal;
}

export interface Progress {
  phase: "moving" | "checking";
  table: string;
  rows: number;
  of: number;
}

/** The count and hash of a table on both sides. */
export interface TableProof {
  name: string;
  rows: number;
  hash: string;
}

export interface Moved {
  tables: TableProof[];
  /** The table at which an interrupted move continued. */
  resumedAt: string | null;
}

const MAX_BATCH_SIZE = 500;
const INITIAL_BATCH_SIZE = 4;
/** Limits the text and bytes in memory, because a contact can have a million characters. */
const MAX_BATCH_CHARACTERS = 2_000_000;

/**
 * Copies a whole database into an empty one of the other engine, in batches by key, and checks for each table that both
 * sides are equal. Nobody may write to the source meanwhile.
 */
export const move = async (deps: Deps & { from: Database }, options: Options = {}): Promise<Moved> => {
  const { from, to } = deps;
  if (from.engine === to.engine) throw createSameEngineError(from);
  await assertMigrated(from);
  await from.read(moving.assertWhole);
  await assertAlone(deps);
  return from.freezeWrites(() => fill(deps, options));
};

/** Copies a PostgreSQL database, as it is at one moment, into a new SQLite file while others write, and compares both. */
export const copyIntoFile = async (
  from: Database,
  { to, clock, signal }: Omit<Deps, "from"> & Pick<Options, "signal">,
): Promise<void> => {
  await assertMigrated(from);
  const { engine, location } = from;
  await from.onSnapshot!((read) => fill({ from: { engine, location, read }, to, clock }, { signal }));
};

const fill = async (deps: Deps, { anew = false, onProgress = () => {}, signal }: Options): Promise<Moved> => {
  const { from, to } = deps;
  await migrate(to, deps.clock());
  const [file, server] = from.engine === "sqlite" ? [from, to] : [to, from];
  const there = await server.read(moving.tableNames);
  const tables = await file.read(() => moving.movedTables(there));
  const begun = await begin(deps, tables, anew);
  const counts = await countAll(from, tables);
  await copyAll(deps, tables, begun, (table, rows) => {
    signal?.throwIfAborted();
    onProgress({ phase: "moving", table, rows, of: counts.get(table)! });
  });
  const highest = await from.read(() => moving.highestIds(from.engine, tables));
  await to.write(() => moving.setHighestIds(to.engine, highest));
  const proofs = await compareAll(deps, tables, (table, rows) => {
    signal?.throwIfAborted();
    onProgress({ phase: "checking", table, rows, of: counts.get(table)! });
  });
  await to.write(moving.removeMark);
  await to.analyze();
  return { tables: proofs, resumedAt: begun.table };
};

const createSameEngineError = ({ engine }: Source): AppError =>
  new AppError(
    "invalid",
    engine === "sqlite"
      ? "Both are SQLite files. Use qsolog db backup FILE."
      : "Both are PostgreSQL. Use its programs pg_dump and pg_restore.",
  );

const assertMigrated = async (from: Database): Promise<void> => {
  if ((await migrationStates(from)).every(({ appliedAt }) => appliedAt !== null)) return;
  throw new AppError("conflict", "This database was created by an older qsolog. Run qsolog db migrate first.");
};

/** A process that is still running would write into the old database. */
const assertAlone = async ({ from, clock }: Deps): Promise<void> => {
  const alive = (await from.read(() => workers.list(clock()))).filter((worker) => !isDead(worker));
  const programs = [
    ...alive.map(({ host, pid }) => `process ${pid} on ${host}`),
    ...(from.engine === "sqlite" ? listProgramsUsing(from.location) : []),
  ];
  if (programs.length === 0) return;
  throw new AppError(
    "conflict",
    `The database ${from.location} is in use by ${programs.join(", ")}. Stop every server and sync first.`,
    { rule: "database_in_use" },
  );
};

/** The progress of an earlier move, or the beginning. */
const begin = async ({ from, to }: Deps, tables: readonly MovedTable[], anew: boolean): Promise<moving.Mark> => {
  const first: moving.Mark = { from: from.location, table: null, after: null };
  const known = await to.read(moving.findMark);
  if (known !== null && anew) {
    await to.write(() => moving.empty(to.engine, tables));
  } else if (known !== null) {
    if (known.from === from.location) return known;
    throw new AppError(
      "conflict",
      `${to.location} is partly filled from ${known.from}. Continue with that source, or start again with --anew.`,
      {
        rule: "move_unfinished",
      },
    );
  }
  const filled = await to.read(() => moving.firstFilled(tables));
  if (filled !== null) {
    throw new AppError(
      "conflict",
      `${to.location} is not empty: the table ${filled} contains rows. Nothing was changed.`,
      {
        rule: "not_empty",
      },
    );
  }
  await to.write(() => moving.setMark(first));
  return first;
};

const countAll = async (from: Source, tables: readonly MovedTable[]): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  for (const { name } of tables) counts.set(name, await from.read(() => moving.countRowsOf(name)));
  return counts;
};

const copyAll = async (
  { from, to }: Deps,
  tables: readonly MovedTable[],
  begun: moving.Mark,
  tell: (table: string, rows: number) => void,
): Promise<void> => {
  const first = Math.max(
    0,
    tables.findIndex(({ name }) => name === begun.table),
  );
  for (const table of tables.slice(first)) {
    const after = table.name === begun.table ? begun.after : null;
    let rows = after === null ? 0 : await to.read(() => moving.countRowsOf(table.name));
    for await (const slice of readSlices(from, table, after)) {
      const mark = { from: begun.from, table: table.name, after: slice.last };
      await to.write(() => moving.insertSlice(table, slice.rows, mark));
      rows += slice.rows.length;
      tell(table.name, rows);
    }
  }
};

interface Slice {
  rows: Row[];
  /** The place of the last row. */
  last: moving.Place;
}

async function* readSlices(db: Source, table: MovedTable, behind: moving.Place | null = null): AsyncGenerator<Slice> {
  let most = INITIAL_BATCH_SIZE;
  for (let after = behind; ;) {
    const found = await db.read(() => moving.sliceOf(table, after, most));
    const last = found.at(-1);
    if (!last) return;
    const fitting = Math.floor((found.length * MAX_BATCH_CHARACTERS) / measureRows(found));
    most = Math.max(1, Math.min(fitting, most * 2, MAX_BATCH_SIZE));
    after = moving.placeOf(table, last);
    yield { rows: found.filter((row) => !moving.isMark(table.name, row)), last: after };
  }
}

const measureRows = (rows: readonly Row[]): number => {
  let weight = 1;
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (typeof value === "string" || value instanceof Uint8Array) weight += value.length;
    }
  }
  return weight;
};

const compareAll = async (
  { from, to }: Deps,
  tables: readonly MovedTable[],
  tell: (table: string, rows: number) => void,
): Promise<TableProof[]> => {
  const proofs: TableProof[] = [];
  const different: string[] = [];
  for (const table of tables) {
    const [there, here] = [await computeProof(from, table, tell), await computeProof(to, table, tell)];
    if (there.rows !== here.rows) different.push(`${table.name} (${here.rows} of ${there.rows} rows)`);
    else if (there.hash !== here.hash) different.push(table.name);
    proofs.push(here);
  }
  if (different.length === 0) return proofs;
  throw new AppError(
    "conflict",
    `The copy in ${to.location} differs: ${different.join(", ")}. The source changed between two runs. Start again with --anew.`,
    { rule: "move_differs" },
  );
};

/** Counts and hashes a table independently of the order of rows. */
const computeProof = async (
  db: Source,
  table: MovedTable,
  tell: (table: string, rows: number) => void,
): Promise<TableProof> => {
  const sum = new Uint32Array(8);
  let rows = 0;
  for await (const slice of readSlices(db, table)) {
    for (const row of slice.rows) addTo(sum, hashOf(table, row));
    rows += slice.rows.length;
    tell(table.name, rows);
  }
  return { name: table.name, rows, hash: Buffer.from(sum.buffer).toString("hex") };
};

const addTo = (sum: Uint32Array, hash: Uint32Array): void => {
  for (let place = 0; place < sum.length; place++) sum[place]! += hash[place]!;
};

/** PostgreSQL cannot store NUL in text, so it is ignored on both sides. */
const hashOf = ({ columns }: MovedTable, row: Row): Uint32Array => {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const column of columns) {
    const value = row[column] ?? null;
    if (value instanceof Uint8Array) hasher.update(`b${value.length}:`).update(value);
    else if (typeof value === "string") hasher.update(removeNul(value.replaceAll("\0", "")));
    else hasher.update(`${value === null ? "n" : `i${Number(value)}`};`);
  }
  return new Uint32Array(new Uint8Array(hasher.digest()).buffer);
};

const removeNul = (text: string): string => `s${text.length}:${text}`;
