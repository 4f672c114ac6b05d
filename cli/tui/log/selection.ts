import type { QsoWindow } from "./qso-window.ts";

/** The ids of the selected contacts. */
export type Selection = ReadonlySet<number>;

export const NO_SELECTION: Selection = new Set<number>([]);

/** The largest number of ids in a filter. */
export const MAX_SELECTED = 500;

export const toggleSelected = (selected: Selection, id: number): Selection =>
  selected.has(id) ? new Set([...selected].filter((other) => other !== id)) : new Set([...selected, id]);

/** Adds the rows between two positions; null if some of them are not loaded. */
export const selectRange = (
  selected: Selection,
  window: Pick<QsoWindow, "getRow">,
  [from, to]: readonly [number, number],
): Selection | null => {
  const first = Math.min(from, to);
  const ids = Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => window.getRow(first + index)?.id ?? null);
  return ids.includes(null) ? null : new Set([...selected, ...(ids as number[])]);
};
