/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import type { App } from "../../app.ts";
import { activityOf, activitySince } from "../../domain/activity.ts";
import type { Statistics } from "../../domain/statistics.ts";
import * as activity from "../../storage/activity.ts";
import { LogCharts } from "../../../views/charts/log-charts.tsx";
import { statisticsOf } from "../../storage/statistics.ts";

const MOST_KEPT = 500;

interface AtHand {
  statistics: Statistics;
  /** Drawn once: they change with the log alone. */
  charts: JSX.Element;
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
  const charts = statistics.total === 0 ? "" : <LogCharts statistics={statistics} activity={activityOf(days, now)} />;
  const counted = { statistics, charts, logVersion, since };
  kept.set(userId, counted);
  return counted;
};
