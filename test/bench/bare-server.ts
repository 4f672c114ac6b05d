// What the server's requests cost without the server: who asks and what for, looked up in the same database and answered
// as JSON by nothing but Bun.serve. Said on standard output: the address.
import { version } from "../../package.json";
import { hashOfToken } from "../../src/auth/api-tokens.ts";
import { jobView } from "../../src/domain/sync-job.ts";
import * as apiTokens from "../../src/storage/api-tokens.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { statisticsOf } from "../../src/storage/statistics.ts";
import * as syncJobs from "../../src/storage/sync-jobs.ts";
import { TIME } from "../../src/time.ts";

const [file = ""] = process.argv.slice(2);
const db = await openDatabase(file, { time: TIME });

const userOf = async (request: Request): Promise<number> => {
  const token = request.headers.get("authorization")!.slice("Bearer ".length);
  return (await db.read(() => apiTokens.findWithUser(hashOfToken(token))))!.user.id;
};

const jobs = async (request: Request) => {
  const userId = await userOf(request);
  const [found, active] = await db.read(function* () {
    return [yield* syncJobs.list({ userId, limit: 21 }), yield* syncJobs.countActive(userId)] as const;
  });
  const shown = found.slice(0, 20).map((job) => jobView(job, Date.now()));
  return Response.json({ jobs: shown, active, nextCursor: null });
};

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  routes: {
    "/healthz": () => Response.json({ status: "ok", version }),
    "/api/jobs": jobs,
    "/api/stats": async (request) => Response.json(await statisticsOf(db, await userOf(request))),
  },
});

console.log(server.url.origin);
