import type { GeoProjection } from "d3-geo";
import type { GeometryCollection, Topology } from "topojson-specification";
import type { Place } from "../../src/domain/radio/maidenhead.ts";
import { Pen } from "./pen.ts";

const UNITS_A_DEGREE = 3;
const RADIUS = 250;

/** An equirectangular projection, so that the grid of squares fits. */
export const xOf = (lon: number): number => (lon + 180) * UNITS_A_DEGREE;
export const yOf = (lat: number): number => (90 - lat) * UNITS_A_DEGREE;

/** The outline of the land as SVG path data. */
export type Land = string;

const draw = async (createProjection: (geo: typeof import("d3-geo")) => GeoProjection): Promise<Land> => {
  const [geo, { feature }, { default: atlas }] = await Promise.all([
    import("d3-geo"),
    import("topojson-client"),
    import("world-atlas/land-110m.json"),
  ]);
  const topology = atlas as unknown as Topology<{ land: GeometryCollection }>;
  const pen = new Pen();
  geo.geoPath(createProjection(geo), pen)(feature(topology, topology.objects.land));
  return pen.drawn;
};

let drawn: Promise<Land> | null = null;

/** Computed on first use and cached. */
export const loadLandOutline = (): Promise<Land> =>
  (drawn ??= draw(({ geoEquirectangular }) =>
    geoEquirectangular()
      .scale((UNITS_A_DEGREE * 180) / Math.PI)
      .translate([xOf(0), yOf(0)])
      .precision(0),
  ));

/** The land around a place, in an azimuthal equidistant projection. */
export const drawLandFrom = ({ lat, lon }: Place): Promise<Land> =>
  draw(({ geoAzimuthalEquidistant }) =>
    geoAzimuthalEquidistant()
      .rotate([-lon, -lat])
      .scale(RADIUS / Math.PI)
      .translate([0, 0])
      .clipAngle(179.9)
      .precision(2),
  );
