import { counted } from "../words.ts";

export const SHOWS = ["worked", "needed", "confirmed", "all"] as const;
export type Show = (typeof SHOWS)[number];

const lower = (words: string) => words.slice(0, 1).toLowerCase() + words.slice(1);

/** The texts of the award pages. */
export const AWARD_TEXTS = {
  overview: {
    empty: "Your log is empty. Your awards appear here.",
    title: "Awards",
    award: "Award",
    count: "Count",
    worked: "Worked",
    confirmed: "Confirmed",
    card: "Card",
    goal: "Goal",
    next: "Next",
  },
  all: "All awards",
  progress: "Progress",
  view: "View",
  list: "List",
  map: "Map",
  allBands: "All bands",
  metres: "metres",
  satellites: "satellites",
  band: "Band",
  bands: "Bands",
  group: "Mode group",
  groups: "Mode groups",
  groupNames: {
    "": "Mixed",
    cw: "CW",
    phone: "Phone",
    digital: "Digital",
    image: "Image",
    ssb: "SSB",
    am: "AM",
    rtty: "RTTY",
  } as Record<string, string>,
  lists: "Lists",
  tabs: (show: Show, onBand: boolean): string =>
    ({ worked: "Waiting", needed: onBand ? "Needed" : "Not worked", confirmed: "Confirmed", all: "All" })[show],
  /** What the page shows: "DXCC on 20m, CW: needed". */
  heading: (label: string, parts: readonly string[], shown: string) =>
    [label, `${parts.join(", ")}${parts.length > 0 ? ": " : ""}${lower(shown)}`] as const,
  on: (band: string) => `on ${band}`,
  mapOf: "map",
  figures: { confirmed: "confirmed", waiting: "waiting", needed: "not worked" },
  figure: (name: string, of: string | null) => (of === null ? name : `${name} (${of})`),
  counted: (unit: string, of: string | null, sponsor: string, accepts: string) =>
    `Counts ${unit}${of === null ? "" : ` (${of})`}. ${sponsor} accepts ${accepts}.`,
  confirmers: (by: readonly (readonly [name: string, count: string])[], credited: string) =>
    `Confirmed by ${by.map(([name, count]) => `${name} ${count}`).join(", ")}. Credited ${credited}.`,
  noGoal: "There is no award for this count.",
  toGo: (confirmed: string, goal: string, missing: string) => `${confirmed} of ${goal}: ${missing} to go.`,
  reached: (goal: string, confirmed: string) => `Goal of ${goal} reached: ${confirmed} confirmed.`,
  next: (confirmed: string, next: string, missing: string) =>
    `${confirmed} confirmed. Next: ${next} (${missing} to go).`,
  parts: (parts: readonly (readonly [name: string, confirmed: string, worked: string])[]) =>
    parts.map(([name, confirmed, worked]) => `${name}: ${confirmed} of ${worked} confirmed`).join(", "),
  uncounted: (unknown: string, notValid: string) =>
    `Not counted: ${unknown} with an unknown entity or none, ${notValid} outside the dates of their entity.`,
  countSummary: (by: string) => `Count: ${by}`,
  countNote: "Whose confirmations count, callsign, day, other bands and modes",
  show: "Show",
  station: "Station callsign",
  find: "Find",
  findHint: "Find an entity, state, zone …",
  heads: {
    name: "Name",
    call: "Callsign",
    worked: "Worked",
    band: "Band",
    mode: "Mode",
    missing: "What is missing",
    advice: "What to do",
    zone: "CQ zone",
    distance: "Distance",
    state: "State",
  },
  neededOn: (band: string) => `Needed on ${band}`,
  workedElsewhere: (band: string, count: string) => `Worked on other bands, needed on ${band}: ${count}`,
  neverWorked: (count: string) => `Never worked on any band, nearest first: ${count}`,
  nothing: {
    worked: "Nothing waits for a confirmation.",
    needed: "Nothing is missing.",
    confirmed: "Nothing is confirmed yet.",
    all: "Nothing matches.",
  } as Record<Show, string>,
  noMatch: "Nothing matches.",
  incomplete: "qsolog has no complete list of these, so it cannot show what is needed.",
  totals: { confirmed: "confirmed", worked: "worked" },
  pages: "Pages of the list",
  range: (from: string, to: string, of: string) => `${from} to ${to} of ${of}`,
  kilometres: (km: string) => `${km} km`,
  maps: {
    states: (worked: number, confirmed: number) => `${worked} of 50 states worked, ${confirmed} confirmed`,
    squares: (worked: string, confirmed: string) => `${worked} grid squares worked, ${confirmed} confirmed`,
    everything: "Every entity is worked",
    gaps: (count: string, all: string, continents: string) =>
      `${count} of the ${all} you have not worked are in ${continents}`,
    continents: {
      AF: "Africa",
      AN: "Antarctica",
      AS: "Asia",
      EU: "Europe",
      NA: "North America",
      OC: "Oceania",
      SA: "South America",
    },
    about: "Solid: confirmed. Hatched: worked, waiting. Small entities: dot, diamond, ring. The red dot is you.",
    aboutStates: "Solid: confirmed. Hatched: worked, waiting.",
    aboutSquares: (hidden: number) =>
      `Filled: confirmed. Hollow: worked.${hidden === 0 ? "" : ` The map shows the area of 90 % of the squares; ${hidden} are outside.`}`,
    europe: "Europe",
    caribbean: "Caribbean",
    inset: (name: string, worked: number, all: number, confirmed: number) =>
      `${name}: ${worked} of ${all} worked, ${confirmed} confirmed`,
    entity: "Entity",
    prefix: "Prefix",
    continent: "Continent",
    state: "State",
    square: "Square",
    stateName: "State",
    confirmed: "confirmed",
    worked: "worked, waiting",
    needed: "not worked",
  },
  location: {
    madeFrom: "Made from",
    usual: "usual location",
    basedOn: (count: number, place: string) => `Based on ${counted(count, "QSO")} made from ${place}.`,
  },
} as const;
