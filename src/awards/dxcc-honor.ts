import type { Award } from "./award.ts";
import { CURRENT, currentOnly, dxcc } from "./dxcc.ts";

const MAY_MISS = 9;

/** All current entities but nine; then all of them. */
export const dxccHonor: Award = {
  ...dxcc,
  id: "dxcc-honor",
  label: "DXCC Honor Roll",
  unit: "current entities",
  keyOf: ({ awardEntity }) => currentOnly(awardEntity),
  goal: ({ band, group }) =>
    band === null && group !== "image" ? { figure: CURRENT.length - MAY_MISS, more: [CURRENT.length] } : null,
};
