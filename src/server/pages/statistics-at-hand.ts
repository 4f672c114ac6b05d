import type { App } from "../../app.ts";
import type { Statistics } from "../../domain/statistics.ts";
import { statisticsOf } from "../../storage/statistics.ts";

const MOST_KEPT = 500;

interface Kept {
  logVersion: number;
  statistics: Statistics;
}

const keptBy = new WeakMap<App, Map<number, Kept>>();

/** The statistics of a log, counted again only when the log has changed. */
export const statisticsAtHand = async (app: App, userId: number, logVersion: number): Promise<Statistics> => {
  const kept = keptBy.get(app) ?? new Map<number, Kept>();
  keptBy.set(app, kept);
  const known = kept.get(userId);
  if (known?.logVersion === logVersion) return known.statistics;
  const statistics = await statisticsOf(app.db, userId, {});
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(userId, { logVersion, statistics });
  return statistics;
};
