/** @jsxImportSource @kitajs/html */
import type { Cell } from "../../src/domain/awards/award.ts";
import type { EntityPlace } from "../../src/domain/radio/call-facts.ts";
import { grouped } from "../words.ts";
import type { Areas } from "./areas.ts";
import { HomeLine, HomeMark, type Home } from "./home.tsx";
import { xOf, yOf } from "./land.ts";

type State = Cell | "needed";

/** In drawing order, so that needed entities stay visible. */
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
  areas: Areas;
  places: readonly EntityPlace[];
  home: Home | null;
  /** The path of the entity's contacts. */
  toLog(dxcc: number): string;
}

/**
 * Draws the outline of each entity, or a mark if it is too small. The shape of the mark shows the state; the colour
 * repeats it.
 */
export const EntityMap = ({ cells, areas, places, home, toLog }: Props) => {
  const byState = Map.groupBy(places, ({ dxcc }): State => cells.get(String(dxcc)) ?? "needed");
  const count = (state: State) => grouped(byState.get(state)?.length ?? 0);
  const title = `Map of entities: ${STATES.map((state) => `${count(state)} ${WORDS[state]}`).join("; ")}`;
  return (
    <>
      {home === null ? "" : <HomeLine at={xOf(home.lon) / xOf(180)} />}
      <svg
        class="chart wide-map entity-map"
        viewBox={`0 ${TOP} ${xOf(180)} ${yOf(-90) - TOP + MARGIN}`}
        role="group"
        aria-label={title}
      >
        {STATES.map((state) => (
          <g class={`place-${state}`}>
            {(byState.get(state) ?? []).map((place) => (
              <Place place={place} state={state} area={areas.get(place.dxcc)} to={toLog(place.dxcc)} />
            ))}
          </g>
        ))}
        {home === null ? "" : <HomeMark x={xOf(home.lon)} y={yOf(home.lat)} />}
      </svg>
    </>
  );
};

interface PlaceProps {
  place: EntityPlace;
  state: State;
  area: string | undefined;
  to: string;
}

const Place = ({ place: { name, lat, lon }, state, area, to }: PlaceProps) => {
  const drawn = area ?? markAt(state, Math.round(xOf(lon)), Math.round(yOf(lat)));
  const shape = (
    <path class={area ? "area" : undefined} d={drawn}>
      <title safe>{`${name}: ${WORDS[state]}`}</title>
    </path>
  );
  return state === "needed" ? shape : <a href={to}>{shape as "safe"}</a>;
};

/** A disc, a hollow diamond or a cross. */
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
