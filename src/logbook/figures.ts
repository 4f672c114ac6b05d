import { FIGURE_NAMES, type FigureName, type Figures } from "../domain/log-figures.ts";
import { AppError } from "../domain/errors.ts";
import type { Asker } from "./asker.ts";
import type { FigureBook } from "./statistics.ts";

/** A figure by its name, or a refusal that names them all. */
export const figureName = (text: string): FigureName => {
  const name = FIGURE_NAMES.find((one) => one === text);
  if (name) return name;
  throw new AppError("not_found", `There is no figure ${JSON.stringify(text)}; there are ${FIGURE_NAMES.join(", ")}.`);
};

/** What figures are asked of: memory where there is one, or the log itself. */
export interface FigureDesk {
  figures: Pick<FigureBook, "chosen">;
}

/** One figure of a log, or of the contacts that a search chooses. */
export const figure = async (
  desk: FigureDesk,
  { id }: Asker,
  name: string,
  { search }: { search?: string } = {},
): Promise<Figures[FigureName]> => {
  const wanted = figureName(name);
  return (await desk.figures.chosen(id, search))[wanted];
};

/** All of them, of one moment. */
export const allFigures = ({ figures }: FigureDesk, { id }: Asker, search: string | undefined): Promise<Figures> =>
  figures.chosen(id, search);
