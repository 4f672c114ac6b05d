import type { App } from "../app.ts";
import * as syncJobs from "../storage/sync-jobs.ts";

const MOST_LOOKED_AT = 100;

/** Ends what runs in this process for an account that is gone. */
export const stopJobsOf = async ({ db, runner }: Pick<App, "db" | "runner">, userId: number): Promise<void> => {
  const jobs = await db.read(() => syncJobs.list({ userId, limit: MOST_LOOKED_AT }));
  for (const { id } of jobs) runner.interrupt(id);
  await Promise.allSettled(jobs.map(({ id }) => runner.end(id)));
};
