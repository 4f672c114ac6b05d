import { SQUARE_BANDS } from "../domain/awards/award-tally.ts";
import { oneOf, type Award } from "./award.ts";

const BEGINS = Date.UTC(1983, 0, 1);
const FEW = 5;

const WANTED: Record<string, number> = {
  "6m": 100,
  "2m": 100,
  sat: 100,
  "1.25m": 50,
  "70cm": 50,
  "33cm": 25,
  "23cm": 25,
  "13cm": 10,
  "9cm": FEW,
  "6cm": FEW,
  "3cm": FEW,
  "1.25cm": FEW,
  "6mm": FEW,
  "4mm": FEW,
  "2.5mm": FEW,
  "2mm": FEW,
  "1mm": FEW,
  submm: FEW,
};

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
    const figure = group === null && band !== null ? WANTED[band] : undefined;
    return figure === undefined ? null : { figure };
  },
  split: { by: "band", combination: "best" },
  filter: { from: BEGINS },
};
