import type { ModeGroup } from "../domain/mode.ts";
import { SATELLITE, SQUARE_BANDS, type PlaceTally, type PrefixTally, type SquareTally } from "../domain/award-tally.ts";
import { columns, EMPTY, inList, join, many, raw, sql, type Sql, type Unit } from "./unit.ts";

/** Which contacts an award looks at. */
export interface ContactFilter {
  /** Made under this callsign. */
  station?: string | null;
  group?: ModeGroup | null;
  mode?: string | null;
  notMode?: string | null;
  /** Not earlier than this. */
  from?: number | null;
  /** Only contacts that somebody puts into a state. */
  inStates?: boolean;
  /** The first service's word counts only where it saw both sides in the same mode. */
  twoWay?: boolean;
  /** Keeps the mode groups apart. */
  byGroup?: boolean;
  /** Only whether there are such contacts, not since when nor how many: a time is 1 where there is one. */
  flagsOnly?: boolean;
  /** Contacts that this job added or changed, or all the others. */
  job?: { id: number; touched: boolean };
}

const PLACE = [
  "dxcc",
  "award_entity",
  "continent",
  "award_zone",
  "award_state",
  "first_entity",
  "first_zone",
  "first_state",
  "band",
  "prop_mode",
  "credits",
];
const PREFIX = ["prefix", "band", "prop_mode", "credits"];
const ISLAND = ["iota", "band", "prop_mode", "credits"];
const SQUARE = [...ISLAND, "award_grids", "first_grids"];

/** Contacts alike in where they count, with the earliest that was worked and that each witness confirmed. */
export const places = (userId: number, filter: ContactFilter = {}): Unit<PlaceTally[]> =>
  tallies<PlaceTally>(PLACE, userId, filter);

export const prefixes = (userId: number, filter: ContactFilter = {}): Unit<PrefixTally[]> =>
  tallies<PrefixTally>(PREFIX, userId, filter, sql`prefix IS NOT NULL`);

export const islands = (userId: number, filter: ContactFilter = {}): Unit<SquareTally[]> =>
  tallies<SquareTally>(ISLAND, userId, filter, sql`iota IS NOT NULL`);

/** The bands are written out, as the index that holds only these contacts has them. */
export const squares = (userId: number, filter: ContactFilter = {}): Unit<SquareTally[]> =>
  tallies<SquareTally>(SQUARE, userId, filter, HAS_SQUARES);

const HAS_SQUARES = raw(
  `(prop_mode = '${SATELLITE}' OR band IN (${SQUARE_BANDS.map((band) => `'${band}'`).join(", ")}))`,
);

/** The groups stream out of a covering index in its own order. */
function* tallies<Tally>(
  keys: readonly string[],
  userId: number,
  filter: ContactFilter,
  also: Sql = EMPTY,
): Unit<Tally[]> {
  const grouped = filter.byGroup ? [...keys, "mode_group"] : keys;
  return yield* many<Tally>`
    SELECT ${columns(...grouped)}, ${filter.flagsOnly ? flags(filter) : times(filter)}
    FROM qsos WHERE ${theirs(userId, filter, also)}
    GROUP BY ${raw(grouped.join(", "))}`;
}

const times = ({ twoWay }: ContactFilter): Sql => sql`
  CAST(count(*) AS BIGINT) AS contacts, min(started_at) AS "workedAt",
  min(CASE WHEN ${isFirst(twoWay)} THEN started_at END) AS "firstAt",
  min(CASE WHEN second_confirmed = 1 THEN started_at END) AS "secondAt",
  min(CASE WHEN card_confirmed = 1 THEN started_at END) AS "cardAt"`;

/** A fifth faster than the times. */
const flags = ({ twoWay }: ContactFilter): Sql => sql`
  1 AS contacts, 1 AS "workedAt", nullif(max(${twoWay ? raw("first_confirmed * two_way") : raw("first_confirmed")}), 0) AS "firstAt",
  nullif(max(second_confirmed), 0) AS "secondAt", nullif(max(card_confirmed), 0) AS "cardAt"`;

const isFirst = (twoWay: boolean | undefined): Sql =>
  twoWay ? sql`first_confirmed = 1 AND two_way = 1` : sql`first_confirmed = 1`;

const theirs = (userId: number, filter: ContactFilter, also: Sql = EMPTY): Sql => {
  const { station, group, mode, notMode, from, inStates, job } = filter;
  const conditions: (Sql | null | undefined | false)[] = [
    sql`user_id = ${userId}`,
    also !== EMPTY && also,
    station != null && sql`station_callsign = ${station}`,
    group != null && sql`mode_group = ${group}`,
    mode != null && sql`mode = ${mode}`,
    notMode != null && sql`mode <> ${notMode}`,
    from != null && sql`started_at >= ${from}`,
    inStates && sql`(award_state IS NOT NULL OR first_state IS NOT NULL)`,
    job && sql`+id ${job.touched ? raw("IN") : raw("NOT IN")} (SELECT qso_id FROM qso_changes WHERE job_id = ${job.id})`,
  ];
  return join(conditions.filter((condition): condition is Sql => Boolean(condition)), " AND ");
};

/** A contact as a group of its own. */
export type ContactTally = PlaceTally & PrefixTally & SquareTally & { id: number };

const EVERY_KEY = [...new Set([...PLACE, ...PREFIX, ...SQUARE, "mode_group"])];

/** The contacts that began at these moments, each as a group of its own. */
export function* contactsAt(userId: number, times: readonly number[], filter: ContactFilter = {}): Unit<ContactTally[]> {
  return yield* many<ContactTally>`
    SELECT id, ${columns(...EVERY_KEY)}, 1 AS contacts, started_at AS "workedAt",
           CASE WHEN ${isFirst(filter.twoWay)} THEN started_at END AS "firstAt",
           CASE WHEN second_confirmed = 1 THEN started_at END AS "secondAt",
           CASE WHEN card_confirmed = 1 THEN started_at END AS "cardAt"
    FROM qsos WHERE ${theirs(userId, filter)} AND started_at ${inList(times)} ORDER BY id`;
}
