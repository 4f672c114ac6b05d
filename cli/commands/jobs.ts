import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import {
  CHANGE_SIGNS,
  describeCounts,
  COUNT_WORDS,
  describeField,
  countLeftOver,
  describeLeftRecord,
  readStatus,
  describeState,
  STATE_WORDS,
  describeTrigger,
  describeValue,
} from "../../src/domain/jobs/job-words.ts";
import { type Source } from "../../src/domain/jobs/source.ts";
import {
  describeChange as storyOf,
  describeJob,
  describePart,
  STORY_PARTS,
  type Chapter,
  type StoryPart,
} from "../../src/domain/jobs/job-story.ts";
import {
  hasChanges,
  isWorthRollingBack,
  isActive,
  createNoLeftoverError,
  type JobDetail,
  type JobStatus,
  type JobView,
} from "../../src/domain/jobs/sync-job.ts";
import type { ChangeView, LeftoverView } from "../../src/logbook/contract.ts";
import type { Logbook } from "../client/logbook.ts";
import { formatCount, formatNumber } from "../../src/kernel/number-text.ts";
import { LABELS, readSource } from "../../src/domain/origins/labels.ts";
import { formatDuration, formatUtc } from "../../src/kernel/time-text.ts";
import { withLog } from "../open-log.ts";
import { CURSOR, LIMIT } from "../log-options.ts";
import type { Flags, Shell } from "../shell.ts";
import { formatTableRows, right, shrinking } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import { stripControlCharacters } from "../../src/kernel/control-characters.ts";
import { BOTH_WORDS, describeLeftReason, explainNoUndo, formatChangedContact, SERVICE_WORDS } from "../words.ts";
import { parseJobId } from "./rollback.ts";

type ListFlags = Flags & { source?: string; status?: string; limit: number; cursor?: string };
type ShowFlags = Flags & { changes?: boolean; diff?: boolean; leftovers?: boolean };

const STATES = Object.values(STATE_WORDS).map((word) => word.replace(" ", "-"));
const SOURCE_WORDS = [...SERVICE_WORDS, "file", "feed", "repair"];
const PAGE = 500;

/** Confirmed contacts are among the new and the changed ones. */
const LISTED = ["new", "changed"] as const;

export const register = (program: Command, shell: Shell): void => {
  const jobs = program.command("jobs");
  shell
    .command(
      jobs,
      "list",
      "list jobs, newest first",
      ["qsolog jobs list --user bob", "qsolog jobs list --status failed,rolled-back --limit 5"],
      { isDefault: true },
    )
    .option(`--source <${SOURCE_WORDS.join("|")}>`, `only from this source: ${BOTH_WORDS}, file, repair`)
    .option("--status <statuses>", `only in these states: ${STATES.join(", ")}`)
    .option(...LIMIT, 20)
    .option(...CURSOR)
    .action((flags: ListFlags) => list(shell, flags));
  shell
    .command(jobs, "show <job>", "show a job and what it changed", [
      "qsolog jobs show 12 --changes",
      "qsolog jobs show 12 --diff --leftovers",
    ])
    .option("--changes", "list every change")
    .option("--diff", "list every change field by field")
    .option("--leftovers", "list every unresolved record")
    .action((id: string, flags: ShowFlags) => show(shell, parseJobId(id), flags));
  shell
    .command(jobs, "stop <job>", "stop a running job; its changes so far stay", ["qsolog jobs stop 12"])
    .action((id: string, flags: Flags) => stop(shell, parseJobId(id), flags));
  shell
    .command(jobs, "dismiss <leftover>", "dismiss an unresolved record; find its number with jobs show --leftovers", [
      "qsolog jobs dismiss 3",
    ])
    .action((id: string, flags: Flags) => dismiss(shell, id, flags));
};

const list = (shell: Shell, flags: ListFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const page = await log.jobs({
      source: flags.source === undefined ? undefined : parseSource(flags.source),
      status: flags.status
        ?.split(",")
        .map((word) => parseStatus(word))
        .join(","),
      limit: flags.limit,
      cursor: flags.cursor,
    });
    shell.answerPage(
      page,
      () =>
        page.jobs.length === 0 && isFiltered(flags) ? "No matching jobs." : formatJobTable(page.jobs, shell.terminal),
      "More results follow.",
    );
  });

