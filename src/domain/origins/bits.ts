import type { Source } from "../source.ts";

/** Where records of contacts come from: the owner by hand, files, programs and services. */
export type RecordOrigin = "own" | Exclude<Source, "repair">;

/**
 * The bit of each origin in `recorded_by` and `confirmed_by` of the contacts. A bit never changes and is never used again:
 * a new origin gets the next one.
 */
export const ORIGIN_BITS = { own: 1, file: 2, feed: 4, first: 8, second: 16 } as const satisfies Record<
  RecordOrigin,
  number
>;

/** The rows of the table `origins`. */
export const ORIGIN_ROWS = (Object.keys(ORIGIN_BITS) as RecordOrigin[]).map((name) => {
  const bit = ORIGIN_BITS[name];
  return { id: Math.log2(bit) + 1, bit, name };
});
