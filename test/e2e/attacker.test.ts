import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { writeHeader, writeRecord } from "../../src/adif/writer.ts";
import { createToken } from "../../src/people/tokens.ts";
import { afterTest } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { aWorldWithLargeLogs } from "../support/large-logs.ts";
import { serving } from "../support/serving.ts";
import { aUser, ENGINE } from "../support/world.ts";

const FULL = isFull(import.meta);
const LARGE_CONTACTS = FULL ? 300 : 20;
const ATTACK_MS = FULL ? 60_000 : 3_000;
const CONNECTIONS = 300;
const UNREAD_ANSWERS = 100;
const MAX_GROWTH_BYTES = 250 * 1024 ** 2;
/** The short form runs in parallel with other tests. */
const MAX_WAIT_MS = FULL ? 300 : 1_000;
const MAX_IMPORT_MS = FULL ? 2_000 : 5_000;
const TEST_MS = FULL ? 600_000 : 180_000;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const NAMES = Array.from({ length: 15 }, (_, n) => `APP_X_${n}`);

/** A contact of almost a megabyte. */
const large = (n: number): string => {
  const call = `K${n % 10}${LETTERS[Math.floor(n / 10) % 26]}${LETTERS[Math.floor(n / 260)]}`;
  const time = `12${String(n % 60).padStart(2, "0")}00`;
  const values = Object.fromEntries(NAMES.map((name) => [name, LETTERS[n % 26]!.repeat(60_000)]));
  return writeRecord({
    fields: { CALL: call, QSO_DATE: "20260801", TIME_ON: time, BAND: "20m", MODE: "CW", ...values },
  });
};

const HEADER = writeHeader({ programVersion: "1", createdAt: 0 });

const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;

const inTime = async (ask: () => Promise<Response>): Promise<number> => {
  const began = performance.now();
  const response = await ask();
  await response.text();
  expect(response.ok).toBe(true);
  return performance.now() - began;
};

const aServer = async () => {
  const world = await aWorldWithLargeLogs();
  const [bob, eve] = [await aUser(world, "bob"), await aUser(world, "eve")];
  const tokenOf = async (userId: number, scope: "read" | "write") =>
    (await createToken(world, userId, { name: scope, scope })).token;
  const { child, url } = await serving({ QSOLOG_DATA_DIR: world.dataDir, QSOLOG_PACE: "0" });
  const as =
    (token: string) =>
    (path: string, init: RequestInit = {}) =>
      fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const readToken = await tokenOf(eve.id, "read");
  return {
    url,
    pid: child.pid,
    bob: as(await tokenOf(bob.id, "write")),
    eve: as(await tokenOf(eve.id, "write")),
    reader: as(readToken),
    readToken,
  };
};

type Server = Awaited<ReturnType<typeof aServer>>;

const idle = async ({ eve }: Server): Promise<number> => {
  for (;;) {
    const { jobs } = (await (await eve("/api/jobs?limit=1")).json()) as { jobs: { id: number; status: string }[] };
    if (jobs[0]?.status === "completed") return jobs[0].id;
    await Bun.sleep(200);
  }
};

/** The longest waits of another user, and the server's memory, for a while. */
const measure = async ({ url, bob, pid }: Server, forMs: number, name: string) => {
  const longest = { health: 0, list: 0, import: 0, memory: 0 };
  const watch = setInterval(() => (longest.memory = Math.max(longest.memory, memoryOf(pid))), 50);
  const began = performance.now();
  for (let n = 0; n === 0 || performance.now() - began < forMs; n++) {
    longest.health = Math.max(longest.health, await inTime(() => fetch(`${url}/healthz`)));
    longest.list = Math.max(longest.list, await inTime(() => bob("/api/qsos?limit=50")));
    if (n % 20 === 0) {
      const body =
        HEADER +
        writeRecord({ fields: { CALL: `W1${name}`, QSO_DATE: "20260101", TIME_ON: `0${n % 10}0000`, MODE: "CW" } });
      const started = performance.now();
      const answer = await bob("/api/qsos/import", { method: "POST", body });
      if (answer.status !== 409) {
        expect(answer.status).toBe(201);
        for (let active = 1; active > 0; await Bun.sleep(20))
          active = ((await (await bob("/api/jobs?limit=1")).json()) as { active: number }).active;
        longest.import = Math.max(longest.import, performance.now() - started);
      }
    }
    await Bun.sleep(20);
  }
  clearInterval(watch);
  return longest;
};

