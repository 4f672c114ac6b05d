export type Weights = readonly (readonly [name: string, weight: number])[];

export const pick = <T>(list: readonly T[], chance: number): T => list[Math.floor(list.length * chance)]!;

export const weighted = (weights: Weights, chance: number): string => {
  let left = chance * weights.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of weights) if ((left -= weight) < 0) return name;
  return weights.at(-1)![0];
};

/** Random numbers from 0 to 1 that depend only on the seed. */
export const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
