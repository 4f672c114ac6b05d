import { SQL } from "bun";
import { expect, test } from "bun:test";
import { contentOf, lotw, aHeldBody, syncing } from "../support/sync.ts";
import { aUser, ENGINE, testWorld, type TestWorld } from "../support/world.ts";
import { callOf } from "./services.ts";

const RECORDS = 60;

/** Every connection of a world breaks, as when the server restarts. */
const breakConnections = async ({ config }: TestWorld): Promise<number> => {
  const sql = new SQL(config.databaseUrl, { max: 1 });
  const broken = await sql.unsafe(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await sql.close();
  return broken.length;
};

test.skipIf(ENGINE !== "postgres")("a job goes on when every connection breaks in the middle of it", async () => {
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
