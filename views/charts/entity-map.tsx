/** @jsxImportSource @kitajs/html */
import type { Cell } from "../../src/domain/awards/award.ts";
import type { EntityPlace } from "../../src/domain/radio/call-facts.ts";
import type { Place } from "../../src/domain/radio/maidenhead.ts";
import { AWARD_TEXTS } from "../texts/awards.ts";
import { grouped } from "../words.ts";
import type { MapDrawing } from "./areas.ts";
import { Legend } from "./legend.tsx";

export type State = Cell | "needed";

/** In drawing order: what is worked stays visible, marks are above areas. */
const STATES = ["needed", "confirmed", "worked"] as const;

interface Props {
  id: string;
  title: string;
  map: MapDrawing;
  cells: ReadonlyMap<string, Cell>;
  places: readonly EntityPlace[];
  home: Place | null;
}

export const stateOf = (cells: ReadonlyMap<string, Cell>, { dxcc }: EntityPlace): State =>
  cells.get(String(dxcc)) ?? "needed";

/**
 * Draws the outline of each entity, or a mark if it is too small. The shape of the mark and the hatch show the state; the
 * colour repeats it.
 */
export const EntityMap = ({ id, title, map, cells, places, home }: Props) => {
  const byState = Map.groupBy(places, (place) => stateOf(cells, place));
  const at = home && map.locate(home);
  return (
    <svg
      class="chart map"
      viewBox={`0 0 ${map.width} ${map.height}`}
      role="img"
      tabindex="0"
      aria-label={title}
      data-table={`${id}-table`}
    >
      <rect class="sea" width={map.width} height={map.height} />
      <path class="grat" d={map.lines} />
      <path class="land" d={map.land} />
      {(["area", "spot"] as const).map((kind) =>
        STATES.map((state) => (
          <g class={`${kind}-${state}`}>
            {(byState.get(state) ?? []).map((place) => {
              const drawn = kind === "area" ? map.areas.get(place.dxcc) : markFor(map, place, state);
              return drawn ? <path data-key={String(place.dxcc)} d={drawn} /> : "";
            })}
          </g>
        )),
      )}
      {at !== null && <circle class="home" cx={at[0]} cy={at[1]} r="6" />}
    </svg>
  );
};

const markFor = ({ areas, locate }: MapDrawing, place: EntityPlace, state: State): string | null => {
  const at = areas.has(place.dxcc) ? null : locate(place);
  return at && markAt(state, ...at);
};

/** A dot, a diamond or a ring. */
const markAt = (state: State, x: number, y: number): string =>
  state === "worked" ? `M${x - 6} ${y}l6-6 6 6-6 6z` : `M${x - 4} ${y}a4 4 0 0 0 8 0 4 4 0 0 0-8 0`;

/** The states with their marks and numbers. */
export const EntityLegend = ({ cells, places }: Pick<Props, "cells" | "places">) => (
  <Legend
    entries={(["confirmed", "worked", "needed"] as const).map((state) => [
      <svg class="chart legend-map" viewBox="0 0 34 16" aria-hidden="true">
        <g class={`area-${state}`}>
          <path d="M1 2h16v12h-16z" />
        </g>
        <g class={`spot-${state}`}>
          <path d={markAt(state, 26, 8)} />
        </g>
      </svg>,
      `${AWARD_TEXTS.maps[state]} ${grouped(places.filter((place) => stateOf(cells, place) === state).length)}`,
    ])}
  />
);
