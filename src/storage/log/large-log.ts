import { defineWork, type Work, type Database } from "../engine/database.ts";
import type { Waiting } from "../engine/reader-threads.ts";
import { countRows, EMPTY, exists, sql, type Unit } from "../engine/unit.ts";

/** Larger logs are read in a worker thread so that other requests do not wait. */
const LARGE_LOG = 20_000;

export const isLarge = (userId: number): Unit<boolean> =>
  exists`(SELECT id FROM qsos WHERE user_id = ${userId} LIMIT 1 OFFSET ${LARGE_LOG}) AS further`;

/** Reads a small log in this thread and a large one in a reading thread. */
export const readLog = async <Args extends { userId: number }, Result>(
  db: Database,
  work: Work<Args, Result>,
  args: Args,
  waiting: Waiting = {},
): Promise<Result> =>
  (await db.read(() => isLarge(args.userId)))
    ? db.inWorker(work, args, {
        userId: args.userId,
        signal: waiting.signal,
        isNeverRefused: waiting.isNeverRefused,
      })
    : db.read(() => work.unit(args));

/** Reports immediately that a large log is being read; reports nothing for a small one. */
export const reportIfLarge = async (
  db: Pick<Database, "read">,
  userId: number,
  { onProgress }: Waiting,
): Promise<Waiting["onProgress"]> => {
  if (!onProgress || !(await db.read(() => isLarge(userId)))) return undefined;
  onProgress(0);
  return onProgress;
};

/** The number of contacts after an id. Slow for a large log. */
export const countAfterWork = defineWork(
  "qsos.countAfter",
  "read",
  ({ userId, afterId, station }: { userId: number; afterId: number; station: string | null }) => {
    const made = station === null ? EMPTY : sql`AND station_callsign = ${station}`;
    return countRows`qsos WHERE user_id = ${userId} AND id > ${afterId} ${made}`;
  },
);

/** Runs work that reads a whole log, and reports its progress if the log is large. */
export const readWholeLog = async <Args extends { userId: number }, Result, Tools>(
  db: Database,
  work: Work<Args, Result, Tools>,
  args: Args,
  { signal, onProgress }: Waiting,
): Promise<Result> => {
  const { userId } = args;
  return db.inWorker(work, args, { userId, signal, onProgress: await reportIfLarge(db, userId, { onProgress }) });
};

/** Like `reportIfLarge` for work in parts: returns a function to call with the size of each part. */
export const reportParts = async (
  db: Pick<Database, "read" | "inWorker">,
  userId: number,
  waiting: Waiting,
): Promise<(rows: number) => void> => {
  const tell = await reportIfLarge(db, userId, waiting);
  if (!tell) return () => {};
  const { signal } = waiting;
  const total = await db.inWorker(countAfterWork, { userId, afterId: 0, station: null }, { userId, signal });
  let done = 0;
  return (rows) => tell(Math.min(1, (done += rows) / total));
};
