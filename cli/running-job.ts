import type { JobProgress, JobStats, SyncJob } from "../src/domain/sync-job.ts";
import type { SyncRunner } from "../src/sync/runner.ts";
import { pluralOf } from "./counted.ts";
import { ProgressBar } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

const FAILED = 1;
const INTERRUPTED = 130;

/** Shows a job of this process live until its end. Ctrl-C ends it at its next page, as interrupted. */
export class JobWatch {
  readonly #bar: ProgressBar;
  readonly #name: string;

  constructor(terminal: Terminal, name: string) {
    this.#bar = new ProgressBar(terminal);
    this.#name = name;
  }

  onProgress = ({ phase, done, total }: JobProgress, { fetched, added, updated }: JobStats): void => {
    if (phase === "downloading") return this.#bar.show(`${this.#name}: ${Math.ceil(done / 1024)} KB received`, null);
    const share = total ? done / total : null;
    this.#bar.show(
      `${this.#name} ${phase}: ${fetched} ${pluralOf(fetched, "record")}, ${added} added, ${updated} updated`,
      share,
    );
  };

  async untilEnd(runner: SyncRunner, started: SyncJob): Promise<SyncJob> {
    const interrupt = () => runner.interrupt(started.id);
    process.on("SIGINT", interrupt);
    process.on("SIGTERM", interrupt);
    try {
      return (await runner.end(started.id)) ?? started;
    } finally {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
      this.#bar.clear();
    }
  }
}

export const exitCodeOf = ({ status, error }: Pick<SyncJob, "status" | "error">): number => {
  if (status === "completed") return 0;
  return error?.code === "interrupted" ? INTERRUPTED : FAILED;
};

export const countsInWords = ({ stats }: Pick<SyncJob, "stats">): string => {
  const { fetched, added, updated, unchanged, unmatched, rejected, newlyConfirmed } = stats;
  return (
    `${fetched} ${pluralOf(fetched, "record")}: ${added} added, ${updated} updated, ${unchanged} unchanged, ${unmatched} unmatched, ` +
    `${rejected} rejected; ${newlyConfirmed} newly confirmed.`
  );
};
