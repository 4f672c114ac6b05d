import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import * as users from "../storage/people/users.ts";
import type { Database } from "../storage/engine/database.ts";

const MAX_JOBS = 20;

/** Usernames for completion. */
export const listUsernames = async (db: Database): Promise<string[]> =>
  (await db.read(() => users.list())).map(({ username }) => username);

/** The newest jobs of all users. */
export const listNewestJobs = (db: Database) => db.read(() => syncJobs.listNewestOfAll(MAX_JOBS));
