import { formatCount } from "../../kernel/number-text.ts";
import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Database } from "../../storage/engine/database.ts";
import { migrationStates } from "../../storage/engine/migrate.ts";
import { databaseFile, openDatabase } from "../../storage/engine/connect.ts";
import { isSqlite, soundnessOf, type Soundness } from "../../storage/engine/sqlite-file.ts";
import { stripToOneLine } from "../../kernel/control-characters.ts";
import { findUnexpectedObjects } from "../../storage/engine/unexpected-objects.ts";
import type { World } from "../../world.ts";
import { createFindings, listSome, type Finding } from "../diagnostic.ts";
import { listProgramsUsing } from "../users-of-file.ts";
import { getReindexCommand } from "./rows.ts";

export interface Opened {
  findings: Finding[];
  /** Set only if all of the database can be read. */
  db: Database | null;
}

const RESTORE = "qsolog db restore FILE   (use the newest backup; the present file is kept)";
const PATIENCE_MS = 2_000;

/** Checks that a database exists, is intact, and that this version knows its tables. Nothing is created or migrated. */
export const openForLook = async (
  deps: Pick<World, "config" | "ticks" | "sleep" | "turn" | "every">,
): Promise<Opened> => {
  const { config } = deps;
  const file = databaseFile(config.databaseUrl);
  const findings = file === null ? [] : lookAtFile(resolve(file));
  if (findings.some(({ severity }) => severity === "fail")) return { findings, db: null };
  const say = createFindings("database");
  let db: Database | null = null;
  try {
    db = await openDatabase(config.databaseUrl, { time: deps, giveUpAfterMs: PATIENCE_MS });
    const missing = (await migrationStates(db)).filter(({ appliedAt }) => appliedAt === null);
    if (file === null) findings.push(say.ok(`${db.location} answers.`));
    if (missing.length === 0) return { findings: [...findings, ...(await checkSchema(db))], db };
    const names = listSome(missing.map(({ name }) => name));
    findings.push(createFindings("schema").warn(`Migrations not applied: ${names}.`, "qsolog db migrate"));
  } catch (error) {
    const todo = file === null ? "Check database_url, and the log of the PostgreSQL server" : "qsolog db status";
    findings.push(say.fail((error as Error).message, todo));
  }
  await db?.close();
  return { findings, db: null };
};

const checkSchema = async (db: Database): Promise<Finding[]> => {
  const say = createFindings("schema");
  const unexpected = await findUnexpectedObjects(db);
  if (unexpected.length === 0) return [say.ok("All migrations are applied.")];
  return [
    say.fail(
      `qsolog did not create this part of the schema: ${stripToOneLine(listSome(unexpected))}. It may change what is written.`,
      "Find out who added it, then drop it or restore a backup",
    ),
  ];
};

const lookAtFile = (file: string): Finding[] => {
  const say = createFindings("database");
  if (!existsSync(file)) {
    return [say.fail(`There is no database ${file}.`, "qsolog serve   (creates it), or qsolog db restore FILE")];
  }
  try {
    if (!isSqlite(file)) return [say.fail(`${file} is not a database.`, RESTORE)];
    const unwritable = [file, dirname(file)].find((path) => !isWritable(path));
    if (unwritable !== undefined)
      return [say.fail(`${unwritable} cannot be written.`, `ls -ld ${unwritable}   (run qsolog as its owner)`)];
    const soundness = soundnessOf(file);
    if (soundness !== null) return [say.ok(`${file} is readable.`), ...checkIntegrity(file, soundness)];
  } catch (error) {
    return [say.fail(`Could not open ${file}: ${(error as Error).message}.`, `ls -l ${file}*`)];
  }
  const programs = listProgramsUsing(file);
  const who = programs.length > 0 ? ` by ${programs.join(", ")}` : "";
  return [say.fail(`${file} is locked${who}.`, "Wait for that program or stop it, then run qsolog doctor")];
};

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const checkIntegrity = (file: string, { damage, stray }: Soundness): Finding[] => {
  const say = createFindings("integrity");
  if (damage !== null) {
    const isIndex = /\bindex\b/.test(damage);
    return [say.fail(`The database is damaged: ${damage}`, isIndex ? getReindexCommand(file) : RESTORE)];
  }
  if (stray.length === 0) return [say.ok("The database is intact.")];
  return stray.map(({ child, parent, rows }) =>
    createFindings("orphans").warn(`${formatCount(rows, "row")} of ${child} without their ${parent}.`, RESTORE),
  );
};
