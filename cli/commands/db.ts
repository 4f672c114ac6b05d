import { resolve } from "node:path";
import type { Command } from "commander";
import { formatCount, formatSize } from "../../src/kernel/number-text.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import { LABELS } from "../../src/domain/origins/labels.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import type { World } from "../../src/world.ts";
import { runInterruptible } from "../interruptible.ts";
import type { Flags, Shell } from "../shell.ts";
import { createNoDatabaseError, randomBytes } from "../shell.ts";
import { formatTable } from "../table.ts";
import { derive } from "./db-derive.ts";
import { move, type MoveFlags } from "./db-move.ts";
import { prune, type PruneFlags } from "./db-prune.ts";
import { restore } from "./db-restore.ts";

type BackupFlags = Flags & { force?: boolean };

export const register = (program: Command, shell: Shell): void => {
  const db = program.command("db");

  shell
    .command(db, "path", "print the path of the database", ["qsolog db path"])
    .action((flags: Flags) => path(shell, flags));
  shell
    .command(db, "status", "show engine, size and migrations", ["qsolog db status --json"])
    .action((flags: Flags) => status(shell, flags));
  shell
    .command(db, "migrate", "apply missing migrations", ["qsolog db migrate"])
    .action((flags: Flags) => migrate(shell, flags));
  shell
    .command(db, "rollback <migration>", "revert a migration that supports it", ["qsolog db rollback 0005_auto_sync"])
    .option("--yes", "skip the confirmation")
    .action((name: string, flags: Flags) => rollback(shell, name, flags));
  shell
    .command(db, "backup <file>", "write a verified copy; works while the server runs", [
      "qsolog db backup /backups/qsolog.db",
      "qsolog db backup /backups/qsolog.db --force",
    ])
    .option("--force", "overwrite an existing file")
    .action((file: string, flags: BackupFlags) => backup(shell, file, flags));
  shell
    .command(db, "restore <file>", "replace the database with a backup, and keep a copy of the old one", [
      "qsolog db restore /backups/qsolog.db",
    ])
    .option("--yes", "skip the confirmation")
    .action((file: string, flags: Flags) => restore(shell, file, flags));
  shell
    .command(db, "move", "copy everything into an empty database of the other engine, and verify it", [
      "qsolog db move --to postgres://qsolog@db.example/qsolog",
      "qsolog db move --database-url postgres://qsolog@db.example/qsolog --to qsolog.db",
    ])
    .requiredOption("--to <database>", "a path, sqlite:PATH or postgres://…; reads the password from PGPASSWORD")
    .option("--anew", "delete what an interrupted move left there, and start again")
    .action((flags: MoveFlags) => move(shell, flags));
  shell
    .command(db, "adopt", "accept this installation's secret after the old one was lost", ["qsolog db adopt"])
    .option("--yes", "skip the confirmation")
    .action((flags: Flags) => adopt(shell, flags));
  shell
    .command(db, "derive", "recompute every QSO from its records; works while the server runs", [
      "qsolog db derive",
      "qsolog db derive --user bob",
    ])
    .option("--user <username>", "only this user's QSOs")
    .action((flags: Flags) => derive(shell, flags));
  shell
    .command(db, "prune", "remove the change history of old jobs; works while the server runs", [
      "qsolog db prune --older-than 1y --dry-run",
      "qsolog db prune --compact",
    ])
    .option("--older-than <age>", "only jobs that ended longer ago than this, such as 90d or 2y", "90d")
    .option("--dry-run", "show what would be removed, and remove nothing")
    .option("--compact", "then return the space to the disk; writes wait while it runs")
    .action((flags: PruneFlags) => prune(shell, flags));
};

const path = async (shell: Shell, flags: Flags): Promise<void> => {
  const { config } = shell.readConfig(flags);
  const { redactText } = await import("../../src/kernel/redact.ts");
  const location = redactText(config.databaseUrl);
  shell.answer({ path: location }, () => location);
};

