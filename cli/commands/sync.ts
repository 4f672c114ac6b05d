import type { Command } from "commander";
import { AppError } from "../../src/domain/errors.ts";
import { parseDay } from "../../src/domain/day.ts";
import { SERVICES, type Service } from "../../src/domain/source.ts";
import { jobView, type JobOptions, type JobView, type SyncJob } from "../../src/domain/sync-job.ts";
import type { World } from "../../src/world.ts";
import { countsInWords, exitCodeOf, JobWatch } from "../running-job.ts";
import type { Flags, Shell } from "../shell.ts";
import { harmless } from "../terminal.ts";
import { whose } from "../whose.ts";
import { serviceOf } from "./service.ts";

type SyncFlags = Flags & { user?: string; full?: boolean; since?: string; dryRun?: boolean; resurrect?: boolean };

const REFUSED = 3;
const INTERRUPTED = 130;

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "sync <first|second|all>", "download from first, second or all", {
      examples: ["qsolog sync all", "qsolog sync second --since 2026-07-01 --dry-run"],
    })
    .option("--user <username>", "whose log")
    .option("--full", "everything from the beginning")
    .option("--since <date>", "what the service received or changed since this day")
    .option("--resurrect", "with --full: bring back contacts that were deleted by hand")
    .option("--dry-run", "say what would change, and change nothing")
    .action((source: string, flags: SyncFlags) => sync(shell, source, flags));
};

const sync = (shell: Shell, source: string, flags: SyncFlags): Promise<void> => {
  const options = optionsOf(flags);
  const sources = source.toLowerCase() === "all" ? SERVICES : [serviceOf(source)];
  return shell.inWorld(flags, { writes: true }, async (world) => {
    const user = await whose(shell, flags, world);
    const jobs = await runAll(shell, world, user.id, sources, {
      options,
      dryRun: flags.dryRun,
      all: sources.length > 1,
    });
    const views = jobs.map((job) => jobView(job, world.clock()));
    shell.exitCode = codeOf(views, sources.length > 1);
    shell.answer(sources.length > 1 ? { jobs: views } : { job: views[0] }, () =>
      jobs.length === 0
        ? "No service is set up: qsolog service set first."
        : jobs.map((job) => inWords(world, job)).join("\n"),
    );
  });
};

const optionsOf = ({ full, since, resurrect }: SyncFlags): JobOptions => ({
  ...(full ? { full } : {}),
  ...(resurrect ? { resurrect } : {}),
  ...(since === undefined ? {} : { since: new Date(parseDay(since, "--since")).toISOString().slice(0, 10) }),
});

interface Orders {
  options: JobOptions;
  dryRun?: boolean;
  /** Services that are not set up are passed over with a word. */
  all: boolean;
}

const runAll = async (
  shell: Shell,
  world: World,
  userId: number,
  sources: readonly Service[],
  { options, dryRun, all }: Orders,
): Promise<SyncJob[]> => {
  const { SyncRunner } = await import("../../src/sync/runner.ts");
  const { startSync } = await import("../../src/sync/service-sync.ts");
  const { recover } = await import("../../src/sync/recovery.ts");
  const { syncCompleted } = await import("../../src/auto-sync/settings.ts");
  await recover(world);
  const runner = new SyncRunner(world, 1);
  const ended: SyncJob[] = [];
  try {
    for (const source of sources) {
      const { label } = world.providers[source];
      const watch = new JobWatch(shell.terminal, label);
      try {
        const { onProgress } = watch;
        const trigger = "cli" as const;
        const order = { userId, source, trigger, options, dryRun, onProgress, onComplete: syncCompleted };
        ended.push(await watch.untilEnd(runner, await startSync(world, runner, order)));
      } catch (error) {
        if (!all || !(error instanceof AppError) || error.rule !== "not_configured") throw error;
        shell.terminal.err(`${label} is passed over: it is not set up.`);
      }
      if (ended.at(-1)?.error?.code === "interrupted") break;
    }
  } finally {
    await runner.stop();
  }
  return ended;
};

const codeOf = (jobs: readonly JobView[], all: boolean): number => {
  if (jobs.length === 0) return REFUSED;
  const codes = jobs.map(exitCodeOf);
  if (codes.includes(INTERRUPTED)) return INTERRUPTED;
  return all ? Math.max(...codes) : codes[0]!;
};

const inWords = ({ providers }: World, job: SyncJob): string => {
  const { label } = providers[job.source as Service];
  if (job.status === "completed") {
    return `${label}: ${countsInWords(job)}${job.dryRun ? " Nothing was written: this was a dry run." : ""}`;
  }
  const undo =
    job.stats.added + job.stats.updated > 0 ? `\n  What it changed can be taken back: qsolog rollback ${job.id}` : "";
  return `${label}: ${job.status}: ${harmless(job.error?.message ?? "")}${job.stats.fetched > 0 ? `\n  ${countsInWords(job)}` : ""}${undo}`;
};
