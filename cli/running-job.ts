import type { JobProgress, JobStats, JobView } from "../src/domain/jobs/sync-job.ts";
import type { Logbook } from "./client/logbook.ts";
import { formatCount } from "../src/kernel/number-text.ts";
import { describeChangesSoFar, countLeftOver, LEFT_OVER, describePhase } from "../src/domain/jobs/job-words.ts";
import { ProgressBar } from "./progress.ts";
import { INTERRUPTED, Interrupted, type Terminal } from "./terminal.ts";

const FAILED = 1;

/** Shows the progress of a job until it ends, wherever it runs. Ctrl-C ends it as interrupted before its next batch. */
export class JobWatch {
  readonly #bar: ProgressBar;
  readonly #name: string;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal, name: string) {
    this.#terminal = terminal;
    this.#bar = new ProgressBar(terminal);
    this.#name = name;
  }

  async waitForEnd(log: Logbook, { id }: JobView): Promise<JobView> {
    const lost = Promise.withResolvers<never>();
    const interrupt = () =>
      void log.interrupt(id).catch((error: Error) => {
        this.#bar.clear();
        this.#terminal.err(`Job ${id} is still running. ${error.message} Check it: qsolog jobs show ${id}`);
        lost.reject(new Interrupted());
      });
    process.on("SIGINT", interrupt);
    process.on("SIGTERM", interrupt);
    try {
      const { job } = await Promise.race([log.untilEnd(id, this.#show), lost.promise]);
      return job;
    } finally {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
      this.#bar.clear();
    }
  }

  #show = (progress: JobProgress, stats: JobStats): void => {
    const words = `${this.#name}: ${describePhase(progress)}`;
    if (progress.phase === "downloading") return this.#bar.show(words, null);
    const { done, total } = progress;
    this.#bar.show(`${words}; ${describeChangesSoFar(stats)}`, total ? done / total : null);
  };
}

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
