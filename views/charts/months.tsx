/** @jsxImportSource @kitajs/html */
import type { Activity } from "../../src/domain/statistics/activity.ts";
import { counted, grouped } from "../words.ts";

const NAME = 52;
const CELL = 34;
const ROW = 20;
const FOOT = 18;

/** Bands by month: the more contacts, the darker the cell, which contains the number. */
export const Months = ({ months, bands }: Activity) => {
  const most = Math.max(1, ...bands.flatMap(({ counts }) => counts));
  const total = bands.reduce((sum, { counts }) => sum + counts.reduce((all, count) => all + count, 0), 0);
  const title = `${counted(total, "QSO")} by month and band, ${months[0]} to ${months.at(-1)}`;
  const width = NAME + months.length * CELL;
  const height = bands.length * ROW + FOOT;
  return (
    <svg class="chart months" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
      <title safe>{title}</title>
      {bands.map(({ band, counts }, row) => (
        <g>
          <rect class="ground" x={NAME} y={row * ROW + 1} width={width - NAME - 2} height={ROW - 2} rx="2" />
          <text x={NAME - 8} y={row * ROW + 14} text-anchor="end" safe>
            {band}
          </text>
          {counts.map((count, column) => (
            <Cell count={count} most={most} x={NAME + column * CELL} y={row * ROW} />
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

const Cell = ({ count, most, x, y }: { count: number; most: number; x: number; y: number }) =>
  count === 0 ? (
    ""
  ) : (
    <>
      <rect class="share" x={x} y={y + 1} width={CELL - 2} height={ROW - 2} opacity={computeOpacity(count / most)} />
      <text class="figure" x={x + CELL / 2 - 1} y={y + 14} text-anchor="middle" safe>
        {grouped(count)}
      </text>
    </>
  );

/** Small numbers are visible too, and the text is readable on the darkest cell. */
const computeOpacity = (part: number): string => (0.06 + 0.4 * Math.sqrt(part)).toFixed(2);
