import { factsOfPlaces, factsOfSquares, gainsIn, type Facts, type Gains } from "../domain/gains.ts";
import type { PlaceTally, SquareTally } from "../domain/award-tally.ts";
import type { Derived } from "../domain/qso.ts";
import type { Source } from "../domain/source.ts";
import { places, squares, type ContactFilter } from "./awards.ts";
import { defineAside, type Database } from "./database.ts";
import { snapshotColumns } from "./qsos.ts";
import { isLarge } from "./statistics.ts";
import { inList, many, one, type Unit } from "./unit.ts";

/** More changes than this are looked through in the second thread. */
const MANY_CHANGES = 1_000;
const PAGE = 500;

interface JobOfUser {
  jobId: number;
  userId: number;
}

/** What a job newly brought, however large it was, without holding up the event loop. */
export const gainsOfJob = async (db: Database, jobId: number, userId: number): Promise<Gains> => {
  const small = await db.read(function* () {
    const isSmall = (yield* changesOf(jobId)) <= MANY_CHANGES && !(yield* isLarge(userId));
    return isSmall ? yield* gainsOf(jobId, userId) : null;
  });
  return small ?? db.aside(gainsAside, { jobId, userId });
};

export const gainsAside = defineAside("gains.ofJob", "read", ({ jobId, userId }: JobOfUser) => gainsOf(jobId, userId));

/** What its contacts count for now, and neither the others do nor the same ones did before it. */
export function* gainsOf(jobId: number, userId: number): Unit<Gains> {
  if ((yield* changesOf(jobId)) === 0) return gainsIn([]);
  const candidates = yield* factsOf(userId, { job: { id: jobId, touched: true } });
  for (const fact of yield* factsOf(userId, { job: { id: jobId, touched: false } })) candidates.delete(fact);
  if (candidates.size > 0) yield* withoutFormer(candidates, jobId);
  return gainsIn(candidates);
}

function* changesOf(jobId: number): Unit<number> {
  const { changes } = yield* one<{ changes: number }>`
    SELECT CAST(count(*) AS BIGINT) AS changes
    FROM (SELECT 1 FROM qso_changes WHERE job_id = ${jobId} LIMIT ${MANY_CHANGES + 1}) AS counted`;
  return changes;
}

function* factsOf(userId: number, filter: ContactFilter): Unit<Facts> {
  const facts: Facts = new Set();
  factsOfPlaces(facts, yield* places(userId, { ...filter, flagsOnly: true }));
  factsOfSquares(facts, yield* squares(userId, { ...filter, flagsOnly: true }));
  return facts;
}

/** Takes away what the contacts counted for before the job first changed them. */
function* withoutFormer(candidates: Facts, jobId: number): Unit<void> {
  const changes = yield* many<{ id: number }>`
    SELECT min(id) AS id FROM qso_changes WHERE job_id = ${jobId} GROUP BY qso_id ORDER BY 1`;
  for (let start = 0; start < changes.length && candidates.size > 0; start += PAGE) {
    const ids = changes.slice(start, start + PAGE).map(({ id }) => id);
    const page = yield* many<{ before: Uint8Array }>`
      SELECT before_data AS before FROM qso_changes WHERE id ${inList(ids)} AND before_data IS NOT NULL`;
    const columns = page.map(({ before }) => snapshotColumns(before));
    const telling = hasWorked(candidates) ? columns : columns.filter(isConfirmed);
    const former = telling.map(asTally);
    const facts: Facts = new Set();
    factsOfPlaces(facts, former);
    factsOfSquares(facts, former);
    for (const fact of facts) candidates.delete(fact);
  }
}

const hasWorked = (facts: Facts): boolean => [...facts].some((name) => name.startsWith("worked "));

/** Most contacts that a job touches were not confirmed before: those tell nothing of what is. */
const isConfirmed = (qso: Derived): boolean => qso.firstConfirmed || qso.secondConfirmed || qso.cardConfirmed;

const asTally = (qso: Derived): PlaceTally & SquareTally => ({
  ...qso,
  first: Number(qso.firstConfirmed),
  second: Number(qso.secondConfirmed),
  card: Number(qso.cardConfirmed),
});

export interface JobGains {
  jobId: number;
  source: Source;
  finishedAt: number;
  gains: Gains;
}

/** What the completed jobs since then brought, newest first. */
export function* listGains(userId: number, since: number): Unit<JobGains[]> {
  const rows = yield* many<Omit<JobGains, "gains"> & { gains: string }>`
    SELECT id AS "jobId", source, finished_at AS "finishedAt", gains FROM sync_jobs
    WHERE user_id = ${userId} AND status = 'completed' AND gains IS NOT NULL AND finished_at >= ${since}
    ORDER BY finished_at DESC, id DESC`;
  return rows.map((row) => ({ ...row, gains: JSON.parse(row.gains) as Gains }));
}
