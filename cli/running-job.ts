import type { JobProgress, JobStats, JobView } from "../src/domain/jobs/sync-job.ts";
import type { Logbook } from "./client/logbook.ts";
import { formatCount } from "../src/kernel/number-text.ts";
import { describeChangesSoFar, countLeftOver, LEFT_OVER, describePhase } from "../src/domain/jobs/job-words.ts";
import { ProgressBar } from "./progress.ts";
import type { Shell } from "./shell.ts";
import { INTERRUPTED, Interrupted, type Terminal } from "./terminal.ts";

const FAILED = 1;
/** `bun run` and npx pass a signal on that the terminal has sent to this process too. */
const SAME_SIGNAL_MS = 500;

/**
 * Shows the progress of a job until it ends, wherever it runs. Ctrl-C ends it as interrupted before its next batch. A
 * second one leaves a job that does not end, for example because the disk is too full to write that it did.
 */
export class JobWatch {
  readonly #bar: ProgressBar;
  readonly #name: string;
  readonly #terminal: Terminal;
  readonly #clock: () => number;

  constructor({ terminal, clock }: Pick<Shell, "terminal" | "clock">, name: string) {
    this.#terminal = terminal;
    this.#bar = new ProgressBar(terminal);
    this.#name = name;
    this.#clock = clock;
  }

  async waitForEnd(log: Logbook, { id }: JobView): Promise<JobView> {
    const lost = Promise.withResolvers<never>();
    const leave = (why: string) => {
      this.#bar.clear();
      this.#terminal.err(`Job ${id} is still running. ${why} Check it: qsolog jobs show ${id}`);
      lost.reject(new Interrupted());
    };
    let askedAt: number | null = null;
    const interrupt = () => {
      if (askedAt === null) {
        askedAt = this.#clock();
        log.interrupt(id).catch((error: Error) => leave(error.message));
      } else if (this.#clock() - askedAt >= SAME_SIGNAL_MS) {
        leave("It has not stopped yet.");
      }
    };
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
