import { ENTITIES, getEntityName, getEntity } from "../domain/radio/entity.ts";
import { anyButSixty, type Award, FIVE_BANDS, oneOf } from "./award.ts";

const BANDS = new Set(["160m", "80m", "40m", "30m", "20m", "17m", "15m", "12m", "10m", "6m", "2m", "sat"]);
const FROM_300_BY_FIVES = Array.from({ length: 20 }, (_, index) => 300 + 5 * index);
const GOAL = { figure: 100, more: [150, 200, 250, 275, ...FROM_300_BY_FIVES], every: 5 };

/**
 * Entities, including deleted ones. Satellite contacts have an award of their own; image modes count for mixed only.
 */
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

const currentOnly = (number: number | null): number | null =>
  number !== null && getEntity(number)?.deleted === false ? number : null;

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

const CHALLENGE_BANDS = ["160m", "80m", "40m", "30m", "20m", "17m", "15m", "12m", "10m", "6m"] as const;

/** The sum of the current entities on each of ten bands. */
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

const MAY_MISS = 9;

/** Reached at nine below all current entities, and at all of them. */
export const dxccHonor: Award = {
  ...dxcc,
  id: "dxcc-honor",
  label: "DXCC Honor Roll",
  unit: "current entities",
  keyOf: ({ awardEntity }) => currentOnly(awardEntity),
  goal: ({ band, group }) =>
    band === null && group !== "image" ? { figure: CURRENT.length - MAY_MISS, more: [CURRENT.length] } : null,
};
