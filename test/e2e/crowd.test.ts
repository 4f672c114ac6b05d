import { expect, test } from "bun:test";
import { MINUTE } from "../../src/kernel/clock.ts";
import type { User } from "../../src/domain/people/user.ts";
import { createToken } from "../../src/people/tokens.ts";
import { callOf } from "../sync/services.ts";
import { isFull } from "../support/full.ts";
import { aWorldWithLargeLogs, LARGE_LOG } from "../support/large-logs.ts";
import { storeLog } from "../support/log-generator.ts";
import { aPasskey } from "../support/passkey.ts";
import { serving } from "../support/serving.ts";
import { said, sync } from "../support/sync.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";

const FULL = isFull(import.meta);
const CONTACTS = FULL ? 60_000 : LARGE_LOG;
const IMPORTED = FULL ? 30_000 : 200;
/** The short form runs in parallel with other tests. With a single queue, a list waited eight seconds in it. */
const MAX_WAIT_MS = FULL ? 300 : 1_000;
const HANG_UP_AFTER_MS = 800;
const PATIENCE_MS = FULL ? 1_500_000 : 120_000;

/** Bob and Eve have large logs, and Bob has a passkey. */
const aServer = async () => {
  const world = FULL ? await testWorld() : await aWorldWithLargeLogs();
  const [bob, eve, pat] = [await aUser(world, "bob"), await aUser(world, "eve"), await aUser(world, "pat")];
  if (FULL) await storeLog(world.db, [bob.id, eve.id], { contacts: CONTACTS });
  const firstMinute = Date.UTC(1980, 0, 1);
  const records = Array.from({ length: IMPORTED }, (_, n) =>
    said(callOf(n), new Date(firstMinute + n * MINUTE).toISOString().slice(0, 16).replace("T", " ")),
  );
  const { id: importId } = await sync(world, eve.id, "file", records);
  await world.db.analyze();
  const answerOf = await aPasskey(world, pat);
  const tokenOf = async (user: User) => (await createToken(world, user.id, { name: "Test", scope: "write" })).token;
  const tokens = { bob: await tokenOf(bob), eve: await tokenOf(eve) };
  const { child, url } = await serving({ QSOLOG_DATA_DIR: world.dataDir, QSOLOG_PACE: "0" });
  const base = url.replace("127.0.0.1", "localhost");
  const as =
    (token: string) =>
    (path: string, init: RequestInit = {}) =>
      fetch(base + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const post = (path: string, body: unknown) =>
    fetch(base + path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  const list = () => inTime(() => as(tokens.bob)("/api/qsos?limit=50"));
  const signIn = (username: string) => post("/api/auth/login", { username, password: "correct horse battery" });
  /** Signs in with password and passkey. */
  const useKey = async () => {
    const { challenge, passkey } = (await (await signIn("pat")).json()) as any;
    expect(passkey.challenge).toBe(challenge);
    return post("/api/auth/factor", { challenge, passkey: answerOf(challenge, base) });
  };
  return {
    child,
    importId,
    eve: as(tokens.eve),
    list,
    signIn: () => inTime(() => signIn("bob")),
    useKey: () => inTime(useKey),
  };
};

/** The duration of a request in milliseconds. */
const inTime = async (ask: () => Promise<Response>): Promise<number> => {
  const began = performance.now();
  const response = await ask();
  expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
  return performance.now() - began;
};

const preview = (comment: string, signal?: AbortSignal): [string, RequestInit] => [
  "/api/repairs",
  {
    method: "POST",
    body: JSON.stringify({ filter: {}, set: { comment }, dryRun: true }),
    headers: { "content-type": "application/json" },
    ...(signal && { signal }),
  },
];

/** The longest wait for Bob's list, and for users who sign in. */
const measureLongestWaits = async ({ list, signIn, useKey }: Awaited<ReturnType<typeof aServer>>, forMs: number) => {
  const longest = { list: 0, signIn: 0, useKey: 0 };
  const began = performance.now();
  do {
    for (let n = 0; n < 10; n++) longest.list = Math.max(longest.list, await list());
    longest.signIn = Math.max(longest.signIn, await signIn());
    longest.useKey = Math.max(longest.useKey, await useKey());
  } while (performance.now() - began < forMs);
  return longest;
};

// Defence: requests about a large log do not delay other users
test.skipIf(ENGINE !== "sqlite")(
  "a user who asks for a dozen previews at the same time and disconnects delays nobody",
  async () => {
    const server = await aServer();
    const { eve } = server;
    await measureLongestWaits(server, 0);
    const quiet = await measureLongestWaits(server, 1_000);
    const hangUp = new AbortController();
    const attack = Array.from({ length: 12 }, (_, n) =>
      eve(...preview(`comment ${n}`, hangUp.signal)).then(
        ({ status, headers }) => [status, headers.get("retry-after")],
        () => "hung up",
      ),
    );
    void Bun.sleep(HANG_UP_AFTER_MS).then(() => hangUp.abort());
    const repairs = await measureLongestWaits(server, HANG_UP_AFTER_MS + 2_000);
    const answers = await Promise.all(attack);

    const rollback = `/api/jobs/${server.importId}/rollback?undo=true`;
    const previews = Array.from({ length: 10 }, () =>
      eve(rollback, { signal: AbortSignal.timeout(HANG_UP_AFTER_MS) }).catch(() => null),
    );
    const rollbacks = await measureLongestWaits(server, HANG_UP_AFTER_MS + 500);
    await Promise.all(previews);

    if (FULL) console.log({ contacts: CONTACTS, quiet, repairs, rollbacks });
    expect(answers.filter(([status]) => status === 429)).toEqual(Array(3).fill([429, "5"]));
    expect(answers).toContain("hung up");
    // Other load on the machine also slows down the quiet phase.
    for (const crowded of [repairs, rollbacks])
      for (const name of ["list", "signIn", "useKey"] as const)
        expect(crowded[name] - 3 * quiet[name]).toBeLessThan(MAX_WAIT_MS);

    // Identical questions share one computation and count once.
    const same = await Promise.all(Array.from({ length: 20 }, () => eve(...preview("the same"))));
    expect(same.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(await Promise.all(same.map((answer) => answer.text()))).size).toBe(1);

    if (!FULL) return;
    // Active requests have ten seconds.
    for (let n = 0; n < 9; n++) void eve(...preview(`last ${n}`)).catch(() => {});
    await Bun.sleep(100);
    server.child.kill("SIGTERM");
    const stopped = performance.now();
    expect(await server.child.exited).toBe(0);
    expect(performance.now() - stopped).toBeLessThan(15_000);
  },
  PATIENCE_MS,
);
