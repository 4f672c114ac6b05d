/** @jsxImportSource @kitajs/html */
import { Table } from "../partials/table.tsx";
import type { CurveFigure } from "../../src/domain/statistics/log-figures.ts";
import { TEXTS } from "../texts/shared.ts";
import { grouped } from "../words.ts";
import { Pen } from "./pen.ts";

const WIDTH = 560;
const PHONE_WIDTH = 340;
const HEIGHT = 150;
const FOOT = 18;
const LEFT = 40;
const LABEL = 104;
const LABEL_HEIGHT = 14;
const YEAR_WIDTH = 60;

type Line = CurveFigure["lines"][number];

interface Look {
  width: number;
  look: string;
}

interface Props {
  id: string;
  title: string;
  months: readonly string[];
  line: Line;
}

/** The growth of a count: worked dashed, confirmed filled, each with its name at the end. */
export const Curve = (props: Props) => (
  <>
    <Drawing {...props} width={WIDTH} look="wide-only" />
    <Drawing {...props} width={PHONE_WIDTH} look="phone-only" />
  </>
);

const Drawing = ({ id, title, months, line: { worked, confirmed }, width, look }: Props & Look) => {
  const top = Math.max(1, worked.at(-1)!, confirmed.at(-1)!);
  const { x, y } = createScale(months, top, width);
  const path = (counts: readonly number[]) => {
    const pen = new Pen();
    counts.forEach((count, at) => {
      const isFlat = at > 0 && at < counts.length - 1 && count === counts[at - 1] && count === counts[at + 1];
      if (at === 0) pen.moveTo(x(at), y(count));
      else if (!isFlat) pen.lineTo(x(at), y(count));
    });
    return pen.drawn;
  };
  const ground = y(0);
  const end = x(months.length - 1);
  const ends = [y(worked.at(-1)!), y(confirmed.at(-1)!)] as const;
  const labels = [Math.min(ends[0], ends[1] - LABEL_HEIGHT), ends[1]] as const;
  return (
    <svg
      class={["chart", "curve", look]}
      viewBox={`0 -10 ${width} ${HEIGHT + 10}`}
      role="img"
      tabindex="0"
      aria-label={title}
      data-table={`${id}-table`}
      data-columns={`${LEFT} ${(x(1) - x(0)).toFixed(4)} ${HEIGHT - FOOT}`}
    >
      <line class="axis" x1={LEFT} x2={end} y1={ground} y2={ground} />
      {[top, Math.round(top / 2)].map((count) => (
        <>
          <line class="axis" x1={LEFT} x2={end} y1={y(count)} y2={y(count)} />
          <text x={LEFT - 6} y={y(count) + 4} text-anchor="end" safe>
            {grouped(count)}
          </text>
        </>
      ))}
      <path class="area-confirmed" d={`${path(confirmed)}V${ground}H${LEFT}z`} />
      <path class="line-worked" d={path(worked)} />
      <path class="line-confirmed" d={path(confirmed)} />
      <text class="worked-name" x={end + 6} y={labels[0] + 4} safe>
        {TEXTS.charts.worked(grouped(worked.at(-1)!))}
      </text>
      <text class="confirmed-name" x={end + 6} y={labels[1] + 4} safe>
        {TEXTS.charts.confirmedCount(grouped(confirmed.at(-1)!))}
      </text>
      {listLabelledYears(months, x).map(({ year, first }) => (
        <text x={x(first).toFixed(1)} y={HEIGHT - 4} safe>
          {year}
        </text>
      ))}
    </svg>
  );
};

/** Leaves out a year whose label would touch the one before. */
const listLabelledYears = (months: readonly string[], x: (at: number) => number) => {
  let end = -Infinity;
  return listYears(months).filter(({ first }) => {
    if (x(first) < end) return false;
    end = x(first) + YEAR_WIDTH;
    return true;
  });
};

const createScale = (months: readonly string[], top: number, width: number) => ({
  x: (at: number) => LEFT + ((width - LEFT - LABEL) * at) / Math.max(1, months.length - 1),
  y: (count: number) => HEIGHT - FOOT - ((HEIGHT - FOOT - 10) * count) / top,
});

interface CurveTableProps extends Pick<Props, "months" | "line"> {
  caption: string;
  /** The path of the year's contacts. */
  toLog(year: string): string;
}

/** The counts at the end of each year, the newest first. */
export const CurveTable = ({ caption, months, line: { worked, confirmed }, toLog }: CurveTableProps) => (
  <Table
    caption={caption}
    rows={listYears(months).toReversed()}
    row={({ first, last }) => ({ "data-at": `${first} ${last - first + 1}` })}
    columns={[
      {
        head: TEXTS.charts.year,
        isName: true,
        markup: ({ year }) => (
          <a href={toLog(year)} safe>
            {year}
          </a>
        ),
      },
      { head: TEXTS.charts.workedHead, class: "num", text: ({ last }) => grouped(worked[last]!) },
      { head: TEXTS.charts.confirmed, class: "num", text: ({ last }) => grouped(confirmed[last]!) },
    ]}
  />
);

/** The years of these months, with the index of their first and last month. */
const listYears = (months: readonly string[]): { year: string; first: number; last: number }[] => {
  const years = Map.groupBy(months.keys(), (at) => months[at]!.slice(0, 4));
  return [...years].map(([year, places]) => ({ year, first: places[0]!, last: places.at(-1)! }));
};
