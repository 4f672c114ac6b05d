import { LABELS } from "../../../src/domain/origins/labels.ts";
import {
  CHANGE_SIGNS,
  COUNT_WORDS,
  LEFT_OVER,
  STATE_WORDS,
  countLeftOver,
  describeCounts,
  describeCountsSoFar,
  describeField,
  describeLeftRecord,
  describeProgress,
  describeState,
  describeTrigger,
  describeValue,
} from "../../../src/domain/jobs/job-words.ts";
import { describeChange, describeJob } from "../../../src/domain/jobs/job-story.ts";
import {
  hasChanges,
  isActive,
  isWorthRollingBack,
  type JobDetail,
  type JobInList,
  type JobStatus,
  type JobView,
} from "../../../src/domain/jobs/sync-job.ts";
import { formatNumber, formatShare } from "../../../src/kernel/number-text.ts";
import { formatDuration, formatUtc } from "../../../src/kernel/time-text.ts";
import type { ChangeView, LeftoverView } from "../../../src/logbook/contract.ts";
import { describeLeftReason, explainNoUndo, formatChangedContact } from "../../words.ts";
import { keysIf, nameKey, type Context, type KeyHint } from "../context.ts";
import { formatCell } from "../../table.ts";
import { drawBar, fitLine, wrapLines, type Line, type Tone } from "../line.ts";

const TONES: Record<JobStatus, Tone> = {
  pending: "live",
  running: "live",
  completed: "confirmed",
  failed: "failed",
  cancelled: "quiet",
};

/** A running job: a bar if the total is known, and its counts. */
export const renderJobBrief = (job: JobView, width: number): Line[] => {
  const name = ` ${formatCell(LABELS[job.source], 8)} `;
  if (job.stale) return [[name, ["stuck: over an hour old", "failed"], `, see job ${job.id}`]];
  if (job.status === "pending") return [[name, [describeProgress(job), "live"]]];
  const share = getShare(job);
  const barWidth = Math.max(6, Math.min(24, width - 24));
  return [
    share === null
      ? [name, [describeProgress(job), "live"]]
      : [name, [drawBar(share, barWidth), "live"], ` ${formatShare(job.progress!.done, job.progress!.total!)}`],
    [" ".repeat(10), describeCountsSoFar(job.stats)],
  ];
};

/** Null if the total is unknown: some services report a page only when it arrives. */
export const getShare = ({ progress }: Pick<JobView, "progress">): number | null =>
  progress?.total && progress.phase !== "downloading" && progress.done < progress.total
    ? progress.done / progress.total
    : null;

export const describeActiveJob = (job: JobView): string => {
  const source = LABELS[job.source];
  const { id, error, stats } = job;
  if (error)
    return `Job ${id}${error.message.includes(source) ? "" : ` (${source})`} ${STATE_WORDS[job.status]}: ${error.message}`;
  const left = countLeftOver(stats);
  return [
    `${source} ${describeState(job)} ${formatUtc(job.finishedAt ?? job.createdAt)}`,
    ...(["added", "updated", "newlyConfirmed"] as const).map(
      (name) => `${formatNumber(stats[name])} ${COUNT_WORDS[name]}`,
    ),
    ...(left > 0 ? [`${formatNumber(left)} ${LEFT_OVER}`] : []),
  ].join(", ");
};

const TITLES = "   JOB SOURCE    STATE             STARTED (UTC)      ADDED UPDATED   CONF UNRES";
/** From this width on, a summary fits next to the counts. */
export const WIDE_ENOUGH_FOR_STORY = 120;

export const renderJobTitles = (width: number): Line => [
  [width < WIDE_ENOUGH_FOR_STORY ? TITLES : `${TITLES}  WHAT IT DID`, "title"],
];

export const renderJobRow = (job: JobInList, width: number): Line => {
  const { added, updated, newlyConfirmed } = job.stats;
  const formatFigure = (count: number, width: number) => ` ${formatCell(formatNumber(count), width, "right")}`;
  const state = job.dryRun ? `${describeState(job)} (dry)` : describeState(job);
  return [
    `${formatCell(job.id, 5, "right")} ${formatCell(LABELS[job.source], 9)} `,
    [formatCell(state, 17), job.stale ? "failed" : TONES[job.status]],
    ` ${formatUtc(job.startedAt ?? job.createdAt)} `,
    formatFigure(added, 6),
    formatFigure(updated, 7),
    formatFigure(newlyConfirmed, 6),
    formatFigure(countLeftOver(job.stats), 5),
    ...(width < WIDE_ENOUGH_FOR_STORY
      ? []
      : [`  ${job.error ? job.error.message : isActive(job) ? describeProgress(job) : describeJob(job)}`]),
  ];
};

