/** @jsxImportSource @kitajs/html */
import { grouped } from "../words.ts";
import type { Bar } from "./bars.tsx";
import { DASHBOARD_TEXTS } from "../texts/dashboard.ts";

const WORDS = DASHBOARD_TEXTS.charts;

const HEIGHT = 170;
const FOOT = 18;
/** The width of a digit in the large letters of a phone. */
const DIGIT = 10;
const RIGHT = 22;
const WIDTH = 460;
const NAME_NEEDS = 52;

/** Columns over time with the confirmed part at the bottom. */
export const Columns = ({ title, bars }: { title: string; bars: readonly Bar[] }) => {
  const top = roundUp(Math.max(1, ...bars.map(({ total }) => total)));
  const left = DIGIT * (grouped(top).length + 1);
  const step = (WIDTH - left - RIGHT) / Math.max(1, bars.length);
  const high = (count: number) => Math.round((10 * (HEIGHT - FOOT - 10) * count) / top) / 10;
  const ground = HEIGHT - FOOT;
  const everyNth = Math.ceil(NAME_NEEDS / step);
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
      <title safe>{title}</title>
      {[0, 0.5, 1].map((part) => (
        <g>
          <line class="axis" x1={left} x2={WIDTH} y1={ground - high(part * top)} y2={ground - high(part * top)} />
          <text x={left - 6} y={ground - high(part * top) + 4} text-anchor="end" safe>
            {grouped(Math.round(part * top))}
          </text>
        </g>
      ))}
      {bars.map(({ name, total, confirmed }, index) => {
        const x = left + index * step + step * 0.12;
        const width = step * 0.76;
        return (
          <g>
            <title safe>{WORDS.column(name, total, confirmed)}</title>
            <rect class="worked" x={x} y={ground - high(total)} width={width} height={high(total)} />
            <rect class="confirmed" x={x} y={ground - high(confirmed)} width={width} height={high(confirmed)} />
            {(bars.length - 1 - index) % everyNth === 0 && (
              <text x={x + width / 2} y={HEIGHT - 4} text-anchor="middle" safe>
                {name}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
};

/** Rounds up to a number that reads well at the top and middle of the axis. */
const roundUp = (count: number): number => {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)));
  return ([1, 2, 4, 6, 8, 10].find((times) => times * unit >= count) ?? 10) * unit;
};
