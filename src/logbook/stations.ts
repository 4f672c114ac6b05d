import * as ownStations from "../storage/log/station-callsigns.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";

/** Where somebody makes contacts from, as programs choose it. It follows from the log: nobody has to make one. */
export interface Station {
  /** The same number for as long as callsign and square are the same. */
  id: number;
  name: string;
  callsign: string;
  grid: string | null;
  /** The one used last. */
  isActive: boolean;
}

/** The stations of a log, the last used first; at least one. */
export const stations = async ({ db }: Pick<World, "db">, { id, username }: LogCaller): Promise<Station[]> => {
  const { own, made } = await db.read(function* () {
    const calls = yield* ownStations.ownCalls(id);
    const found: { callsign: string; grid: string | null }[] = [];
    for (const { callsign } of calls) {
      const grids = yield* ownStations.ownGridsOf(id, callsign);
      for (const grid of grids.length > 0 ? grids : [null]) found.push({ callsign, grid });
    }
    return { own: (yield* users.get(id)).callsign, made: found };
  });
  const isMade = made.some(({ callsign }) => callsign === own);
  const all = isMade || (own === null && made.length > 0) ? made : [...made, { callsign: own ?? "", grid: null }];
  return all.map(({ callsign, grid }, at) => ({
    id: numberOf(callsign, grid),
    name: [callsign || username, grid].filter(Boolean).join(" "),
    callsign,
    grid,
    isActive: at === 0,
  }));
};

/** The one that a program names by its number; another number, or none, means the last used one. */
export const stationOf = (all: readonly Station[], number: unknown): Station =>
  all.find(({ id }) => String(id) === String(number ?? "").trim()) ?? all[0]!;

/** Programs keep it as a number of 31 bits. */
const numberOf = (callsign: string, grid: string | null): number =>
  (Bun.hash.crc32(`${callsign} ${grid ?? ""}`) >>> 2) + 1;
