import { type Award, FIVE_BANDS, oneOf } from "./award.ts";

const CONTINENTS: Record<string, string> = {
  AF: "Africa",
  AS: "Asia",
  EU: "Europe",
  NA: "North America",
  OC: "Oceania",
  SA: "South America",
};

/** Six continents, without Antarctica. */
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

/** Six continents on each of five bands, without satellites. */
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
