import { US_STATES } from "../domain/radio/us-states.ts";
import { anyButSixty, type Award } from "./award.ts";

const STATES = [...US_STATES.keys()].sort();

/** The fifty states. A mode counts where both sides used it. */
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
