/** @jsxImportSource @kitajs/html */
import type { EntityPlace } from "../../src/domain/radio/call-facts.ts";
import { computeBearing, computeDistanceKm, type Place } from "../../src/domain/radio/maidenhead.ts";
import { counted, grouped } from "../words.ts";

const RADIUS = 250;
const HALF_ROUND_KM = 20_015;
const RINGS = [5_000, 10_000, 15_000];

export interface WorkedPlace extends EntityPlace {
  total: number;
  confirmed: number;
}

interface Props {
  home: Place;
  /** The land in a projection around home. */
  land: string;
  places: readonly WorkedPlace[];
  toLog(dxcc: number): string;
}

/** A great-circle map: directions and distances from home are true. */
export const GreatCircles = ({ home, land, places, toLog }: Props) => {
  const title = `${counted(places.length, "entity", "entities")} by direction and distance`;
  return (
    <svg
      class="chart great-circles"
      viewBox={`${-RADIUS - 4} ${-RADIUS - 4} ${2 * RADIUS + 8} ${2 * RADIUS + 8}`}
      role="group"
      aria-label={title}
    >
      <circle class="sea" r={RADIUS} />
      <path class="land" d={land} />
      {RINGS.map((km) => (
        <circle class="ring" r={Math.round((km / HALF_ROUND_KM) * RADIUS)} />
      ))}
      {places.map(({ dxcc, name, lat, lon, total, confirmed }) => {
        const km = computeDistanceKm(home, { lat, lon });
        const angle = (computeBearing(home, { lat, lon }) * Math.PI) / 180;
        const away = (km / HALF_ROUND_KM) * RADIUS;
        const [x, y] = [Math.round(Math.sin(angle) * away), Math.round(-Math.cos(angle) * away)];
        return (
          <a href={toLog(dxcc)}>
            <g class={confirmed > 0 ? "way-confirmed" : "way-worked"}>
              <title
                safe
              >{`${name}: ${counted(total, "QSO")}, ${grouped(confirmed)} confirmed, ${grouped(Math.round(km))} km`}</title>
              <path d={`M0 0L${x} ${y}`} />
              <circle cx={x} cy={y} r="3" />
            </g>
          </a>
        );
      })}
      <circle class="home" r="4" />
    </svg>
  );
};
