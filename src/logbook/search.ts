import { AppError } from "../domain/errors.ts";
import type { QsoListing } from "../domain/qso-filter.ts";
import type { Qso } from "../domain/qso.ts";
import { GateFull, type Gate } from "../gate.ts";
import * as qsoList from "../storage/qso-list.ts";
import { isLarge } from "../storage/statistics.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import type { ColumnReader } from "./column-reader.ts";
import type { Totals } from "./totals.ts";

/** Where many share a program, what one asks for may not make the others wait. */
export interface SharedDesk extends Pick<World, "db" | "ticks"> {
  /** Searches that may be under way, and wait; null where nobody else does. */
  searching?: Gate;
  totals?: Totals;
  /** Packs what is found unpacked. */
  columns?: ColumnReader;
}

export type FoundPage = qsoList.QsoPage & { total: number };

const PATIENCE_MS = 1_500;
const ROWS_A_STRETCH = 20_000;

const tooLong = (): AppError =>
  new AppError(
    "unavailable",
    "This log has changed much and is being read for searches. Try again in a minute, or name days or a band too.",
    { rule: "search_too_long" },
  );

/** A page of a log, however large, and however it is asked for. */
export const findPage = async (desk: SharedDesk, userId: number, listing: QsoListing): Promise<FoundPage> => {
  const { db, searching, ticks } = desk;
  const began = ticks();
  const asked = { userId, listing };
  qsoList.assertCursor(listing);
  if (!(await db.read(() => isLarge(userId)))) return db.read(() => qsoList.pageWithTotal(asked));
  const found = await byIndex(desk, asked);
  if (found) return found;
  if (!searching) return db.read(() => qsoList.pageWithTotal(asked));
  const search = () => throughLog(desk, asked, began + PATIENCE_MS);
  try {
    return await searching.pass(search, String(userId));
  } catch (error) {
    throw error instanceof GateFull ? tooLong() : error;
  } finally {
    desk.columns?.readSoon(userId);
  }
};

const byIndex = async ({ db, totals, columns }: SharedDesk, asked: qsoList.Asked): Promise<FoundPage | null> => {
  const { userId, listing } = asked;
  const known = totals?.find(userId, listing.filter) ?? null;
  const found = await db.inBackground(qsoList.pageByIndexWork, { ...asked, known });
  if (found === null) return null;
  if (found.isWorn) columns?.readSoon(userId);
  totals?.keep(userId, listing.filter, found);
  const { version: _, isWorn: __, ...page } = found;
  return page;
};

/** What no index knows is counted once while the log stays as it is; then a page takes only what it shows. */
const throughLog = async (desk: SharedDesk, asked: qsoList.Asked, giveUpAt: number): Promise<FoundPage> => {
  const { db, totals } = desk;
  const versionNow = () => db.read(() => users.logVersion(asked.userId));
  const version = await versionNow();
  const page = await inStretches(desk, asked, giveUpAt);
  if (version === (await versionNow()))
    totals?.keep(asked.userId, asked.listing.filter, { version, total: page.total });
  return page;
};

/** One stretch of time after the other, so that other work of the second thread comes in between. */
export const inStretches = async (
  { db, ticks }: SharedDesk,
  asked: qsoList.Asked,
  giveUpAt: number,
  rows = ROWS_A_STRETCH,
): Promise<FoundPage> => {
  const { listing } = asked;
  const { filter, sort, limit } = listing;
  const borders = await db.inBackground(qsoList.bordersWork, { userId: asked.userId, rows });
  const ends = [qsoList.LATER_THAN_ANY, ...borders];
  const stretches = ends
    .map((to, at) => ({ from: borders[at] ?? -qsoList.LATER_THAN_ANY, to }))
    .filter(({ from, to }) => from < (filter.to ?? Infinity) && to > (filter.from ?? -Infinity));
  const isByTime = sort.key === "startedAt";
  const found: Qso[] = [];
  let total = 0;
  const isOldestFirst = sort.descending === (listing.before !== undefined);
  for (const stretch of isByTime && isOldestFirst ? stretches.toReversed() : stretches) {
    if (ticks() > giveUpAt) throw tooLong();
    const wanted = isByTime ? limit + 1 - found.length : limit + 1;
    const part = await db.inBackground(qsoList.stretchWork, { ...asked, ...stretch, wanted });
    found.push(...part.qsos);
    total += part.total;
  }
  return { ...qsoList.pageOfStretches(listing, found), total };
};
