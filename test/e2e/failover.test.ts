import { isFull } from "../support/full.ts";
import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../src/storage/engine/migrate.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { startPostgres } from "../support/postgres.ts";
import { PASSWORD as OWN } from "../support/qsolog.ts";
import { serving } from "../support/serving.ts";
import { logOf } from "../support/sync.ts";
import { aUser, ENGINE, NOON, testWorld } from "../support/world.ts";
import { callOf, countOf, HOUR, LOGIN, PASSWORD, theServices, uploaded } from "../sync/services.ts";

const SYNCED = 2_000;
const IMPORTED = 3_000;
const SENT_MEANWHILE = 40;
const PAUSE_MS = 50;
const AWAY_MS = 2_000;
const MAX_ANSWER_MS = 15_000;
/** Faster than a page that only polls. */
const HEARD_WITHIN_MS = 4_000;

const adifOf = (count: number): string =>
  Array.from({ length: count }, (_, n) => {
    const at = new Date(Date.UTC(2025, 0, 1) + n * HOUR).toISOString();
    const [date, time] = [at.slice(0, 10).replaceAll("-", ""), at.slice(11, 16).replace(":", "")];
    return `<CALL:5>${callOf(n)}<QSO_DATE:8>${date}<TIME_ON:4>${time}<BAND:3>20m<MODE:2>CW<EOR>\n`;
  }).join("");

/** Two instances on a database server of their own, and their users. */
const aClub = async () => {
  const server = startPostgres()!;
  afterTest(() => server.stop());
  const db = await openDatabase(server.url, { time: SYSTEM_TIME });
  await migrate(db, NOON);
  await db.close();
  const { services } = theServices(() => Date.now());
  for (let n = 0; n < SYNCED; n++) uploaded(services, callOf(n), { at: Date.UTC(2026, 0, 1) + n * HOUR });
  const env = {
    QSOLOG_SECRET: "the same at every instance of one club",
    QSOLOG_FIRST_URL: services.firstUrl,
    QSOLOG_SECOND_URL: services.secondUrl,
    QSOLOG_PACE: "0",
    QSOLOG_DATABASE_URL: server.url,
  };
  const world = await testWorld({ databaseUrl: server.url, env });
  const folders = [aDirectory(), aDirectory()];
  const [here, there] = await Promise.all(folders.map((folder) => serving({ ...env, QSOLOG_DATA_DIR: folder })));
  return { server, world, here: here!, there: there!, folder: folders[0]! };
};

type Asked = { status: number; body: any; text: string; retryAfter: string | null };

/** A signed-in user with an API client and a browser. */
const signedIn = async (url: string, username: string) => {
  const login = JSON.stringify({ username, password: OWN });
  const { token } = (await (await fetch(`${url}/api/auth/login`, { method: "POST", body: login })).json()) as any;
  const ask = async (method: string, path: string, body?: string | ReadableStream, at = url): Promise<Asked> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(at + path, { method, body, headers });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    const parsed = isJson ? JSON.parse(text) : null;
    return { status: answer.status, body: parsed, text, retryAfter: answer.headers.get("retry-after") };
  };
  return { ask, cookie: `qsolog_session=${token}` };
};

const until = async (isSo: () => Promise<unknown> | unknown, ms = 60_000): Promise<void> => {
  for (const giveUpAt = Date.now() + ms; !(await isSo()); await Bun.sleep(20)) {
    if (Date.now() > giveUpAt) throw new Error("it has not come to that in time");
  }
};

/** Requests pages all the time and records the results. */
const leafing = (url: string, cookie: string) => {
  const seen: { path: string; status: number; retryAfter: string | null; text: string; ms: number }[] = [];
  let isOver = false;
  const ended = (async () => {
    for (let n = 0; !isOver; n++, await Bun.sleep(PAUSE_MS)) {
      const path = ["/", "/log", "/jobs", "/statistics"][n % 4]!;
      const began = performance.now();
      const answer = await fetch(url + path, { headers: { cookie }, redirect: "manual" });
      const text = await answer.text();
      const retryAfter = answer.headers.get("retry-after");
      seen.push({ path, status: answer.status, retryAfter, text, ms: performance.now() - began });
    }
  })();
  return { seen, stop: () => ((isOver = true), ended) };
};

