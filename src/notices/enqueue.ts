import { placeCountsInWords, placesInWords } from "../domain/jobs/gain-words.ts";
import type { Gains } from "../domain/jobs/gains.ts";
import { counted } from "../kernel/number-text.ts";
import { leftOverOf } from "../domain/jobs/job-words.ts";
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

/** A job brought something. Part of the unit that completes it. */
export function* enqueueCompleted(job: SyncJob, now: number): Unit<void> {
  if (job.gains) yield* enqueueGains(job, job.gains, now);
  yield* enqueueLeftovers(job, leftOverOf(job.stats), now);
}

/** Records that nobody could place. Part of the unit that keeps them. */
export function* enqueueLeftovers(job: Job, count: number, now: number): Unit<void> {
  if (count === 0) return;
  const records = counted(count, "record");
  yield* tell(job, "leftovers", now, () => ({
    title: `${LABELS[job.source]}: ${records} left over`,
    text: `No QSO could be chosen for ${records} of job ${job.id}.`,
  }));
}

/** What the log has that it had not before. Part of the unit that keeps it with the job. */
export function* enqueueGains(job: Job, gains: Gains, now: number): Unit<void> {
  for (const level of ["worked", "confirmed"] as const) {
    const places = gains[level];
    const counts = placeCountsInWords(places);
    if (counts === "") continue;
    yield* tell(job, `new_${level}`, now, () => ({
      title: `Newly ${level}: ${counts}`,
      text: placesInWords([places]).join("\n"),
      gains: places,
    }));
  }
}

/** A sync failed. The schedule tries again by itself: only the first failure in a row, or the last, is worth a word. */
export function* enqueueFailed(job: SyncJob, now: number): Unit<void> {
  const { source, userId, error, trigger, attempt } = job;
  if (!isService(source) || error === null || error.code === "interrupted") return;
  const paused = (yield* autoSync.isThere()) && (yield* autoSync.of(userId))[source].paused !== null;
  if (trigger === "auto" && attempt > 1 && !paused) return;
  const label = LABELS[source];
  const until = paused ? ` Nothing is synced automatically until the credentials for ${label} are replaced.` : "";
  yield* tell(job, "sync_failed", now, () => ({
    title: paused ? `${label}: the sync failed and is paused` : `${label}: the sync failed`,
    text: `${error.message}${until}`,
    paused,
  }));
}

/** Puts it into the line of each target that wants to hear of it; nobody is asked here. */
function* tell({ id, userId, source }: Job, event: NoticeEvent, now: number, said: () => Said): Unit<void> {
  const targets = (yield* notices.targetsOf(userId)).filter(({ events }) => events.includes(event));
  if (targets.length === 0) return;
  const { username, callsign } = yield* users.get(userId);
  const notice: Notice = { event, ...said(), user: username, callsign, job: { id, source } };
  for (const target of targets) yield* notices.add(target, JSON.stringify(notice), now);
}
