import type { Move } from "./keymap.ts";

/** Where somebody stands in a list, and the first row that is on the screen. */
export interface Cursor {
  at: number;
  top: number;
}

export const AT_TOP: Cursor = { at: 0, top: 0 };

/** After a key; what has no meaning in a list leaves it as it is. */
export const moved = ({ at, top }: Cursor, move: Move, count: number, height: number): Cursor => {
  return inSight({ at: at + stepOf(move, height), top }, count, height);
};

/** The same place within what there is, and on the screen. */
export const inSight = ({ at, top }: Cursor, count: number, height: number): Cursor => {
  const place = Math.max(0, Math.min(at, count - 1));
  const highest = Math.max(0, count - height);
  return { at: place, top: Math.max(0, Math.min(highest, Math.max(place - height + 1, Math.min(top, place)))) };
};

/** Of text, which has no chosen row: the top moves. */
export const scrolled = (top: number, move: Move, count: number, height: number): number => {
  return Math.max(0, Math.min(count - height, top + stepOf(move, height)));
};

const stepOf = (move: Move, height: number): number => {
  const steps: Partial<Record<Move, number>> = {
    up: -1,
    down: 1,
    pageUp: -Math.max(1, height - 1),
    pageDown: Math.max(1, height - 1),
    top: -Infinity,
    bottom: Infinity,
  };
  return steps[move] ?? 0;
};
