import { FigureCounter, type FigureRow } from "../../domain/statistics/figure-counter.ts";
import type { Figures } from "../../domain/statistics/log-figures.ts";
import type { QsoFilter } from "../../domain/contact/qso-filter.ts";
import { defineWork } from "../engine/database.ts";
import { buildWhere } from "./qso-list.ts";
import type { RowOf } from "../engine/rows.ts";
import { columns, inList, many, manyValues, sql, type Unit } from "../engine/unit.ts";

const COLUMNS = sql`
  ${columns("id", "started_at", "year", "band", "dxcc", "award_entity", "award_state", "award_zone", "award_grids")},
  ${columns("own_grid", "gridsquare", "mode_group")}, coalesce(submode, mode) AS mode,
  ${columns("confirmed_by", "confirmed_times")}`;

/** Rows in memory at a time. */
const BATCH_ROWS = 5_000;

/** Computes the figures of the statistics page for the contacts that match a filter. */
export const figuresWork = defineWork(
  "figures.count",
  "read",
  function* ({ userId, filter }: { userId: number; filter: QsoFilter }): Unit<Figures> {
    const counter = new FigureCounter();
    const found = yield* manyValues<number>`SELECT id FROM qsos ${buildWhere(userId, filter)}`;
    for (let start = 0; start < found.length; start += BATCH_ROWS) {
      const ids = found.slice(start, start + BATCH_ROWS);
      const rows = yield* many<FigureRow>`SELECT ${COLUMNS} FROM qsos WHERE id ${inList(ids)}`;
      for (const row of rows) counter.add(row);
    }
    const furthest = yield* many<RowOf<"qsos", "id" | "call">>`
      SELECT id, call FROM qsos WHERE id ${inList(counter.furthestIds)}`;
    return counter.toFigures(new Map(furthest.map(({ id, call }) => [id, call])));
  },
);
