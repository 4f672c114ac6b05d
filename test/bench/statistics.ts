/** Processor time of the server for statistics: after a change of the log, and without a change. */
import type { Figure } from "./figure.ts";
import type { Bench } from "./log.ts";
import { measureLongestWait } from "./onlooker.ts";
import type { Program } from "./program.ts";
import { afterChanges, repeated } from "./rounds.ts";

const ROUNDS = 9;
const REPEATS = 100;

export default async (bench: Bench, program: Program): Promise<Figure[]> => {
  const server = await (await bench.logOf(program)).serve();
  try {
    const headers = { cookie: await server.cookie(), accept: "text/html" };
    const statistics = () => server.ask("/api/stats");
    const oneCallsign = () => server.ask("/api/stats?station=YU1TEST");
    const page = () => server.ask("/statistics", { headers });
    const figures: Figure[] = [
      {
        name: "statistics, after a change",
        value: await afterChanges(server, ROUNDS, statistics),
        limit: "statistics",
      },
      { name: "statistics, from the cache", value: await repeated(server, REPEATS, statistics), unit: "ms" },
      {
        name: "statistics of one callsign, after a change",
        value: await afterChanges(server, ROUNDS, oneCallsign),
        limit: "statistics",
      },
    ];
    let pageMs = 0;
    const wait = await measureLongestWait(server.url, async () => (pageMs = await afterChanges(server, ROUNDS, page)));
    figures.push(
      { name: "statistics page, after a change", value: pageMs, limit: "statisticsPage" },
      { name: "statistics page, from the cache", value: await repeated(server, REPEATS, page), unit: "ms" },
      { name: "statistics page: longest wait of another request", value: wait, limit: "otherRequest" },
    );
    return figures;
  } finally {
    await server.stop();
  }
};
