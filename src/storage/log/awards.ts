import type { ModeGroup } from "../../domain/radio/mode.ts";
import type { Witness } from "../../domain/awards/award.ts";
import { MODE_WITNESS } from "../../domain/origins/origins.ts";
import {
  SQUARE_BANDS,
  type PlaceTally,
  type PrefixTally,
  type SquareTally,
  type Tally,
  type Times,
} from "../../domain/awards/award-tally.ts";
import { byWitness, isConfirmedBy } from "./origin-masks.ts";
import { columns, EMPTY, inList, join, many, one, raw, sql, type Sql, type Unit } from "../engine/unit.ts";

/** The contacts that an award counts. */
export interface ContactFilter {
  /** Made under this own callsign, or one of these (comma-separated). */
  station?: string | null;
  group?: ModeGroup | null;
  mode?: string | null;
  notMode?: string | null;
  /** Not earlier than this. */
  from?: number | null;
  /** Only on these bands, counted together; no satellites. */
  bands?: readonly string[] | null;
  /** Only contacts with a state by any origin. */
  inStates?: boolean;
  /** Only contacts with these entities. */
  dxccs?: readonly number[];
  /** A confirmation by the witness that knows modes counts only if both sides had the same mode. */
  twoWay?: boolean;
  /** Counts each mode group separately. */
  byGroup?: boolean;
  /** Only whether such contacts exist, without times and counts. */
  flagsOnly?: boolean;
  /** Only contacts made from these places. */
  madeFrom?: readonly MadeFrom[];
  /** Only contacts that this job added or changed, or all others. */
  job?: { id: number; touched: boolean };
  /** Leaves out these contacts. */
  except?: readonly number[];
}

/** The own places that count, and whether contacts without a place count as made there. */
export interface MadeFrom {
  column: "own_entity" | "own_grid";
  values: readonly number[] | readonly string[];
  orUnknown: boolean;
}

const PLACE = [
  "dxcc",
  "award_entity",
  "continent",
  "award_zone",
  "award_state",
  "confirmed_as",
  "band",
  "prop_mode",
  "credits",
];
const STATE = ["award_state", "confirmed_as", "band", "prop_mode", "credits"];
const PREFIX = ["prefix", "credits", "band", "prop_mode"];
const ISLAND = ["iota", "band", "prop_mode", "credits"];
const SQUARE = [...ISLAND, "award_grids", "confirmed_as"];

/**
 * Written as literals, because a partial index on some bands is only used if the query repeats its condition. The names
 * come from code.
 */
const isOneOf = (bands: readonly string[]): Sql => raw(`band IN (${bands.map((band) => `'${band}'`).join(", ")})`);

/** Repeats the condition of the partial index on squares and islands, then selects only squares. */
const HAS_SQUARES = sql`(iota IS NOT NULL OR prop_mode = 'SAT' OR ${isOneOf(SQUARE_BANDS)})
  AND (prop_mode = 'SAT' OR ${isOneOf(SQUARE_BANDS)})`;

/**
 * Contacts grouped by what they count for, with the earliest worked one and the earliest one that each witness
 * confirmed.
 */
export const places = (userId: number, filter: ContactFilter = {}): Unit<PlaceTally[]> =>
  selectTallies<PlaceTally>(PLACE, userId, filter, { wanted: filter.inStates ? STATE : PLACE });

/** If bands are counted together, there are few groups; each has one of the bands. */
export const prefixes = (userId: number, filter: ContactFilter = {}): Unit<PrefixTally[]> =>
  filter.bands
    ? selectTallies<PrefixTally>(["prefix", "credits"], userId, filter, {
        also: sql`prefix IS NOT NULL AND ${isOneOf(filter.bands)} AND ${ON_EARTH}`,
        more: sql`, ${raw(`'${filter.bands[0]}'`)} AS band, NULL AS "propMode"`,
      })
    : selectTallies<PrefixTally>(PREFIX, userId, filter, { also: sql`prefix IS NOT NULL` });

const ON_EARTH = sql`(prop_mode IS NULL OR prop_mode NOT IN ('SAT', 'RPT', 'ECH', 'IRL', 'INTERNET'))`;

export const islands = (userId: number, filter: ContactFilter = {}): Unit<SquareTally[]> =>
  selectTallies<SquareTally>(ISLAND, userId, filter, { also: sql`iota IS NOT NULL` });

export const squares = (userId: number, filter: ContactFilter = {}): Unit<SquareTally[]> =>
  selectTallies<SquareTally>(SQUARE, userId, filter, { also: HAS_SQUARES });

interface Selection {
  /** The columns to return. */
  wanted?: readonly string[];
  more?: Sql;
  also?: Sql;
}

/** Groups are read from a covering index in its own order, without sorting. */
function* selectTallies<Counted extends Tally>(
  keys: readonly string[],
  userId: number,
  filter: ContactFilter,
  { wanted = keys, more = EMPTY, also }: Selection = {},
): Unit<Counted[]> {
  const { flagsOnly, twoWay } = filter;
  const groups = filter.byGroup ? ["mode_group"] : [];
  return yield* many<Counted>`
    SELECT ${columns(...wanted, ...groups)}${more}, ${flags(twoWay)}${flagsOnly ? EMPTY : times(twoWay)}
    FROM qsos WHERE ${buildConditions(userId, filter, also)} GROUP BY ${raw([...keys, ...groups].join(", "))}`;
}

