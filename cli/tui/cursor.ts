import type { Move } from "./keymap.ts";

/** The chosen row of a list and the first visible row. */
export interface Cursor {
  at: number;
  top: number;
}

export const AT_TOP: Cursor = { at: 0, top: 0 };

/** The cursor after a key; other keys leave it unchanged. */
export const moveCursor = ({ at, top }: Cursor, move: Move, count: number, height: number): Cursor => {
  return keepInSight({ at: at + getStep(move, height), top }, count, height);
};

/** Moves the cursor into the list and scrolls to it. */
export const keepInSight = ({ at, top }: Cursor, count: number, height: number): Cursor => {
  const place = Math.max(0, Math.min(at, count - 1));
  const highest = Math.max(0, count - height);
  return { at: place, top: Math.max(0, Math.min(highest, Math.max(place - height + 1, Math.min(top, place)))) };
};

/** For text without a chosen row: scrolls the top line. */
export const scrollTop = (top: number, move: Move, count: number, height: number): number => {
  return Math.max(0, Math.min(count - height, top + getStep(move, height)));
};

const getStep = (move: Move, height: number): number => {
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

/** The next value, or null after the last one. */
export const getNext = (values: readonly string[], value: string | null): string | null =>
  values[value === null ? 0 : values.indexOf(value) + 1] ?? null;
