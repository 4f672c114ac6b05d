import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { describeUndecided } from "../../domain/jobs/job-words.ts";
import type { Leftover } from "../../storage/log/leftovers.ts";
import * as qsos from "../../storage/log/qsos.ts";
import type { Unit } from "../../storage/engine/unit.ts";
import { loadCandidateIndex } from "../job/candidates.ts";
import { readIncoming, type Incoming } from "./incoming.ts";
import { isCandidate } from "./match.ts";

/**
 * The contacts that open records could mean now, and why that is not decided. What was stored with the records may be
 * out of date: contacts were deleted or added later.
 */
export function* deriveCandidates<Row extends Leftover>(
  userId: number,
  rows: readonly Row[],
  facts: CallFacts,
): Unit<Row[]> {
  const open = new Map<Row, Incoming>();
  for (const row of rows) {
    if (row.kind !== "unmatched" || row.resolvedAt !== null) continue;
    const incoming = readIncoming(row.record, row.source, row.part, facts);
    if ("key" in incoming) open.set(row, incoming);
  }
  const index = yield* loadCandidateIndex(userId, [...open.values()], null);
  const stored = yield* qsos.listByIds([...open.keys()].flatMap(({ candidates }) => candidates));
  const kept = new Set(stored.filter((qso) => qso.userId === userId).map(({ id }) => id));
  return rows.map((row) => {
    const incoming = open.get(row);
    if (!incoming) return row;
    const found = index.findCandidates(incoming).filter((qso) => isCandidate(incoming, qso));
    const ids = [...new Set([...row.candidates.filter((id) => kept.has(id)), ...found.map(({ id }) => id)])];
    const isAsStored = ids.length === row.candidates.length && ids.every((id) => row.candidates.includes(id));
    return isAsStored ? row : { ...row, candidates: ids, reason: describeUndecided(ids.length) };
  });
}
