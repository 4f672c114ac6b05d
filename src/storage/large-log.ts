import type { BackgroundWork, Database } from "./database.ts";
import type { Waiting } from "./reader-threads.ts";
import { maybe, type Unit } from "./unit.ts";

/** More contacts than this are read in a thread, so that other requests do not wait for them. */
const LARGE_LOG = 20_000;

export function* isLarge(userId: number): Unit<boolean> {
  return (yield* maybe`SELECT 1 AS one FROM qsos WHERE user_id = ${userId} LIMIT 1 OFFSET ${LARGE_LOG}`) !== null;
}

/** Reads a small log here and a large one in a reading thread. */
export const readLog = async <Args extends { userId: number }, Result>(
  db: Database,
  work: BackgroundWork<Args, Result>,
  args: Args,
  waiting: Waiting = {},
): Promise<Result> =>
  (await db.read(() => isLarge(args.userId)))
    ? db.inBackground(work, args, {
        userId: args.userId,
        signal: waiting.signal,
        isNeverRefused: waiting.isNeverRefused,
      })
    : db.read(() => work.unit(args));
