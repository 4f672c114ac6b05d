import type { RollbackResult } from "../src/sync/undo/rollback.ts";
import { grouped } from "./counted.ts";

type Kept = RollbackResult["kept"][number];

const QSOS_NAMED = 3;

/** What stays although its job is taken back, or goes although another job brought it: a line for each reason. */
export const keptInWords = (kept: readonly Kept[], mostLines: number): string[] => {
  const alike = Map.groupBy(kept, ({ field, reason }) => JSON.stringify([field, reason]));
  const lines = [...alike.values()].map((all) => {
    const [{ field, reason }] = all as [Kept];
    return `${field} of QSO ${named(all.map(({ qsoId }) => qsoId))}: ${reason}`;
  });
  const more = lines.length - mostLines;
  return more > 0 ? [...lines.slice(0, mostLines), `… and ${grouped(more)} more`] : lines;
};

const named = (ids: readonly number[]): string => {
  const more = ids.length - QSOS_NAMED;
  return `${ids.slice(0, QSOS_NAMED).join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`;
};
