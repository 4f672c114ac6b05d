import type { Fields } from "../contact/adif-record.ts";
import { GRID } from "../contact/field-texts.ts";
import { ask, type Voices } from "../contact/voices.ts";
import { toUpperCased } from "../../kernel/text.ts";

/** The owner's grid, otherwise the longest one that services give for the same square. */
export const findGrid = ({ own, services }: Voices): string | null => {
  const said = ask(own, readGrid);
  if (said !== null) return said;
  let best: string | null = null;
  for (const fields of services) {
    const grid = readGrid(fields);
    if (grid && (best === null || (grid.length > best.length && grid.startsWith(best)))) best = grid;
  }
  return best;
};

const readGrid = ({ GRIDSQUARE }: Fields): string | null => {
  const grid = toUpperCased(GRIDSQUARE);
  return GRID.test(grid) ? grid : null;
};

/** The squares that a contact counts for, by one origin. A station on a line or corner counts for two or four. */
export const readSquares = (fields: Fields): string | null => {
  const listed = fields.VUCC_GRIDS === undefined ? null : parseSquares(fields.VUCC_GRIDS);
  const grid = readGrid(fields);
  return listed ?? (grid === null || grid.length < 4 ? null : grid.slice(0, 4));
};

const MAX_SQUARES = 4;

const parseSquares = (list: string): string | null => {
  const squares = list
    .split(",")
    .map(toUpperCased)
    .filter((grid) => grid.length >= 4 && GRID.test(grid))
    .map((grid) => grid.slice(0, 4));
  return squares.length === 0 ? null : [...new Set(squares)].slice(0, MAX_SQUARES).sort().join(",");
};
