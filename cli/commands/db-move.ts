import { AppError } from "../../src/kernel/errors.ts";
import { formatCount, formatNumber } from "../../src/kernel/number-text.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import type { Progress, TableProof } from "../../src/upkeep/migrate-engine.ts";
import type { World } from "../../src/world.ts";
import { runInterruptible } from "../interruptible.ts";
import { createNoDatabaseError, type Flags, type Shell } from "../shell.ts";
import { formatTable, right } from "../table.ts";

export type MoveFlags = Flags & { to: string; anew?: boolean };

export const move = async (shell: Shell, flags: MoveFlags): Promise<void> => {
  const { config } = shell.readConfig(flags);
  const { databaseExists } = await import("../../src/world.ts");
  if (!databaseExists(config)) throw createNoDatabaseError(config);
  const databaseUrl = await readTarget(flags.to);
  const [{ withDatabase }, upkeep] = await Promise.all([
    import("../../src/upkeep/database.ts"),
    import("../../src/upkeep/migrate-engine.ts"),
  ]);
  const inBoth = (work: (from: World["db"], to: World["db"]) => Promise<void>) =>
    withDatabase(config, { time: SYSTEM_TIME }, (from) =>
      withDatabase({ databaseUrl }, { time: SYSTEM_TIME }, (to) => work(from, to)),
    );
  await inBoth(async (from, to) => {
    shell.terminal.err(`from: ${from.location}\nto:   ${to.location}`);
    const onProgress = ({ phase, table, rows, of }: Progress) =>
      shell.progress.show(`${phase} ${table}: ${formatNumber(rows)} of ${formatNumber(of)}`, of === 0 ? 1 : rows / of);
    const { tables, resumedAt } = await runInterruptible((signal) =>
      upkeep.move({ from, to, clock: Date.now }, { anew: flags.anew, onProgress, signal }),
    );
    shell.progress.clear();
    if (resumedAt !== null) shell.terminal.err(`Continued at ${resumedAt}.`);
    const document = { from: from.location, to: to.location, tables };
    shell.answer(document, () => describeMove(document, shell.terminal.width));
  });
};

/** Not taken from the command line, because other users of the machine can see it. */
const readTarget = async (given: string): Promise<string> => {
  const { parseDatabaseUrl } = await import("../../src/kernel/setting-values.ts");
  if (URL.canParse(given) && new URL(given).password !== "") {
    throw new AppError(
      "invalid",
      "Do not put the password into --to, where others can see it. Put it into PGPASSWORD.",
    );
  }
  try {
    return parseDatabaseUrl(given);
  } catch (error) {
    throw new AppError("invalid", `--to ${(error as Error).message}`);
  }
};

const describeMove = ({ to, tables }: { to: string; tables: readonly TableProof[] }, width: number): string => {
  const filled = tables.filter(({ rows }) => rows > 0);
  const total = filled.reduce((sum, { rows }) => sum + rows, 0);
  const shown = formatTable(
    ["TABLE", right("ROWS"), "SAME ON BOTH SIDES"],
    filled.map(({ name, rows, hash }) => [name, formatNumber(rows), hash.slice(0, 16)]),
    width,
  );
  return [
    shown,
    "",
    `${formatCount(total, "row")} copied and compared. The old database was not changed.`,
    `To use the new database, set QSOLOG_DATABASE_URL or database_url to ${to} for every instance.`,
  ].join("\n");
};
