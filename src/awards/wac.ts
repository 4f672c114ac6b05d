import type { Counted, Award } from "./award.ts";
import { entityOf } from "../domain/entity.ts";

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
  worked: ({ continent }) => counted(continent),
  first: (tally) => counted(confirmedContinent(tally)),
  nameOf: (key) => CONTINENTS[key] ?? String(key),
  takesBand: () => true,
  takesSatellites: true,
  goal: ({ group }) => (group === "image" ? null : { figure: 6 }),
  universe: () => Object.keys(CONTINENTS),
};

const counted = (continent: string | null): string | null =>
  continent !== null && continent in CONTINENTS ? continent : null;

/** Some entities lie on two continents: the confirmation's entity decides only where it is another one. */
const confirmedContinent = ({ dxcc, firstEntity, continent }: Counted): string | null =>
  firstEntity === null || firstEntity === dxcc ? continent : (entityOf(firstEntity)?.continent ?? null);
