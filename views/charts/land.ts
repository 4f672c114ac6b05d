import type { GeometryCollection, Topology } from "topojson-specification";

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

/** Writes lines as relative steps in whole units: a third of a degree, a third of the size. */
export class Pen {
  drawn = "";
  #x = 0;
  #y = 0;
  #letter = "";

  moveTo(x: number, y: number): void {
    [this.#x, this.#y, this.#letter] = [Math.round(x), Math.round(y), "M"];
    this.drawn += `M${this.#x} ${this.#y}`;
  }

  lineTo(x: number, y: number): void {
    const [dx, dy] = [Math.round(x) - this.#x, Math.round(y) - this.#y];
    if (dx === 0 && dy === 0) return;
    const separated = `${dx}${dy < 0 ? "" : " "}${dy}`;
    this.drawn += this.#letter === "l" ? `${dx < 0 ? "" : " "}${separated}` : `l${separated}`;
    this.#letter = "l";
    this.#x += dx;
    this.#y += dy;
  }

  closePath(): void {
    this.drawn += "z";
    this.#letter = "z";
  }

  beginPath(): void {}
  arc(): void {}
}