const counts = (witness: Witness, twoWay: boolean | undefined): Sql =>
  twoWay && witness === MODE_WITNESS ? sql`${isConfirmedBy(witness)} AND two_way = 1` : isConfirmedBy(witness);

const flag = (witness: Witness, twoWay: boolean | undefined): Sql =>
  sql`CASE WHEN ${counts(witness, twoWay)} THEN 1 ELSE 0 END`;

const buildTime = (witness: Witness, twoWay: boolean | undefined): Sql =>
  sql`CASE WHEN ${counts(witness, twoWay)} THEN started_at END`;

const flags = (twoWay: boolean | undefined): Sql => sql`
  ${byWitness((witness) => sql`max(${flag(witness, twoWay)}) AS ${raw(witness)}`)}${twoWay ? MODE_UNKNOWN : EMPTY}`;

const MODE_UNKNOWN = sql`,
  count(*) FILTER (WHERE ${isConfirmedBy(MODE_WITNESS)} AND two_way IS NULL) AS "modeUnknown"`;

const times = (twoWay: boolean | undefined): Sql => sql`,
  count(*) AS contacts, min(started_at) AS "workedAt",
  ${byWitness((witness) => sql`min(${buildTime(witness, twoWay)}) AS ${raw(`"${witness}At"`)}`)}`;

const buildConditions = (userId: number, filter: ContactFilter, also?: Sql): Sql => {
  const { station, group, mode, notMode, from, inStates, dxccs, madeFrom = [], job, except } = filter;
  const conditions: (Sql | null | undefined | false)[] = [
    sql`user_id = ${userId}`,
    also,
    station != null && sql`station_callsign ${inList(station.split(","))}`,
    group != null && sql`mode_group = ${group}`,
    mode != null && sql`mode = ${mode}`,
    notMode != null && sql`mode <> ${notMode}`,
    from != null && sql`started_at >= ${from}`,
    dxccs && sql`dxcc ${inList(dxccs)}`,
    ...madeFrom.map(buildPlaceCondition),
    inStates && sql`(award_state IS NOT NULL OR confirmed_as IS NOT NULL)`,
    except && sql`NOT id ${inList(except)}`,
    job &&
      sql`+id ${job.touched ? raw("IN") : raw("NOT IN")} (SELECT qso_id FROM qso_changes WHERE job_id = ${job.id})`,
  ];
  return join(
    conditions.filter((condition): condition is Sql => Boolean(condition)),
    " AND ",
  );
};

const buildPlaceCondition = ({ column, values, orUnknown }: MadeFrom): Sql => {
  const known = sql`${raw(column)} ${inList(values)}`;
  return orUnknown ? sql`(${known} OR ${raw(column)} IS NULL)` : known;
};

interface CountedEntity {
  entity: number | null;
  contacts: number;
}

/**
 * The entities from which contacts were made, optionally within a square. Most logs have only one, so sorting is
 * avoided.
 */
export function* listOwnEntities(userId: number, filter: ContactFilter = {}, square?: string): Unit<CountedEntity[]> {
  const mine = buildConditions(userId, filter, square === undefined ? undefined : sql`own_grid LIKE ${`${square}%`}`);
  const { least, most, known, contacts } = yield* one<Record<"least" | "most" | "known" | "contacts", number>>`
    SELECT min(own_entity) AS least, max(own_entity) AS most, count(own_entity) AS known,
           count(*) AS contacts
    FROM qsos WHERE ${mine}`;
  if (contacts === 0) return [];
  if (least === most) {
    const unknown = contacts === known ? [] : [{ entity: null, contacts: contacts - known }];
    return known === 0 ? unknown : [{ entity: least, contacts: known }, ...unknown];
  }
  return yield* many<CountedEntity>`
    SELECT own_entity AS entity, count(*) AS contacts FROM qsos WHERE ${mine} GROUP BY own_entity`;
}

interface CountedGrid {
  grid: string | null;
  contacts: number;
}

/** The squares from which contacts were made that can count for squares. */
export const listOwnGrids = (userId: number, filter: ContactFilter = {}): Unit<CountedGrid[]> =>
  many<CountedGrid>`
    SELECT own_grid AS grid, count(*) AS contacts FROM qsos
    WHERE ${buildConditions(userId, filter, HAS_SQUARES)} GROUP BY own_grid`;

/** A single contact as a group. */
export type ContactTally = PlaceTally & PrefixTally & SquareTally & Times & { id: number };

const EVERY_KEY = [...new Set([...PLACE, ...PREFIX, ...SQUARE, "mode_group"])];

/** The contacts that started at these times, each as a group. */
export const listContactsAt = (
  userId: number,
  times: readonly number[],
  filter: ContactFilter = {},
): Unit<ContactTally[]> =>
  many`
    SELECT id, ${columns(...EVERY_KEY)}, 1 AS contacts, started_at AS "workedAt",
           ${byWitness((witness) => sql`${flag(witness, filter.twoWay)} AS ${raw(witness)}`)},
           ${byWitness((witness) => sql`${buildTime(witness, filter.twoWay)} AS ${raw(`"${witness}At"`)}`)}
    FROM qsos WHERE ${buildConditions(userId, filter)} AND started_at ${inList(times)} ORDER BY id`;
