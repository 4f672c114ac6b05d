/** Requests a second of the processor beside a bare Bun.serve doing the same, what a start takes of it, and memory at rest. */
import { run } from "../../src/storage/unit.ts";
import { storeLog } from "../support/log-generator.ts";
import { atLeast, enough, middleOf, print } from "./figure.ts";
import { answersASecond } from "./load.ts";
import {
  processorMsOf,
  qsologServing,
  residentOf,
  started,
  startOf,
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
  // A busy machine makes the same work dearer: the least is what it takes by itself.
  const qsolog = () => qsologServing(installation);
  const bareServer = () => started(["test/bench/bare-server.ts", installation.file]);
  const [first, feature, bare]: [number[], number[], number[]] = [[], [], []];
  for (let n = 0; n < STARTS; n++) {
    first.push(await startOf(qsolog, "/"));
    feature.push(await startOf(qsolog, "/log"));
    bare.push(await startOf(bareServer, "/healthz"));
  }
  for (const { name, taken, limit } of [
    { name: "start to first page", taken: Math.min(...first), limit: 110 },
    { name: "start to a page that waits for the features", taken: Math.min(...feature) },
  ]) {
    print({ name, value: taken, unit: "ms", ratio: taken / Math.min(...bare), limit });
  }
  const server = await qsolog();
  await Bun.sleep(REST_MS);
  print({ name: "memory at rest", value: residentOf(server.pid), unit: "MB", limit: 90 });
  await server.stop();
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
