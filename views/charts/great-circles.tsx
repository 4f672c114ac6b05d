/** @jsxImportSource @kitajs/html */
import { Table } from "../partials/table.tsx";
import type { EntityPlace } from "../../src/domain/radio/call-facts.ts";
import { computeBearing, computeDistanceKm, type Place } from "../../src/domain/radio/maidenhead.ts";
import { TEXTS } from "../texts/shared.ts";
import { grouped } from "../words.ts";

const RADIUS = 250;
const HALF_ROUND_KM = 20_015;
const RINGS = [5_000, 10_000, 15_000];
const LABELLED = 5;

export interface WorkedPlace extends EntityPlace {
  total: number;
  confirmed: number;
}

interface Props {
  id: string;
  title: string;
  home: Place;
  /** The land in a projection around home. */
  land: string;
  places: readonly WorkedPlace[];
}

/** Where a place is on the map, and how far away. */
const locate = (home: Place, { lat, lon }: Place) => {
  const km = computeDistanceKm(home, { lat, lon });
  const angle = (computeBearing(home, { lat, lon }) * Math.PI) / 180;
  const away = (km / HALF_ROUND_KM) * RADIUS;
  return { km: Math.round(km), x: Math.round(Math.sin(angle) * away), y: Math.round(-Math.cos(angle) * away) };
};

const byDistance = (home: Place, places: readonly WorkedPlace[]) =>
  places.map((place) => ({ ...place, ...locate(home, place) })).sort((a, b) => b.km - a.km);

/** A great-circle map: directions and distances from home are true. The farthest entities have their names. */
export const GreatCircles = ({ id, title, home, land, places }: Props) => {
  const located = byDistance(home, places);
  const states = [
    ["worked", located.filter(({ confirmed }) => confirmed === 0)],
    ["confirmed", located.filter(({ confirmed }) => confirmed > 0)],
  ] as const;
  return (
    <svg
      class="chart great-circles"
      viewBox={`${-RADIUS - 4} ${-RADIUS - 4} ${2 * RADIUS + 8} ${2 * RADIUS + 8}`}
      role="img"
      tabindex="0"
      aria-label={title}
      data-table={`${id}-table`}
    >
      <circle class="sea" r={RADIUS} />
      <path class="land" d={land} />
      {RINGS.map((km) => (
        <circle class="ring" r={Math.round((km / HALF_ROUND_KM) * RADIUS)} />
      ))}
      {states.map(([state, group]) => (
        <g class={`way-${state}`}>
          <path class="ways" d={group.map(({ x, y }) => `M0 0L${x} ${y}`).join("")} />
          <path class="ends" d={group.map(({ x, y }) => `M${x} ${y}h0`).join("")} />
        </g>
      ))}
      {located.slice(0, LABELLED).map(({ name, x, y }) => (
        <text class="place-name" x={x + (x > 0 ? -6 : 6)} y={y + 4} text-anchor={x > 0 ? "end" : "start"} safe>
          {name}
        </text>
      ))}
      <circle class="home" r="4" />
    </svg>
  );
};

interface DistanceTableProps extends Pick<Props, "home" | "places"> {
  caption: string;
  toLog(dxcc: number): string;
}

/** The worked entities, the farthest first. */
export const DistanceTable = ({ caption, home, places, toLog }: DistanceTableProps) => (
  <Table
    caption={caption}
    rows={byDistance(home, places)}
    row={({ x, y }) => ({ "data-at": `${x} ${y}` })}
    columns={[
      {
        head: TEXTS.charts.entity,
        isName: true,
        markup: ({ dxcc, name }) => (
          <a href={toLog(dxcc)} safe>
            {name}
          </a>
        ),
      },
      { head: TEXTS.charts.km, class: "num", text: ({ km }) => grouped(km) },
      { head: TEXTS.charts.qsos, class: "num", text: ({ total }) => grouped(total) },
      { head: TEXTS.charts.confirmed, class: "num", text: ({ confirmed }) => grouped(confirmed) },
    ]}
  />
);
