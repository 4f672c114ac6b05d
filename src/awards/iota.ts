import type { Award } from "./award.ts";

/** Island groups. The IOTA managers accept cards only. */
export const iota: Award = {
  id: "iota",
  label: "IOTA",
  unit: "island groups",
  sponsor: "IOTA Ltd",
  accepts: ["card"],
  ground: "islands",
  wonFrom: "entity",
  credit: "IOTA",
  keyOf: ({ iota: island }) => island,
  nameOf: String,
  takesBand: () => true,
  takesSatellites: true,
  goal: ({ band, group }) => (band === null && group === null ? { figure: 100, every: 100 } : null),
};
