import { version } from "../../package.json";
import { writeHeader, writeRecord } from "../adif/writer.ts";
import { HIGHEST_LIMIT, type QsoFilter } from "../domain/qso-filter.ts";
import * as qsoList from "../storage/qso-list.ts";
import * as qsos from "../storage/qsos.ts";
import * as userFields from "../storage/user-fields.ts";
import type { World } from "../world.ts";
import { exportRecord } from "./export-record.ts";

export const ADIF_TYPE = "text/x-adif; charset=utf-8";

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

/** The contacts of a filter as ADIF, oldest first, a page at a time however long the log is. */
export async function* exportAdif(
  { db, clock }: Pick<World, "db" | "clock">,
  userId: number,
  filter: QsoFilter,
): AsyncGenerator<string, void, void> {
  const userDefs = await db.read(() => userFields.list(userId));
  yield writeHeader({ programVersion: version, createdAt: clock(), userDefs });
  for (let cursor: string | undefined; ;) {
    const listing = { filter, sort: OLDEST_FIRST, limit: HIGHEST_LIMIT, cursor };
    const { qsos, nextCursor } = await db.read(() => qsoList.list(userId, listing));
    if (qsos.length > 0) yield qsos.map((qso) => writeRecord(exportRecord(qso))).join("");
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}
