import { FIGURE_NAMES, type FigureName, type Figures } from "../domain/log-figures.ts";
import { AppError } from "../domain/errors.ts";
import { parseFilter } from "../domain/qso-filter.ts";
import { figuresOf } from "../storage/log-figures.ts";
import type { World } from "../world.ts";
import type { Asker } from "./asker.ts";

/** A figure by its name, or a refusal that names them all. */
export const figureName = (text: string): FigureName => {
  const name = FIGURE_NAMES.find((one) => one === text);
  if (name) return name;
  throw new AppError("not_found", `There is no figure ${JSON.stringify(text)}; there are ${FIGURE_NAMES.join(", ")}.`);
};

/** One figure of a log, or of the contacts that a search chooses. */
export const figure = async (
  { db }: Pick<World, "db">,
  { id }: Asker,
  name: string,
  { search }: { search?: string } = {},
): Promise<Figures[FigureName]> => {
  const wanted = figureName(name);
  const filter = parseFilter(search === undefined ? {} : { search });
  return (await figuresOf(db, { userId: id, filter, names: [wanted] }))[wanted]!;
};

/** All of them, of one moment. */
export const allFigures = async (
  { db }: Pick<World, "db">,
  { id }: Asker,
  search: string | undefined,
): Promise<Figures> => {
  const filter = parseFilter(search === undefined ? {} : { search });
  return (await figuresOf(db, { userId: id, filter, names: FIGURE_NAMES })) as Figures;
};
