import type { JobProgress, JobStats, JobView } from "../src/domain/jobs/sync-job.ts";
import type { Logbook } from "./client/logbook.ts";
import { formatCount } from "../src/kernel/number-text.ts";
import { describeChangesSoFar, countLeftOver, LEFT_OVER, describePhase } from "../src/domain/jobs/job-words.ts";
import { onSignals } from "./interruptible.ts";
import { ProgressBar } from "./progress.ts";
import type { Shell } from "./shell.ts";
import { INTERRUPTED, Interrupted } from "./terminal.ts";

const FAILED = 1;

/**
 * Shows the progress of a job until it ends, wherever it runs. Ctrl-C ends it as interrupted before its next batch. A
 * second one leaves a job that does not end, for example because the disk is too full to write that it did.
 */
export const waitForJob = async (
  { terminal, clock }: Pick<Shell, "terminal" | "clock">,
  name: string,
  log: Logbook,
  { id }: JobView,
): Promise<JobView> => {
  const bar = new ProgressBar(terminal);
  const show = (progress: JobProgress, stats: JobStats): void => {
    const words = `${name}: ${describePhase(progress)}`;
    if (progress.phase === "downloading") return bar.show(words, null);
    const { done, total } = progress;
    bar.show(`${words}; ${describeChangesSoFar(stats)}`, total ? done / total : null);
  };
  const lost = Promise.withResolvers<never>();
  const leave = (why: string) => {
    bar.clear();
    terminal.err(`Job ${id} is still running. ${why} Check it: qsolog jobs show ${id}`);
    lost.reject(new Interrupted());
  };
  const stopListening = onSignals(clock, {
    first: () => void log.interrupt(id).catch((error: Error) => leave(error.message)),
    again: () => leave("It has not stopped yet."),
  });
  try {
    return (await Promise.race([log.untilEnd(id, show), lost.promise])).job;
  } finally {
    stopListening();
    bar.clear();
  }
};

export const exitCodeOf = ({ status, error }: Pick<JobView, "status" | "error">): number => {
  if (status === "completed") return 0;
  return error?.code === "interrupted" ? INTERRUPTED : FAILED;
};

/** Says where to see unmatched records, if there are any. Those of an earlier job are listed there. */
export const describeLeftOver = async (
  log: Pick<Logbook, "leftovers">,
  { id, stats }: Pick<JobView, "id" | "stats">,
): Promise<string[]> => {
  const left = countLeftOver(stats);
  if (left === 0) return [];
  const words = `${formatCount(left, "record was", "records were")} ${LEFT_OVER}`;
  const { leftovers } = await log.leftovers(id, { limit: 1 });
  return [
    leftovers.length > 0 ? `${words}: qsolog jobs show ${id} --leftovers` : `${words}, the same as in an earlier job.`,
  ];
};