const status = async (shell: Shell, flags: Flags): Promise<void> => {
  const state = await inDatabase(shell, flags, async (db) => {
    const { getStatus } = await import("../../src/upkeep/database.ts");
    return getStatus(db);
  });
  shell.answer(state, () => {
    const migrations = formatTable(
      ["MIGRATION", "APPLIED (UTC)", "REVERSIBLE"],
      state.migrations.map(({ name, appliedAt, reversible }) => [
        name,
        formatUtc(appliedAt),
        reversible ? "yes" : "no",
      ]),
      shell.terminal.width,
    );
    return [
      `engine: ${state.engine}`,
      `location: ${state.location}`,
      `size: ${formatSize(state.sizeBytes)}`,
      "",
      migrations,
    ].join("\n");
  });
};

const migrate = async (shell: Shell, flags: Flags): Promise<void> => {
  const { config } = shell.readConfig(flags);
  const { migrateSafely, prepareDataDir } = await import("../../src/world.ts");
  const { SILENT_LOG } = await import("../../src/kernel/log.ts");
  prepareDataDir(config);
  const applied = await inDatabase(shell, flags, (db) => migrateSafely(db, config, Date.now, SILENT_LOG), true);
  shell.answer({ applied }, () =>
    applied.length === 0 ? "All migrations are already applied." : `Applied: ${applied.join(", ")}.`,
  );
};

const rollback = async (shell: Shell, name: string, flags: Flags): Promise<void> => {
  await shell.confirm(
    flags,
    `This deletes everything ${name} added, including its data. Type its name to continue: `,
    name,
  );
  await inDatabase(shell, flags, async (db) => {
    const { rollbackMigration } = await import("../../src/upkeep/database.ts");
    await rollbackMigration(db, name);
  });
  shell.answer({ rolledBack: name }, () => `Reverted ${name}. Start the server with --no-migrate to keep it that way.`);
};

const backup = async (shell: Shell, given: string, flags: BackupFlags): Promise<void> => {
  const file = resolve(given);
  const copy = await inDatabase(shell, flags, async (db) => {
    const { backUp } = await import("../../src/upkeep/backup.ts");
    const onPhase = (phase: string) => shell.progress.show(`${phase} …`, null);
    return runInterruptible((signal) => backUp(db, file, { force: flags.force, onPhase, signal }));
  });
  const { bytes, users, qsos, jobs } = copy;
  shell.answer(
    { file, ...copy },
    () =>
      `${file}: ${bytes} bytes, ${formatCount(users, "user")}, ${formatCount(qsos, "QSO")}, ${formatCount(jobs, "job")}.`,
  );
  shell.terminal.err(
    "The backup does not contain the secret file. Keep a copy of it too, or stored credentials are lost.",
  );
};

const adopt = async (shell: Shell, flags: Flags): Promise<void> => {
  const question = "All users must sign in again and enter their service credentials again. Type adopt to continue: ";
  await shell.confirm(flags, question, "adopt");
  const { config } = shell.readConfig(flags);
  const { stored, unreadable, unreadableElse } = await inDatabase(shell, flags, async (db) => {
    const { adoptDatabase } = await import("../../src/upkeep/sealed.ts");
    return adoptDatabase({ config, random: randomBytes, db });
  });
  const lines = [
    ...unreadable.map(({ username, source }) => `${username}: credentials of ${LABELS[source]}`),
    ...unreadableElse.map(({ username, what, remedy }) => `${username}: ${what} (${remedy})`),
  ];
  shell.answer({ adopted: true, stored, unreadable, unreadableElse }, () =>
    lines.length === 0
      ? "The database now uses this installation's secret."
      : ["The database now uses this installation's secret. Enter or set up again:", ...lines].join("\n  "),
  );
};

/** Opens the database without migrating it. */
const inDatabase = async <T>(
  shell: Shell,
  flags: Flags,
  work: (db: World["db"]) => Promise<T>,
  create = false,
): Promise<T> => {
  const { config } = shell.readConfig(flags);
  const { databaseExists } = await import("../../src/world.ts");
  if (!create && !databaseExists(config)) throw createNoDatabaseError(config);
  const [{ withDatabase }, { BACKGROUND_THREAD }] = await Promise.all([
    import("../../src/upkeep/database.ts"),
    import("../../src/worker/thread.ts"),
  ]);
  return withDatabase(config, { time: SYSTEM_TIME, backgroundThread: BACKGROUND_THREAD }, work);
};
