import { describeDoubt } from "../../domain/jobs/auto-sync.ts";
import { LABELS, getTypedLabel } from "../../domain/origins/labels.ts";
import { formatCount } from "../../kernel/number-text.ts";
import * as autoSync from "../../storage/jobs/auto-sync-settings.ts";
import type { World } from "../../world.ts";
import { formatMoment } from "../../kernel/time-text.ts";
import { createFindings, type Finding } from "../diagnostic.ts";

/** Checks that no sync is scheduled further ahead than its interval. */
export const checkSchedules = async ({ db, clock }: Pick<World, "db" | "clock">): Promise<Finding[]> => {
  const say = createFindings("schedules");
  const now = clock();
  const known = await db.read(function* () {
    return (yield* autoSync.isThere()) ? yield* autoSync.listTimes() : [];
  });
  const doubtful = known.filter((times) => describeDoubt(times, now) !== null);
  if (doubtful.length === 0) {
    const planned = known.filter(({ nextSyncAt }) => nextSyncAt !== null).length;
    return [say.ok(`${formatCount(planned, "sync")} scheduled, none of them too far ahead.`)];
  }
  return doubtful.map(({ username, source, lastSyncAt, nextSyncAt }) => {
    if (nextSyncAt !== null && (lastSyncAt ?? 0) > nextSyncAt) {
      // The server has moved the next sync back to its place. Only the history is still wrong.
      return say.note(
        `The last ${LABELS[source]} sync of ${username} is dated ${formatMoment(lastSyncAt!)}: the clock was wrong. The next sync, at ${formatMoment(nextSyncAt)}, corrects that.`,
        `qsolog sync ${getTypedLabel(source)} --user ${username}   (to correct it now)`,
      );
    }
    const latest = Math.max(lastSyncAt ?? 0, nextSyncAt ?? 0);
    return say.warn(
      `The ${LABELS[source]} schedule of ${username} contains ${formatMoment(latest)}: the clock was or is wrong.`,
      `qsolog sync ${getTypedLabel(source)} --user ${username}   (corrects it; the server does too)`,
    );
  });
};
