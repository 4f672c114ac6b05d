import * as ownStations from "../storage/log/station-callsigns.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";

/**
 * A callsign and square from which contacts are made, as programs list them. Stations are computed from the log; nobody
 * creates them.
 */
export interface Station {
  /** The number depends only on callsign and square. */
  id: number;
  name: string;
  callsign: string;
  grid: string | null;
  /** The one used last. */
  isActive: boolean;
}

/** The stations of a log, most recently used first. There is always at least one. */
export const stations = async (
  { db }: Pick<World, "db">,
  { owner: { id, username } }: LogCaller,
): Promise<Station[]> => {
  const { own, made } = await db.read(function* () {
    const calls = yield* ownStations.listOwnCalls(id);
    const found: { callsign: string; grid: string | null }[] = [];
    for (const { callsign } of calls) {
      const grids = yield* ownStations.listOwnGrids(id, callsign);
      for (const grid of grids.length > 0 ? grids : [null]) found.push({ callsign, grid });
    }
    return { own: (yield* users.get(id)).callsign, made: found };
  });
  const isMade = made.some(({ callsign }) => callsign === own);
  const all = isMade || (own === null && made.length > 0) ? made : [...made, { callsign: own ?? "", grid: null }];
  return all.map(({ callsign, grid }, at) => ({
    id: computeNumber(callsign, grid),
    name: [callsign || username, grid].filter(Boolean).join(" "),
    callsign,
    grid,
    isActive: at === 0,
  }));
};

/** The station with a number; any other number means the most recently used one. */
export const findStation = (all: readonly Station[], number: unknown): Station =>
  all.find(({ id }) => String(id) === String(number ?? "").trim()) ?? all[0]!;

/** Programs store it as a 31-bit number. */
const computeNumber = (callsign: string, grid: string | null): number =>
  (Bun.hash.crc32(`${callsign} ${grid ?? ""}`) >>> 2) + 1;
