/** @jsxImportSource @kitajs/html */
import { Table } from "../partials/table.tsx";
import { TEXTS } from "../texts/shared.ts";
import { grouped, percent } from "../words.ts";

export interface Bar {
  name: string;
  total: number;
  confirmed: number;
}

const ROW = 18;
const NAME = 62;
const WIDTH = 560;
const PHONE_WIDTH = 340;
const VALUE = 90;
const TICK = 4;

interface BarsProps {
  title: string;
  bars: readonly Bar[];
  /** The id of the chart's table, if it has one: the chart then takes the keyboard. */
  table?: string;
}

/** Horizontal bars: the confirmed part solid, the rest hatched, with the numbers as text. */
export const Bars = (props: BarsProps) => (
  <>
    <Drawing {...props} width={WIDTH} look="wide-only" />
    <Drawing {...props} width={PHONE_WIDTH} look="phone-only" />
  </>
);

const Drawing = ({ title, bars, table, width, look }: BarsProps & { width: number; look: string }) => {
  const most = Math.max(1, ...bars.map(({ total }) => total));
  const room = width - NAME - VALUE;
  const long = (count: number) => Math.round((10 * room * count) / most) / 10;
  return (
    <svg
      class={["chart", "bars", look]}
      viewBox={`0 0 ${width} ${bars.length * ROW + 2}`}
      role="img"
      aria-label={title}
      tabindex={table === undefined ? undefined : "0"}
      data-table={table}
      data-grid={table === undefined ? undefined : `0 ${width} ${ROW} 0 1`}
    >
      {bars.map(({ name, total, confirmed }, index) => {
        const y = index * ROW;
        return (
          <>
            <rect class={`band-tick band-${name}`} x="0" y={y + 3} width={TICK} height={ROW - 6} rx="2" />
            <text x={TICK + 7} y={y + 13} safe>
              {name.slice(0, 9)}
            </text>
            {total > confirmed && (
              <rect
                class="worked"
                x={NAME + long(confirmed)}
                y={y + 3}
                width={Math.max(1, long(total) - long(confirmed))}
                height={ROW - 6}
              />
            )}
            <rect class="confirmed" x={NAME} y={y + 3} width={long(confirmed)} height={ROW - 6} rx="1.5" />
            <text class="strong" x={NAME + long(total) + 6} y={y + 13}>
              <tspan safe>{grouped(total)}</tspan> <tspan class="aside">{percent(confirmed, total) as "safe"}</tspan>
            </text>
          </>
        );
      })}
    </svg>
  );
};

interface BarTableProps extends Pick<BarsProps, "bars"> {
  caption: string;
  /** What the bars are. */
  of: string;
  toLog(name: string): string;
}

/** The numbers of the bars. */
export const BarTable = ({ caption, of, bars, toLog }: BarTableProps) => (
  <Table
    caption={caption}
    rows={bars}
    columns={[
      { head: of, isName: true, text: ({ name }) => name },
      {
        head: TEXTS.charts.qsos,
        class: "num",
        markup: ({ name, total }) => (
          <a href={toLog(name)} safe>
            {grouped(total)}
          </a>
        ),
      },
      { head: TEXTS.charts.confirmed, class: "num", text: ({ confirmed }) => grouped(confirmed) },
      { head: TEXTS.charts.share, class: "num", text: ({ confirmed, total }) => percent(confirmed, total) },
    ]}
  />
);
