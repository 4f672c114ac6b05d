import { parseStations } from "../domain/qso-filter.ts";
import type { World } from "../world.ts";
import type { Asker } from "./asker.ts";
import type { StatisticsDocument, StationParameters } from "./contract.ts";
import type { FigureBook } from "./figure-book.ts";
import { atMoment, type PastBook } from "./past.ts";

/** The figures of a log, or of what was made under some of its own callsigns. */
export const statistics = (
  desk: Pick<World, "db" | "clock"> & { figures: FigureBook; pasts: PastBook },
  asker: Pick<Asker, "id">,
  { station, asOf }: StationParameters,
): Promise<StatisticsDocument> => {
  const stations = parseStations(station);
  return atMoment(desk, asker, asOf, ({ figures }) => figures.statistics(asker.id, stations));
};
