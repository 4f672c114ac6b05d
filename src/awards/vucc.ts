import { SQUARE_BANDS } from "../domain/awards/award-tally.ts";
import { oneOf, type Award } from "./award.ts";

const BEGINS = Date.UTC(1983, 0, 1);

const WANTED = new Map<string, number>([
  ...each(100, "6m 2m sat"),
  ...each(50, "1.25m 70cm"),
  ...each(25, "33cm 23cm"),
  ...each(10, "13cm"),
  ...each(5, "9cm 6cm 3cm 1.25cm 6mm 4mm 2.5mm 2mm 1mm submm"),
]);

function each(squares: number, bands: string): [band: string, squares: number][] {
  return bands.split(" ").map((band) => [band, squares]);
}

/** Four-character squares, on each band and over satellites separately. */
export const vucc: Award = {
  id: "vucc",
  label: "VUCC",
  unit: "squares on one band",
  sponsor: "ARRL",
  accepts: ["first", "card"],
  ground: "squares",
  wonFrom: "circle",
  credit: "VUCC_BAND",
  keyOf: ({ awardGrids }) => awardGrids,
  nameOf: String,
  takesBand: oneOf(SQUARE_BANDS),
  takesSatellites: true,
  goal: ({ band, group }) => {
    const figure = group === null && band !== null ? WANTED.get(band) : undefined;
    return figure === undefined ? null : { figure };
  },
  split: { by: "band", combination: "best" },
  filter: { from: BEGINS },
};
