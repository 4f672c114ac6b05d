import { FIVE_BANDS, oneOf, type Award } from "./award.ts";
import { was } from "./was.ts";

/** All states on each of five bands. */
export const was5Band: Award = {
  ...was,
  id: "was-5band",
  label: "5-Band WAS",
  unit: "states on each of five bands",
  credit: "WAS_BAND",
  takesBand: oneOf(FIVE_BANDS),
  split: { by: "band", combination: "least", parts: FIVE_BANDS },
};