const isFiltered = ({ source, status, cursor }: ListFlags): boolean => (source ?? status ?? cursor) !== undefined;

const parseSource = (text: string): Source => {
  const source = readSource(text);
  if (source === null) throw new AppError("invalid", `Use --source with ${SOURCE_WORDS.join(", ")}.`);
  return source;
};

const parseStatus = (text: string): JobStatus => {
  const status = readStatus(text);
  if (status === null) throw new AppError("invalid", `Use --status with ${STATES.join(", ")}.`);
  return status;
};

const COLOURS: Partial<Record<JobStatus, string>> = { completed: "\x1b[32m", failed: "\x1b[31m", cancelled: "\x1b[2m" };

/** One job per line; the reason of a failure and what to do are below it. */
export const formatJobTable = (
  jobs: readonly JobView[],
  { width, hasColour }: Pick<Terminal, "width" | "hasColour">,
): string => {
  if (jobs.length === 0) return "No jobs yet.";
  const counts = ["ADDED", "UPDATED", "CONF", "LEFT"].map(right);
  const [head, ...lines] = formatTableRows(
    ["JOB", "SOURCE", "STATE", "STARTED (UTC)", ...counts, shrinking("BY")],
    jobs.map((job) => [
      job.id,
      LABELS[job.source],
      describeState(job),
      formatUtc(job.startedAt ?? job.createdAt),
      formatNumber(job.stats.added),
      formatNumber(job.stats.updated),
      formatNumber(job.stats.newlyConfirmed),
      formatNumber(countLeftOver(job.stats)),
      job.dryRun ? "dry run" : describeTrigger(job),
    ]),
    width,
  );
  const paint = (line: string, job: JobView) => {
    const colour = job.stale ? COLOURS.failed : COLOURS[job.status];
    return hasColour && colour ? line.replace(describeState(job), (state) => `${colour}${state}\x1b[0m`) : line;
  };
  return [head, ...lines.flatMap((line, at) => [paint(line, jobs[at]!), ...listReasons(jobs[at]!)])].join("\n");
};

const listReasons = (job: JobView): string[] => [
  ...(job.error ? [`     ${stripControlCharacters(job.error.message)}`] : []),
  ...(isWorthRollingBack(job) ? [`     To roll it back: qsolog rollback ${job.id}`] : []),
];

const show = (shell: Shell, id: number, flags: ShowFlags): Promise<void> =>
  withLog(shell, flags, { writes: false, ofJob: id }, async (log) => {
    const { job } = await log.job(id);
    const isTold = flags.changes || flags.diff;
    const leftovers = () => (flags.leftovers ? readLeftovers(log, id) : undefined);
    await shell.answerInPieces(
      () => formatDocument(job, { changes: isTold ? readChanges(log, id) : undefined, leftovers: leftovers() }),
      async function* () {
        yield `${formatSummary(job)}\n`;
        for (const chapter of isTold ? LISTED : [])
          yield* formatPart(
            job,
            chapter,
            readChanges(log, id, chapter),
            flags.diff ? formatChangeByField : formatChange,
          );
        let listed = 0;
        const counting = (one: LeftoverView) => ((listed += 1), formatLeftover(one));
        yield* formatPart(job, "left", leftovers() ?? [], counting);
        const known = countLeftOver(job.stats) - listed;
        if (flags.leftovers && known > 0) yield `${describeKnown(known)}\n`;
      },
    );
  });

/** A part of the job's story with its heading, if it is not empty. */
async function* formatPart<T>(
  { stats }: JobDetail,
  wanted: StoryPart,
  pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  inWords: (one: T) => string,
): AsyncGenerator<string> {
  let heading = `\n${describePart(
    STORY_PARTS.find(({ part }) => part === wanted)!,
    stats,
  )}\n`;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield heading + formatPage(page, inWords);
    heading = "";
  }
}

/** A record is stored once, however often a service sends it. */
const describeKnown = (count: number): string =>
  `${formatCount(count, "record is", "records are")} not listed: already unresolved in an earlier job, or dismissed.`;

const formatPage = <T>(page: readonly T[], inWords: (one: T) => string): string =>
  page.map((one) => `${inWords(one)}\n`).join("");