/** Listens to page events and reconnects as a page does. */
const listening = (url: string, cookie: string) => {
  const told: string[] = [];
  const over = new AbortController();
  afterTest(() => over.abort());
  const listen = async (last: string): Promise<string> => {
    const headers = { cookie, ...(last !== "" && { "last-event-id": last }) };
    const answer = await fetch(`${url}/events`, { headers, signal: over.signal });
    if (answer.status !== 200) return last;
    let known = last;
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream() as never) as any) {
      known = String(piece).match(/id: (\d+)/)?.[1] ?? known;
      if (String(piece).includes("event: changed")) told.push(known);
    }
    return known;
  };
  void (async () => {
    for (let last = ""; !over.signal.aborted; await Bun.sleep(100)) last = await listen(last).catch(() => last);
  })();
  return told;
};

const WAYS = [
  ["crashes", "immediate"],
  ["restarts", "fast"],
] as const;

test.skipIf(ENGINE !== "postgres").each(isFull(import.meta) ? WAYS : WAYS.slice(0, 1))(
  "while the database server %s, requests wait or get an error, and qsolog continues without a restart",
  async (_, how) => {
    const { server, world, here, there, folder } = await aClub();
    const people = await Promise.all(["bob", "eve", "zoe"].map((name) => aUser(world, name)));
    const [bobs, eves, zoes] = people.map(({ id }) => id);
    await setCredentials(world, bobs!, "first", { username: LOGIN, password: PASSWORD });
    const [bob, eve, zoe] = await Promise.all(["bob", "eve", "zoe"].map((name) => signedIn(here.url, name)));
    const told = listening(here.url, zoe!.cookie);
    const { seen, stop } = leafing(here.url, zoe!.cookie);
    const sync = (await bob!.ask("POST", "/api/sync/first")).body.job;
    const load = (await eve!.ask("POST", "/api/qsos/import", adifOf(IMPORTED))).body.job;
    const jobs = async () => [
      (await bob!.ask("GET", `/api/jobs/${sync.id}`)).body.job,
      (await eve!.ask("GET", `/api/jobs/${load.id}`)).body.job,
    ];
    const pages = adifOf(SENT_MEANWHILE);
    const { promise: gone, resolve: tellGone } = Promise.withResolvers<void>();
    const slowly = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(pages.slice(0, pages.length / 2)));
        await gone;
        controller.enqueue(new TextEncoder().encode(pages.slice(pages.length / 2)));
        controller.close();
      },
    });
    const sending = zoe!.ask("POST", "/api/qsos/import", slowly);
    await until(async () => (await jobs()).every(({ stats }) => stats.added > 0));
    const before = await jobs();
    expect(before.map(({ status }) => status)).toEqual(["running", "running"]);

    server.halt(how);
    tellGone();
    await Bun.sleep(AWAY_MS);
    server.resume();

    for (const { url } of [here, there]) await until(async () => (await fetch(`${url}/readyz`)).status === 200);
    const sent = await sending;
    if (sent.status === 503) {
      expect(sent.retryAfter).toBe("5");
      expect(await zoe!.ask("GET", "/api/jobs")).toMatchObject({ body: { jobs: [] } });
    } else expect(sent.status).toBe(201);
    await until(async () => (await jobs()).every(({ finishedAt }) => finishedAt !== null));
    expect(await jobs()).toMatchObject([
      { status: "completed", error: null, stats: { added: SYNCED } },
      { status: "completed", error: null, stats: { added: IMPORTED } },
    ]);
    expect([(await logOf(world, bobs!)).length, (await logOf(world, eves!)).length]).toEqual([SYNCED, IMPORTED]);
    expect(await countOf({ world }, "account_leases")).toBe(0);

    await until(async () => {
      const again = sent.status === 503 && (await zoe!.ask("POST", "/api/qsos/import", pages));
      return !again || again.status === 201 || again.status === 409;
    });
    await until(async () => (await logOf(world, zoes!)).length === SENT_MEANWHILE);
    await until(async () => (await zoe!.ask("GET", "/api/jobs")).body.jobs[0].finishedAt !== null);
    // The file is deleted when everything after its job is done.
    const spool = join(folder, "spool");
    await until(() => !existsSync(spool) || readdirSync(spool).length === 0);

    await stop();
    const refused = seen.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(new Set(["503 5"]));
    expect(refused.every(({ text }) => text.includes("Try again in a moment"))).toBeTrue();
    expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(MAX_ANSWER_MS);
    expect(seen.at(-1)!.status).toBe(200);

    // Changes by another instance are seen again.
    await Bun.sleep(500);
    told.length = 0;
    const typed = JSON.stringify({ call: "K1ABC", startedAt: "2026-08-01 11:10", band: "20m", mode: "CW" });
    expect(await zoe!.ask("POST", "/api/qsos", typed, there.url)).toMatchObject({ status: 201 });
    await until(() => told.length > 0, HEARD_WITHIN_MS);
    expect([here.child.exitCode, there.child.exitCode]).toEqual([null, null]);
  },
  180_000,
);
