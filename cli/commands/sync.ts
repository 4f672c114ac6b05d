import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import { SERVICES, type Service } from "../../src/domain/jobs/source.ts";
import type { JobView } from "../../src/domain/jobs/sync-job.ts";
import type { SyncOptions } from "../../src/logbook/contract.ts";
import type { Logbook } from "../client/logbook.ts";
import { withLog } from "../open-log.ts";
import { describeCounts, STATE_WORDS } from "../../src/domain/jobs/job-words.ts";
import { LABELS, getTypedLabel } from "../../src/domain/origins/labels.ts";
import { describeLeftOver, exitCodeOf, waitForJob } from "../running-job.ts";
import type { Flags, Shell } from "../shell.ts";
import { stripControlCharacters } from "../../src/kernel/control-characters.ts";
import { INTERRUPTED } from "../terminal.ts";
import { BOTH_WORDS, SERVICE_WORDS, parseService } from "../words.ts";

type SyncFlags = Flags & {
  full?: boolean;
  since?: string;
  resurrect?: boolean;
};

const REFUSED = 3;

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(
      program,
      `sync <${SERVICE_WORDS.join("|")}|all>`,
      `download contacts and confirmations from a service (${BOTH_WORDS}) or all`,
      ["qsolog sync all", `qsolog sync ${getTypedLabel("second")} --since 2026-07-01 --dry-run`],
    )
    .option("--full", "download everything again")
    .option("--since <date>", "only records the service received or changed since this day")
    .option("--resurrect", "with --full: bring back QSOs you deleted")
    .option("--yes", "allow a logbook of another callsign")
    .option("--dry-run", "show what would change, and change nothing")
    .action((source: string, flags: SyncFlags) => sync(shell, source, flags));
};

const sync = (shell: Shell, source: string, flags: SyncFlags): Promise<void> => {
  const { full, since, resurrect, dryRun, yes: confirm } = flags;
  const request = { full, since, resurrect, dryRun, confirm };
  const sources = parseSources(source);
  const isAll = sources === SERVICES;
  return withLog(shell, flags, { writes: true }, async (log) => {
    const jobs = await runAll(shell, log, sources, { request, isAll });
    // Nothing was done to a database, so none is named.
    if (jobs.length === 0) shell.place = null;
    shell.exitCode = getExitCode(jobs, isAll);
    const left = await Promise.all(jobs.map((job) => describeLeftOver(log, job)));
    shell.answer(isAll ? { jobs } : { job: jobs[0] }, () =>
      jobs.length === 0
        ? `No service is connected. Connect one: qsolog service set ${SERVICE_WORDS[0]}`
        : jobs.map((job, index) => describeSync(job, left[index]!)).join("\n"),
    );
  });
};

const parseSources = (text: string): readonly Service[] => {
  const word = text.toLowerCase();
  if (word === "all") return SERVICES;
  return [parseService(text, ["all"])];
};

interface Orders {
  request: SyncOptions;
  /** Services that are not set up are skipped with a message. */
  isAll: boolean;
}

const runAll = async (
  shell: Shell,
  log: Logbook,
  sources: readonly Service[],
  { request, isAll }: Orders,
): Promise<JobView[]> => {
  const ended: JobView[] = [];
  for (const source of sources) {
    try {
      const { job } = await log.startSync(source, request);
      ended.push(await waitForJob(shell, LABELS[source], log, job));
    } catch (error) {
      if (!(error instanceof AppError) || error.rule !== "not_configured") throw error;
      if (!isAll)
        throw new AppError(
          error.code,
          `${error.message} Connect it: qsolog service set ${getTypedLabel(source)}`,
          error,
        );
      shell.terminal.err(`Skipping ${LABELS[source]}: not connected.`);
    }
    if (ended.at(-1)?.error?.code === "interrupted") break;
  }
  return ended;
};

const getExitCode = (jobs: readonly JobView[], all: boolean): number => {
  if (jobs.length === 0) return REFUSED;
  const codes = jobs.map(exitCodeOf);
  if (codes.includes(INTERRUPTED)) return INTERRUPTED;
  return all ? Math.max(...codes) : codes[0]!;
};

const describeSync = (job: JobView, leftOver: readonly string[]): string => {
  const label = LABELS[job.source];
  const left = leftOver.map((words) => `  ${words}`);
  if (job.status === "completed") {
    const counts = `${label}: ${describeCounts(job.stats)}`;
    return [job.dryRun ? `${counts} This was a dry run: nothing was written.` : counts, ...left].join("\n");
  }
  const { added, updated, fetched } = job.stats;
  return [
    describeEnd(label, job),
    ...(fetched > 0 ? [`  ${describeCounts(job.stats)}`] : []),
    ...left,
    ...(added + updated > 0 ? [`  To roll it back: qsolog rollback ${job.id}`] : []),
  ].join("\n");
};

/** Most reasons already name the service. */
const describeEnd = (label: string, { id, status, error }: JobView): string => {
  const reason = stripControlCharacters(error?.message ?? "");
  return `Job ${id}${reason.includes(label) ? "" : ` (${label})`} ${STATE_WORDS[status]}: ${reason}`;
};
