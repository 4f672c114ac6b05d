/** Requests a second of the processor beside a bare Bun.serve doing the same, start-up, and memory at rest. */
import { run } from "../../src/storage/unit.ts";
import { storeLog } from "../support/log-generator.ts";
import { atLeast, enough, middleOf, print } from "./figure.ts";
import { answersASecond } from "./load.ts";
import {
  processorMsOf,
  qsologServing,
  residentOf,
  started,
  withInstallation,
  type Installation,
  type Running,
} from "./running-server.ts";

const isQuick = process.argv.includes("--quick");
const ROUNDS = isQuick ? 3 : 5;
const ROUND_MS = isQuick ? 700 : 1_500;
const WARM_UP_MS = 1_000;
const STARTS = isQuick ? 3 : 7;
const STATISTICS_A_SECOND = 8_000;
const REST_MS = isQuick ? 1_000 : 5_000;

await withInstallation(async (installation) => {
  await fill(installation);
  await measureStart(installation);
  await measureRequests(installation);
});

async function fill({ db, userId }: Installation): Promise<void> {
  await storeLog(db, userId, { contacts: 1_000, seed: 1 });
  await db.write(function* () {
    for (let n = 0; n < 60; n++) {
      yield* run`INSERT INTO sync_jobs (user_id, source, trigger_kind, status, created_at, started_at, finished_at)
                 VALUES (${userId}, 'first', 'auto', 'completed', ${n}, ${n}, ${n + 1})`;
    }
  });
  await db.analyze();
}

async function measureStart(installation: Installation): Promise<void> {
  const taken: number[] = [];
  const resident: number[] = [];
  const bare: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    const before = performance.now();
    const server = await qsologServing(installation);
    await (await fetch(server.url)).text();
    taken.push(performance.now() - before);
    await Bun.sleep(n === 0 ? REST_MS : 0);
    if (n === 0) resident.push(residentOf(server.pid));
    await server.stop();
    const beforeBare = performance.now();
    const other = await started(["test/bench/bare-server.ts", installation.file]);
    await (await fetch(`${other.url}/healthz`)).text();
    bare.push(performance.now() - beforeBare);
    await other.stop();
  }
  const start = middleOf(taken);
  print({ name: "start to first page", value: start, unit: "ms", ratio: start / middleOf(bare), limit: 110 });
  print({ name: "memory at rest", value: resident[0]!, unit: "MB", limit: 90 });
}

/** Turn by turn, so that whatever else the machine does meets both. */
async function measureRequests(installation: Installation): Promise<void> {
  const { file, token } = installation;
  const server = await qsologServing(installation);
  const bare = await started(["test/bench/bare-server.ts", file]);
  for (const path of ["/healthz", "/api/jobs", "/api/stats"]) {
    /** Of a second of the processor: a second of the clock is also everybody else's. */
    const ask = async ({ url, pid }: Running, milliseconds: number) => {
      const [began, processor] = [performance.now(), processorMsOf(pid)];
      const rate = await answersASecond(url + path, { authorization: `Bearer ${token}` }, { milliseconds });
      const answers = (rate * (performance.now() - began)) / 1_000;
      return (answers * 1_000) / (processorMsOf(pid) - processor);
    };
    for (const one of [bare, server]) await ask(one, WARM_UP_MS);
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const baseline = await ask(bare, ROUND_MS);
      const rate = await ask(server, ROUND_MS);
      rates.push(rate);
      ratios.push(rate / baseline);
    }
    // Health asks the database nothing: what it costs is the way in, and no limit is set to that by itself.
    const figure = { name: `GET ${path}`, value: middleOf(rates), unit: "/s", ratio: middleOf(ratios) };
    if (path === "/healthz") print(figure);
    else atLeast({ ...figure, least: 0.7 });
    if (path === "/api/stats")
      enough({ name: "the figures, from memory", value: Math.max(...rates), unit: "/s", least: STATISTICS_A_SECOND });
  }
  await Promise.all([server.stop(), bare.stop()]);
}
