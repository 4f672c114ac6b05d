import { ORIGINS } from "../contact/layers.ts";
import { GRID } from "../contact/field-texts.ts";
import type { QsoView } from "../contact/qso-view.ts";

/** A point on the earth in degrees, north and east positive. */
export interface Place {
  lat: number;
  lon: number;
}

/** A Maidenhead square: its south-west corner and its size in degrees. */
export interface Grid {
  south: number;
  west: number;
  height: number;
  width: number;
}

// Divisions of each pair: field, square, subsquare, extended square, extended subsquare.
const DIVISIONS = [18, 10, 24, 10, 24] as const;
const EARTH_RADIUS_KM = 6371.0088;

export function parseGrid(text: string): Grid | null {
  const letters = text.trim().toUpperCase();
  if (!GRID.test(letters)) return null;
  let [west, south, width, height] = [-180, -90, 360, 180];
  for (let pair = 0; pair * 2 < letters.length; pair++) {
    width /= DIVISIONS[pair]!;
    height /= DIVISIONS[pair]!;
    west += ordinal(letters[pair * 2]!) * width;
    south += ordinal(letters[pair * 2 + 1]!) * height;
  }
  return { south, west, height, width };
}

export function computeGridCentre(text: string): Place | null {
  const grid = parseGrid(text);
  return grid && { lat: grid.south + grid.height / 2, lon: grid.west + grid.width / 2 };
}

/** The square that contains a place, with 2 to 10 characters. Null for impossible coordinates. */
export function toGrid({ lat, lon }: Place, length: 2 | 4 | 6 | 8 | 10 = 6): string | null {
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return null;
  // Counts in units of the smallest division, so that rounding never moves a corner into the next square. The pole
  // belongs to the last row, the date line to the first column.
  const pairs = DIVISIONS.slice(0, length / 2);
  const units = pairs.reduce((product, division) => product * division, 1);
  const unit = (share: number) => Math.min(Math.floor(share * units + 1e-6), units - 1);
  let x = unit(lon === 180 ? 0 : (lon + 180) / 360);
  let y = unit((lat + 90) / 180);
  let locator = "";
  for (const [index, division] of [...pairs.entries()].reverse()) {
    locator = character(x % division, index) + character(y % division, index) + locator;
    x = Math.floor(x / division);
    y = Math.floor(y / division);
  }
  return asWritten(locator);
}

/** Along the great circle. */
export function computeDistanceKm(from: Place, to: Place): number {
  const [phi1, phi2] = [toRadians(from.lat), toRadians(to.lat)];
  const haversine =
    Math.sin((phi2 - phi1) / 2) ** 2 +
    Math.cos(phi1) * Math.cos(phi2) * Math.sin(toRadians(to.lon - from.lon) / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/** The antenna direction in degrees clockwise from north, 0 ≤ degrees < 360. */
export function computeBearing(from: Place, to: Place): number {
  const [phi1, phi2] = [toRadians(from.lat), toRadians(to.lat)];
  const east = toRadians(to.lon - from.lon);
  const y = Math.sin(east) * Math.cos(phi2);
  const x = Math.cos(phi1) * Math.sin(phi2) - Math.sin(phi1) * Math.cos(phi2) * Math.cos(east);
  return ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360;
}

/** Distance and direction to the partner, if the log has both squares. */
export function computeWay({ gridsquare, ...view }: QsoView): { km: number; degrees: number } | null {
  const mine = ORIGINS.map((origin) => view[origin]?.details?.MY_GRIDSQUARE).find((grid) => grid !== undefined);
  const from = computeGridCentre(mine ?? "");
  const to = computeGridCentre(gridsquare ?? "");
  return (
    from && to && { km: Math.round(computeDistanceKm(from, to)), degrees: Math.round(computeBearing(from, to)) % 360 }
  );
}

function ordinal(character: string): number {
  return character <= "9" ? Number(character) : character.charCodeAt(0) - 65;
}

function character(ordinal: number, pair: number): string {
  return pair % 2 === 1 ? String(ordinal) : String.fromCharCode(65 + ordinal);
}

function asWritten(letters: string): string {
  return letters.slice(0, 4) + letters.slice(4).toLowerCase();
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
