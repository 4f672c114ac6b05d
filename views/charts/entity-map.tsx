/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import type { Cell } from "../../src/domain/award.ts";
import type { EntityPlace } from "../../src/domain/call-facts.ts";
import { grouped } from "../words.ts";
import { xOf, yOf, type Land } from "./land.ts";

type State = Cell | "needed";

/** In the order they are drawn: what is still to be done stays in sight. */
const STATES = ["confirmed", "worked", "needed"] as const;
const WORDS: Record<State, string> = {
  confirmed: "confirmed",
  worked: "worked, not confirmed",
  needed: "not worked",
};

const TOP = yOf(86);
const MARGIN = 4;

interface Props {
  cells: ReadonlyMap<string, Cell>;
  land: Land;
  places: readonly EntityPlace[];
}

/** A mark for each entity at its place: the shape says what it is, the colour repeats it. */
export const EntityMap = ({ cells, land, places }: Props) => {
  const byState = Map.groupBy(places, ({ dxcc }): State => cells.get(String(dxcc)) ?? "needed");
  const count = (state: State) => grouped(byState.get(state)?.length ?? 0);
  const title = `Map of the entities: ${STATES.map((state) => `${count(state)} ${WORDS[state]}`).join("; ")}`;
  return (
    <svg
      class="chart entity-map"
      viewBox={`0 ${TOP} ${xOf(180)} ${yOf(-90) - TOP + MARGIN}`}
      role="img"
      aria-label={title}
    >
      <title safe>{title}</title>
      <path class="land" d={land} />
      {STATES.map((state) => (
        <g class={`place-${state}`}>
          {(byState.get(state) ?? []).map(({ name, lat, lon }) => (
            <path d={markAt(state, Math.round(xOf(lon)), Math.round(yOf(lat)))}>
              <title safe>{`${name}: ${WORDS[state]}`}</title>
            </path>
          ))}
        </g>
      ))}
    </svg>
  );
};

/** A disc, a hollow diamond, a cross. */
const markAt = (state: State, x: number, y: number): string => {
  if (state === "confirmed") return `M${x - 3} ${y}a3 3 0 0 0 6 0 3 3 0 0 0-6 0`;
  if (state === "worked") return `M${x - 4} ${y}l4-4 4 4-4 4z`;
  return `M${x - 2} ${y - 2}l4 4m0-4l-4 4`;
};

export const EntityLegend = () => (
  <p class="legend">
    {STATES.map((state) => (
      <span>
        <svg class="chart" viewBox="0 0 10 10" aria-hidden="true">
          <g class={`place-${state}`}>
            <path d={markAt(state, 5, 5)} />
          </g>
        </svg>
        <span safe>{WORDS[state]}</span>
      </span>
    ))}
  </p>
);
