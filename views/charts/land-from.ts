import type { GeometryCollection, Topology } from "topojson-specification";
import type { Place } from "../../src/domain/radio/maidenhead.ts";
import { Pen } from "./pen.ts";

const RADIUS = 250;

/** The outline of the land around a place as SVG path data, in an azimuthal equidistant projection. */
export const drawLandFrom = async ({ lat, lon }: Place): Promise<string> => {
  const [{ geoAzimuthalEquidistant, geoPath }, { feature }, { default: atlas }] = await Promise.all([
    import("d3-geo"),
    import("topojson-client"),
    import("world-atlas/land-110m.json"),
  ]);
  const topology = atlas as unknown as Topology<{ land: GeometryCollection }>;
  const projection = geoAzimuthalEquidistant()
    .rotate([-lon, -lat])
    .scale(RADIUS / Math.PI)
    .translate([0, 0])
    .clipAngle(179.9)
    .precision(2);
  const pen = new Pen();
  geoPath(projection, pen)(feature(topology, topology.objects.land));
  return pen.drawn;
};
