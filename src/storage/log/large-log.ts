import type { Work, Database } from "../engine/database.ts";
import type { Waiting } from "../engine/reader-threads.ts";
import { countAfterWork } from "./qsos.ts";
import { maybe, type Unit } from "../engine/unit.ts";

/** More contacts than this are read in a thread, so that other requests do not wait for them. */
const LARGE_LOG = 20_000;

export function* isLarge(userId: number): Unit<boolean> {
  return (yield* maybe`SELECT 1 AS one FROM qsos WHERE user_id = ${userId} LIMIT 1 OFFSET ${LARGE_LOG}`) !== null;
}

/** Reads a small log here and a large one in a reading thread. */
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

/** Whoever waits hears at once that a large log is read, and nothing of a small one. */
export const progressWhereLarge = async (
  db: Pick<Database, "read">,
  userId: number,
  { onProgress }: Waiting,
): Promise<Waiting["onProgress"]> => {
  if (!onProgress || !(await db.read(() => isLarge(userId)))) return undefined;
  onProgress(0);
  return onProgress;
};

/** The same for what reads a log in parts: gives what is called with the size of each part. */
export const progressInParts = async (
  db: Pick<Database, "read" | "inWorker">,
  userId: number,
  waiting: Waiting,
): Promise<(rows: number) => void> => {
  const tell = await progressWhereLarge(db, userId, waiting);
  if (!tell) return () => {};
  const { signal } = waiting;
  const total = await db.inWorker(countAfterWork, { userId, afterId: 0, station: null }, { userId, signal });
  let done = 0;
  return (rows) => tell(Math.min(1, (done += rows) / total));
};
