import { describe, expect, test } from "bun:test";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { migrate } from "../../src/storage/engine/migrate.ts";
import { standalone, lockUser, many, one, run, type Unit } from "../../src/storage/engine/unit.ts";
import * as users from "../../src/storage/people/users.ts";
import { SILENT_LOG } from "../../src/kernel/log.ts";
import { RetryingDatabase } from "../../src/sync/job/retrying-database.ts";
import { checkReplication, checkServer } from "../../src/upkeep/checks/server.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { afterTest } from "../support/cleanup.ts";
import { startPostgres, type Postgres } from "../support/postgres.ts";
import { tcpProxy } from "../support/tcp-proxy.ts";
import { anEmptyDatabase, aUser, ENGINE, NOON, testWorld } from "../support/world.ts";

const SILENT_AFTER_MS = 1_000;
const MAX_ANSWER_MS = 15_000;

/** A world whose database connection can fail. */
const behindALine = async () => {
  const direct = await anEmptyDatabase("");
  const line = tcpProxy(Number(new URL(direct).port));
  const world = await testWorld({ databaseUrl: line.via(direct), silentAfterMs: SILENT_AFTER_MS });
  return { ...world, line, direct };
};

const answers = () => one<{ n: number }>`SELECT 1 AS n`;

const until = async (isSo: () => Promise<boolean> | boolean, ms = 15_000): Promise<number> => {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > ms) throw new Error("it has not come to that in time");
    await Bun.sleep(50);
  }
  return performance.now() - began;
};

const refusal = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "done",
    (error: unknown) => error,
  );

const AWAY = expect.objectContaining({ code: "unavailable", retryAfterSeconds: 5 });

// Invariant: a job survives a locked or unreachable database
describe.skipIf(ENGINE !== "postgres")("a database server that is away", () => {
  test("is detected when it is silent, and is used again when it is back", async () => {
    const { db, line } = await behindALine();
    await db.read(answers);
    line.set("silent");

    const began = performance.now();
    expect(await refusal(db.read(answers))).toEqual(AWAY);
    expect(performance.now() - began).toBeLessThan(MAX_ANSWER_MS);
    expect(await refusal(db.write(() => run`UPDATE users SET role = role`))).toEqual(AWAY);

    line.set("through");
    await until(async () => (await refusal(db.read(answers))) === "done");
  }, 60_000);

  test("is distinguished from one that works for a long time", async () => {
    const { db } = await behindALine();

    expect(await db.read(() => many`SELECT 1 AS n FROM pg_sleep(${(4 * SILENT_AFTER_MS) / 1_000})`)).toEqual([
      { n: 1 },
    ]);
  }, 60_000);

  test("is distinguished from one dead connection", async () => {
    const { db, line } = await behindALine();
    await Promise.all(Array.from({ length: 10 }, () => db.read(answers)));
    line.freeze();

    expect(await Promise.all(Array.from({ length: 10 }, () => db.read(answers)))).toHaveLength(10);
  }, 60_000);

  test.each([
    ["silent", "one user's"],
    ["mute", "one user's"],
    ["mute", "anybody's"],
    ["mute", "a lonely"],
  ] as const)(
    "during a commit (%s, %s): the unit is applied once, however the commit ended",
    async (way, whose) => {
      const world = await behindALine();
      const { db, line } = world;
      const user = await aUser(world, "bob");
      line.onSent((bytes) => {
        if (!Buffer.from(bytes).includes("COMMIT")) return;
        line.onSent(() => {});
        line.set(way);
      });
      const patient = new RetryingDatabase(db, world, new AbortController().signal);
      const counting = patient.write(function* (): Unit<number> {
        if (whose === "one user's") yield* lockUser(user.id);
        const raised = users.raiseLogVersion(user.id);
        yield* whose === "a lonely" ? standalone(raised) : raised;
        return 7;
      });
      await Bun.sleep(3 * SILENT_AFTER_MS);
      line.set("through");

      expect(await counting).toBe(7);
      expect(await db.read(() => users.logVersion(user.id))).toBe(1);
    },
    60_000,
  );
});

const aServerOfItsOwn = (options: Parameters<typeof startPostgres>[0] = {}): Postgres => {
  const server = startPostgres(options)!;
  afterTest(() => server.stop());
  return server;
};

/** Counts continuously until it is stopped. */
const counting = (db: Awaited<ReturnType<typeof testWorld>>["db"], userId: number) => {
  let done = 0;
  let isOver = false;
  const world = { clock: () => NOON, log: SILENT_LOG, ...SYSTEM_TIME };
  const patient = new RetryingDatabase(db, world, new AbortController().signal);
  const ended = (async () => {
    while (!isOver) {
      await patient.write(function* () {
        yield* lockUser(userId);
        yield* run`INSERT INTO user_fields (user_id, name) VALUES (${userId}, ${`N${done}`})`;
      });
      done += 1;
    }
  })();
  return {
    get done() {
      return done;
    },
    stop: () => ((isOver = true), ended),
  };
};

const madeReady = async (url: string) => {
  const db = await openDatabase(url, { time: SYSTEM_TIME });
  await migrate(db, NOON);
  await db.close();
};

describe.skipIf(ENGINE !== "postgres")("a database server", () => {
  test("that crashes and restarts is used again without losing writes", async () => {
    const server = aServerOfItsOwn();
    await madeReady(server.url);
    const world = await testWorld({ databaseUrl: server.url, silentAfterMs: SILENT_AFTER_MS });
    const user = await aUser(world, "bob");
    const count = counting(world.db, user.id);
    await until(() => count.done > 20);

    server.halt();
    expect(await refusal(world.db.read(answers))).toEqual(AWAY);
    server.resume();
    const before = count.done;
    await until(() => count.done > before + 20);

    await count.stop();
    expect(await world.db.read(() => one`SELECT CAST(count(*) AS BIGINT) AS n FROM user_fields`)).toEqual({
      n: count.done,
    });
  }, 120_000);

  test("that is replaced by a standby is left: no connection stays, and nothing is lost", async () => {
    const before = aServerOfItsOwn({
      settings: ["synchronous_standby_names=follower"],
    });
    const after = aServerOfItsOwn({ following: before });
    const line = tcpProxy(before.port);
    await madeReady(before.url);
    const world = await testWorld({ databaseUrl: line.via(before.url), silentAfterMs: SILENT_AFTER_MS });
    const user = await aUser(world, "bob");
    const count = counting(world.db, user.id);
    await until(() => count.done > 20);
    const told = async (check: typeof checkReplication) => (await check(world)).map(({ message }) => message);
    expect(await told(checkReplication)).toEqual(["The replica follower is up to date."]);

    line.leadTo(after.port);
    before.halt();
    // Before promotion it is a server that responds but accepts no writes.
    await Bun.sleep(2_000);
    expect(await refusal(world.db.read(answers))).toBe("done");
    expect(await refusal(world.db.write(() => run`UPDATE users SET role = role`))).toEqual(AWAY);
    // A busy machine may lose the connection once more.
    let words: string[] | null = null;
    for (; words === null; await Bun.sleep(50)) words = await told(checkServer).catch(() => null);
    expect(words).toContain("The server is a read-only replica.");
    after.promote();
    const soFar = count.done;
    await until(() => count.done > soFar + 20);

    await count.stop();
    expect(await world.db.read(() => one`SELECT CAST(count(*) AS BIGINT) AS n FROM user_fields`)).toEqual({
      n: count.done,
    });
  }, 120_000);
});
