import { FIVE_BANDS, oneOf, type Award } from "./award.ts";
import { wac } from "./wac.ts";

/** Six continents on each of five bands; satellites do not help. */
export const wac5Band: Award = {
  ...wac,
  id: "wac-5band",
  label: "5-Band WAC",
  unit: "continents on each of five bands",
  credit: "WAC_BAND",
  takesBand: oneOf(FIVE_BANDS),
  takesSatellites: false,
  split: { by: "band", combination: "least", parts: FIVE_BANDS },
};
