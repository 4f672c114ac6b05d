import type { Command } from "commander";
import { AppError } from "../../src/domain/errors.ts";
import { jobView } from "../../src/domain/sync-job.ts";
import type { RollbackResult } from "../../src/sync/rollback.ts";
import { pluralOf } from "../counted.ts";
import type { Flags, Shell } from "../shell.ts";

type RollbackFlags = Flags & { dryRun?: boolean; yes?: boolean; undo?: boolean };

const KEPT_SHOWN = 20;

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "rollback <job>", "take back what a failed or stale job did", {
      examples: ["qsolog rollback 12 --dry-run", "qsolog rollback 13 --undo --yes"],
    })
    .option("--undo", "undo a completed import")
    .option("--dry-run", "say what would happen, and change nothing")
    .option("--yes", "do not ask")
    .action((job: string, flags: RollbackFlags) => rollback(shell, jobId(job), flags));
};

export const jobId = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new AppError("not_found", `There is no job ${JSON.stringify(text)}.`);
  return Number(text);
};

const rollback = (shell: Shell, id: number, flags: RollbackFlags): Promise<void> =>
  shell.inWorld(flags, { writes: true }, async (world) => {
    const syncJobs = await import("../../src/storage/sync-jobs.ts");
    const { resolveDeadWorkers } = await import("../../src/sync/workers.ts");
    const { cancelJob, previewCancel } = await import("../../src/sync/cancel.ts");
    await resolveDeadWorkers(world);
    const { userId } = await world.db.read(() => syncJobs.getOfAnybody(id));
    const request = { userId, jobId: id, by: null, undo: flags.undo };
    if (flags.dryRun) {
      const preview = await previewCancel(world, request);
      return shell.answer(preview, () => `Would be done: ${inWords(preview)}`);
    }
    if (!flags.yes) {
      const preview = await previewCancel(world, request);
      shell.terminal.err(inWords(preview));
      await shell.confirm(flags, `Take job ${id} back? Type yes: `, "yes");
    }
    const { job, result } = await cancelJob(world, request);
    const counts = { deleted: result.deleted, restored: result.restored, kept: result.kept.length };
    shell.answer(
      { job: jobView(job, world.clock()), rollback: counts },
      () => `Job ${id} is taken back: ${inWords(result)}`,
    );
  });

const inWords = ({ deleted, restored, kept }: RollbackResult): string => {
  const lines = [
    `${deleted} ${pluralOf(deleted, "QSO")} deleted, ${restored} restored, ${kept.length} ${pluralOf(kept.length, "value")} kept.`,
  ];
  for (const { qsoId, field, reason } of kept.slice(0, KEPT_SHOWN)) lines.push(`  QSO ${qsoId} ${field}: ${reason}`);
  if (kept.length > KEPT_SHOWN) lines.push(`  … and ${kept.length - KEPT_SHOWN} more`);
  return lines.join("\n");
};
