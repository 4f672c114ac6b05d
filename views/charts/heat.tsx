/** @jsxImportSource @kitajs/html */
import type { CountsFigure } from "../../src/domain/statistics/log-figures.ts";
import { counted } from "../words.ts";

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

/** A heat map: the more contacts, the darker the cell. Each cell links to its contacts. */
export const Heat = ({ title, columns, rows, everyNth, toLog }: Props) => {
  const most = findMax({ columns, rows });
  const cell = (WIDTH - NAME) / Math.max(1, columns.length);
  const height = rows.length * ROW + FOOT;
  return (
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
                  class="share"
                  x={(NAME + column * cell).toFixed(1)}
                  y={row * ROW + 1}
                  width={(cell - 1).toFixed(1)}
                  height={ROW - 2}
                  opacity={(0.15 + 0.85 * Math.sqrt(count / most)).toFixed(2)}
                >
                  <title safe>{`${name}, ${columns[column]}: ${counted(count, "QSO")}`}</title>
                </rect>
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
  );
};
