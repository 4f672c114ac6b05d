/** Ten thousand users due in the same minute: the tick, the server meanwhile, and every sync once. */
import { createApp } from "../../src/features.ts";
import { readConfig } from "../../src/config.ts";
import { Gate } from "../../src/gate.ts";
import { JobsUnderWay } from "../../src/under-way.ts";
import { byService } from "../../src/domain/source.ts";
import { SILENT_LOG } from "../../src/log.ts";
import { insertMany, one, run } from "../../src/storage/unit.ts";
import { lazyVault, PASSWORD_COST, type World } from "../../src/world.ts";
import { AskedHere } from "../../src/last-asked.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { TIME } from "../../src/time.ts";
import { fakeService } from "../support/fake-service.ts";
import { print } from "./figure.ts";
import { withInstallation, type Installation } from "./running-server.ts";

const USERS = process.argv.includes("--quick") ? 2_000 : 10_000;
const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));

await withInstallation(async (installation) => {
  const services = byService(fakeService);
  const world = worldOf(installation, services);
  await fill(world);
  const app = createApp(world);
  const { db } = world;

  const bare = performance.now();
  await db.read(() => one`SELECT count(*) FROM auto_sync_settings WHERE first_enabled = 1 AND first_next_sync_at <= 1`);
  const baseline = performance.now() - bare;
  const before = performance.now();
  await app.scheduler.tick(Date.now());
  const tick = performance.now() - before;
  print({ name: `the tick with ${USERS} users due`, value: tick, unit: "ms", ratio: tick / baseline, limit: 200 });

  const began = performance.now();
  const longest = await longestWait(() => app.runner.size > 0 || services.first.downloads.length < USERS);
  const { n, users } = await db.read(
    () => one<{ n: number; users: number }>`SELECT count(*) AS n, count(DISTINCT user_id) AS users FROM sync_jobs`,
  );
  const seconds = (performance.now() - began) / 1_000;
  print({ name: "until all are done, empty answers", value: seconds, unit: "s" });
  print({ name: "syncs a second", value: n / seconds, unit: "/s" });
  print({ name: "longest wait of anything else meanwhile", value: longest, unit: "ms", limit: 200 });
  print({ name: "syncs started twice", value: n - users, unit: "", limit: 0 });
  print({ name: "users left out", value: USERS - users, unit: "", limit: 0 });
  await app.stop();
  await app.settle();
});

function worldOf({ dataDir, db }: Installation, services: World["providers"]): World {
  const { config } = readConfig({ env: { QSOLOG_DATA_DIR: dataDir } });
  return {
    config,
    db,
    clock: Date.now,
    compareClocks: async () => {},
    random,
    log: SILENT_LOG,
    passwordCost: PASSWORD_COST,
    underWay: new JobsUnderWay(),
    hashing: new Gate(2),
    callFacts: async () => ({}) as never,
    vault: lazyVault(config, random),
    lastAsked: new AskedHere(TIME.ticks),
    lookup: async () => [],
    openBeside: (file) => openDatabase(file, { time: TIME }),
    providers: services,
    ...TIME,
  };
}

async function fill({ db, vault }: World): Promise<void> {
  const now = Date.now();
  await db.write(function* () {
    const names = Array.from({ length: USERS }, (_, n) => [`user${n}`, "", now] as const);
    const added = yield* insertMany<{ id: number }>(
      "users",
      ["username", "password_hash", "created_at"],
      names,
      "RETURNING id",
    );
    for (const { id } of added) {
      const sealed = vault.seal(JSON.stringify({ username: `u${id}`, password: "x" }), {
        userId: id,
        source: "first",
        account: "main",
      });
      yield* run`INSERT INTO service_credentials (user_id, source, account, sealed, login_hash, state, updated_at)
                 VALUES (${id}, 'first', 'main', ${sealed}, ${`hash ${id}`}, 'ok', ${now})`;
    }
    yield* insertMany(
      "auto_sync_settings",
      ["user_id", "first_enabled", "first_next_sync_at"],
      added.map(({ id }) => [id, 1, now - 1] as const),
    );
  });
  await db.analyze();
}

/** How long a beat of the event loop was held up while something goes on. */
async function longestWait(goesOn: () => boolean): Promise<number> {
  let longest = 0;
  let last = performance.now();
  for (let quiet = 0; quiet < 5;) {
    await Bun.sleep(1);
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
    quiet = goesOn() ? 0 : quiet + 1;
  }
  return longest;
}
