/** @jsxImportSource @kitajs/html */
import type { Cell } from "../../src/domain/awards/award.ts";

/** One tile per state, roughly in its place. */
const TILES = [
  "AK . . . . . . . . . ME",
  ". . . . . WI . . . VT NH",
  "WA ID MT ND MN IL MI . NY MA .",
  "OR NV WY SD IA IN OH PA NJ CT RI",
  "CA UT CO NE MO KY WV VA MD DE .",
  ". AZ NM KS AR TN NC SC . . .",
  ". . . OK LA MS AL GA . . .",
  "HI . . TX . . . . FL . .",
].flatMap((row, y) => row.split(" ").map((state, x) => ({ state, x, y })));

const TILE = 40;
const SIGNS = { confirmed: "✓", worked: "", needed: "·" };

interface Props {
  id: string;
  title: string;
  cells: ReadonlyMap<string, Cell>;
}

/** The states with their status: tick, hatch or dot; the colour repeats it. */
export const StatesMap = ({ id, title, cells }: Props) => (
  <svg
    class="chart states"
    viewBox={`0 0 ${11 * TILE} ${8 * TILE}`}
    role="img"
    tabindex="0"
    aria-label={title}
    data-table={`${id}-table`}
  >
    {TILES.filter(({ state }) => state !== ".").map(({ state, x, y }) => {
      const cell = cells.get(state) ?? "needed";
      return (
        <g class={`tile-${cell}`} data-key={state}>
          <rect x={x * TILE + 1} y={y * TILE + 1} width={TILE - 2} height={TILE - 2} rx="3" />
          {cell === "worked" && (
            <rect class="worked" x={x * TILE + 5} y={y * TILE + 25} width={TILE - 10} height="9" rx="2" />
          )}
          <text class="tile-name" x={x * TILE + TILE / 2} y={y * TILE + 18} text-anchor="middle" safe>
            {state}
          </text>
          <text x={x * TILE + TILE / 2} y={y * TILE + 33} text-anchor="middle" safe>
            {SIGNS[cell]}
          </text>
        </g>
      );
    })}
  </svg>
);
