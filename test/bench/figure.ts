import { processorTaken, slowness } from "./machine.ts";

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
  const cells = [
    name.padEnd(46),
    `${shown(value)} ${unit}`.padStart(12),
    (ratio === undefined ? "" : `× ${shown(ratio)}`).padStart(9),
    (limit === undefined ? "" : `≤ ${limit} ${unit}`).padStart(12),
    limit === undefined ? "" : verdict("OVER", unit, value / limit),
  ];
  console.log(cells.join("  ").trimEnd());
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
  const cells = [name.padEnd(46), `${shown(value)} ${unit}`.padStart(12), "".padStart(9)];
  console.log([...cells, `≥ ${least} ${unit}`.padStart(12), verdict("UNDER", unit, least / value)].join("  "));
};

/** What is a matter of how fast the machine is. */
const OF_SPEED: readonly string[] = ["µs", "ms", "s", "/s"];

/** A figure may miss its limit by as much as this machine is slower than the one that limits are meant for, and then says so. */
const verdict = (missed: string, unit: string, missedBy: number): string => {
  // Nothing of nothing is no number.
  if (!(missedBy > 1)) return "ok";
  const slower = OF_SPEED.includes(unit) ? slowness() : 1;
  if (missedBy <= slower) return `ok where it is ${slower.toFixed(1)} × as fast`;
  process.exitCode = 1;
  return slower > 1 ? `${missed}, on a machine ${slower.toFixed(1)} × as slow` : missed;
};

const shown = (value: number): string => (value >= 1_000 ? value.toFixed(0) : value.toPrecision(3));

export const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** The processor time that work takes, in this process or wherever: what else the machine does makes little difference. */
export const processorMs = async (work: () => unknown, taken = processorTaken): Promise<number> => {
  const before = taken();
  await work();
  return taken() - before;
};

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
