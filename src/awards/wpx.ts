import { oneOf, type Award } from "./award.ts";

const BANDS = ["160m", "80m", "60m", "40m", "30m", "20m", "17m", "15m", "12m", "10m", "8m", "6m"];
const MIXED = 400;
const ONE_MODE = 300;
const STEP = 50;

/** Prefixes of callsigns, from 160 m to 6 m. */
export const wpx: Award = {
  id: "wpx",
  label: "WPX",
  unit: "prefixes",
  sponsor: "CQ",
  accepts: ["first", "card"],
  ground: "prefixes",
  wonFrom: "entity",
  credit: "CQWPX",
  keyOf: ({ prefix }) => prefix,
  nameOf: String,
  takesBand: oneOf(BANDS),
  takesSatellites: false,
  goal: ({ band, group }) => {
    if (band !== null || group === "image") return null;
    return { figure: group === null ? MIXED : ONE_MODE, every: STEP };
  },
  filter: { bands: BANDS },
};
