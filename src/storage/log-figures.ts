import { DAY, HOUR } from "../domain/clock.ts";
import {
  bandsOf,
  bySquare,
  calendarOf,
  confirmationsOf,
  curveOf,
  furthestOf,
  hoursOf,
  modesOf,
  type ConfirmedGroup,
  type Delay,
  type FigureName,
  type Figures,
  type FirstTime,
  type GridContact,
} from "../domain/log-figures.ts";
import { gridCentre } from "../domain/maidenhead.ts";
import type { ModeGroup } from "../domain/mode.ts";
import type { QsoFilter } from "../domain/qso-filter.ts";
import { defineBackgroundWork, type Database } from "./database.ts";
import { chosenBy } from "./qso-list.ts";
import { BY_ANYBODY } from "./qsos.ts";
import { isLarge } from "./statistics.ts";
import { inList, many, maybe, raw, type Sql, type Unit } from "./unit.ts";

interface Asked {
  userId: number;
  filter: QsoFilter;
}

const COUNT = raw("CAST(count(*) AS BIGINT)");

type Counted<Name extends FigureName> = (asked: Asked) => Unit<Figures[Name]>;

function* calendar({ userId, filter }: Asked): Unit<Figures["calendar"]> {
  return calendarOf(
    yield* many<{ day: number; contacts: number }>`
      SELECT started_at / ${DAY} AS day, ${COUNT} AS contacts FROM qsos ${chosenBy(userId, filter)} GROUP BY 1`,
  );
}

function* hours({ userId, filter }: Asked): Unit<Figures["hours"]> {
  return hoursOf(
    yield* many<{ hour: number; band: string; contacts: number }>`
      SELECT (started_at / ${HOUR}) % 24 AS hour, band, ${COUNT} AS contacts
      FROM qsos ${chosenBy(userId, filter)} AND band IS NOT NULL AND started_at >= 0 GROUP BY 1, 2`,
  );
}

interface YearCell {
  year: number;
  band: string | null;
  mode: string | null;
  submode: string | null;
  modeGroup: ModeGroup | null;
  contacts: number;
}

const byYear = ({ userId, filter }: Asked): Unit<YearCell[]> =>
  many<YearCell>`
    SELECT year, band, mode, submode, mode_group AS "modeGroup", ${COUNT} AS contacts
    FROM qsos ${chosenBy(userId, filter)} GROUP BY mode, submode, mode_group, band, year`;

function* bands(asked: Asked): Unit<Figures["bands"]> {
  return bandsOf(yield* byYear(asked));
}

function* modes(asked: Asked): Unit<Figures["modes"]> {
  return modesOf(yield* byYear(asked));
}

const firsts = ({ userId, filter }: Asked, column: Sql): Unit<FirstTime[]> =>
  many<FirstTime>`
    SELECT CAST(${column} AS TEXT) AS key, min(started_at) AS "workedAt",
           min(CASE WHEN ${BY_ANYBODY} THEN started_at END) AS "confirmedAt"
    FROM qsos ${chosenBy(userId, filter)} AND ${column} IS NOT NULL GROUP BY ${column}`;

function* curve(asked: Asked): Unit<Figures["curve"]> {
  return curveOf({
    entities: yield* firsts(asked, raw("award_entity")),
    states: yield* firsts(asked, raw("award_state")),
    zones: yield* firsts(asked, raw("award_zone")),
    grids: bySquare(yield* firsts(asked, raw("award_grids"))),
  });
}

function* delaysOf({ userId, filter }: Asked, service: Delay["service"]): Unit<Delay[]> {
  const [confirmed, at] = [raw(`${service}_confirmed`), raw(`${service}_confirmed_at`)];
  const rows = yield* many<Omit<Delay, "service">>`
    SELECT band, year, (${at} - started_at) / ${DAY} AS days, ${COUNT} AS contacts
    FROM qsos ${chosenBy(userId, filter)} AND ${confirmed} = 1 AND ${at} >= started_at GROUP BY 1, 2, 3`;
  return rows.map((row) => ({ ...row, service }));
}

function* confirmations(asked: Asked): Unit<Figures["confirmations"]> {
  const groups = yield* many<ConfirmedGroup>`
    SELECT band, year, ${COUNT} AS contacts, CAST(sum(first_confirmed) AS BIGINT) AS first,
           CAST(sum(second_confirmed) AS BIGINT) AS second, CAST(sum(card_confirmed) AS BIGINT) AS card
    FROM qsos ${chosenBy(asked.userId, asked.filter)} GROUP BY band, year`;
  const delays = [...(yield* delaysOf(asked, "first")), ...(yield* delaysOf(asked, "second"))];
  return { rows: confirmationsOf(groups, delays) };
}

function* furthest({ userId, filter }: Asked): Unit<Figures["furthest"]> {
  const rows = furthestOf(
    yield* many<GridContact>`
      SELECT band, gridsquare, own_grid AS "ownGrid", min(id) AS "qsoId"
      FROM qsos ${chosenBy(userId, filter)}
        AND band IS NOT NULL AND gridsquare IS NOT NULL AND own_grid IS NOT NULL
      GROUP BY band, gridsquare, own_grid`,
  );
  if (rows.length === 0) return { rows: [] };
  const calls = yield* many<{ id: number; call: string }>`
    SELECT id, call FROM qsos WHERE id ${inList(rows.map(({ qsoId }) => qsoId))}`;
  const callOf = new Map(calls.map(({ id, call }) => [id, call]));
  return { rows: rows.map((row) => ({ ...row, call: callOf.get(row.qsoId)! })) };
}

function* map({ userId, filter }: Asked): Unit<Figures["map"]> {
  const home = yield* maybe<{ grid: string }>`
    SELECT own_grid AS grid FROM qsos ${chosenBy(userId, filter)} AND own_grid IS NOT NULL
    GROUP BY own_grid ORDER BY count(*) DESC, own_grid LIMIT 1`;
  const centre = home && gridCentre(home.grid);
  return {
    home: home && centre ? { ...centre, grid: home.grid } : null,
    entities: yield* many<Figures["map"]["entities"][number]>`
      SELECT dxcc, ${COUNT} AS total, CAST(sum(CASE WHEN ${BY_ANYBODY} THEN 1 ELSE 0 END) AS BIGINT) AS confirmed
      FROM qsos ${chosenBy(userId, filter)} AND dxcc IS NOT NULL GROUP BY dxcc ORDER BY dxcc`,
  };
}

const COUNTED: { [Name in FigureName]: Counted<Name> } = {
  calendar,
  hours,
  bands,
  modes,
  curve,
  confirmations,
  furthest,
  map,
};

interface Wanted extends Asked {
  names: readonly FigureName[];
}

function* someFigures({ names, ...asked }: Wanted): Unit<Partial<Figures>> {
  const found: Partial<Record<FigureName, unknown>> = {};
  for (const name of names) found[name] = yield* COUNTED[name](asked);
  return found as Partial<Figures>;
}

export const figuresWork = defineBackgroundWork("figures.some", "read", someFigures);

/** Figures of the contacts that are chosen, of one moment, without holding up the event loop. */
export const figuresOf = async (db: Database, wanted: Wanted): Promise<Partial<Figures>> => {
  const isSmall = !(await db.read(() => isLarge(wanted.userId)));
  return isSmall ? db.read(() => someFigures(wanted)) : db.inBackground(figuresWork, wanted);
};
