import { STATE_WORDS, describeCounts } from "../src/domain/jobs/job-words.ts";
import { hasChanges, type JobView } from "../src/domain/jobs/sync-job.ts";
import type { JobDocument } from "../src/logbook/contract.ts";
import type { RepairPreview } from "../src/sync/repair/preview.ts";
import { describeAward, describeExample } from "../src/domain/jobs/preview-words.ts";
import { describeRepairCounts } from "../src/domain/jobs/repair-words.ts";
import { stripControlCharacters } from "../src/kernel/control-characters.ts";
import type { Logbook } from "./client/logbook.ts";
import { withLog } from "./open-log.ts";
import { exitCodeOf, waitForJob } from "./running-job.ts";
import type { Flags, Shell } from "./shell.ts";

/** A change of many contacts: previewed, then run as a job. */
export interface BulkChange {
  /** Bulk edit, Merge. */
  name: string;
  /** What it does, as on a button: change, delete, merge. */
  verb: string;
  /** The question before it starts. */
  question: string;
  preview(log: Logbook): Promise<{ preview: RepairPreview }>;
  start(log: Logbook): Promise<JobDocument>;
}

/** Shows a preview, asks for confirmation unless given, runs the change and reports the result. */
export const runBulkChange = (shell: Shell, flags: Flags, change: BulkChange): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    const { preview } = await change.preview(log);
    shell.progress.clear();
    const would = () => formatRepairPreview(preview).join("\n");
    if (flags.dryRun) return shell.answer({ preview }, () => `This would change:\n${would()}`);
    if (!flags.yes) {
      shell.terminal.err(would());
      await shell.confirm(flags, `${change.question} Type yes: `, "yes");
    }
    await watchChange(shell, log, change);
  });

/** Runs a change, follows it to its end and reports the result. */
export const watchChange = async (
  shell: Shell,
  log: Logbook,
  { name, start }: Pick<BulkChange, "name" | "start">,
): Promise<void> => {
  const { job: started } = await start(log);
  const job = await waitForJob(shell, name.toLowerCase(), log, started);
  shell.exitCode = exitCodeOf(job);
  shell.answer({ job }, () => describeDone(job));
};

export const endInWords = ({ id, status, stats }: JobView): string =>
  `Job ${id} ${STATE_WORDS[status]}: ${describeCounts(stats)}`;

const describeDone = (job: JobView): string =>
  job.status === "completed"
    ? hasChanges(job.stats)
      ? `${describeCounts(job.stats)}\nTo undo it: qsolog rollback ${job.id} --undo`
      : "Nothing was changed."
    : `Job ${job.id} ${STATE_WORDS[job.status]}: ${job.error?.message ?? ""}\nTo roll it back: qsolog rollback ${job.id}`;

/** The preview of a bulk edit: counts, examples, and what awards would gain and lose. */
export const formatRepairPreview = (preview: RepairPreview): string[] => [
  ...describeRepairCounts(preview),
  ...(preview.examples.length > 0 ? ["For example:"] : []),
  ...preview.examples.map((example) => stripControlCharacters(`  ${describeExample(example)}`)),
  ...preview.awards.flatMap(describeAward).map((words) => stripControlCharacters(`  ${words}`)),
];
