/** Processor time of a start from source and of usual requests, and the memory of an idle server. */
import type { Figure } from "./figure.ts";
import type { Bench } from "./log.ts";
import type { Installation, Program, Server } from "./program.ts";
import { repeated } from "./rounds.ts";

const STARTS = 7;
const REST_MS = 5_000;
const REPEATS = 500;

export default async (bench: Bench, program: Program): Promise<Figure[]> => {
  const installation = await bench.logOf(program);
  const starts = await startFigures("start from source", "startFromSource", installation);
  const server = await installation.serve();
  await Bun.sleep(REST_MS);
  const atRest = server.memory().resident;
  const headers = { cookie: await server.cookie(), accept: "text/html" };
  const figures: Figure[] = [...starts, { name: "memory at rest", value: atRest, limit: "memoryAtRest" }];
  for (const [path, options] of [
    ["/healthz", {}],
    ["/api/stats", {}],
    ["/api/jobs", {}],
    ["/", { headers }],
    ["/log", { headers }],
  ] as const) {
    figures.push({
      name: `GET ${path}`,
      value: await repeated(server, REPEATS, () => server.ask(path, options)),
      unit: "ms",
    });
  }
  await server.stop();
  return figures;
};

/** Time until the first page and until a page that needs a sign-in: the minimum of some starts. */
export const startFigures = async (
  name: string,
  limit: "startFromSource" | "startOfExecutable",
  installation: Installation,
  program?: readonly string[],
): Promise<Figure[]> => {
  const [first, log]: [number[], number[]] = [[], []];
  for (let n = 0; n < STARTS; n++) {
    first.push(await startOf(await installation.serve(program), "/"));
    log.push(await startOf(await installation.serve(program), "/log"));
  }
  return [
    { name: `${name} to the first page`, value: Math.min(...first), limit },
    { name: `${name} to the log`, value: Math.min(...log), unit: "ms" },
  ];
};

const startOf = async (server: Server, path: string): Promise<number> => {
  await (await fetch(server.url + path)).text();
  return server.kill();
};
