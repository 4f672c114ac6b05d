/** @jsxImportSource @kitajs/html */
import { counted, grouped } from "../words.ts";

export interface Bar {
  name: string;
  total: number;
  confirmed: number;
}

const ROW = 20;
const NAME = 58;
const WIDTH = 460;
const VALUE = 60;

/** Horizontal bars with the confirmed part first, and the numbers as text. */
export const Bars = ({ title, bars }: { title: string; bars: readonly Bar[] }) => {
  const most = Math.max(1, ...bars.map(({ total }) => total));
  const room = WIDTH - NAME - VALUE;
  const long = (count: number) => Math.round((10 * room * count) / most) / 10;
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${bars.length * ROW + 2}`} role="img" aria-label={title}>
      <title safe>{title}</title>
      {bars.map(({ name, total, confirmed }, index) => {
        const y = index * ROW;
        return (
          <g>
            <title safe>{`${name}: ${counted(total, "QSO")}, ${grouped(confirmed)} confirmed`}</title>
            <text x={NAME - 8} y={y + 14} text-anchor="end" safe>
              {name.slice(0, 9)}
            </text>
            <rect class="worked" x={NAME} y={y + 3} width={Math.max(1, long(total))} height={ROW - 6} rx="1.5" />
            <rect class="confirmed" x={NAME} y={y + 3} width={long(confirmed)} height={ROW - 6} rx="1.5" />
            <text x={NAME + long(total) + 6} y={y + 14} safe>
              {grouped(total)}
            </text>
          </g>
        );
      })}
    </svg>
  );
};

export const BarLegend = () => (
  <p class="legend chart-legend">
    <span>
      <svg class="chart" viewBox="0 0 10 10" aria-hidden="true">
        <rect class="confirmed" width="10" height="10" rx="2" />
      </svg>
      confirmed
    </span>
    <span>
      <svg class="chart" viewBox="0 0 10 10" aria-hidden="true">
        <rect class="worked" width="10" height="10" rx="2" />
      </svg>
      worked, not confirmed
    </span>
  </p>
);
