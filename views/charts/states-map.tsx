/** @jsxImportSource @kitajs/html */
import type { Cell } from "../../src/domain/awards/award.ts";
import { US_STATES } from "../../src/domain/radio/us-states.ts";

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
const WORDS = { confirmed: "confirmed", worked: "worked, not confirmed", needed: "not worked" };
const LETTERS = { confirmed: "C", worked: "W", needed: "·" };

interface Props {
  cells: ReadonlyMap<string, Cell>;
  toLog(state: string): string;
}

/** The states with their status: the letter shows it, the colour repeats it. */
export const StatesMap = ({ cells, toLog }: Props) => {
  const confirmed = [...cells.values()].filter((cell) => cell === "confirmed").length;
  const title = `Map of states: ${cells.size} worked, ${confirmed} confirmed`;
  return (
    <svg class="chart states" viewBox={`0 0 ${11 * TILE} ${8 * TILE}`} role="group" aria-label={title}>
      {TILES.filter(({ state }) => state !== ".").map(({ state, x, y }) => {
        const cell = cells.get(state) ?? "needed";
        const tile = (
          <g class={`tile-${cell}`}>
            <title safe>{`${US_STATES.get(state)}: ${WORDS[cell]}`}</title>
            <rect x={x * TILE + 1} y={y * TILE + 1} width={TILE - 2} height={TILE - 2} rx="3" />
            <text class="tile-name" x={x * TILE + TILE / 2} y={y * TILE + 18} text-anchor="middle" safe>
              {state}
            </text>
            <text x={x * TILE + TILE / 2} y={y * TILE + 33} text-anchor="middle" safe>
              {LETTERS[cell]}
            </text>
          </g>
        );
        return cell === "needed" ? tile : <a href={toLog(state)}>{tile as "safe"}</a>;
      })}
    </svg>
  );
};
