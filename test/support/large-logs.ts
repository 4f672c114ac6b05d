import { readFileSync } from "node:fs";
import { join } from "node:path";
import { aDirectory } from "./directory.ts";
import { storeLog } from "./log-generator.ts";
import { aUser, ENGINE, testWorld, type TestWorld, type WorldOptions } from "./world.ts";

/** Logs of more than 20,000 contacts are read in reading threads. */
export const LARGE_LOG = 21_000;

/** A world where Bob and Eve have large logs, with the same contacts. */
export const aWorldWithLargeLogs = async (options: WorldOptions = {}): Promise<TestWorld> => {
  if (ENGINE === "postgres") return fill(await testWorld(options));
  // Making the logs takes ten seconds, and copying them almost none.
  return testWorld({ ...options, copyOf: await (template ??= makeTemplate()) });
};

let template: Promise<Uint8Array> | null = null;

const makeTemplate = async (): Promise<Uint8Array> => {
  const { db } = await fill(await testWorld());
  const copy = join(aDirectory(), "copy.db");
  await db.copyTo(copy);
  return readFileSync(copy);
};

const fill = async (world: TestWorld): Promise<TestWorld> => {
  const [bob, eve] = [await aUser(world, "bob"), await aUser(world, "eve")];
  await storeLog(world.db, [bob.id, eve.id], { contacts: LARGE_LOG });
  return world;
};