/** Combines the documents of the API's routes page by page, because a job may have changed a whole log. */
async function* formatDocument(job: JobView, lists: Record<string, AsyncIterable<unknown[]> | undefined>) {
  yield `{"job":${JSON.stringify(job)}`;
  for (const [name, pages] of Object.entries(lists)) {
    if (!pages) continue;
    yield `,"${name}":[`;
    let comma = "";
    for await (const page of pages) {
      yield comma + page.map((one) => JSON.stringify(one)).join(",");
      comma = ",";
    }
    yield "]";
  }
  yield "}\n";
}

async function* readChanges(log: Logbook, jobId: number, kind?: Chapter): AsyncGenerator<ChangeView[]> {
  for (let cursor: string | undefined; ;) {
    const { changes, nextCursor } = await log.changes(jobId, { limit: PAGE, cursor, kind });
    yield changes;
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

async function* readLeftovers(log: Logbook, jobId: number): AsyncGenerator<LeftoverView[]> {
  for (let cursor: string | undefined; ;) {
    const { leftovers, nextCursor } = await log.leftovers(jobId, { limit: PAGE, cursor });
    yield leftovers;
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

const stop = (shell: Shell, id: number, flags: Flags): Promise<void> =>
  withLog(shell, flags, { writes: true, ofJob: id }, async (log) => {
    const { job: before } = await log.job(id);
    const document = await log.interrupt(id);
    shell.answer(document, () => (isActive(before) ? describeStop(document.job) : `Job ${id} has already ended.`));
  });

/** A job that no process has claimed ends immediately. A job whose process has died may never end. */
const describeStop = ({ id, actions, ...job }: JobDetail): string => {
  if (!isActive(job)) return `Stopped job ${id}.`;
  const way = actions.rollback ? ` It has run for over an hour. If it does not stop: qsolog rollback ${id}` : "";
  return `Job ${id} stops after its current batch.${way}`;
};

const dismiss = (shell: Shell, text: string, flags: Flags): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    if (!/^[1-9]\d{0,14}$/.test(text)) throw createNoLeftoverError((await log.account()).user.username, text);
    const id = Number(text);
    await log.dismissLeftover(id);
    shell.answer({ dismissed: id }, () => `Dismissed record ${id}. It will not be shown again.`);
  });

const formatSummary = (job: JobDetail): string =>
  [
    `Job ${job.id}: ${LABELS[job.source]}, ${describeTrigger(job)}, ${describeState(job)}${job.dryRun ? ", dry run" : ""}`,
    `started ${formatUtc(job.startedAt ?? job.createdAt)} UTC${job.durationMs === null ? "" : `, took ${formatDuration(job.durationMs)}`}`,
    ...(isActive(job) ? [] : [describeJob(job)]),
    describeCounts(job.stats),
    STORY_PARTS.map((part) => describePart(part, job.stats)).join(" · "),
    ...(job.error ? [job.error.message] : []),
    ...(job.prunedAt === null ? [] : [`The change history of this job was removed on ${formatUtc(job.prunedAt)} UTC.`]),
    ...listWayBack(job),
  ].join("\n");

const listWayBack = (job: JobView): string[] => {
  const { rollback, undo } = job.actions;
  if (rollback) return [`To roll it back: qsolog rollback ${job.id}`];
  const words = undo && hasChanges(job.stats) ? `To undo it: qsolog rollback ${job.id} --undo` : explainNoUndo(job);
  return words === "" ? [] : [words];
};

const formatChange = (change: ChangeView): string =>
  `${CHANGE_SIGNS[change.kind]} ${formatChangedContact(change)}  QSO ${change.qsoId}: ${stripControlCharacters(storyOf(change))}`;

const formatChangeByField = (change: ChangeView): string =>
  [
    formatChange(change),
    ...(change.kind !== "updated" ? [] : formatTableRows(["", ""], change.diff.map(formatFieldRow), Infinity).slice(1)),
  ].join("\n");

const formatFieldRow = ({ field, before, after }: ChangeView["diff"][number]): string[] => [
  `    ${describeField(field)}`,
  `${describeValue(field, before)} -> ${describeValue(field, after)}`,
];

const formatLeftover = (leftover: LeftoverView): string =>
  `? ${leftover.id} ${COUNT_WORDS[leftover.kind]}: ${describeLeftRecord(leftover.record)}: ${describeLeftReason(leftover)}`;
