import type { App } from "../../app.ts";
import { activityOf, activitySince, type Activity } from "../../domain/activity.ts";
import type { Statistics } from "../../domain/statistics.ts";
import * as activity from "../../storage/activity.ts";
import { statisticsOf } from "../../storage/statistics.ts";

const MOST_KEPT = 500;

interface AtHand {
  statistics: Statistics;
  activity: Activity;
}

interface Kept extends AtHand {
  logVersion: number;
  since: number;
}

const keptBy = new WeakMap<App, Map<number, Kept>>();

/** The figures of a log, counted again only when the log has changed or a month has begun. */
export const statisticsAtHand = async (app: App, userId: number, logVersion: number): Promise<AtHand> => {
  const kept = keptBy.get(app) ?? new Map<number, Kept>();
  keptBy.set(app, kept);
  const now = app.clock();
  const since = activitySince(now);
  const known = kept.get(userId);
  if (known?.logVersion === logVersion && known.since === since) return known;
  const statistics = await statisticsOf(app.db, userId, {});
  const days = await app.db.read(() => activity.byBandAndDay(userId, since));
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
  const counted = { statistics, activity: activityOf(days, now), logVersion, since };
  kept.set(userId, counted);
  return counted;
};
