import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import * as users from "../storage/people/users.ts";
import type { Database } from "../storage/engine/database.ts";

const JOBS_OFFERED = 20;

/** Usernames for completion. */
export const usernames = async (db: Database): Promise<string[]> =>
  (await db.read(() => users.list())).map(({ username }) => username);

/** The newest jobs of all users. */
export const newestJobs = (db: Database) => db.read(() => syncJobs.listNewestOfAll(JOBS_OFFERED));
