/** @jsxImportSource @kitajs/html */
import type { CurveFigure } from "../../src/domain/statistics/log-figures.ts";
import { grouped } from "../words.ts";

const WIDTH = 460;
const HEIGHT = 120;
const FOOT = 18;
const LEFT = 40;

type Line = CurveFigure["lines"][number];

interface Props {
  months: readonly string[];
  line: Line;
  /** The path of the year's contacts. */
  toLog(year: string): string;
}

/** The growth of a count: worked above, confirmed below. Each year links to its contacts. */
export const Curve = ({ months, line: { name, worked, confirmed }, toLog }: Props) => {
  const top = Math.max(1, worked.at(-1)!, confirmed.at(-1)!);
  const x = (at: number) => LEFT + ((WIDTH - LEFT - 4) * at) / Math.max(1, months.length - 1);
  const y = (count: number) => HEIGHT - FOOT - ((HEIGHT - FOOT - 14) * count) / top;
  const path = (counts: readonly number[]) =>
    counts
      .map((count, at) =>
        at > 0 && at < counts.length - 1 && count === counts[at - 1] && count === counts[at + 1]
          ? ""
          : `${at === 0 ? "M" : "L"}${x(at).toFixed(1)} ${y(count).toFixed(1)}`,
      )
      .join("");
  const title = `${name}: ${grouped(worked.at(-1)!)} worked, ${grouped(confirmed.at(-1)!)} confirmed`;
  return (
    <svg class="chart curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label={title}>
      <line class="axis" x1={LEFT} x2={WIDTH} y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} />
      <text x={LEFT - 6} y={y(top) + 4} text-anchor="end" safe>
        {grouped(top)}
      </text>
      <path class="line-worked" d={path(worked)} />
      <path class="line-confirmed" d={path(confirmed)} />
      <text x={LEFT} y={HEIGHT - 4} safe>
        {months[0]!}
      </text>
      <text x={WIDTH - 4} y={HEIGHT - 4} text-anchor="end" safe>
        {months.at(-1)!}
      </text>
      {listYears(months).map(({ year, first, last }) => (
        <a href={toLog(year)}>
          <rect
            class="year"
            x={x(first).toFixed(1)}
            y="0"
            width={(x(last + 1) - x(first)).toFixed(1)}
            height={HEIGHT - FOOT}
          >
            <title safe>{`${year}: ${grouped(worked[last]!)} worked, ${grouped(confirmed[last]!)} confirmed`}</title>
          </rect>
        </a>
      ))}
    </svg>
  );
};

/** The years of these months, with the index of their first and last month. */
const listYears = (months: readonly string[]): { year: string; first: number; last: number }[] => {
  const years = Map.groupBy(months.keys(), (at) => months[at]!.slice(0, 4));
  return [...years].map(([year, places]) => ({ year, first: places[0]!, last: places.at(-1)! }));
};
