import { countActivity, getActivityStart, type Activity } from "../domain/statistics/activity.ts";
import { parseStations } from "../domain/contact/qso-filter.ts";
import type { Statistics } from "../domain/statistics/statistics.ts";
import { readLog } from "../storage/log/large-log.ts";
import { activityWork, listSilentStations, getStatistics } from "../storage/log/statistics.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type { StatisticsDocument, StationParameters } from "./contract.ts";
import { readAsOf, type PastLogs } from "./as-of.ts";

type Deps = Pick<World, "db" | "cache" | "clock">;
/** The statistics of a log, or of contacts under some own callsigns. */
export const statistics = (
  deps: Deps & { pasts: PastLogs },
  caller: LogCaller,
  { station, asOf }: StationParameters,
): Promise<StatisticsDocument> => {
  const stations = parseStations(station);
  return readAsOf(deps, caller, asOf, (then) => loadStatistics(then, caller, stations));
};

const loadStatistics = (
  { db, cache }: Deps,
  { owner: { id: userId }, signal }: LogCaller,
  stations: readonly string[] | null,
): Promise<StatisticsDocument> =>
  cache.getOrCompute(
    userId,
    `statistics ${JSON.stringify(stations)}`,
    async (waiting) => ({
      ...(await getStatistics(db, userId, { stations }, waiting)),
      ...(await findWithoutContacts({ db }, userId, stations)),
    }),
    { signal },
  );

/** The statistics of a log and the activity of the last months. The same objects are returned until the log changes. */
export const atAGlance = async (
  deps: Deps,
  caller: LogCaller,
): Promise<{ statistics: Statistics; activity: Activity }> => {
  const { db, cache, clock } = deps;
  const { owner, signal } = caller;
  const userId = owner.id;
  const now = clock();
  const since = getActivityStart(now);
  return {
    statistics: await loadStatistics(deps, caller, null),
    activity: await cache.getOrCompute(
      userId,
      `activity ${since}`,
      async (waiting) => countActivity(await readLog(db, activityWork, { userId, since }, waiting), now),
      { signal },
    ),
  };
};

/** Lists requested own callsigns without contacts, so that a typing error does not look like an empty log. */
export const findWithoutContacts = async (
  { db }: Pick<World, "db">,
  userId: number,
  stations: readonly string[] | null,
): Promise<{ withoutContacts?: string[] }> => {
  if (stations === null) return {};
  const silent = await db.read(() => listSilentStations(userId, stations));
  return silent.length > 0 ? { withoutContacts: silent } : {};
};

/** A number that changes whenever the log changes. */
export const logVersion = ({ db }: Pick<World, "db">, { owner: { id } }: LogCaller): Promise<number> =>
  db.read(() => users.logVersion(id));
