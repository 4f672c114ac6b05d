import { version } from "../../package.json";
import { writeRecord } from "../adif/writer.ts";
import { AppError } from "../domain/errors.ts";
import type { ExportFormat } from "../domain/export-formats.ts";
import { HIGHEST_LIMIT, type QsoFilter } from "../domain/qso-filter.ts";
import * as qsoList from "../storage/qso-list.ts";
import * as qsos from "../storage/qsos.ts";
import * as userFields from "../storage/user-fields.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import { exportRecord } from "./export-record.ts";
import { adi, adx } from "./formats/adif.ts";
import { cabrillo } from "./formats/cabrillo.ts";
import { csv, jsonl, parseColumns } from "./formats/columns.ts";
import type { ExportContext, Format } from "./formats/format.ts";

const FORMATS: Record<ExportFormat, Format> = { adi, adx, csv, jsonl, cabrillo };
export const FORMAT_NAMES = Object.keys(FORMATS) as ExportFormat[];

/** In which form contacts go out, and which columns, where the form has any. */
export interface ExportWishes {
  format?: string;
  /** With commas between. */
  columns?: string;
}

export const formatOf = (name: string | undefined = "adi"): Format => {
  const known = FORMAT_NAMES.find((one) => one === name);
  if (known !== undefined) return FORMATS[known];
  const message = `${JSON.stringify(name)} is not a format; use ${FORMAT_NAMES.join(", ")}.`;
  throw new AppError("invalid", message, { fields: [{ path: "format", message }] });
};

const OLDEST_FIRST = { key: "startedAt", descending: false } as const;

/** Contacts as records, in the order in which they came into the log, from after one. */
export const recordsAfter = async (
  { db }: Pick<World, "db">,
  userId: number,
  { afterId, station, limit }: { afterId: number; station: string | null; limit: number },
): Promise<{ records: string[]; lastId: number }> => {
  const records: string[] = [];
  let lastId = afterId;
  while (records.length < limit) {
    const most = Math.min(HIGHEST_LIMIT, limit - records.length);
    const found = await db.read(() => qsos.listAfter(userId, lastId, station, most));
    for (const qso of found) records.push(writeRecord(exportRecord(qso)));
    lastId = found.at(-1)?.id ?? lastId;
    if (found.length < most) break;
  }
  return { records, lastId };
};

/** The contacts of a filter, oldest first, a page at a time however long the log is. What makes no sense is refused at once. */
export const exportLog = (
  { db, clock }: Pick<World, "db" | "clock">,
  userId: number,
  filter: QsoFilter,
  wishes: ExportWishes = {},
): AsyncGenerator<string, void, void> => {
  const format = formatOf(wishes.format);
  const plain = { filter, columns: parseColumns(wishes.columns), createdAt: clock(), programVersion: version };
  format.assertFits?.({ ...plain, userDefs: [], callsign: null, survey: [] });
  return pieces(db, userId, format, plain);
};

async function* pieces(
  db: World["db"],
  userId: number,
  format: Format,
  plain: Omit<ExportContext, "userDefs" | "callsign" | "survey">,
): AsyncGenerator<string, void, void> {
  const known = await db.read(function* () {
    return {
      userDefs: yield* userFields.list(userId),
      callsign: (yield* users.get(userId)).callsign,
      survey: format.looksAhead ? yield* qsoList.survey(userId, plain.filter) : [],
    };
  });
  const context = { ...plain, ...known };
  yield format.head(context);
  for (let cursor: string | undefined; ;) {
    const listing = { filter: plain.filter, sort: OLDEST_FIRST, limit: HIGHEST_LIMIT, cursor };
    const { qsos, nextCursor } = await db.read(() => qsoList.list(userId, listing));
    if (qsos.length > 0) yield qsos.map((qso) => format.row(qso, context)).join("");
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  const end = format.tail(context);
  if (end !== "") yield end;
}
