/** Pages a second, as a signed-in browser asks for them. */
import * as users from "../../src/storage/users.ts";
import { run } from "../../src/storage/unit.ts";
import { countsOf, type Places } from "../../src/domain/gains.ts";
import { storeLog } from "../support/log-generator.ts";
import { enough, print } from "./figure.ts";
import { answersASecond } from "./load.ts";
import { processorMsOf, qsologServing, withInstallation, type Installation, type Running } from "./running-server.ts";

const isQuick = process.argv.includes("--quick");
const ROUNDS = isQuick ? 3 : 5;
const ROUND_MS = isQuick ? 700 : 1_500;
const WARM_UP_MS = 1_500;
const PASSWORD = "as long as it takes";
const DASHBOARDS_A_SECOND = 1_000;
const CONTACTS = isQuick ? 100_000 : 1_000_000;

/** What a large first import brings. */
const PLACES: Places = {
  entities: Array.from({ length: 300 }, (_, n) => n + 1),
  bands: ["160m", "80m", "40m", "20m", "15m", "10m"],
  states: Array.from({ length: 50 }, (_, n) => `S${n}`),
  zones: Array.from({ length: 40 }, (_, n) => n + 1),
  grids: Array.from({ length: 4_000 }, (_, n) => `KN${n}`),
};
const GAINS = { worked: PLACES, confirmed: PLACES };

await withInstallation(async (installation) => {
  await fill(installation);
  const server = await qsologServing(installation);
  const cookie = await signIn(server.url);
  for (const path of ["/", "/jobs", "/log", "/awards/dxcc"]) {
    const { rate, processorMs } = await measure(server, path, cookie);
    const name = path === "/" ? "the dashboard" : path;
    if (path === "/") enough({ name, value: rate, unit: "/s", least: DASHBOARDS_A_SECOND });
    else print({ name, value: rate, unit: "/s" });
    print({ name: `${name}, processor time`, value: processorMs, unit: "ms" });
  }
  await server.stop();
});

async function fill({ db, userId }: Installation): Promise<void> {
  await storeLog(db, userId, { contacts: CONTACTS, seed: 1 });
  const hash = await Bun.password.hash(PASSWORD);
  await db.write(function* () {
    yield* users.setPasswordHash(userId, hash);
    for (let n = 0; n < 60; n++) {
      yield* run`INSERT INTO sync_jobs (user_id, source, trigger_kind, status, created_at, started_at, finished_at)
                 VALUES (${userId}, 'first', 'auto', 'completed', ${n}, ${n}, ${n + 1})`;
    }
    const now = Date.now();
    for (let n = 0; n < 5; n++) {
      yield* run`INSERT INTO sync_jobs (user_id, source, trigger_kind, status, created_at, started_at, finished_at, gains,
                                        gain_counts)
                 VALUES (${userId}, 'file', 'manual', 'completed', ${now}, ${now}, ${now + 1}, ${JSON.stringify(GAINS)},
                         ${JSON.stringify(countsOf(GAINS))})`;
    }
  });
  await db.analyze();
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ username: "owner", password: PASSWORD });
  const answer = await fetch(`${url}/login`, { method: "POST", body, redirect: "manual" });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";")[0]!);
  if (cookies.length === 0) throw new Error(`Signing in was answered with ${answer.status}.`);
  // A visit that began before the last jobs: they are its news.
  return [...cookies, `qsolog_visit=1.${Date.now() - 86_400_000}.${Date.now()}`].join("; ");
}

async function measure({ url, pid }: Running, path: string, cookie: string) {
  const ask = (milliseconds: number) => answersASecond(url + path, { cookie, accept: "text/html" }, { milliseconds });
  await ask(WARM_UP_MS);
  const rounds: { rate: number; processorMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [before, began] = [processorMsOf(pid), performance.now()];
    const rate = await ask(ROUND_MS);
    const answers = (rate * (performance.now() - began)) / 1_000;
    rounds.push({ rate, processorMs: (processorMsOf(pid) - before) / answers });
  }
  return rounds.sort((a, b) => a.rate - b.rate)[Math.floor(ROUNDS / 2)]!;
}
