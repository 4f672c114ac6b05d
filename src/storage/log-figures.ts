import { fitting, type Segment } from "../domain/column-page.ts";
import { columnsAsked } from "../domain/column-filter.ts";
import { FigureTally, type Partner } from "../domain/figure-tally.ts";
import type { Figures } from "../domain/log-figures.ts";
import type { QsoFilter } from "../domain/qso-filter.ts";
import { FIGURED, figuredOf, type YearColumns } from "../domain/year-contacts.ts";
import { countYear } from "../domain/year-figures.ts";
import { defineBackgroundWork, type Database } from "./database.ts";
import { keepIfIdle } from "./kept.ts";
import * as logYears from "./log-years.ts";
import { chosenBy } from "./qso-list.ts";
import { figuresOfLog, isLarge } from "./statistics.ts";
import { inList, many, type Unit } from "./unit.ts";

interface Asked {
  userId: number;
  filter: QsoFilter;
}

/** Figures of the contacts that are chosen, of one moment, without holding up the event loop. */
export const figuresOf = async (db: Database, asked: Asked): Promise<Figures> => {
  const isSmall = await pack(db, asked.userId);
  return isSmall ? db.read(() => draw(asked)) : db.inBackground(figuresWork, asked);
};

/** Packs the years of a large log that have changed before anybody asks for them; a small one is soon read. */
export const readAhead = async (db: Database, userId: number): Promise<void> => {
  if (!(await db.read(() => isLarge(userId)))) return;
  await figuresOfLog(db, userId);
  await pack(db, userId);
};

/** Packs what is not packed, some years at a time, until the log changes. Gives whether the log is small. */
const pack = async (db: Database, userId: number): Promise<boolean> => {
  const isSmall = !(await db.read(() => isLarge(userId)));
  const next = () => (isSmall ? db.read(() => logYears.readNext(userId)) : db.inBackground(readNextWork, { userId }));
  let isKept = true;
  for (let read = await next(); read !== null && isKept; read = isKept ? await next() : null) {
    const { version, fresh } = read;
    isKept = false;
    await keepIfIdle(async () => void (isKept = await db.write(() => logYears.keep(userId, version, fresh))));
  }
  return isSmall;
};

/** Users whose lists cannot come from columns, though their logs are large. */
export function* listUnready(): Unit<{ username: string }[]> {
  const users = yield* many<{ id: number; username: string }>`SELECT id, username FROM users ORDER BY id`;
  const unready: { username: string }[] = [];
  for (const { id, username } of users)
    if ((yield* isLarge(id)) && (yield* logYears.find(id)) === null) unready.push({ username });
  return unready;
}

export const figuresWork = defineBackgroundWork("figures.draw", "read", draw);

export const readNextWork = defineBackgroundWork("figures.readNext", "read", ({ userId }: { userId: number }) =>
  logYears.readNext(userId),
);

function* draw({ userId, filter }: Asked): Unit<Figures> {
  const { kept, beside } = yield* logYears.findWhole(userId);
  const names = [...new Set([...FIGURED, ...columnsAsked(filter)])];
  const byColumns = filter.id === undefined;
  const chosen = byColumns ? null : yield* idsOf(userId, filter);
  const tally = new FigureTally();
  const count = (segment: Segment) => {
    const columns = segment.columns as YearColumns;
    const fits = fitting(segment, byColumns ? filter : {});
    if (chosen !== null)
      for (let row = 0; row < fits.length; row++) fits[row]! &= Number(chosen.has(columns.id.at(row)));
    tally.add(countYear(segment.year, figuredOf(columns, fits)));
  };
  for (const year of kept) for (const segment of yield* logYears.segments(userId, [year], names)) count(segment);
  for (const segment of beside) count(segment);
  return tally.figures(yield* partnersOf(tally.furthestIds));
}

function* idsOf(userId: number, filter: QsoFilter): Unit<Set<number>> {
  const rows = yield* many<{ id: number }>`SELECT id FROM qsos ${chosenBy(userId, filter)}`;
  return new Set(rows.map(({ id }) => id));
}

function* partnersOf(ids: readonly number[]): Unit<Map<number, Partner>> {
  const rows = yield* many<{ id: number } & Partner>`SELECT id, call, gridsquare FROM qsos WHERE id ${inList(ids)}`;
  return new Map(rows.map(({ id, ...partner }) => [id, partner]));
}
