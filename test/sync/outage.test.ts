import { SQL } from "bun";
import { expect, test } from "bun:test";
import { AppError } from "../../src/kernel/errors.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { startSync } from "../../src/sync/source/service.ts";
import { afterTest } from "../support/cleanup.ts";
import { fakeService } from "../support/fake-service.ts";
import { aBody, aHeldBody, contentOf, lotw, syncing } from "../support/sync.ts";
import { aUser, ENGINE, testWorld, type TestWorld } from "../support/world.ts";
import { callOf } from "./services.ts";

const RECORDS = 60;

/** Breaks every connection of a world, as a server restart does. */
const breakConnections = async ({ config }: TestWorld): Promise<number> => {
  const sql = new SQL(config.databaseUrl, { max: 1 });
  const broken = await sql.unsafe(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await sql.close();
  return broken.length;
};

test.skipIf(ENGINE !== "postgres")("a job continues after every connection broke in the middle of it", async () => {
  const world = await testWorld();
  const user = await aUser(world, "bob");
  const records = Array.from({ length: RECORDS }, (_, n) => lotw(callOf(n), `2026-07-18 ${10 + (n % 10)}:30`));
  const { body, reached, release } = aHeldBody("qsl", records, RECORDS / 2);

  const { ended } = await syncing(world, user.id, "first", [body], { batchSize: 10 });
  await reached;
  expect(await breakConnections(world)).toBeGreaterThan(0);
  release();

  expect(await ended).toMatchObject({ status: "completed", error: null, stats: { added: RECORDS } });
  expect(await contentOf(world, user.id)).toHaveLength(RECORDS);
});

test.skipIf(ENGINE !== "postgres")("a waiting job continues too when the database is back", async () => {
  const world = await testWorld();
  const user = await aUser(world, "bob");
  await setCredentials(world, user.id, "first", { username: "yu1test", password: "secret" });
  let away = 0;
  const whileThere = <T>(ask: () => Promise<T>): Promise<T> =>
    away-- > 0 ? Promise.reject(new AppError("unavailable", "It is away.", { retryAfterSeconds: 5 })) : ask();
  const { read, write } = world.db;
  world.db.read = (unit) => whileThere(() => read.call(world.db, unit)) as Promise<never>;
  world.db.write = (unit) => whileThere(() => write.call(world.db, unit)) as Promise<never>;
  const service = fakeService("first");
  service.download = async function* ({ lastAsked }) {
    away = 2;
    await lastAsked.waitFor("first yu1test", 1);
    away = 2;
    await lastAsked.mark("first yu1test");
    yield aBody("qsl", [lotw("K1ABC", "2026-07-18 10:30")]);
    return null;
  };
  const runner = new SyncRunner(world, 1);
  afterTest(() => runner.stop());
  const asking = { ...world, providers: { ...world.providers, first: service } };

  const { id } = await startSync(asking, runner, { userId: user.id, source: "first", trigger: "manual" });

  expect(await runner.end(id)).toMatchObject({ status: "completed", error: null, stats: { added: 1 } });
});
