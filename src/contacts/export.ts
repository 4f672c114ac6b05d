import { version } from "../../package.json";
import { writeRecord } from "../adif/writer.ts";
import { parseWord } from "../kernel/errors.ts";
import type { ExportFormat } from "../domain/contact/export-formats.ts";
import type { QsoFilter } from "../domain/contact/qso-filter.ts";
import type { Qso } from "../domain/contact/qso.ts";
import { mapYielding } from "../kernel/yield-to-event-loop.ts";
import type { Work } from "../storage/engine/database.ts";
import { isLarge } from "../storage/log/large-log.ts";
import * as qsoList from "../storage/log/qso-list.ts";
import * as qsos from "../storage/log/qsos.ts";
import * as userFields from "../storage/log/user-fields.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import { exportRecord } from "../domain/contact/export-record.ts";
import { adi, adx } from "./formats/adif.ts";
import { cabrillo } from "./formats/cabrillo.ts";
import { csv, jsonl, parseColumns } from "./formats/columns.ts";
import type { ExportContext, Format } from "./formats/format.ts";

const FORMATS: Record<ExportFormat, Format> = { adi, adx, csv, jsonl, cabrillo };
export const FORMAT_NAMES = Object.keys(FORMATS) as ExportFormat[];

/** The export format, and its columns if it has any. */
export interface ExportOptions {
  format?: string;
  /** Comma-separated. */
  columns?: string;
}

export const formatOf = (name = "adi"): Format => FORMATS[parseWord("format", "format", FORMAT_NAMES, name)];

const OLDEST_FIRST = { key: "startedAt", descending: false } as const;
/** Reading this many takes a few milliseconds. */
const PAGE_SIZE = 100;
/** In a reading thread and on a server, reading blocks nobody. */
const PAGE_SIZE_ELSEWHERE = 250;

type Reading = Pick<World, "db" | "ticks" | "turn">;

/** Pages of contacts, read on demand with `read` until there are no more. */
async function* readPages(
  world: Reading,
  read: (most: number) => Promise<{ qsos: readonly Qso[]; hasMore: boolean }>,
  isElsewhere = world.db.isShared,
): AsyncGenerator<readonly Qso[], void, void> {
  for (let hasMore = true; hasMore;) {
    const page = await read(isElsewhere ? PAGE_SIZE_ELSEWHERE : PAGE_SIZE);
    await world.turn();
    if (page.qsos.length > 0) yield page.qsos;
    hasMore = page.hasMore;
  }
}

interface After {
  afterId: number;
  station: string | null;
  limit: number;
}

/** Pages of contacts in order of arrival, after an id. */
export async function* readPagesAfter(
  world: Reading,
  userId: number,
  { afterId, station, limit }: After,
): AsyncGenerator<readonly Qso[], void, void> {
  let [lastId, left] = [afterId, limit];
  yield* readPages(world, async (size) => {
    const most = Math.min(size, left);
    const found = await world.db.read(() => qsos.listAfter(userId, lastId, station, most));
    lastId = found.at(-1)?.id ?? lastId;
    left -= found.length;
    return { qsos: found, hasMore: found.length > 0 && left > 0 };
  });
}

/** With the next page, an answer that is not streamed stays below 8 MB. */
const MAX_CHARACTERS = 4_000_000;

/** The same as records: one chunk of a file for each page. There can be more contacts when it ends. */
export const readRecordsAfter = async (
  world: Reading,
  userId: number,
  after: After,
): Promise<{ pieces: string[]; count: number; lastId: number }> => {
  const pieces: string[] = [];
  let [count, lastId, room] = [0, after.afterId, MAX_CHARACTERS];
  for await (const page of readPagesAfter(world, userId, after)) {
    pieces.push((await mapYielding(world, page, (qso) => writeRecord(exportRecord(qso)))).join(""));
    count += page.length;
    lastId = page.at(-1)!.id;
    room -= pieces.at(-1)!.length;
    if (room < 0) break;
  }
  return { pieces, count, lastId };
};

/**
 * Exports the contacts that match a filter, oldest first, page by page. Invalid requests throw immediately. The
 * contacts can be in another database than their user.
 */
export const exportLog = (
  world: Reading & Pick<World, "clock">,
  userId: number,
  filter: QsoFilter,
  request: ExportOptions = {},
  { db }: Pick<World, "db"> = world,
): AsyncGenerator<string, void, void> => {
  const format = formatOf(request.format);
  const plain = { filter, columns: parseColumns(request.columns), createdAt: world.clock(), programVersion: version };
  format.assertFits?.({ ...plain, userDefs: [], callsign: null, survey: [] });
  return writePieces(world, { ...world, db }, userId, format, plain);
};

/** Matches in a large log can be far apart, so a reading thread finds them. */
const isSearch = async (db: World["db"], userId: number, { from: _, to: __, ...others }: QsoFilter) =>
  Object.keys(others).length > 0 && (await db.read(() => isLarge(userId)));

async function* writePieces(
  { db: owners }: Pick<World, "db">,
  world: Reading,
  userId: number,
  format: Format,
  plain: Omit<ExportContext, "userDefs" | "callsign" | "survey">,
): AsyncGenerator<string, void, void> {
  const { db } = world;
  const { filter } = plain;
  const known = await owners.read(function* () {
    return { userDefs: yield* userFields.list(userId), callsign: (yield* users.get(userId)).callsign };
  });
  const isElsewhere = await isSearch(db, userId, filter);
  const look = <Args, Result>(work: Work<Args, Result>, args: Args): Promise<Result> =>
    isElsewhere ? db.inWorker(work, args, { userId }) : db.read(() => work.unit(args));
  const survey = format.looksAhead ? await look(qsoList.surveyWork, { userId, filter }) : [];
  const context = { ...plain, ...known, survey };
  yield format.head(context);
  let cursor: string | undefined;
  const read = async (limit: number) => {
    const listing = { filter, sort: OLDEST_FIRST, limit, cursor };
    const { qsos, nextCursor } = await look(qsoList.listWork, { userId, listing });
    cursor = nextCursor ?? undefined;
    return { qsos, hasMore: nextCursor !== null };
  };
  for await (const page of readPages(world, read, isElsewhere || db.isShared)) {
    yield (await mapYielding(world, page, (qso) => format.row(qso, context))).join("");
  }
  const end = format.tail(context);
  if (end !== "") yield end;
}
