import type { GeometryCollection, Topology } from "topojson-specification";
import { Pen } from "./pen.ts";

const UNITS_A_DEGREE = 3;

/** An equirectangular projection, so that the grid of squares fits. */
export const xOf = (lon: number): number => (lon + 180) * UNITS_A_DEGREE;
export const yOf = (lat: number): number => (90 - lat) * UNITS_A_DEGREE;

/** The outline of the land as SVG path data. */
export type Land = string;

let drawn: Promise<Land> | null = null;

/** Computed on first use and cached. */
export const loadLandOutline = (): Promise<Land> => (drawn ??= draw());

const draw = async (): Promise<Land> => {
  const [{ geoEquirectangular, geoPath }, { feature }, { default: atlas }] = await Promise.all([
    import("d3-geo"),
    import("topojson-client"),
    import("world-atlas/land-110m.json"),
  ]);
  const topology = atlas as unknown as Topology<{ land: GeometryCollection }>;
  const projection = geoEquirectangular()
    .scale((UNITS_A_DEGREE * 180) / Math.PI)
    .translate([xOf(0), yOf(0)])
    .precision(0);
  const pen = new Pen();
  geoPath(projection, pen)(feature(topology, topology.objects.land));
  return pen.drawn;
};
