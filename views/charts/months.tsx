/** @jsxImportSource @kitajs/html */
import type { Activity } from "../../src/domain/statistics/activity.ts";
import { createRankSteps, type RankSteps } from "../../src/domain/statistics/rank-steps.ts";
import { counted } from "../words.ts";
import { StepLegend } from "./legend.tsx";
import { DASHBOARD_TEXTS } from "../texts/dashboard.ts";

const WORDS = DASHBOARD_TEXTS.charts;

const NAME = 52;
const CELL = 34;
const ROW = 20;
const FOOT = 18;

/** As many as fit on a phone. */
const PHONE_MONTHS = 8;

/** Bands by month, in steps by rank: the more contacts, the stronger the cell. A phone shows the latest months. */
export const Months = ({ months, bands }: Activity) => {
  const steps = createRankSteps(bands.flatMap(({ counts }) => counts));
  const latest = bands.map(({ band, counts }) => ({ band, counts: counts.slice(-PHONE_MONTHS) }));
  return (
    <>
      <Drawing months={months} bands={bands} steps={steps} look="wide-only" />
      <Drawing months={months.slice(-PHONE_MONTHS)} bands={latest} steps={steps} look="phone-only" />
      <StepLegend of={steps} />
    </>
  );
};

interface DrawingProps extends Pick<Activity, "months" | "bands"> {
  steps: RankSteps;
  look: "wide-only" | "phone-only";
}

const Drawing = ({ months, bands, steps, look }: DrawingProps) => {
  const total = bands.reduce((sum, { counts }) => sum + counts.reduce((all, count) => all + count, 0), 0);
  const title = WORDS.months(total, months[0] ?? "", months.at(-1) ?? "");
  const width = NAME + months.length * CELL;
  const height = bands.length * ROW + FOOT;
  return (
    <svg class={`chart months ${look}`} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
      <title safe>{title}</title>
      {bands.map(({ band, counts }, row) => (
        <g>
          <rect class="ground" x={NAME} y={row * ROW + 1} width={width - NAME - 2} height={ROW - 2} rx="2" />
          <text x={NAME - 8} y={row * ROW + 14} text-anchor="end" safe>
            {band}
          </text>
          {counts.map((count, column) => (
            <Cell
              of={`${band}, ${months[column]}`}
              count={count}
              steps={steps}
              x={NAME + column * CELL}
              y={row * ROW}
            />
          ))}
        </g>
      ))}
      {months.map((month, column) =>
        column % 3 === 0 ? (
          <text x={NAME + column * CELL} y={height - 3} safe>
            {month}
          </text>
        ) : (
          ""
        ),
      )}
    </svg>
  );
};

interface CellProps {
  of: string;
  count: number;
  steps: RankSteps;
  x: number;
  y: number;
}

const Cell = ({ of, count, steps, x, y }: CellProps) =>
  count === 0 ? (
    ""
  ) : (
    <>
      <rect class={`s${steps.stepOf(count)}`} x={x} y={y + 1} width={CELL - 2} height={ROW - 2} rx="2.5">
        <title safe>{`${of}: ${counted(count, "QSO")}`}</title>
      </rect>
      {steps.isPeak(count) && <circle class="peak" cx={x + CELL / 2 - 1} cy={y + ROW / 2} r="2" />}
    </>
  );
