import { inList, many, raw, type Unit } from "../engine/unit.ts";

/** The stored bytes of a page, or of one step of long work. Answers repeat some of them, and stay below 8 MB. */
const MAX_PAGE_BYTES = 2_000_000;
/** Smaller rows are not counted: a page has at most 500 of them. */
const SMALL_ROW_BYTES = 1_000;

/** The bytes of the current records of these contacts, for those that have many. Does not load the records. */
export const measureContacts = (qsoIds: readonly number[]): Unit<Map<number, number>> =>
  measure("records", "qso_id", qsoIds, "AND outdated = 0");

/** The first of the rows whose contacts fit into one step, with all records that they ever had. */
export function* takeStep<Row extends { qsoId: number | null }>(rows: readonly Row[]): Unit<Row[]> {
  const sizes = yield* measure("records", "qso_id", [...new Set(rows.flatMap(({ qsoId }) => qsoId ?? []))]);
  return takeFitting(rows, ({ qsoId }) => sizes.get(qsoId ?? 0));
}

/** The bytes of these records, for those that have many. */
export const measureRecords = (ids: readonly number[]): Unit<Map<number, number>> => measure("records", "id", ids);

export const measureLeftovers = (ids: readonly number[]): Unit<Map<number, number>> =>
  measure("sync_leftovers", "id", ids);

function* measure(
  table: "records" | "sync_leftovers",
  column: "id" | "qso_id",
  ids: readonly number[],
  condition = "",
): Unit<Map<number, number>> {
  const id = raw(column);
  const rows = yield* many<{ id: number; bytes: number }>`
    SELECT ${id} AS id, CAST(sum(octet_length(record)) AS BIGINT) AS bytes FROM ${raw(table)}
    WHERE ${id} ${inList(ids)} ${raw(condition)} GROUP BY ${id}
    HAVING sum(octet_length(record)) >= ${SMALL_ROW_BYTES}`;
  return new Map(rows.map((row) => [row.id, row.bytes]));
}

/** The first rows that fit into a page; at least one, so that every page makes progress. */
export const takeFitting = <Row>(
  rows: readonly Row[],
  bytesOf: (row: Row) => number | undefined,
  most = MAX_PAGE_BYTES,
): Row[] => {
  let left = most;
  const fitting = rows.findIndex((row, at) => {
    left -= bytesOf(row) ?? 0;
    return left < 0 && at > 0;
  });
  return fitting < 0 ? [...rows] : rows.slice(0, fitting);
};