/** Everything about a job except its changes. */
export const renderJobSummary = (
  job: JobDetail,
  { hasLetterKeys }: Pick<Context, "hasLetterKeys">,
  width: number,
): Line[] => {
  const { id, dryRun, durationMs, error } = job;
  const took = durationMs === null ? "" : `, took ${formatDuration(durationMs)}`;
  const how = `${describeTrigger(job)}${dryRun ? ", dry run: nothing was written" : ""}`;
  return [
    [
      [` Job ${id}: ${LABELS[job.source]}, `, "title"],
      [describeState(job), job.stale ? "failed" : TONES[job.status]],
    ],
    [` ${how}; started ${formatUtc(job.startedAt ?? job.createdAt)} UTC${took}`],
    ...(isActive(job) ? [] : wrapLines(describeJob(job), width)),
    ...wrapLines(describeCounts(job.stats), width),
    ...(isActive(job) && job.progress && !job.stale ? renderJobBrief(job, width) : []),
    ...(error ? wrapLines(error.message, width, "failed") : []),
    ...renderWayBack(job, width, hasLetterKeys),
  ];
};

/** The keys that stop a job and take it back, where that is possible. */
export const listJobHints = (job: JobView | undefined): KeyHint[] => {
  if (job === undefined) return [];
  const canUndo = job.actions.undo && hasChanges(job.stats);
  return [
    ...keysIf(isActive(job), ["S", "stop"]),
    ...keysIf(canUndo || isWorthRollingBack(job), ["x", canUndo ? "undo" : "roll back"]),
  ];
};

/** The key that takes the job back, or why there is none. */
const renderWayBack = (job: JobDetail, width: number, hasLetterKeys: boolean): Line[] => {
  const { rollback, undo } = job.actions;
  const renderAction = (key: string, words: string): Line[] => [
    [" ", [nameKey(key, { hasLetterKeys }), "title"], ` ${words}`],
  ];
  if (isActive(job) && !job.stale) return renderAction("S", "stops this job");
  if (undo || isWorthRollingBack(job)) return renderAction("x", undo ? "undoes this import" : "rolls this job back");
  const reason = rollback ? "" : explainNoUndo(job);
  return reason === "" ? [] : wrapLines(reason, width, "quiet");
};

interface Telling {
  width: number;
  /** Also shows every changed field as stored. */
  hasFields: boolean;
  /** Words instead of signs. */
  isPlain?: boolean;
}

/** On wide terminals the description is next to the contact. */
const BEFORE_WORDS = 62;
const PLAIN_KIND_WIDTH = 7;
const DETAIL_INDENT = "     ";

/** A change in words; for an added contact its details. */
export const renderChange = (change: ChangeView, { width, hasFields, isPlain = false }: Telling): Line[] => {
  const { qsoId, kind, diff } = change;
  const head: Line = [
    [
      ` ${isPlain ? formatCell(kind, PLAIN_KIND_WIDTH) : CHANGE_SIGNS[kind]} `,
      kind === "added" ? "confirmed" : "worked",
    ],
    formatChangedContact(change),
  ];
  const title: Line = [...head, [`  QSO ${qsoId}`, "quiet"]];
  if (kind !== "updated") return [title];
  const words = describeChange(change);
  const isWide = BEFORE_WORDS + Bun.stringWidth(words) <= width;
  return [
    ...(isWide ? [[...fitLine(title, BEFORE_WORDS), words]] : [title, ...wrapLines(words, width, null, DETAIL_INDENT)]),
    ...(hasFields ? diff : []).map(({ field, before, after }): Line => {
      const nameWidth = Math.min(34, Math.floor(width * 0.42));
      return [
        `${DETAIL_INDENT}${formatCell(describeField(field), nameWidth)} `,
        [describeValue(field, before), "quiet"],
        isPlain ? " to " : " → ",
        describeValue(field, after),
      ];
    }),
  ];
};

export const renderLeftover = (leftover: LeftoverView): Line[] => [
  [[" ? ", "worked"], describeLeftRecord(leftover.record)],
  [[`${DETAIL_INDENT}${COUNT_WORDS[leftover.kind]}: ${describeLeftReason(leftover)}`, "quiet"]],
];
