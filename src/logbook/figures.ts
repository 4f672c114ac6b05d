import { FIGURE_NAMES, type FigureName, type Figures } from "../domain/statistics/log-figures.ts";
import { AppError } from "../kernel/errors.ts";
import type { AsOf } from "../kernel/time-text.ts";
import { parseFilter, type QsoFilter } from "../domain/contact/qso-filter.ts";
import { progressWhereLarge, readLog } from "../storage/log/large-log.ts";
import { figuresWork } from "../storage/log/log-figures.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type { FigureParameters, OfPast } from "./contract.ts";
import { readAsOf, momentOf, type PastLogs } from "./as-of.ts";

/** A figure by its name, or a refusal that names them all. */
export const figureName = (text: string): FigureName => {
  const name = FIGURE_NAMES.find((one) => one === text);
  if (name) return name;
  throw new AppError("not_found", `There is no figure ${JSON.stringify(text)}; there are ${FIGURE_NAMES.join(", ")}.`);
};

/** One figure of a log, or of the contacts that a search chooses. */
export const figure = async (
  desk: Desk,
  asker: LogCaller,
  name: string,
  { search, asOf }: FigureParameters = {},
): Promise<Figures[FigureName] & OfPast> => {
  const wanted = figureName(name);
  const filter = parseFilter(search === undefined ? {} : { search });
  return readAsOf(desk, asker, asOf, async (then) => (await figuresIn(then, asker, filter))[wanted]);
};

type Desk = Pick<World, "db" | "cache" | "clock"> & { pasts: PastLogs };

const figuresIn = ({ db, cache }: Pick<Desk, "db" | "cache">, asker: LogCaller, filter: QsoFilter): Promise<Figures> =>
  cache.of(
    asker.id,
    `figures ${JSON.stringify(filter)}`,
    async (waiting) => {
      await progressWhereLarge(db, asker.id, waiting);
      return readLog(db, figuresWork, { userId: asker.id, filter }, waiting);
    },
    asker,
  );

/** Refuses a search or a day that makes no sense, and gives the past moment that is asked for. */
export const checkFigures = async (
  { db, clock }: Pick<World, "db" | "clock">,
  { id }: LogCaller,
  { search, asOf }: FigureParameters,
): Promise<AsOf | undefined> => {
  parseFilter(search === undefined ? {} : { search });
  const past = asOf == null ? null : await db.read(() => momentOf(id, asOf));
  return past && past.at < clock() ? past : undefined;
};

/** All of them, of one moment. */
export const allFigures = async (
  desk: Desk,
  asker: LogCaller,
  { search, asOf }: FigureParameters,
): Promise<Figures & OfPast> => {
  const filter = parseFilter(search === undefined ? {} : { search });
  return readAsOf(desk, asker, asOf, (then) => figuresIn(then, asker, filter));
};
