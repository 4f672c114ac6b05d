import type { AwardGroup } from "../domain/awards/award.ts";
import type { ContactFilter } from "../storage/log/awards.ts";
import type { Award } from "./award.ts";

const ZONES = Array.from({ length: 40 }, (_, index) => index + 1);
/** Before this date, RTTY was the only digital mode. */
const DIGITAL_BEGINS = Date.UTC(2000, 0, 1);

const GROUPS: Record<AwardGroup, ContactFilter> = {
  cw: { group: "cw" },
  phone: { group: "phone" },
  ssb: { mode: "SSB" },
  am: { mode: "AM" },
  rtty: { mode: "RTTY" },
  digital: { group: "digital", notMode: "RTTY", from: DIGITAL_BEGINS },
  image: { group: "image" },
};

/** The forty CQ zones. */
export const waz: Award = {
  id: "waz",
  label: "WAZ",
  unit: "zones",
  sponsor: "CQ",
  accepts: ["first", "card"],
  ground: "places",
  wonFrom: "entity",
  credit: "CQWAZ",
  keyOf: ({ awardZone }) => awardZone,
  nameOf: (key) => `Zone ${key}`,
  takesBand: () => true,
  takesSatellites: false,
  goal: ({ band, group }) => {
    if (group === "image") return null;
    return band === "160m" ? { figure: 30, more: [ZONES.length] } : { figure: ZONES.length };
  },
  universe: () => ZONES,
  groups: GROUPS,
};
