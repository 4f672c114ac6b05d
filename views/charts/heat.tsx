/** @jsxImportSource @kitajs/html */
import type { CountsFigure } from "../../src/domain/statistics/log-figures.ts";
import { counted } from "../words.ts";
import { createRankSteps, StepLegend } from "./rank-steps.tsx";

const NAME = 46;
const ROW = 20;
const FOOT = 18;
const WIDTH = 1_000;

interface Props extends CountsFigure {
  title: string;
  /** Only every n-th column has a label. */
  everyNth: number;
  /** The path of the cell's contacts. */
  toLog(row: string, column: string): string;
}

export const findMax = ({ rows }: CountsFigure): number => Math.max(1, ...rows.flatMap(({ counts }) => counts));

/** A heat map by rank: the more contacts, the stronger the cell. Each cell links to its contacts. */
export const Heat = ({ title, columns, rows, everyNth, toLog }: Props) => {
  const steps = createRankSteps(rows.flatMap(({ counts }) => counts));
  const cell = (WIDTH - NAME) / Math.max(1, columns.length);
  const height = rows.length * ROW + FOOT;
  return (
    <>
      <svg class="chart months" viewBox={`0 0 ${WIDTH} ${height}`} role="group" aria-label={title}>
        {rows.map(({ name, counts }, row) => (
          <g>
            <rect class="ground" x={NAME} y={row * ROW + 1} width={WIDTH - NAME} height={ROW - 2} rx="2" />
            <text x={NAME - 6} y={row * ROW + 14} text-anchor="end" safe>
              {name}
            </text>
            {counts.map((count, column) =>
              count === 0 ? (
                ""
              ) : (
                <a href={toLog(name, columns[column]!)}>
                  <rect
                    class={`share s${steps.stepOf(count)}`}
                    x={(NAME + column * cell).toFixed(1)}
                    y={row * ROW + 1}
                    width={(cell - 1).toFixed(1)}
                    height={ROW - 2}
                    rx="2.5"
                  >
                    <title safe>{`${name}, ${columns[column]}: ${counted(count, "QSO")}`}</title>
                  </rect>
                  {steps.isPeak(count) ? (
                    <circle
                      class="peak"
                      cx={(NAME + (column + 0.5) * cell).toFixed(1)}
                      cy={row * ROW + ROW / 2}
                      r="1.8"
                    />
                  ) : (
                    ""
                  )}
                </a>
              ),
            )}
          </g>
        ))}
        {columns.map((name, column) =>
          column % everyNth === 0 ? (
            <text x={(NAME + column * cell).toFixed(1)} y={height - 3} safe>
              {name}
            </text>
          ) : (
            ""
          ),
        )}
      </svg>
      <StepLegend of={steps} />
    </>
  );
};
