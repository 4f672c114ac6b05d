import type { AwardMatrix } from "../../src/domain/award.ts";
import { MATRIX_FOOT, MATRIX_HEAD, placeInSight, type Place } from "./award-lines.ts";
import { moved } from "./cursor.ts";
import type { Size } from "./line.ts";
import type { Move } from "./presses.ts";

/** Where a key leads to in the matrix. */
export const matrixMoved = (place: Place, move: Move, matrix: AwardMatrix, size: Size): Place => {
  if (move === "left" || move === "right") {
    return placeInSight({ ...place, column: place.column + (move === "left" ? -1 : 1) }, matrix, size);
  }
  const height = size.height - MATRIX_HEAD - MATRIX_FOOT;
  const { at, top } = moved({ at: place.row, top: place.top }, move, matrix.rows.length, height);
  return { ...place, row: at, top };
};
