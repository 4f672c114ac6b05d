import { FigureTally, type FiguredContact, type FigurePart } from "../domain/figure-tally.ts";
import type { Figures } from "../domain/log-figures.ts";
import type { QsoFilter } from "../domain/qso-filter.ts";
import { defineBackgroundWork, type Database } from "./database.ts";
import { keepIfIdle } from "./kept.ts";
import { chosenBy } from "./qso-list.ts";
import { isLarge } from "./statistics.ts";
import * as tallies from "./tallies.ts";
import { columns, forUser, inList, insertMany, many, one, type Unit } from "./unit.ts";

interface Asked {
  userId: number;
  filter: QsoFilter;
}

/** A year of a log, or the whole, counted; written out, because it goes from thread to thread and into a row. */
interface YearPart {
  year: number;
  part: string;
}

/** In place of a year: the figures of the whole log. */
const WHOLE = 0;

interface Drawn {
  version: number;
  figures: Figures;
  /** What was counted to make them, which nobody had kept. */
  counted: YearPart[];
}

/** Figures of the contacts that are chosen, of one moment, without holding up the event loop. */
export const figuresOf = async (db: Database, asked: Asked): Promise<Figures> => {
  const isSmall = !(await db.read(() => isLarge(asked.userId)));
  const drawn = isSmall ? await db.read(() => draw(asked)) : await db.inBackground(figuresWork, asked);
  const { version, counted } = drawn;
  if (counted.length > 0) await keepIfIdle(() => db.write(() => keep(asked.userId, version, counted)));
  return drawn.figures;
};

export const figuresWork = defineBackgroundWork("figures.draw", "read", draw);

/** What is kept of the whole log; else what is kept of its years is added up, and all else is counted. */
function* draw({ userId, filter }: Asked): Unit<Drawn> {
  const version = yield* tallies.keptVersion(userId);
  if (version === null || !isOfYears(filter)) return yield* drawYears({ userId, filter }, null);
  const isWhole = filter.from === undefined && filter.to === undefined;
  const whole = isWhole ? (yield* keptParts(userId, [WHOLE])).get(WHOLE) : undefined;
  if (whole !== undefined) return { version, figures: JSON.parse(whole) as Figures, counted: [] };
  const { figures, counted } = yield* drawYears({ userId, filter }, version);
  return {
    version,
    figures,
    counted: isWhole ? [...counted, { year: WHOLE, part: JSON.stringify(figures) }] : counted,
  };
}

function* drawYears({ userId, filter }: Asked, version: number | null): Unit<Drawn> {
  const years = yield* yearsOf(userId, filter);
  const kept = version === null ? new Map<number, string>() : yield* keptParts(userId, years);
  const tally = new FigureTally();
  const counted: YearPart[] = [];
  for (const year of years) {
    const known = kept.get(year);
    if (known !== undefined) tally.addPart(JSON.parse(known) as FigurePart);
    else {
      const one = yield* countYear(userId, year, filter);
      tally.addPart(one);
      if (version !== null) counted.push({ year, part: JSON.stringify(one) });
    }
  }
  return { version: version ?? 0, figures: tally.figures, counted };
}

const beginOf = (year: number): number => Date.UTC(year, 0, 1);

const isNewYear = (at: number): boolean => beginOf(new Date(at).getUTCFullYear()) === at;

/** Chooses every contact of some years, and no others. */
const isOfYears = ({ from, to, ...others }: QsoFilter): boolean =>
  Object.values(others).every((condition) => condition === undefined) &&
  [from, to].every((at) => at === undefined || isNewYear(at));

/** The years in which there may be such contacts. */
function* yearsOf(userId: number, { from, to }: QsoFilter): Unit<number[]> {
  const { oldest, newest } = yield* one<{ oldest: number | null; newest: number | null }>`
    SELECT (SELECT min(started_at) FROM qsos WHERE user_id = ${userId}) AS oldest,
           (SELECT max(started_at) FROM qsos WHERE user_id = ${userId}) AS newest`;
  if (oldest === null || newest === null) return [];
  const [first, last] = [Math.max(oldest, from ?? oldest), Math.min(newest, to === undefined ? newest : to - 1)].map(
    (at) => new Date(at).getUTCFullYear(),
  ) as [number, number];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

function* keptParts(userId: number, years: readonly number[]): Unit<Map<number, string>> {
  if (years.length === 0) return new Map();
  const rows = yield* many<YearPart>`
    SELECT year, part FROM log_figures WHERE user_id = ${userId} AND year ${inList(years)}`;
  return new Map(rows.map(({ year, part }) => [year, part]));
}

const READ = [
  "id",
  "call",
  "started_at",
  "year",
  "band",
  "mode",
  "submode",
  "mode_group",
  "dxcc",
  "gridsquare",
  "own_grid",
  "award_entity",
  "award_state",
  "award_zone",
  "award_grids",
] as const;

function* countYear(userId: number, year: number, filter: QsoFilter): Unit<FigurePart> {
  const from = Math.max(beginOf(year), filter.from ?? -Infinity);
  const to = Math.min(beginOf(year + 1), filter.to ?? Infinity);
  const contacts = yield* many<FiguredContact>`
    SELECT ${columns(...READ)}, first_confirmed AS first, second_confirmed AS second, card_confirmed AS card,
           first_confirmed_at AS "firstAt", second_confirmed_at AS "secondAt"
    FROM qsos ${chosenBy(userId, { ...filter, from, to })}`;
  const tally = new FigureTally();
  for (const contact of contacts) tally.add(contact);
  return tally.part;
}

/** Keeps what was counted, unless the log has changed since. */
function* keep(userId: number, version: number, counted: readonly YearPart[]): Unit<void> {
  yield* forUser(userId);
  if ((yield* tallies.keptVersion(userId)) !== version) return;
  yield* insertMany(
    "log_figures",
    ["user_id", "year", "part"],
    counted.map(({ year, part }) => [userId, year, part]),
    "ON CONFLICT (user_id, year) DO UPDATE SET part = excluded.part",
  );
}
