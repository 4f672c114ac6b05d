/** What a suite found, beside what it is measured against. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** How often the baseline of the same run fits in. */
  ratio?: number;
  limit?: number;
}

/** Prints one line: name, figure, ratio, limit, ok or OVER. A figure over its limit fails the run. */
export const print = ({ name, value, unit, ratio, limit }: Figure): void => {
  const isOver = limit !== undefined && value > limit;
  const cells = [
    name.padEnd(46),
    `${shown(value)} ${unit}`.padStart(12),
    (ratio === undefined ? "" : `× ${shown(ratio)}`).padStart(9),
    (limit === undefined ? "" : `≤ ${limit} ${unit}`).padStart(12),
    limit === undefined ? "" : isOver ? "OVER" : "ok",
  ];
  console.log(cells.join("  ").trimEnd());
  if (isOver) process.exitCode = 1;
};

/** The same for a figure whose ratio to the baseline must not fall below something. */
export const atLeast = ({ name, value, unit, ratio, least }: Required<Omit<Figure, "limit">> & { least: number }) => {
  const isUnder = ratio < least;
  const cells = [name.padEnd(46), `${shown(value)} ${unit}`.padStart(12), `× ${shown(ratio)}`.padStart(9)];
  console.log([...cells, `≥ × ${least}`.padStart(12), isUnder ? "UNDER" : "ok"].join("  "));
  if (isUnder) process.exitCode = 1;
};

/** The same for a figure that must not itself fall below something. */
export const enough = ({ name, value, unit, least }: Pick<Figure, "name" | "value" | "unit"> & { least: number }) => {
  const isUnder = value < least;
  const cells = [name.padEnd(46), `${shown(value)} ${unit}`.padStart(12), "".padStart(9)];
  console.log([...cells, `≥ ${least} ${unit}`.padStart(12), isUnder ? "UNDER" : "ok"].join("  "));
  if (isUnder) process.exitCode = 1;
};

const shown = (value: number): string => (value >= 1_000 ? value.toFixed(0) : value.toPrecision(3));

export const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** The median of the milliseconds a piece of work takes, after it has been done often enough to be warm. */
export const median = async (runs: number, work: () => unknown): Promise<number> => {
  const taken: number[] = [];
  for (let run = 0; run < runs + Math.ceil(runs / 3); run++) {
    const before = performance.now();
    await work();
    taken.push(performance.now() - before);
  }
  return middleOf(taken.slice(-runs));
};
