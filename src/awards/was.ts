import { US_STATES } from "../domain/radio/us-states.ts";
import { anyButSixty, type Award, FIVE_BANDS, oneOf } from "./award.ts";

const STATES = [...US_STATES.keys()].sort();

/** The fifty states. A mode counts if both sides reported it. */
export const was: Award = {
  id: "was",
  label: "WAS",
  unit: "states",
  sponsor: "ARRL",
  accepts: ["first", "card"],
  ground: "places",
  wonFrom: "entity",
  credit: "WAS",
  keyOf: ({ awardState }) => awardState,
  nameOf: (key) => US_STATES.get(String(key)) ?? String(key),
  takesBand: anyButSixty,
  takesSatellites: false,
  goal: ({ band, group }) => (band === "60m" || group === "image" ? null : { figure: STATES.length }),
  universe: () => STATES,
  needsTwoWay: true,
  filter: { inStates: true },
};

/** All states on each of five bands. */
export const was5Band: Award = {
  ...was,
  id: "was-5band",
  label: "5-Band WAS",
  unit: "states on each of five bands",
  credit: "WAS_BAND",
  takesBand: oneOf(FIVE_BANDS),
  split: { by: "band", combination: "least", parts: FIVE_BANDS },
};

const BEGINS = Date.UTC(2009, 0, 1);

/** All states in each of three mode groups. Only the first service's confirmations count. */
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
