import type { Award } from "./award.ts";
import { was } from "./was.ts";

const BEGINS = Date.UTC(2009, 0, 1);

/** All states in each of three kinds of modes, by the first service alone. */
export const wasTriple: Award = {
  ...was,
  id: "was-triple",
  label: "WAS Triple Play",
  unit: "states in each of CW, phone and digital",
  accepts: ["first"],
  credit: "WAS_TRIPLE",
  goal: ({ band, group }) => (band === null && group !== "image" ? { figure: 50 } : null),
  split: { by: "group", combination: "least", parts: ["cw", "phone", "digital"] },
  filter: { inStates: true, from: BEGINS, twoWay: true, byGroup: true },
};
