/** What contacts take on disk after a first sync with one service and with both, their change records included. */
import { Database as Connection } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BACKGROUND_THREAD } from "../../src/background/thread.ts";
import { readConfig } from "../../src/config.ts";
import { OPERATOR } from "../../src/domain/actor.ts";
import type { Service } from "../../src/domain/source.ts";
import { SILENT_LOG } from "../../src/log.ts";
import { createUser } from "../../src/people/users.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { startSync } from "../../src/sync/source/service.ts";
import { openWorld, prepareDataDir } from "../../src/world.ts";
import { print } from "./figure.ts";
import { BOOK_KEY, LOGIN, NOW, simulated } from "./simulated-account.ts";

const CONTACTS = process.argv.includes("--quick") ? 10_000 : 100_000;
const MB = 1e6;
const LIMIT_MB = { first: 110, second: 190 };

const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
const [first, second] = await Promise.all([simulated("first", CONTACTS), simulated("second", CONTACTS)]);
const { config } = readConfig({
  env: {
    QSOLOG_DATA_DIR: directory,
    QSOLOG_PACE: "0",
    QSOLOG_FIRST_URL: first.firstUrl,
    QSOLOG_SECOND_URL: second.secondUrl,
  },
});
prepareDataDir(config);
const world = await openWorld(config, {
  clock: () => NOW,
  random: (count) => crypto.getRandomValues(new Uint8Array(count)),
  log: SILENT_LOG,
  backgroundThread: BACKGROUND_THREAD,
});
const bob = await createUser(world, OPERATOR, { username: "bob", password: "correct horse battery" });
const runner = new SyncRunner(world, 1);
await download("first");
report("after a sync with the first service", LIMIT_MB.first);
await download("second");
report("after one with the second too", LIMIT_MB.second);
parts();
await runner.stop();
await world.db.close();
first.stop();
second.stop();
rmSync(directory, { recursive: true });

async function download(source: Service): Promise<void> {
  await setCredentials(world, bob.id, source, source === "first" ? LOGIN : { apiKey: BOOK_KEY });
  const started = await startSync(world, runner, { userId: bob.id, source, trigger: "manual" });
  const job = (await runner.end(started.id))!;
  if (job.status !== "completed") throw new Error(`${job.error?.code}: ${job.error?.message}`);
}

function report(name: string, limit: number): void {
  const connection = new Connection(world.db.location);
  connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
  connection.close();
  print({ name, value: scaled(Bun.file(world.db.location).size), unit: "MB", limit });
}

/** Megabytes, as they would be for 100,000 contacts. */
function scaled(bytes: number): number {
  return (bytes / MB) * (100_000 / CONTACTS);
}

function parts(): void {
  const connection = new Connection(world.db.location, { readonly: true });
  const sizes = connection
    .query(
      `SELECT CASE WHEN s.type = 'index' THEN 'indexes of ' || s.tbl_name ELSE s.tbl_name END AS part,
              sum(d.pgsize) AS bytes
       FROM dbstat d JOIN sqlite_master s ON s.name = d.name GROUP BY part ORDER BY bytes DESC LIMIT 6`,
    )
    .all() as { part: string; bytes: number }[];
  connection.close();
  for (const { part, bytes } of sizes) print({ name: `  of that ${part}`, value: scaled(bytes), unit: "MB" });
}