/** Everything that one user with a token of scope read can ask, again and again; unfinished requests; unread answers. */
const attack = ({ url, reader, readToken }: Server, jobId: number) => {
  const stop = new AbortController();
  const statuses = new Map<number, number>();
  const largest = { bytes: 0 };
  const again = async (path: string, hangUpAfterMs?: number) => {
    while (!stop.signal.aborted) {
      try {
        const signal = AbortSignal.any([stop.signal, ...(hangUpAfterMs ? [AbortSignal.timeout(hangUpAfterMs)] : [])]);
        const response = await reader(path, { signal });
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        let bytes = 0;
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
        if (!path.includes("export")) largest.bytes = Math.max(largest.bytes, bytes);
      } catch {
        // It hung up.
      }
      await Bun.sleep(5);
    }
  };
  const lists = [
    "/api/qsos?limit=500",
    `/api/jobs/${jobId}/changes?limit=500`,
    `/api/jobs/${jobId}/leftovers?limit=500`,
  ];
  const columns = NAMES.join(",");
  const tries = [
    ...lists.flatMap((path) => [again(path), again(path)]),
    again(`/api/qsos/export?format=csv&columns=${columns}`, 2_000),
    again(`/api/qsos/export?format=csv&columns=${Array(800).fill(NAMES[0]).join(",")}`),
    again("/api/qsos/export?format=jsonl", 2_000),
    ...Array.from({ length: 6 }, () => again(`/api/jobs/${jobId}/rollback?undo=true`, 600)),
  ];
  const sockets = Array.from({ length: CONNECTIONS }, () =>
    connect(Number(new URL(url).port), "127.0.0.1", function (this: { write(text: string): void }) {
      this.write("GET / HTTP/1.1\r\nHost: x\r\n");
    }).on("error", () => {}),
  );
  const question = `GET /api/qsos?limit=500 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${readToken}\r\n\r\n`;
  const unread = Array.from({ length: UNREAD_ANSWERS }, () =>
    connect(Number(new URL(url).port), "127.0.0.1", function (this: { write(text: string): void }) {
      this.write(question);
    })
      .on("error", () => {})
      .pause(),
  );
  const end = async () => {
    stop.abort();
    for (const socket of unread) socket.destroy();
    for (const socket of sockets) socket.destroy();
    await Promise.all(tries);
  };
  afterTest(end);
  return { end, statuses, largest };
};

// Defence: one user cannot take memory or time from the others
test.skipIf(ENGINE !== "sqlite" || process.platform !== "linux")(
  "one user who asks for everything large at the same time takes neither memory nor time from the others",
  async () => {
    const server = await aServer();
    const file = HEADER + Array.from({ length: LARGE_CONTACTS }, (_, n) => large(n)).join("");
    expect((await server.eve("/api/qsos/import", { method: "POST", body: file })).status).toBe(201);
    const jobId = await idle(server);
    await measure(server, 0, "AA");
    const quiet = await measure(server, 2_000, "AB");

    const { end, statuses, largest } = attack(server, jobId);
    const crowded = await measure(server, ATTACK_MS, "CD");
    await end();

    const growth = crowded.memory - quiet.memory;
    if (FULL) console.log({ quiet, crowded, growth, statuses, largest });
    expect(largest.bytes).toBeLessThan(8_000_000);
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
    // Other load on the machine also slows down the quiet phase.
    expect(crowded.health - 3 * quiet.list).toBeLessThan(MAX_WAIT_MS);
    expect(crowded.list - 3 * quiet.list).toBeLessThan(MAX_WAIT_MS);
    expect(crowded.import - 3 * quiet.import).toBeLessThan(MAX_IMPORT_MS);
  },
  TEST_MS,
);
