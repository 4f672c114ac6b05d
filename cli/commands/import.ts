import { createReadStream, statSync } from "node:fs";
import type { Command } from "commander";
import type { AdifProblem } from "../../src/adif/reader.ts";
import { describeCounts, STATE_WORDS } from "../../src/domain/jobs/job-words.ts";
import { hasChanges, type JobView } from "../../src/domain/jobs/sync-job.ts";
import { formatCount, formatPlural } from "../../src/kernel/number-text.ts";
import { withLog } from "../open-log.ts";
import { describeLeftOver, exitCodeOf, waitForJob } from "../running-job.ts";
import type { Flags, Shell } from "../shell.ts";

const WARNINGS_SHOWN = 20;

/** `qso import FILE` starts a job of source `file`. */
export const registerImport = (qso: Command, shell: Shell): void => {
  shell
    .command(qso, "import <file>", "import a log: .adi, .adx, or either compressed with gzip; - reads standard input", [
      "qsolog qso import old-log.adi --dry-run",
      "qsolog qso import old-log.adi.gz",
    ])
    .option("--dry-run", "show what would change, and change nothing")
    .action((file: string, flags: Flags) => importFile(shell, file, flags));
};

const importFile = (shell: Shell, file: string, flags: Flags): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    const warnings = new Warnings();
    const { dryRun } = flags;
    const { job: started } = await log.startImport(streamOf(file) ?? file, { dryRun, warn: warnings.add });
    const job = await waitForJob(shell, "import", log, started);
    warnings.print(shell);
    shell.exitCode = exitCodeOf(job);
    const left = await describeLeftOver(log, job);
    shell.answer({ job }, () => describeImport(job, left));
  });

/** A stream is stored first, because a file that is not ADIF must not create a job. Null for a plain file. */
const streamOf = (file: string): AsyncIterable<Uint8Array> | null => {
  if (file === "-") return Bun.stdin.stream();
  const found = statSync(file, { throwIfNoEntry: false });
  const isReadOnce = found && !found.isFile() && !found.isDirectory();
  return isReadOnce ? createReadStream(file) : null;
};

const describeImport = (job: JobView, left: readonly string[]): string => {
  const counts = [describeCounts(job.stats), ...left].join("\n");
  if (job.status !== "completed") {
    return `Job ${job.id} ${STATE_WORDS[job.status]}: ${job.error?.message ?? ""}\n${counts}\nTo roll it back: qsolog rollback ${job.id}`;
  }
  const again =
    job.reasons.repeated > 0
      ? `\n${job.reasons.repeated} of the unchanged records ${formatPlural(job.reasons.repeated, "was", "were")} in the file more than once.`
      : "";
  const way = job.dryRun
    ? "This was a dry run: nothing was written."
    : hasChanges(job.stats) && `To undo it: qsolog rollback ${job.id} --undo`;
  return [counts + again, ...(way ? [way] : [])].join("\n");
};

class Warnings {
  #count = 0;
  readonly #first: AdifProblem[] = [];

  add = (problem: AdifProblem): void => {
    this.#count += 1;
    if (this.#first.length < WARNINGS_SHOWN) this.#first.push(problem);
  };

  print(shell: Shell): void {
    for (const { offset, message, excerpt } of this.#first) {
      const place = offset === null ? "" : ` at byte ${offset}`;
      shell.terminal.err(`warning${place}: ${message} ${JSON.stringify(excerpt)}`);
    }
    const more = this.#count - this.#first.length;
    if (more > 0) shell.terminal.err(`… and ${formatCount(more, "more warning")}`);
  }
}
