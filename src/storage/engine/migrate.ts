import { AppError } from "../../kernel/errors.ts";
import type { Database } from "./database.ts";
import { hasColumn, hasTableOrIndex, translate, type Engine } from "./dialect.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import * as origins from "../log/origins.ts";
import { columns, countChanged, exists, many, script, type Unit } from "./unit.ts";

export interface MigrationState {
  name: string;
  appliedAt: number | null;
  reversible: boolean;
}

interface Applied {
  name: string;
  hash: string;
  appliedAt: number;
}

interface Options {
  /** Called once before the first change to a database that already has users. */
  beforeChange?: (next: string) => Promise<void>;
  migrations?: readonly Migration[];
}

/**
 * Applies missing migrations, each in its own transaction, and returns their names. Also adds the rows of new origins.
 */
export const migrate = (db: Database, now: number, options: Options = {}): Promise<string[]> =>
  db.withExclusiveLock(async () => {
    const applied = await applyPending(db, now, options);
    const missing = await db.read(origins.listMissing);
    if (missing.length > 0) await db.write(() => origins.put(missing));
    return applied;
  });

const applyPending = async (db: Database, now: number, options: Options): Promise<string[]> => {
  const { beforeChange, migrations = MIGRATIONS } = options;
  const pending = await pendingMigrations(db, migrations);
  if (pending.length === 0) return [];
  if (beforeChange && (await db.read(holdsUsers))) await beforeChange(pending[0]!.name);
  const applied: string[] = [];
  for (const migration of pending) {
    if (await db.write(() => apply(db.engine, migration, now))) applied.push(migration.name);
  }
  await db.analyze();
  return applied;
};

/** Reverts a migration that has a `.down.sql`. */
export const rollbackMigration = (db: Database, name: string, migrations = MIGRATIONS): Promise<void> =>
  db.withExclusiveLock(async () => {
    const migration = migrations.find((known) => known.name === name);
    if (!migration) throw new AppError("not_found", `There is no migration ${name}.`);
    const { down } = migration;
    if (down === undefined) throw new AppError("invalid", `The migration ${name} cannot be reverted.`);
    await db.write(function* () {
      const removed = yield* countChanged`DELETE FROM migrations WHERE name = ${name}`;
      if (removed === 0) throw new AppError("conflict", `The migration ${name} is not applied.`);
      for (const { text } of statementsOf(down, db.engine)) yield* script(translate(text, db.engine));
    });
  });

/** Every migration with the time it was applied. Refuses a database that this program must not use. */
export const migrationStates = async (db: Database, migrations = MIGRATIONS): Promise<MigrationState[]> => {
  const applied = await db.read(appliedMigrations);
  assertOurs(applied, migrations);
  return migrations.map(({ name, down }) => ({
    name,
    appliedAt: applied.find((row) => row.name === name)?.appliedAt ?? null,
    reversible: down !== undefined,
  }));
};

const pendingMigrations = async (db: Database, migrations: readonly Migration[]): Promise<Migration[]> => {
  const states = await migrationStates(db, migrations);
  return migrations.filter(({ name }) => states.find((state) => state.name === name)?.appliedAt === null);
};

function* appliedMigrations(): Unit<Applied[]> {
  if (!(yield* hasTableOrIndex("migrations"))) return [];
  return yield* many<Applied>`SELECT ${columns("name", "hash", "applied_at")} FROM migrations ORDER BY name`;
}

function* holdsUsers(): Unit<boolean> {
  return (yield* hasTableOrIndex("users")) && (yield* exists`users`);
}

/** Only databases of previews have it. Their migrations were different. */
const ONLY_IN_PREVIEWS = "0007_pruned";

export class NewerDatabase extends AppError {
  constructor(migration: string) {
    super("unavailable", `This database was created by a newer qsolog (it has ${migration}). Update qsolog.`);
  }
}

const assertOurs = (applied: readonly Applied[], migrations: readonly Migration[]): void => {
  if (applied.some(({ name }) => name === ONLY_IN_PREVIEWS)) {
    throw new AppError(
      "unavailable",
      "This database was created by a preview of qsolog. Convert it: bun deploy/convert-preview.ts OLD NEW",
    );
  }
  for (const { name, hash } of applied) {
    const known = migrations.find((migration) => migration.name === name);
    if (!known) {
      throw new NewerDatabase(name);
    }
    if (hashOf(known) !== hash) {
      throw new AppError(
        "unavailable",
        `This database was created by a modified qsolog: its migration ${name} differs from the one in this version.`,
      );
    }
  }
};

const CREATE_MIGRATIONS = `CREATE TABLE IF NOT EXISTS migrations
  (name {{text}} PRIMARY KEY, hash {{text}} NOT NULL, applied_at {{bigint}} NOT NULL) {{strict}}`;

/** Everything that the migrations do to an empty database. */
export const listStatements = (engine: Engine): string[] =>
  [CREATE_MIGRATIONS, ...MIGRATIONS.flatMap(({ up }) => statementsOf(up, engine).map(({ text }) => text))].map((text) =>
    translate(text, engine),
  );

/** Returns false if another process applied it first. */
function* apply(engine: Engine, migration: Migration, now: number): Unit<boolean> {
  yield* script(translate(CREATE_MIGRATIONS, engine));
  const claimed = yield* countChanged`INSERT INTO migrations (name, hash, applied_at)
                             VALUES (${migration.name}, ${hashOf(migration)}, ${now}) ON CONFLICT DO NOTHING`;
  if (claimed === 0) return false;
  for (const { text, skipIf } of statementsOf(migration.up, engine)) {
    if (!(skipIf && (yield* isMet(skipIf)))) yield* script(translate(text, engine));
  }
  return true;
}

interface Statement {
  text: string;
  skipIf?: string;
}

/** A semicolon at the end of a line ends a statement. `-- skip if …` and `-- only on …` apply to the next statement. */
const statementsOf = (file: string, engine: Engine): Statement[] =>
  file
    .split(/;[ \t]*(?:\r?\n|$)/)
    .filter((part) => (part.match(/^[ \t]*-- only on (\w+)[ \t\r]*$/m)?.[1] ?? engine) === engine)
    .map((part) => ({
      text: part.replace(/^[ \t]*--.*$/gm, "").trim(),
      skipIf: part.match(/^[ \t]*-- skip if (.+) exists[ \t\r]*$/m)?.[1],
    }))
    .filter(({ text }) => text !== "");

function* isMet(condition: string): Unit<boolean> {
  const [kind, name = ""] = condition.split(" ");
  if (kind === "table" || kind === "index") return yield* hasTableOrIndex(name);
  const [table = "", column = ""] = name.split(".");
  if (kind === "column") return yield* hasColumn(table, column);
  throw new Error(`unknown condition in a migration: skip if ${condition} exists`);
}

const hashOf = ({ up }: Migration): string => new Bun.CryptoHasher("sha256").update(up).digest("hex");
