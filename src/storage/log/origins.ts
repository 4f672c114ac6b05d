import { ORIGIN_ROWS } from "../../domain/origins/bits.ts";
import { hasTableOrIndex } from "../engine/dialect.ts";
import type { RowOf } from "../engine/rows.ts";
import { insertMany, many, type Unit } from "../engine/unit.ts";

type OriginRow = RowOf<"origins">;

/** Origins that the table lacks or has with other values. */
export function* listMissing(): Unit<OriginRow[]> {
  if (!(yield* hasTableOrIndex("origins"))) return [];
  const known = yield* many<OriginRow>`SELECT id, bit, name FROM origins`;
  return ORIGIN_ROWS.filter((row) => !known.some((one) => Bun.deepEquals(one, row)));
}

export function* put(rows: readonly OriginRow[]): Unit<void> {
  yield* insertMany("origins", rows, "ON CONFLICT (id) DO UPDATE SET bit = excluded.bit, name = excluded.name");
}
