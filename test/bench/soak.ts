/**
 * A server under use for some minutes: requests of every kind, syncs, sign-ins. Memory, open files and file sizes must
 * be level in the second half. Not among the suites of a plain run: bun run bench soak [--minutes=5]
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Gate } from "../../src/gate.ts";
import { SimulatedServices } from "../../src/simulated/services.ts";
import { TIME } from "../../src/time.ts";
import { hashPassword } from "../../src/auth/passwords.ts";
import { run } from "../../src/storage/unit.ts";
import { storeLog } from "../support/log-generator.ts";
import { print } from "./figure.ts";
import { qsologServing, residentOf, withInstallation, type Installation } from "./running-server.ts";

const minutes = Number(process.argv.find((word) => word.startsWith("--minutes="))?.split("=")[1] ?? 5);
const SAMPLES = 40;
const READ = ["/api/stats", "/api/jobs", "/api/me", "/auto-sync/settings", "/api/admin/users", "/healthz", "/metrics"];
const PASSWORD = "correct horse battery";

interface Sample {
  resident: number;
  handles: number;
  database: number;
  journal: number;
  spooled: number;
}

await withInstallation(async (installation) => {
  const services = new SimulatedServices({ clock: Date.now, random: Math.random, sleep: TIME.sleep });
  services.start();
  services.store.addUser({ login: "owner", password: "secret", calls: ["YU1TEST"] });
  await fill(installation);
  const env = { QSOLOG_FIRST_URL: services.firstUrl, QSOLOG_SECOND_URL: services.secondUrl, QSOLOG_PACE: "0" };
  const server = await qsologServing(installation, env);
  const token = await signIn(server.url);
  await ask(server.url, token, "PUT", "/api/services/first/credentials", { username: "owner", password: "secret" });

  const end = performance.now() + minutes * 60_000;
  let requests = 0;
  const users = Array.from({ length: 6 }, (_, n) => use(server.url, token, n, end, () => (requests += 1)));
  const samples: Sample[] = [];
  while (performance.now() < end) {
    await Bun.sleep((minutes * 60_000) / SAMPLES);
    samples.push(sampleOf(installation, server.pid));
  }
  await Promise.all(users);
  await server.stop();
  await services.stop();
  report(samples, requests);
});

async function fill({ db, userId }: Installation): Promise<void> {
  await storeLog(db, userId, { contacts: 5_000, seed: 1 });
  const hash = await hashPassword({ hashing: new Gate(1), passwordCost: { memoryCost: 8, timeCost: 1 } }, PASSWORD);
  await db.write(() => run`UPDATE users SET password_hash = ${hash}, role = 'admin' WHERE id = ${userId}`);
  await db.analyze();
}

async function signIn(url: string): Promise<string> {
  const body = JSON.stringify({ username: "owner", password: PASSWORD });
  const answer = await fetch(`${url}/api/auth/login`, { method: "POST", body });
  return ((await answer.json()) as { token: string }).token;
}

async function ask(url: string, token: string, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  await answer.arrayBuffer();
  if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status}`);
}

/** Each user reads most of the time; one syncs, one signs in and out, one does what is refused. */
async function use(url: string, token: string, n: number, end: number, count: () => void): Promise<void> {
  for (let turn = 0; performance.now() < end; turn++) {
    await ask(url, token, "GET", READ[turn % READ.length]!);
    if (n === 0 && turn % 200 === 0) await ask(url, token, "POST", "/api/sync/first", {});
    if (n === 1 && turn % 50 === 0) await ask(url, await signIn(url), "POST", "/api/auth/logout");
    if (n === 2) await ask(url, "nonsense", "GET", `/api/jobs/${turn}?x=${turn}`);
    if (n === 3) await ask(url, token, "PUT", "/auto-sync/settings", { first: { intervalHours: 1 + (turn % 720) } });
    count();
    await Bun.sleep(5);
  }
}

function sampleOf({ dataDir, file }: Installation, pid: number): Sample {
  const spool = join(dataDir, "spool");
  const sizeOf = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1e6;
  return {
    resident: residentOf(pid),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    database: sizeOf(file),
    journal: sizeOf(`${file}-wal`),
    spooled: existsSync(spool) ? readdirSync(spool).length : 0,
  };
}

function report(samples: Sample[], requests: number): void {
  const half = samples.length / 2;
  const middle = (part: Sample[], name: keyof Sample) =>
    part.map((sample) => sample[name]).toSorted((a, b) => a - b)[Math.floor(part.length / 2)]!;
  const [second, last] = [samples.slice(half / 2, half), samples.slice(-half / 2)];
  const growth = (name: keyof Sample) => middle(last, name) - middle(second, name);
  print({ name: `requests in ${minutes} min`, value: requests, unit: "" });
  print({ name: "memory at the end", value: middle(last, "resident"), unit: "MB" });
  print({ name: "memory, growth in the second half", value: growth("resident"), unit: "MB", limit: 15 });
  print({ name: "open files, growth", value: growth("handles"), unit: "", limit: 2 });
  print({ name: "database, growth", value: growth("database"), unit: "MB", limit: 1 });
  print({ name: "journal at the end", value: middle(last, "journal"), unit: "MB", limit: 64 });
  print({ name: "files left in the spool", value: samples.at(-1)!.spooled, unit: "", limit: 2 });
}
