import { FIGURE_NAMES, type FigureName, type Figures } from "../domain/statistics/log-figures.ts";
import { AppError } from "../kernel/errors.ts";
import type { AsOf } from "../kernel/time-text.ts";
import { parseFilter, type QsoFilter } from "../domain/contact/qso-filter.ts";
import { reportIfLarge, readLog } from "../storage/log/large-log.ts";
import { figuresWork } from "../storage/log/log-figures.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type { FigureParameters, OfPast } from "./contract.ts";
import { readAsOf, parseAsOf, type PastLogs } from "./as-of.ts";

/** Parses the name of a figure. Throws with a list of all names. */
export const parseFigureName = (text: string): FigureName => {
  const name = FIGURE_NAMES.find((one) => one === text);
  if (name) return name;
  throw new AppError("not_found", `There is no chart ${JSON.stringify(text)}; use ${FIGURE_NAMES.join(", ")}.`);
};

/** One figure of a log, or of the contacts that match a search. */
export const figure = async (
  deps: Deps,
  caller: LogCaller,
  name: string,
  { search, asOf }: FigureParameters = {},
): Promise<Figures[FigureName] & OfPast> => {
  const wanted = parseFigureName(name);
  const filter = parseFilter(search === undefined ? {} : { search });
  return readAsOf(deps, caller, asOf, async (then) => (await loadFigures(then, caller, filter))[wanted]);
};

type Deps = Pick<World, "db" | "cache" | "clock"> & { pasts: PastLogs };

const loadFigures = (
  { db, cache }: Pick<Deps, "db" | "cache">,
  caller: LogCaller,
  filter: QsoFilter,
): Promise<Figures> =>
  cache.getOrCompute(
    caller.owner.id,
    `figures ${JSON.stringify(filter)}`,
    async (waiting) => {
      await reportIfLarge(db, caller.owner.id, waiting);
      return readLog(db, figuresWork, { userId: caller.owner.id, filter }, waiting);
    },
    caller,
  );

/** Throws for an invalid search or day. Returns the past time that was asked for. */
export const checkFigures = async (
  { db, clock }: Pick<World, "db" | "clock">,
  { owner: { id } }: LogCaller,
  { search, asOf }: FigureParameters,
): Promise<AsOf | undefined> => {
  parseFilter(search === undefined ? {} : { search });
  const past = asOf == null ? null : await db.read(() => parseAsOf(id, asOf));
  return past && past.at < clock() ? past : undefined;
};

/** All figures of the same state of the log. */
export const allFigures = async (
  deps: Deps,
  caller: LogCaller,
  { search, asOf }: FigureParameters,
): Promise<Figures & OfPast> => {
  const filter = parseFilter(search === undefined ? {} : { search });
  return readAsOf(deps, caller, asOf, (then) => loadFigures(then, caller, filter));
};
