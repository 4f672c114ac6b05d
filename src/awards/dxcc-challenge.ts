import { oneOf, type Award } from "./award.ts";
import { currentOnly, dxcc } from "./dxcc.ts";

const CHALLENGE_BANDS = ["160m", "80m", "40m", "30m", "20m", "17m", "15m", "12m", "10m", "6m"] as const;

/** Current entities on each of ten bands, added up. */
export const dxccChallenge: Award = {
  ...dxcc,
  id: "dxcc-challenge",
  label: "DXCC Challenge",
  unit: "entities on bands",
  credit: "DXCC_BAND",
  keyOf: ({ awardEntity }) => currentOnly(awardEntity),
  takesBand: oneOf(CHALLENGE_BANDS),
  goal: ({ band, group }) => (band === null && group === null ? { figure: 1000, every: 500 } : null),
  split: { by: "band", combination: "sum", parts: CHALLENGE_BANDS },
};
