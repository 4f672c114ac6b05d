import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import type { RollbackPreview } from "../../src/sync/undo/rollback.ts";
import {
  describeKept,
  describeOthers,
  describeRollback,
  describeRollbackPreview,
} from "../../src/domain/jobs/rollback-words.ts";
import type { Logbook } from "../client/logbook.ts";
import { withLog } from "../open-log.ts";
import { formatRollbackContacts } from "../words.ts";
import type { Flags, Shell } from "../shell.ts";

type RollbackFlags = Flags & { undo?: boolean };

const KEPT_SHOWN = 20;
/** Contacts of each kind that are listed. */
const NAMED = 20;

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "rollback <job>", "roll back the changes of a failed or stuck job", [
      "qsolog rollback 12 --dry-run",
      "qsolog rollback 13 --undo --yes",
    ])
    .option("--undo", "undo a completed import or bulk edit")
    .option("--dry-run", "show what would change, and change nothing")
    .option("--yes", "skip the confirmation")
    .action((job: string, flags: RollbackFlags) => rollback(shell, parseJobId(job), flags));
};

export const parseJobId = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new AppError("not_found", `There is no job ${JSON.stringify(text)}.`);
  return Number(text);
};

/** The preview lists what is kept; the result only has counts. */
const rollback = (shell: Shell, id: number, flags: RollbackFlags): Promise<void> =>
  withLog(shell, flags, { writes: true, ofJob: id }, async (log) => {
    const preview = await log.rollbackPreview(id, { undo: flags.undo }).catch(async (error: AppError) => {
      throw await addWayOut(error, log, id);
    });
    shell.progress.clear();
    const { deleted, restored, keptTotal, stopped } = preview;
    const would = () =>
      [
        describeRollbackPreview({ deleted, restored, kept: keptTotal }),
        ...listDetails(preview),
        ...formatRollbackContacts(preview, NAMED),
      ].join("\n");
    if (flags.dryRun) return shell.answer(preview, would);
    if (!flags.yes && deleted + restored + stopped.length > 0) {
      shell.terminal.err(would());
      await shell.confirm(flags, `${flags.undo ? "Undo" : "Roll back"} job ${id}? Type yes: `, "yes");
    }
    const done = flags.undo ? await log.undo(id) : await log.rollback(id);
    const how = flags.undo ? "undone" : "rolled back";
    shell.answer(done, () =>
      [
        `Job ${id} is ${how}: ${describeRollback(done.rollback)}.`,
        ...listDetails({ ...preview, ...done.rollback, kept: preview.kept, keptTotal: done.rollback.kept }),
      ].join("\n"),
    );
  });

/** Names the command for a job that has to be undone instead of rolled back, or the reverse. */
const addWayOut = async (error: AppError, log: Logbook, id: number): Promise<AppError> => {
  if (error.rule !== "job_completed" && error.rule !== "job_failed") return error;
  const { actions } = (await log.job(id)).job;
  if (!actions.undo && !actions.rollback) return error;
  const command = `qsolog rollback ${id}${actions.undo ? " --undo" : ""}`;
  return new AppError(error.code, `${error.message}\nTo do so: ${command}`, { rule: error.rule });
};

/** What other jobs lose, and what is kept. */
const listDetails = (preview: RollbackPreview): string[] =>
  [...describeOthers(preview), ...describeKept(preview, KEPT_SHOWN)].map((words) => `  ${words}`);
