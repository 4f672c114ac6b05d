import { ENTITIES, getEntityName, getEntity } from "../domain/radio/entity.ts";
import { anyButSixty, type Award } from "./award.ts";

const BANDS = new Set(["160m", "80m", "40m", "30m", "20m", "17m", "15m", "12m", "10m", "6m", "2m", "sat"]);
const FROM_300_BY_FIVES = Array.from({ length: 20 }, (_, index) => 300 + 5 * index);
const GOAL = { figure: 100, more: [150, 200, 250, 275, ...FROM_300_BY_FIVES], every: 5 };

/** Entities, deleted ones too. Satellites are an award of their own; image modes count mixed only. */
export const dxcc: Award = {
  id: "dxcc",
  label: "DXCC",
  unit: "entities",
  sponsor: "ARRL",
  accepts: ["first", "card"],
  ground: "places",
  wonFrom: "entity",
  credit: "DXCC",
  keyOf: ({ awardEntity }) => awardEntity,
  nameOf: (key) => getEntityName(Number(key)),
  takesBand: anyButSixty,
  takesSatellites: false,
  goal: ({ band, group }) => (group === "image" || (band !== null && !BANDS.has(band)) ? null : GOAL),
  universe: () => CURRENT,
  countsEntities: true,
};

export const CURRENT: readonly number[] = ENTITIES.filter(({ deleted }) => !deleted).map(({ number }) => number);

export const currentOnly = (number: number | null): number | null =>
  number !== null && getEntity(number)?.deleted === false ? number : null;
