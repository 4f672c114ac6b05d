import { activityOf, activitySince, type Activity } from "../domain/activity.ts";
import type { Gains } from "../domain/gains.ts";
import type { Figures as DrawnFigures } from "../domain/log-figures.ts";
import type { QsoFilter } from "../domain/qso-filter.ts";
import type { Statistics } from "../domain/statistics.ts";
import { figuresOf as drawnFigures } from "../storage/log-figures.ts";
import { figuresOfLog, silentStations, statisticsOf, type LogFigures } from "../storage/statistics.ts";
import * as syncJobs from "../storage/sync-jobs.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import type { Asker } from "./asker.ts";
import type { StatisticsDocument } from "./contract.ts";

/** Names the own callsigns that were asked for and made no contact: zeros would not tell a slip from an empty log. */
export const withoutContacts = async (
  { db }: Pick<World, "db">,
  userId: number,
  stations: readonly string[] | null,
): Promise<{ withoutContacts?: string[] }> => {
  if (stations === null) return {};
  const silent = await db.read(() => silentStations(userId, stations));
  return silent.length > 0 ? { withoutContacts: silent } : {};
};

/** Another number whenever the log has changed. */
export const logVersion = ({ db }: Pick<World, "db">, { id }: Pick<Asker, "id">): Promise<number> =>
  db.read(() => users.logVersion(id));

/** The figures of a log, and what happened on the air lately. */
export interface Figures {
  statistics: Statistics;
  activity: Activity;
}

interface Kept<T> {
  version: number;
  value: T;
}

const MOST_KEPT = 500;
const MOST_GAINS_KEPT = 50;
const MOST_CHOSEN_KEPT = 50;
const NOTHING: readonly Gains[] = [];

/** Figures in memory: of whole logs, and of some of their own callsigns, for as long as the log stays as it is. */
export class FigureBook {
  readonly #deps: Pick<World, "db" | "clock">;
  readonly #whole = new Map<number, Kept<LogFigures>>();
  readonly #activity = new WeakMap<LogFigures, Kept<Figures>>();
  readonly #parts = new Map<string, Kept<StatisticsDocument>>();
  readonly #gains = new Map<string, Kept<readonly Gains[]>>();
  readonly #chosen = new Map<string, Kept<DrawnFigures>>();

  constructor({ db, clock }: Pick<World, "db" | "clock">) {
    this.#deps = { db, clock };
  }

  /** The same object for as long as the figures are the same. */
  async of(userId: number): Promise<Figures> {
    const now = this.#deps.clock();
    const since = activitySince(now);
    const figures = await this.#figuresOf(userId);
    const known = this.#activity.get(figures);
    if (known?.version === since) return known.value;
    const months = figures.rows.filter(({ kind }) => kind === "month");
    const value = { statistics: figures.statistics, activity: activityOf(months, now) };
    this.#activity.set(figures, { version: since, value });
    return value;
  }

  async statistics(userId: number, stations: readonly string[] | null): Promise<StatisticsDocument> {
    if (stations === null) return (await this.#figuresOf(userId)).statistics;
    const { db } = this.#deps;
    const version = await this.#versionOf(userId);
    const question = `${userId} ${stations.join()}`;
    const known = this.#parts.get(question);
    if (known?.version === version) return known.value;
    const counted = await statisticsOf(db, userId, { stations });
    const value = { ...counted, ...(await withoutContacts({ db }, userId, stations)) };
    keep(this.#parts, question, { version, value });
    return value;
  }

  /** What jobs that have ended brought: thousands of names, and the same array for as long as they are the same. */
  async gainsOf(userId: number, jobIds: readonly number[]): Promise<readonly Gains[]> {
    if (jobIds.length === 0) return NOTHING;
    const version = await this.#versionOf(userId);
    const question = `${userId} ${jobIds.join()}`;
    const known = this.#gains.get(question);
    if (known?.version === version) return known.value;
    const value = await this.#deps.db.read(() => syncJobs.listGainsOf(userId, jobIds));
    keep(this.#gains, question, { version, value }, MOST_GAINS_KEPT);
    return value;
  }

  /** What the page of statistics draws, of the contacts that are chosen. */
  async chosen(userId: number, filter: QsoFilter = {}): Promise<DrawnFigures> {
    const version = await this.#versionOf(userId);
    const question = `${userId} ${JSON.stringify(filter)}`;
    const known = this.#chosen.get(question);
    if (known?.version === version) return known.value;
    // Nothing is kept of the years of a log whose tallies are of another version.
    await this.#figuresOf(userId);
    const value = await drawnFigures(this.#deps.db, { userId, filter });
    keep(this.#chosen, question, { version, value }, MOST_CHOSEN_KEPT);
    return value;
  }

  async #figuresOf(userId: number): Promise<LogFigures> {
    const version = await this.#versionOf(userId);
    const known = this.#whole.get(userId);
    if (known?.version === version) return known.value;
    const { db, clock } = this.#deps;
    const value = await figuresOfLog(db, userId, activitySince(clock()));
    keep(this.#whole, userId, { version: value.version, value });
    return value;
  }

  #versionOf(userId: number): Promise<number> {
    return logVersion(this.#deps, { id: userId });
  }
}

/** What was asked for longest ago makes room. */
const keep = <Key, T>(kept: Map<Key, Kept<T>>, key: Key, one: Kept<T>, most = MOST_KEPT): void => {
  kept.delete(key);
  if (kept.size >= most) kept.delete(kept.keys().next().value!);
  kept.set(key, one);
};
