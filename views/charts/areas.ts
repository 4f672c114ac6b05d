import type { GeometryCollection, Topology } from "topojson-specification";
import { ENTITIES } from "../../src/domain/radio/entity.ts";
import { xOf, yOf } from "./land.ts";
import { Pen } from "./pen.ts";

/** Longitude and latitude in degrees. */
type Position = number[];

/** The outlines of entities on a world map, as SVG path data by entity number. */
export type Areas = ReadonlyMap<number, string>;

let drawn: Promise<Areas> | null = null;

/** Computed on first use and cached. */
export const loadEntityAreas = (): Promise<Areas> => (drawn ??= draw());

/** Countries with another name in the atlas. */
const OTHER_NAMES: Readonly<Record<string, number>> = {
  "W. Sahara": 302,
  "United States of America": 291,
  "Dem. Rep. Congo": 414,
  "Dominican Rep.": 72,
  Russia: 15,
  "Falkland Is.": 141,
  "Fr. S. Antarctic Lands": 131,
  "Central African Rep.": 408,
  Congo: 412,
  "Eq. Guinea": 49,
  Gambia: 422,
  Vietnam: 293,
  "Solomon Is.": 185,
  "United Kingdom": 223,
  Malaysia: 299,
  Brunei: 345,
  Czechia: 503,
  "N. Cyprus": 215,
  Somaliland: 232,
  "Bosnia and Herz.": 501,
  Macedonia: 502,
  "S. Sudan": 521,
};

/** Countries with several entities: which entity a point belongs to. */
const PARTS: Readonly<Record<string, (lon: number, lat: number) => number>> = {
  "United States of America": (lon, lat) => (lat > 50 ? 6 : lon < -150 ? 110 : 291),
  Russia: (lon) => (lon > 18 && lon < 23 ? 126 : lon > 0 && lon < EUROPE_ENDS ? 54 : 15),
  "United Kingdom": (lon) => (lon < -5.5 ? 265 : 223),
  Malaysia: (lon) => (lon > 107 ? 46 : 299),
  France: (lon) => (lon < -40 ? 63 : lon > 8 ? 214 : 227),
  Norway: (_, lat) => (lat > 74 ? 259 : 266),
  Italy: (lon, lat) => (lon < 10 && lat < 41.5 ? 225 : 248),
  Greece: (_, lat) => (lat < 36 ? 40 : 236),
};

const EUROPE_ENDS = 60;
const MAX_STEP_DEGREES = 180;

const draw = async (): Promise<Areas> => {
  const [{ feature }, { default: atlas }] = await Promise.all([
    import("topojson-client"),
    import("world-atlas/countries-110m.json"),
  ]);
  const topology = atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>;
  const numbers = new Map(ENTITIES.filter(({ deleted }) => !deleted).map(({ name, number }) => [name, number]));
  const rings = new Map<number, Position[][]>();
  for (const { geometry, properties } of feature(topology, topology.objects.countries).features) {
    const { name } = properties;
    const whole = OTHER_NAMES[name] ?? numbers.get(name);
    if (whole === undefined || (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon")) continue;
    const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    for (const outline of polygons.flatMap(([ring]) => splitRing(name, ring!))) {
      const number = PARTS[name]?.(...findMiddle(outline)) ?? whole;
      rings.set(number, [...(rings.get(number) ?? []), outline]);
    }
  }
  return new Map([...rings].map(([number, outlines]) => [number, formatOutline(outlines)]));
};

/**
 * A ring across the date line would cross the map, except the one around the pole. The mainland of Russia is two
 * entities.
 */
const splitRing = (name: string, ring: Position[]): Position[][] => {
  const crosses =
    name !== "Antarctica" && ring.some(([lon], at) => at > 0 && Math.abs(lon! - ring[at - 1]![0]!) > MAX_STEP_DEGREES);
  const whole = crosses ? ring.map(([lon, lat]) => [lon! < 0 ? lon! + 360 : lon!, lat!]) : ring;
  if (name !== "Russia") return [whole];
  return [-1, 1].map((side) => cut(whole, side)).filter(({ length }) => length > 2);
};

/** The part of a ring on one side of the meridian that divides European and Asiatic Russia. */
const cut = (ring: Position[], side: number): Position[] =>
  ring.flatMap((point, at) => {
    const next = ring[(at + 1) % ring.length]!;
    const isIn = ([lon]: Position) => (lon! - EUROPE_ENDS) * side >= 0;
    const share = (EUROPE_ENDS - point[0]!) / (next[0]! - point[0]!);
    const crossing: Position = [EUROPE_ENDS, point[1]! + share * (next[1]! - point[1]!)];
    return [...(isIn(point) ? [point] : []), ...(isIn(point) === isIn(next) ? [] : [crossing])];
  });

const findMiddle = (ring: Position[]): [lon: number, lat: number] => {
  const lons = ring.map(([lon]) => lon!);
  const lats = ring.map(([, lat]) => lat!);
  return [(Math.min(...lons) + Math.max(...lons)) / 2, (Math.min(...lats) + Math.max(...lats)) / 2];
};

const formatOutline = (rings: Position[][]): string => {
  const pen = new Pen();
  for (const ring of rings) {
    ring.forEach(([lon, lat], at) => (at === 0 ? pen.moveTo(xOf(lon!), yOf(lat!)) : pen.lineTo(xOf(lon!), yOf(lat!))));
    pen.closePath();
  }
  return pen.drawn;
};
