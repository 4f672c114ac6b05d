import type { Award } from "./award.ts";

const CONTINENTS: Record<string, string> = {
  AF: "Africa",
  AS: "Asia",
  EU: "Europe",
  NA: "North America",
  OC: "Oceania",
  SA: "South America",
};

/** Six continents: Antarctica is none of them. */
export const wac: Award = {
  id: "wac",
  label: "WAC",
  unit: "continents",
  sponsor: "IARU",
  accepts: ["first", "card"],
  ground: "places",
  wonFrom: "entity",
  credit: "WAC",
  keyOf: ({ continent }) => counted(continent),
  nameOf: (key) => CONTINENTS[key] ?? String(key),
  takesBand: () => true,
  takesSatellites: true,
  goal: ({ group }) => (group === "image" ? null : { figure: 6 }),
  universe: () => Object.keys(CONTINENTS),
};

const counted = (continent: string | null): string | null =>
  continent !== null && continent in CONTINENTS ? continent : null;
