const RANKS = [0.2, 0.4, 0.6, 0.8];
const PEAK_RANK = 0.98;
const MIN_PEAK = 10;
export const MAX_STEPS = 5;

export interface RankSteps {
  /** 0 for nothing, 1 to 5 for the colour of a cell. */
  stepOf(count: number): number;
  /** Whether the cell is among the busiest, which get a dot. */
  isPeak(count: number): boolean;
  legend: readonly { step: number; from: number; to: number | null }[];
}

/**
 * Colours by rank: each step holds about a fifth of the cells that are not zero, so that one busy week does not wash out
 * the rest. Equal limits become one step; fewer steps are spread over the colours.
 */
export const createRankSteps = (counts: readonly number[]): RankSteps => {
  const sorted = counts.filter((count) => count > 0).sort((a, b) => a - b);
  const at = (rank: number) => sorted[Math.max(0, Math.ceil(rank * sorted.length) - 1)] ?? 0;
  const starts = [...new Set([sorted[0] ?? 1, ...RANKS.map((rank) => at(rank) + 1)])].filter(
    (start, index) => index === 0 || start <= sorted.at(-1)!,
  );
  const colours = starts.map((_, index) =>
    starts.length === 1 ? MAX_STEPS : 1 + Math.round((index * (MAX_STEPS - 1)) / (starts.length - 1)),
  );
  const peak = Math.max(MIN_PEAK, at(PEAK_RANK) + 1);
  return {
    stepOf: (count) => (count === 0 ? 0 : colours[starts.findLastIndex((start) => count >= start)]!),
    isPeak: (count) => count >= peak,
    legend:
      sorted.length === 0
        ? []
        : starts.map((from, index) => ({
            step: colours[index]!,
            from,
            to: index + 1 < starts.length ? starts[index + 1]! - 1 : null,
          })),
  };
};
