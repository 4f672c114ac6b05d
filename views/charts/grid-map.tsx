/** @jsxImportSource @kitajs/html */
import type { Cell } from "../../src/domain/awards/award.ts";
import type { Place } from "../../src/domain/radio/maidenhead.ts";
import { xOf, yOf, type Land } from "./land.ts";

const FIELDS_ACROSS = 18;
const SCALE = xOf(1) - xOf(0);
const WIDE = 20 * SCALE;
const HIGH = 10 * SCALE;
const SQUARE = /^([A-R])([A-R])(\d)(\d)$/;
const A = "A".charCodeAt(0);
const WIDTH = 1_140;
const SHOWN_SHARE = 0.9;

interface Corner {
  name: string;
  cell: Cell;
  x: number;
  y: number;
}

/** The squares and the part of the world that is shown: whole fields that hold most of the squares. */
export const frameSquares = (cells: ReadonlyMap<string, Cell>) => {
  const squares = [...cells].flatMap(([name, cell]): Corner[] => {
    const place = findCorner(name);
    return place ? [{ name, cell, ...place }] : [];
  });
  const [middleX, middleY] = [middleOf(squares.map(({ x }) => x)), middleOf(squares.map(({ y }) => y))];
  const near = squares
    .toSorted((a, b) => Math.hypot(a.x - middleX, a.y - middleY) - Math.hypot(b.x - middleX, b.y - middleY))
    .slice(0, Math.ceil(squares.length * SHOWN_SHARE));
  const left = Math.floor(Math.min(...near.map(({ x }) => x)) / WIDE) * WIDE;
  const top = Math.floor(Math.min(...near.map(({ y }) => y)) / HIGH) * HIGH;
  const right = Math.ceil((Math.max(...near.map(({ x }) => x)) + 1) / WIDE) * WIDE;
  const bottom = Math.ceil((Math.max(...near.map(({ y }) => y)) + 1) / HIGH) * HIGH;
  const zoom = WIDTH / (right - left);
  const shown = squares.filter(({ x, y }) => x >= left && x < right && y >= top && y < bottom);
  return { shown, hidden: squares.length - shown.length, left, top, right, bottom, zoom };
};

const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export type Frame = ReturnType<typeof frameSquares>;

/** The middle of a square in the drawing. */
export const placeInFrame = ({ left, top, zoom }: Frame, { x, y }: Corner): string =>
  `${Math.round((x + SCALE - left) * zoom)} ${Math.round((y + SCALE / 2 - top) * zoom)}`;

interface Props {
  id: string;
  title: string;
  frame: Frame;
  land: Land;
  home: Place | null;
}

/** Worked squares on a map: filled if confirmed, hollow if only worked. */
export const GridMap = ({ id, title, frame, land, home }: Props) => {
  const { shown, left, top, right, bottom, zoom } = frame;
  const outline = (state: Cell) =>
    shown
      .filter(({ cell }) => cell === state)
      .map(
        ({ x, y }) =>
          `M${(x + 0.4).toFixed(1)} ${(y + 0.4).toFixed(1)}h${2 * SCALE - 0.8}v${SCALE - 0.8}h-${2 * SCALE - 0.8}z`,
      )
      .join("");
  const columns = listSteps(left, right, WIDE);
  const rows = listSteps(top, bottom, HIGH);
  const lines = [...columns.map((x) => `M${x} ${top}V${bottom}`), ...rows.map((y) => `M${left} ${y}H${right}`)].join(
    "",
  );
  const place = (x: number, y: number) => ({ x: Math.round((x - left) * zoom), y: Math.round((y - top) * zoom) });
  const at = home && place(xOf(home.lon), yOf(home.lat));
  return (
    <svg
      class="chart map grid-map"
      viewBox={`0 0 ${WIDTH} ${Math.round((bottom - top) * zoom)}`}
      role="img"
      tabindex="0"
      aria-label={title}
      data-table={`${id}-table`}
    >
      <rect class="sea" width="100%" height="100%" />
      <g transform={`scale(${zoom.toFixed(4)}) translate(${-left} ${-top})`}>
        <path class="land" d={land} />
        <path class="axis" d={lines} />
        <path class="square-worked" d={outline("worked")} />
        <path class="square-confirmed" d={outline("confirmed")} />
      </g>
      {columns.slice(0, -1).flatMap((x) =>
        rows.slice(0, -1).map((y) => {
          const corner = place(x, y);
          return (
            <text class="field-name" x={corner.x + 4} y={corner.y + 12} safe>
              {String.fromCharCode(A + x / WIDE, A + FIELDS_ACROSS - 1 - y / HIGH)}
            </text>
          );
        }),
      )}
      {at !== null && <circle class="home" cx={at.x} cy={at.y} r="5" />}
    </svg>
  );
};

const listSteps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, at) => from + at * step);

/** The upper left corner of a square; north is up. */
const findCorner = (name: string): { x: number; y: number } | null => {
  const [, fieldX, fieldY, x, y] = SQUARE.exec(name) ?? [];
  if (fieldX === undefined) return null;
  const east = (fieldX.charCodeAt(0) - A) * 10 + Number(x);
  const north = (fieldY!.charCodeAt(0) - A) * 10 + Number(y);
  return { x: east * 2 * SCALE, y: (FIELDS_ACROSS * 10 - 1 - north) * SCALE };
};
