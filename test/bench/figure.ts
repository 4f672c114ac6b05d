/**
 * The limits for a log of 100,000 contacts on two idle processors. Milliseconds are processor time, which other load
 * affects least, except for the wait of other requests and the first answer of `need`.
 */
export const LIMITS = {
  list: { most: 50, unit: "ms" },
  statistics: { most: 40, unit: "ms" },
  statisticsPage: { most: 500, unit: "ms" },
  awards: { most: 150, unit: "ms" },
  importRate: { least: 5_000, unit: "/s" },
  firstSync: { most: 30, unit: "s" },
  otherRequest: { most: 50, unit: "ms" },
  memoryGrowth: { most: 150, unit: "MB" },
  memoryAtRest: { most: 90, unit: "MB" },
  needRate: { least: 100_000, unit: "/min" },
  needFirst: { most: 1_000, unit: "ms" },
  startFromSource: { most: 200, unit: "ms" },
  startOfExecutable: { most: 80, unit: "ms" },
  versionOfExecutable: { most: 30, unit: "ms" },
  statsOfExecutable: { most: 40, unit: "ms" },
  sizeOfExecutable: { most: 130, unit: "MB" },
  readerRatio: { least: 1, unit: "×" },
  writerRatio: { least: 1, unit: "×" },
  disk: { most: 350, unit: "MB" },
} satisfies Record<string, { unit: string } & ({ most: number } | { least: number })>;

/** A measured value, with a limit from the table or only a unit. */
export type Figure = { name: string; value: number } & ({ limit: keyof typeof LIMITS } | { unit: string });

export type Limit = { unit: string; most?: number; least?: number };

export const limitOf = (figure: Figure): Limit => ("limit" in figure ? LIMITS[figure.limit] : { unit: figure.unit });

/** Whether higher is better. */
const isRate = ({ unit }: Limit): boolean => unit.startsWith("/") || unit.startsWith("MB/") || unit === "×";

/** The best value of several rounds, because other load only makes them worse. */
export const bestOf = (rounds: readonly (readonly Figure[])[]): Figure[] =>
  rounds[0]!.map((figure) => {
    const values = rounds
      .flatMap((round) => round.filter(({ name }) => name === figure.name))
      .map(({ value }) => value);
    return { ...figure, value: isRate(limitOf(figure)) ? Math.max(...values) : Math.min(...values) };
  });

const isMissed = (value: number, { most, least }: Limit): boolean =>
  (most !== undefined && !(value <= most)) || (least !== undefined && !(value >= least));

/**
 * Prints one line per value, with the older program's value and ratio if given, the limit, and ok or OVER. Returns
 * whether all limits are met.
 */
export const printFigures = (figures: readonly Figure[], older?: readonly Figure[]): boolean => {
  let isKept = true;
  for (const figure of figures) {
    const limit = limitOf(figure);
    const before = older?.find(({ name }) => name === figure.name)?.value;
    const missed = isMissed(figure.value, limit);
    if (missed) isKept = false;
    const hasLimit = "limit" in figure;
    const cells = [
      figure.name.padEnd(62),
      ...(older ? [before === undefined ? "".padStart(12) : amount(before, limit)] : []),
      amount(figure.value, limit),
      ...(older ? [(before ? `× ${shown(figure.value / before)}` : "").padStart(8)] : []),
      (hasLimit ? `${limit.most === undefined ? "≥" : "≤"} ${limit.most ?? limit.least}` : "").padStart(9),
      hasLimit ? (missed ? "OVER" : "ok") : "",
    ];
    console.log(cells.join("  ").trimEnd());
  }
  return isKept;
};

const amount = (value: number, { unit }: Limit): string => `${shown(value)} ${unit}`.padStart(12);

const shown = (value: number): string => (value >= 1_000 ? value.toFixed(0) : value.toPrecision(3));
