import type { AwardDetail, AwardMatrix, NeededView } from "../../src/domain/awards/award.ts";
import type { WaitingContact } from "../../src/domain/awards/waiting.ts";
import type { EntityPlace } from "../../src/domain/radio/call-facts.ts";
import type { Place } from "../../src/domain/radio/maidenhead.ts";
import type { AsOf } from "../../src/kernel/time-text.ts";
import type { MapDrawing } from "../charts/areas.ts";
import type { Land } from "../charts/land.ts";
import { AWARD_TEXTS, type Show } from "../texts/awards.ts";

/** What a map of the world is drawn with. */
export type World =
  { land: Land } | { map: MapDrawing; insets: readonly (readonly [name: "europe" | "caribbean", map: MapDrawing])[] };

export interface AwardProps {
  award: AwardDetail & { withoutContacts?: readonly string[] };
  /** Only for awards with few enough names for a table. */
  matrix: AwardMatrix | null;
  needed: NeededView;
  /** The contacts that wait for a confirmation, by id. */
  contacts: ReadonlyMap<number, WaitingContact>;
  places: readonly EntityPlace[];
  home: Place | null;
  /** Only for awards with a world map, and if the map is shown. */
  world: World | null;
  asOf?: AsOf;
  asked: Record<"band" | "group" | "by" | "station" | "location" | "asOf", string>;
  look: Look;
  now: number;
}

/** How an award is displayed. */
export interface Look {
  view: "list" | "map";
  show: Show;
  find: string;
  page: number;
  /** The map is shown as a table too. */
  isTable: boolean;
}

/** The entities that the states of the USA belong to. */
export const IN_THE_STATES = "291,6,110";

export type Addressed = Pick<AwardProps, "award" | "asked" | "look">;

/** The path of this award with other options. */
export const buildAwardPath = (
  { award, asked, look }: Addressed,
  { band = asked.band, group = asked.group, ...other }: Partial<Look & { band: string; group: string }>,
): string => {
  const { view, show, find, page } = { ...look, ...other };
  const query = new URLSearchParams({
    ...Object.fromEntries(Object.entries({ ...asked, band, group }).filter(([, value]) => value !== "")),
    ...(view === "list" ? { show } : { view }),
    ...(find === "" ? {} : { find }),
    ...(page > 1 ? { page: String(page) } : {}),
  });
  return `awards/${award.id}?${query}`;
};

/** What the page shows, as its heading and its title say it. */
export const nameAward = ({ award, asked, look }: Addressed): readonly [award: string, shown: string] => {
  const parts = [asked.band && AWARD_TEXTS.on(asked.band), asked.group && AWARD_TEXTS.groupNames[asked.group]!].filter(
    Boolean,
  );
  return AWARD_TEXTS.heading(
    award.label,
    parts,
    look.view === "map" ? AWARD_TEXTS.mapOf : AWARD_TEXTS.tabs(look.show, asked.band !== ""),
  );
};

/** Called thousands of times per page, so it avoids creating an object each time: that would be a tenth of the cost. */
export const logOf = ({ station, asOf }: AwardProps["asked"], filter: Record<string, string>): string =>
  `log?${Object.entries({ ...filter, station, asOf })
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")}`;

export const shortenBand = (band: string): string => (/^\d+m$/.test(band) ? band.slice(0, -1) : band);

/** "20 metres" for those who hear "20". */
export const nameBand = (band: string): string =>
  shortenBand(band) === band ? band : `${shortenBand(band)} ${AWARD_TEXTS.metres}`;
