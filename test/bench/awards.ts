/** Processor time of the server for awards, and the rate of need look-ups. */
import { aLog } from "../support/log-generator.ts";
import type { Figure } from "./figure.ts";
import type { Bench } from "./log.ts";
import { measureLongestWait } from "./onlooker.ts";
import type { Program } from "./program.ts";
import { afterChanges, repeated } from "./rounds.ts";

const ROUNDS = 9;
const REPEATS = 100;
const CALLS_PER_REQUEST = 1_000;
const QUESTIONS = 10;

export default async (bench: Bench, program: Program): Promise<Figure[]> => {
  const server = await (await bench.logOf(program)).serve();
  try {
    const headers = { cookie: await server.cookie(), accept: "text/html" };
    const all = () => server.ask("/api/awards");
    const page = () => server.ask("/awards/dxcc", { headers });
    const figures: Figure[] = [
      { name: "all awards, after a change", value: await afterChanges(server, ROUNDS, all), limit: "awards" },
      { name: "all awards, from the cache", value: await repeated(server, REPEATS, all), unit: "ms" },
      { name: "page of DXCC, after a change", value: await afterChanges(server, ROUNDS, page), unit: "ms" },
      { name: "page of DXCC, from the cache", value: await repeated(server, REPEATS, page), unit: "ms" },
    ];
    let firstMs = Infinity;
    const oneMs = await afterChanges(server, ROUNDS, async () => {
      const began = performance.now();
      await server.ask("/api/need?call=3Y0J&band=17m&mode=FT8");
      firstMs = Math.min(firstMs, performance.now() - began);
    });
    // Half of the calls are in the log, as on the air.
    const calls = [1, 2].flatMap((seed) => aLog({ contacts: CALLS_PER_REQUEST / 2, seed }).toArray());
    const asked = calls.map(({ partner, band, mode }) => ({ call: partner.call, band, mode }));
    const askAll = () => server.json("/api/need", "POST", { asked });
    const allMs = await repeated(server, QUESTIONS, askAll);
    const began = performance.now();
    const wait = await measureLongestWait(server.url, async () => {
      for (let question = 0; question < QUESTIONS; question++) await askAll();
    });
    const minutes = (performance.now() - began) / 60_000;
    return [
      ...figures,
      { name: "need, the first answer after a change, by the clock", value: firstMs, limit: "needFirst" },
      { name: "need, the first answer after a change", value: oneMs, unit: "ms" },
      { name: "need, 1,000 answers", value: allMs, unit: "ms" },
      {
        name: "need: answers a minute by the clock",
        value: (QUESTIONS * CALLS_PER_REQUEST) / minutes,
        limit: "needRate",
      },
      { name: "need: longest wait of another request", value: wait, limit: "otherRequest" },
    ];
  } finally {
    await server.stop();
  }
};
