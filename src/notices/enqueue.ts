import { describePlaceCounts, describePlaces } from "../domain/jobs/gain-words.ts";
import type { Gains } from "../domain/jobs/gains.ts";
import { formatCount } from "../kernel/number-text.ts";
import { countLeftOver } from "../domain/jobs/job-words.ts";
import type { Notice, NoticeEvent } from "../domain/people/notice.ts";
import { LABELS } from "../domain/origins/labels.ts";
import { isService } from "../domain/jobs/source.ts";
import type { SyncJob } from "../domain/jobs/sync-job.ts";
import * as autoSync from "../storage/jobs/auto-sync-settings.ts";
import * as notices from "../storage/people/notices.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as users from "../storage/people/users.ts";

type Job = Pick<SyncJob, "id" | "userId" | "source">;
type Said = Pick<Notice, "title" | "text" | "gains" | "paused">;

/** Queues what a job brought. Runs in the transaction that completes the job. */
export function* enqueueCompleted(job: SyncJob, now: number): Unit<void> {
  if (job.gains) yield* enqueueGains(job, job.gains, now);
  yield* enqueueLeftovers(job, countLeftOver(job.stats), now);
}

/** Queues a notification about unmatched records. Runs in the transaction that stores them. */
export function* enqueueLeftovers(job: Job, count: number, now: number): Unit<void> {
  if (count === 0) return;
  const records = formatCount(count, "record");
  yield* enqueueFor(job, "leftovers", now, () => ({
    title: `${LABELS[job.source]}: ${records} unresolved`,
    text: `qsolog could not match ${records} of job ${job.id} with a QSO. Decide yourself on the page of the job.`,
  }));
}

/** Queues what is new in the log. Runs in the transaction that stores it with the job. */
export function* enqueueGains(job: Job, gains: Gains, now: number): Unit<void> {
  for (const level of ["worked", "confirmed"] as const) {
    const places = gains[level];
    const counts = describePlaceCounts(places);
    if (counts === "") continue;
    yield* enqueueFor(job, `new_${level}`, now, () => ({
      title: `Newly ${level}: ${counts}`,
      text: describePlaces([places]).join("\n"),
      gains: places,
    }));
  }
}

/** Queues a failed sync. The schedule retries, so only the first and the last failure in a row are reported. */
export function* enqueueFailed(job: SyncJob, now: number): Unit<void> {
  const { source, userId, error, trigger, attempt } = job;
  if (!isService(source) || error === null || error.code === "interrupted") return;
  const paused = (yield* autoSync.isThere()) && (yield* autoSync.get(userId))[source].paused !== null;
  if (trigger === "auto" && attempt > 1 && !paused) return;
  const label = LABELS[source];
  const until = paused ? ` Scheduled syncs are paused until you enter your ${label} account again.` : "";
  yield* enqueueFor(job, "sync_failed", now, () => ({
    title: paused ? `${label}: sync failed and paused` : `${label}: sync failed`,
    text: `${error.message}${until}`,
    paused,
  }));
}

/** Goes to the targets for failed syncs. Only administrators are told. */
export const enqueueBackupFailed = (userId: number, reason: string, now: number): Unit<void> =>
  enqueue(userId, "sync_failed", now, () => ({
    event: "backup_failed",
    title: "The backup of qsolog failed",
    text: `${reason} qsolog tries again every hour.`,
    job: null,
  }));

/** Adds the notification to the queue of each target that subscribed to it. Nothing is sent here. */
function* enqueueFor({ id, userId, source }: Job, event: NoticeEvent, now: number, said: () => Said): Unit<void> {
  yield* enqueue(userId, event, now, () => ({ event, ...said(), job: { id, source } }));
}

function* enqueue(
  userId: number,
  event: NoticeEvent,
  now: number,
  said: () => Omit<Notice, "user" | "callsign">,
): Unit<void> {
  const targets = (yield* notices.listTargets(userId)).filter(({ events }) => events.includes(event));
  if (targets.length === 0) return;
  const { username, callsign } = yield* users.get(userId);
  const { event: what, title, text, ...rest } = said();
  const notice: Notice = { event: what, title, text, ...rest, user: username, callsign };
  for (const target of targets) yield* notices.add(target, JSON.stringify(notice), now);
}
