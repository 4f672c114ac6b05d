/** @jsxImportSource @kitajs/html */
import type { Cell } from "../../src/domain/awards/award.ts";
import { HomeLine, HomeMark, type Home } from "./home.tsx";
import { xOf, yOf, type Land } from "./land.ts";

const FIELDS_ACROSS = 18;
const SCALE = xOf(1) - xOf(0);
const WIDE = 20 * SCALE;
const HIGH = 10 * SCALE;
const SQUARE = /^([A-R])([A-R])(\d)(\d)$/;
const A = "A".charCodeAt(0);
const MARGIN = WIDE;

interface Props {
  cells: ReadonlyMap<string, Cell>;
  land: Land;
  home: Home | null;
  toLog(square: string): string;
}

/** Worked squares on a world map: filled if confirmed, hollow if only worked. */
export const GridMap = ({ cells, land, home, toLog }: Props) => {
  const squares = [...cells].flatMap(([name, cell]) => {
    const place = findCorner(name);
    return place ? [{ name, cell, ...place }] : [];
  });
  if (squares.length === 0) return "";
  const fields = squares.map(({ x, y }) => [Math.floor(x / WIDE), Math.floor(y / HIGH)] as const);
  const left = Math.max(0, Math.min(...fields.map(([column]) => column)) * WIDE - MARGIN);
  const top = Math.max(0, Math.min(...fields.map(([, row]) => row)) * HIGH - MARGIN / 2);
  const right = Math.min(FIELDS_ACROSS * WIDE, (Math.max(...fields.map(([column]) => column)) + 1) * WIDE + MARGIN);
  const bottom = Math.min(FIELDS_ACROSS * HIGH, (Math.max(...fields.map(([, row]) => row)) + 1) * HIGH + MARGIN / 2);
  const title = `Map of ${squares.length} grid squares worked`;
  const isWide = right - left > xOf(180) / 2;
  return (
    <>
      {isWide && home ? <HomeLine at={(xOf(home.lon) - left) / (right - left)} /> : ""}
      <svg
        class={["chart", isWide && "wide-map"]}
        viewBox={`${left} ${top} ${right - left} ${bottom - top}`}
        role="group"
        aria-label={title}
      >
        <path class="land" d={land} />
        {listSteps(left, right, WIDE).map((x) => (
          <line class="axis" x1={x} x2={x} y1={top} y2={bottom} />
        ))}
        {listSteps(top, bottom, HIGH).map((y) => (
          <line class="axis" x1={left} x2={right} y1={y} y2={y} />
        ))}
        {listSteps(left, right - 1, WIDE).flatMap((x) =>
          listSteps(top, bottom - 1, HIGH).map((y) => (
            <text class="field-name" x={x + WIDE / 2} y={y + HIGH / 2 + 3} text-anchor="middle" safe>
              {String.fromCharCode(A + x / WIDE, A + FIELDS_ACROSS - 1 - y / HIGH)}
            </text>
          )),
        )}
        {squares.map(({ name, cell, x, y }) => (
          <a href={toLog(name)}>
            <rect class={`square-${cell}`} x={x + 0.4} y={y + 0.4} width={2 * SCALE - 0.8} height={SCALE - 0.8}>
              <title safe>{`${name}: ${cell}`}</title>
            </rect>
          </a>
        ))}
        {home ? <HomeMark x={xOf(home.lon)} y={yOf(home.lat)} /> : ""}
      </svg>
    </>
  );
};

const listSteps = (from: number, to: number, step: number): number[] => {
  const steps: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) steps.push(at);
  return steps;
};

/** The upper left corner of a square; north is up. */
const findCorner = (name: string): { x: number; y: number } | null => {
  const [, fieldX, fieldY, x, y] = SQUARE.exec(name) ?? [];
  if (fieldX === undefined) return null;
  const east = (fieldX.charCodeAt(0) - A) * 10 + Number(x);
  const north = (fieldY!.charCodeAt(0) - A) * 10 + Number(y);
  return { x: east * 2 * SCALE, y: (FIELDS_ACROSS * 10 - 1 - north) * SCALE };
};
