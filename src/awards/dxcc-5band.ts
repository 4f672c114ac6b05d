import { FIVE_BANDS, oneOf, type Award } from "./award.ts";
import { currentOnly, dxcc } from "./dxcc.ts";

const ENDORSED = new Set<string>([...FIVE_BANDS, "160m", "30m", "17m", "12m", "6m", "2m"]);

/** A hundred current entities on each of five bands; other bands are endorsements. */
export const dxcc5Band: Award = {
  ...dxcc,
  id: "dxcc-5band",
  label: "5-Band DXCC",
  unit: "entities on each of five bands",
  credit: "DXCC_BAND",
  keyOf: ({ awardEntity }) => currentOnly(awardEntity),
  takesBand: oneOf(FIVE_BANDS),
  goal: ({ band, group }) => (group === null && (band === null || ENDORSED.has(band)) ? { figure: 100 } : null),
  split: { by: "band", combination: "least", parts: FIVE_BANDS },
};
