import type { GeoProjection } from "d3-geo";
import type { GeometryCollection, Topology } from "topojson-specification";
import type { Place } from "../../src/domain/radio/maidenhead.ts";
import { ENTITIES } from "../../src/domain/radio/entity.ts";
import { Pen } from "./pen.ts";

/** Longitude and latitude in degrees. */
type Position = number[];
type Polygon = Position[][];

/** A map as SVG path data: all land, and the outlines of entities that are large enough. */
export interface MapDrawing {
  width: number;
  height: number;
  land: string;
  lines: string;
  areas: ReadonlyMap<number, string>;
  /** Where a place is; null outside of the map. */
  locate(place: Place): readonly [x: number, y: number] | null;
}

type Inset = "europe" | "caribbean";

const WORLD_WIDTH = 1_400;
/** The world ends where nobody lives. */
const TOP_LATITUDE = 84;
const BOTTOM_LATITUDE = -74;
/** Maps are drawn for home longitudes that are this far apart, so that few of them are kept. */
const LONGITUDE_STEP = 10;
const INSET_WIDTH = 700;
const INSET_HEIGHT = 470;
/** A smaller outline gets a mark instead. */
const MIN_SIZE = 6;

const FRAMES: Record<Inset, readonly [west: number, south: number, east: number, north: number]> = {
  europe: [-12, 34, 45, 71],
  caribbean: [-87, 9, -58, 27],
};

const drawn = new Map<string, Promise<MapDrawing>>();

const once = (name: string, draw: () => Promise<MapDrawing>): Promise<MapDrawing> => {
  const known = drawn.get(name) ?? draw();
  drawn.set(name, known);
  return known;
};

/** The world with a longitude in the middle, computed on first use. */
export const loadWorldMap = (longitude: number): Promise<MapDrawing> => {
  const middle = Math.round(longitude / LONGITUDE_STEP) * LONGITUDE_STEP;
  return once(`world ${middle}`, async () => {
    const { geoNaturalEarth1 } = await import("d3-geo");
    const projection = geoNaturalEarth1().rotate([-middle, 0]).fitWidth(WORLD_WIDTH, { type: "Sphere" });
    const y = (latitude: number) => projection([middle, latitude])![1];
    const [top, bottom] = [y(TOP_LATITUDE), y(BOTTOM_LATITUDE)];
    const [x, shift] = projection.translate();
    projection.translate([x, shift - top]).precision(0.5);
    return draw(projection, WORLD_WIDTH, Math.round(bottom - top), "110m", () => true);
  });
};

/** A part of the world where entities are small and many, computed on first use. */
export const loadInsetMap = (inset: Inset): Promise<MapDrawing> =>
  once(inset, async () => {
    const { geoConicConformal, geoMercator } = await import("d3-geo");
    const [west, south, east, north] = FRAMES[inset];
    const frame = {
      type: "MultiPoint" as const,
      coordinates: [west, (west + east) / 2, east].flatMap((lon) => [
        [lon, south],
        [lon, north],
      ]),
    };
    const projection = inset === "europe" ? geoConicConformal().parallels([40, 60]).rotate([-15, 0]) : geoMercator();
    projection.fitSize([INSET_WIDTH, INSET_HEIGHT], frame).clipExtent([
      [0, 0],
      [INSET_WIDTH, INSET_HEIGHT],
    ]);
    const isNear = (ring: Position[]) =>
      ring.some(([lon, lat]) => lon! > west - 20 && lon! < east + 20 && lat! > south - 12 && lat! < north + 12);
    return draw(projection, INSET_WIDTH, INSET_HEIGHT, "50m", isNear);
  });

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
  Åland: 5,
  "Faeroe Is.": 222,
  "Antigua and Barb.": 94,
  "St. Kitts and Nevis": 249,
  "St. Vin. and Gren.": 98,
  "U.S. Virgin Is.": 285,
  "British Virgin Is.": 65,
  "Turks and Caicos Is.": 89,
  "Cayman Is.": 69,
  Curaçao: 517,
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

const draw = async (
  projection: GeoProjection,
  width: number,
  height: number,
  scale: "110m" | "50m",
  isNear: (ring: Position[]) => boolean,
): Promise<MapDrawing> => {
  const { geoGraticule10, geoPath } = await import("d3-geo");
  const polygons = await readPolygons(scale);
  const trace = (shapes: readonly Polygon[]): Pen => {
    const pen = new Pen();
    geoPath(projection, pen)({ type: "MultiPolygon", coordinates: [...shapes] });
    return pen;
  };
  const near = polygons.filter(({ shape: [ring] }) => isNear(ring!));
  const areas = new Map<number, string>();
  for (const [number, group] of Map.groupBy(near, ({ number }) => number)) {
    if (number === null) continue;
    const pen = trace(group.map(({ shape }) => shape));
    if (pen.extent > MIN_SIZE) areas.set(number, pen.drawn);
  }
  const lines = new Pen();
  geoPath(projection, lines)(geoGraticule10());
  return {
    width,
    height,
    land: trace(near.filter(({ number }) => number === null || !areas.has(number)).map(({ shape }) => shape)).drawn,
    lines: lines.drawn,
    areas,
    locate: ({ lon, lat }) => {
      const [x, y] = projection([lon, lat]) ?? [-1, -1];
      return x >= 0 && y >= 0 && x <= width && y <= height ? [Math.round(x), Math.round(y)] : null;
    },
  };
};

/** The atlas stays text, because its coordinates as objects take ten times the memory. */
const ATLASES = {
  "110m": () => import("world-atlas/countries-110m.json", { with: { type: "text" } }),
  "50m": () => import("world-atlas/countries-50m.json", { with: { type: "text" } }),
};

/** All land in pieces that belong to one entity; null where the atlas has a name of its own. */
const readPolygons = async (scale: "110m" | "50m"): Promise<{ number: number | null; shape: Polygon }[]> => {
  const [{ feature }, { default: atlas }] = await Promise.all([import("topojson-client"), ATLASES[scale]()]);
  const topology = JSON.parse(atlas as unknown as string) as Topology<{
    countries: GeometryCollection<{ name: string }>;
  }>;
  const numbers = new Map(ENTITIES.filter(({ deleted }) => !deleted).map(({ name, number }) => [name, number]));
  return feature(topology, topology.objects.countries).features.flatMap(({ geometry, properties: { name } }) => {
    if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") return [];
    const shapes = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    const whole = OTHER_NAMES[name] ?? numbers.get(name) ?? null;
    return shapes.flatMap(([ring, ...holes]) =>
      splitRing(name, ring!).map((outline) => ({
        number: PARTS[name]?.(...findMiddle(outline)) ?? whole,
        shape: [outline, ...holes],
      })),
    );
  });
};

/** The mainland of Russia is two entities. Its ring crosses the date line, so it is cut in degrees that go on beyond. */
const splitRing = (name: string, ring: Position[]): Position[][] => {
  if (name !== "Russia") return [ring];
  const crosses = ring.some(([lon], at) => at > 0 && Math.abs(lon! - ring[at - 1]![0]!) > MAX_STEP_DEGREES);
  const whole = crosses ? ring.map(([lon, lat]) => [lon! < 0 ? lon! + 360 : lon!, lat!]) : ring;
  return [-1, 1].map((side) => closeRing(cut(whole, side))).filter(({ length }) => length > 3);
};

const closeRing = (ring: Position[]): Position[] => (ring.length === 0 ? ring : [...ring, ring[0]!]);

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
