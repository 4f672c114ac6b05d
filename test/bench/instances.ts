// The same work on SQLite, on PostgreSQL by one instance, and by three: syncs of many users at once, and requests.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { readConfig } from "../../src/config.ts";
import { OPERATOR } from "../../src/domain/actor.ts";
import { SILENT_LOG } from "../../src/log.ts";
import { createToken } from "../../src/people/tokens.ts";
import { createUser } from "../../src/people/users.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { openWorld, prepareDataDir } from "../../src/world.ts";
import { startPostgres } from "../support/postgres.ts";
import { print } from "./figure.ts";
import { answersASecond } from "./load.ts";
import { processorMsOf, qsologServing, type Running } from "./running-server.ts";
import { LOGIN, loginOf, simulated } from "./simulated-account.ts";

const IS_QUICK = process.argv.includes("--quick");
const USERS = 12;
const CONTACTS = IS_QUICK ? 500 : 3_000;
const ASKED_FOR_MS = IS_QUICK ? 1_000 : 4_000;
const SECRET = "the same at every instance of one club";

interface Setting {
  name: string;
  url: string | null;
  instances: number;
}

const main = async (): Promise<void> => {
  const postgres = startPostgres();
  const service = await simulated("first", CONTACTS, USERS);
  try {
    await measure({ name: "SQLite, one instance", url: null, instances: 1 }, service, null);
    if (!postgres) return console.log("PostgreSQL is not installed: nothing to compare");
    for (const instances of [1, 3]) {
      const url = await anEmptyDatabase(postgres.url, `instances${instances}`);
      const name = `PostgreSQL, ${instances === 1 ? "one instance" : `${instances} instances`}`;
      await measure({ name, url, instances }, service, await postmasterOf(url));
    }
  } finally {
    service.stop();
    postgres?.stop();
  }
};

const anEmptyDatabase = async (server: string, name: string): Promise<string> => {
  const connection = new SQL(server);
  await connection.unsafe(`CREATE DATABASE ${name}`);
  await connection.close();
  return Object.assign(new URL(server), { pathname: `/${name}` }).toString();
};

const postmasterOf = async (url: string): Promise<number> => {
  const connection = new SQL(url);
  const [row] = await connection.unsafe("SELECT pg_read_file('postmaster.pid') AS text");
  await connection.close();
  return Number.parseInt(row.text, 10);
};

const measure = async (
  { name, url, instances }: Setting,
  { firstUrl }: { firstUrl: string },
  postmaster: number | null,
): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const settings = {
    QSOLOG_SECRET: SECRET,
    QSOLOG_PACE: "0",
    QSOLOG_FIRST_URL: firstUrl,
    ...(url && { QSOLOG_DATABASE_URL: url }),
  };
  const tokens = await everybody(directory, settings);
  const servers = await Promise.all(
    Array.from({ length: instances }, (_, at) =>
      qsologServing({ dataDir: at === 0 ? directory : join(directory, `instance${at}`) }, settings),
    ),
  );
  const worked = () => servers.reduce((sum, { pid }) => sum + processorMsOf(pid), 0);
  try {
    const before = { at: performance.now(), here: worked(), there: servedBy(postmaster) };
    await syncAll(servers, tokens);
    const thousands = (USERS * CONTACTS) / 1_000;
    const seconds = (performance.now() - before.at) / 1_000;
    print({ name: `${name}: ${USERS} syncs at once`, value: (thousands * 1_000) / seconds, unit: "contacts/s" });
    print({ name: "  processor, for a thousand", value: (worked() - before.here) / thousands, unit: "ms" });
    if (postmaster !== null) {
      print({ name: "  of the database", value: (servedBy(postmaster) - before.there) / thousands, unit: "ms" });
    }
    for (const path of ["/api/stats", "/api/qsos"]) await ask(servers, tokens[0]!, path, postmaster);
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
    rmSync(directory, { recursive: true });
  }
};

/** Users with an account each and a key for their programs. */
const everybody = async (dataDir: string, settings: Record<string, string>): Promise<string[]> => {
  const { config } = readConfig({ env: { ...settings, QSOLOG_DATA_DIR: dataDir } });
  prepareDataDir(config);
  const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  const world = await openWorld(config, { clock: Date.now, random, log: SILENT_LOG });
  const tokens: string[] = [];
  for (let user = 0; user < USERS; user++) {
    const { id } = await createUser(world, OPERATOR, { username: `user${user}`, password: "correct horse battery" });
    await setCredentials(world, id, "first", { ...LOGIN, username: loginOf(user) });
    tokens.push((await createToken(world, id, { name: "bench", scope: "write" })).token);
  }
  await world.db.close();
  return tokens;
};

const asked = async (url: string, token: string, method = "GET"): Promise<any> => {
  const answer = await fetch(url, { method, headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

/** Each at the next instance, as a proxy sends them. */
const syncAll = (servers: readonly Running[], tokens: readonly string[]): Promise<unknown> =>
  Promise.all(
    tokens.map(async (token, user) => {
      const { url } = servers[user % servers.length]!;
      const { job } = await asked(`${url}/api/sync/first`, token, "POST");
      for (;;) {
        const { job: now } = await asked(`${url}/api/jobs/${job.id}`, token);
        if (now.status === "completed") return;
        if (!["pending", "running"].includes(now.status)) throw new Error(JSON.stringify(now.error));
        await Bun.sleep(250);
      }
    }),
  );

const ask = async (servers: readonly Running[], token: string, path: string, postmaster: number | null) => {
  const headers = { authorization: `Bearer ${token}` };
  const load = (milliseconds: number) =>
    Promise.all(servers.map(({ url }) => answersASecond(url + path, headers, { connections: 4, milliseconds })));
  await load(500);
  const worked = () => servers.reduce((sum, { pid }) => sum + processorMsOf(pid), 0);
  const before = { here: worked(), there: servedBy(postmaster) };
  const rates = await load(ASKED_FOR_MS);
  const thousands = (rates.reduce((sum, rate) => sum + rate, 0) * ASKED_FOR_MS) / 1_000_000;
  print({ name: `  GET ${path}`, value: rates.reduce((sum, rate) => sum + rate, 0), unit: "/s" });
  print({ name: "    processor, for a thousand", value: (worked() - before.here) / thousands, unit: "ms" });
  if (postmaster !== null) {
    print({ name: "    of the database", value: (servedBy(postmaster) - before.there) / thousands, unit: "ms" });
  }
};

const TICK_MS = 10;

/** What a server of a database has worked with all its processes, those that have ended among them. */
const servedBy = (postmaster: number | null): number => {
  if (postmaster === null) return 0;
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ");
  const own = readFileSync(`/proc/${postmaster}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  const ended = (Number(own[13]) + Number(own[14])) * TICK_MS;
  return ended + [postmaster, ...children.map(Number)].reduce((sum, pid) => sum + processorMsOf(pid), 0);
};

await main();
