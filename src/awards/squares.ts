import type { SquareTally } from "../domain/award-tally.ts";

/** A contact on a line or a corner counts for two squares or four. */
export const bySquare = <T extends SquareTally>(tally: T): T[] => {
  const { awardGrids, firstGrids } = tally;
  if (!awardGrids?.includes(",") && !firstGrids?.includes(",")) return [tally];
  const own = awardGrids?.split(",") ?? [];
  const seen = firstGrids?.split(",") ?? [];
  return Array.from({ length: Math.max(own.length, seen.length) }, (_, index) => ({
    ...tally,
    awardGrids: own[index] ?? null,
    firstGrids: seen[index] ?? null,
  }));
};
