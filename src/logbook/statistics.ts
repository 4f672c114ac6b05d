import { activityOf, activitySince, type Activity } from "../domain/activity.ts";
import { parseStations } from "../domain/qso-filter.ts";
import type { Statistics } from "../domain/statistics.ts";
import * as activity from "../storage/activity.ts";
import { silentStations, statisticsOf } from "../storage/statistics.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import type { Asker } from "./asker.ts";
import type { StatisticsDocument, StationParameters } from "./contract.ts";

/** The figures of a log, or of what was made under some of its own callsigns. */
export const statistics = async (
  { db }: Pick<World, "db">,
  { id }: Pick<Asker, "id">,
  { station }: StationParameters,
): Promise<StatisticsDocument> => {
  const stations = parseStations(station);
  const counted = await statisticsOf(db, id, { stations });
  return { ...counted, ...(await withoutContacts({ db }, id, stations)) };
};

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

export interface Figures {
  statistics: Statistics;
  activity: Activity;
}

interface Kept {
  figures: Figures;
  logVersion: number;
  since: number;
}

const MOST_KEPT = 500;

/** The figures of whole logs, counted again only when a log has changed or a month has begun. */
export class FigureBook {
  readonly #deps: Pick<World, "db" | "clock">;
  readonly #kept = new Map<number, Kept>();

  constructor({ db, clock }: Pick<World, "db" | "clock">) {
    this.#deps = { db, clock };
  }

  /** The same object for as long as the figures are the same. */
  async of(userId: number): Promise<Figures> {
    const { db, clock } = this.#deps;
    const logVersion = await db.read(() => users.logVersion(userId));
    const now = clock();
    const since = activitySince(now);
    const known = this.#kept.get(userId);
    if (known?.logVersion === logVersion && known.since === since) return known.figures;
    const counted = await statisticsOf(db, userId);
    const days = await db.read(() => activity.byBandAndDay(userId, since));
    const figures = { statistics: counted, activity: activityOf(days, now) };
    this.#kept.delete(userId);
    if (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(userId, { figures, logVersion, since });
    return figures;
  }
}
