/** @jsxImportSource @kitajs/html */
import { Caption } from "../partials/table.tsx";
import type { CountsFigure } from "../../src/domain/statistics/log-figures.ts";
import { createRankSteps, MAX_STEPS, type RankSteps } from "../../src/domain/statistics/rank-steps.ts";
import { TEXTS } from "../texts/shared.ts";
import { grouped } from "../words.ts";

const NAME = 52;
const ROW = 18;
const FOOT = 18;
const GAP = 2;
const PHONE_WIDTH = 340;
const LABEL_WIDTH = 34;
/** More columns do not fit on a phone. */
const MAX_PHONE_COLUMNS = 26;
const PHONE_WEEKS = 17;

interface HeatProps extends CountsFigure {
  /** The id of the chart, by which its table is found. */
  id: string;
  title: string;
  /** The width of the drawing on a wide screen. */
  width: number;
  /** The column of the present hour, with its part that has passed. */
  now?: number;
  /** Cells that have not been yet: those behind this column in the first row. */
  future?: number;
}

export const createSteps = ({ rows }: CountsFigure): RankSteps => createRankSteps(rows.flatMap(({ counts }) => counts));

/**
 * A heat map by rank: the more contacts, the stronger the cell. A phone gets a drawing of its own with the latest
 * columns.
 */
export const Heat = ({ future, ...props }: HeatProps) => {
  const { columns } = props;
  const shown = listPhoneColumns(columns, future);
  const from = columns.indexOf(shown[0]!);
  return (
    <>
      <Drawing {...props} future={future} from={0} to={columns.length} look="wide-only" />
      <Drawing {...props} future={future} width={PHONE_WIDTH} from={from} to={from + shown.length} look="phone-only" />
    </>
  );
};

/** The columns of a phone's drawing: the latest ones up to now. */
export const listPhoneColumns = (columns: readonly string[], future?: number): readonly string[] => {
  const room = columns.length > MAX_PHONE_COLUMNS ? PHONE_WEEKS : MAX_PHONE_COLUMNS;
  const end = Math.max(room, (future ?? columns.length) + 1);
  return columns.slice(0, end).slice(-room);
};

type DrawingProps = Omit<HeatProps, "future"> & { future: number | undefined; from: number; to: number; look: string };

const Drawing = ({ id, title, columns, rows, width: room, now, future, from, to, look }: DrawingProps) => {
  const steps = createSteps({ columns, rows });
  const shown = columns.slice(from, to);
  const cell = Math.floor((room - NAME) / Math.max(1, shown.length));
  const width = NAME + cell * shown.length;
  const everyNth = Math.ceil(LABEL_WIDTH / cell);
  const paths = Array.from({ length: MAX_STEPS + 2 }, () => new CellPath(cell - GAP, ROW - GAP));
  const peaks = new CellPath(0, 0);
  rows.forEach(({ counts }, row) => {
    for (let column = from; column < to; column += 1) {
      const count = counts[column]!;
      const isAhead = row === 0 && future !== undefined && column > future && count === 0;
      const [x, y] = [NAME + (column - from) * cell, row * ROW];
      paths[isAhead ? MAX_STEPS + 1 : steps.stepOf(count)]!.add(x + GAP / 2, y + GAP / 2);
      if (steps.isPeak(count)) peaks.add(x + (cell >> 1), y + ROW / 2);
    }
  });
  const height = rows.length * ROW + FOOT;
  const needle = now === undefined ? null : Math.round(NAME + (now - from) * cell);
  return (
    <svg
      class={["chart", "heat", look]}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      tabindex="0"
      aria-label={title}
      data-table={`${id}-table`}
      data-grid={`${NAME} ${cell} ${ROW} ${from} ${shown.length}`}
    >
      {paths.map(({ drawn }, step) =>
        drawn === "" ? "" : <path class={step > MAX_STEPS ? "future" : `s${step}`} d={drawn} />,
      )}
      {peaks.drawn !== "" && <path class="peaks" d={peaks.drawn} />}
      {rows.map(({ name }, row) => (
        <text x={NAME - 7} y={row * ROW + 13} text-anchor="end" safe>
          {name}
        </text>
      ))}
      {shown.map((name, column) =>
        column % everyNth === 0 ? (
          <text x={NAME + (column + 0.5) * cell} y={height - 4} text-anchor="middle" safe>
            {name}
          </text>
        ) : (
          ""
        ),
      )}
      {needle !== null && <line class="now" x1={needle} x2={needle} y1="0" y2={height - FOOT} />}
    </svg>
  );
};

/** Cells in one path. Each begins relative to the one before, because repeated steps compress well. */
class CellPath {
  drawn = "";
  #x = 0;
  #y = 0;
  readonly #cell: string;

  constructor(width: number, height: number) {
    this.#cell = width === 0 ? "h0" : `h${width}v${height}h-${width}z`;
  }

  add(x: number, y: number): void {
    this.drawn += `m${x - this.#x} ${y - this.#y}${this.#cell}`;
    [this.#x, this.#y] = [x, y];
  }
}

interface CountsTableProps extends CountsFigure {
  caption: string;
  /** What the rows are, and what a column is: the head of each is read with it. */
  names: readonly [row: string, column: string];
  /** The path of the cell's contacts. */
  toLog(row: string, column: string): string;
}

/** The numbers of a heat map. Each links to its contacts. */
export const CountsTable = ({ caption, columns, rows, names: [row, column], toLog }: CountsTableProps) => (
  <table class="counts" data-unit={TEXTS.charts.qsos}>
    <Caption words={caption} />
    <thead>
      <tr>
        <th scope="col" safe>
          {row}
        </th>
        {columns.map((name) => (
          <th scope="col" class="num">
            <span class="hidden" safe>{`${column} `}</span>
            <span safe>{name}</span>
          </th>
        ))}
        <th scope="col" class="num">
          {TEXTS.charts.sum}
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, counts }) => (
        <tr>
          <th scope="row" safe>
            {name}
          </th>
          {counts.map((count, at) => (
            <td class="num">
              {count === 0 ? "0" : <a href={toLog(name, columns[at]!)}>{grouped(count) as "safe"}</a>}
            </td>
          ))}
          <td class="num" safe>
            {grouped(counts.reduce((sum, count) => sum + count, 0))}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
