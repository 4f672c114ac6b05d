import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOTP } from "otpauth";
import { beginApp, confirmAppOf } from "../people/factors.ts";
import { createUser } from "../people/users.ts";
import { type Config, readConfig } from "../config.ts";
import { OPERATOR } from "../domain/people/actor.ts";
import type { Clock } from "../kernel/clock.ts";
import type { User } from "../domain/people/user.ts";
import { SILENT_LOG } from "../kernel/log.ts";
import type { SimulatedServices } from "../simulated/services.ts";
import { ACCOUNTS, OWN_CALL, SimulatedWorld } from "../simulated/world.ts";
import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import { byOwner } from "../logbook/caller.ts";
import { changeSchedule } from "../logbook/schedule.ts";
import { scheduleAfterSync } from "../sync/schedule.ts";
import { setCredentials } from "../sync/source/credentials.ts";
import { SyncRunner } from "../sync/job/runner.ts";
import { JobWorker } from "../sync/job/worker.ts";
import { SYSTEM_TIME } from "../kernel/time.ts";
import { openWorld, type World } from "../world.ts";
import { Stage } from "./stage.ts";
import { play, STORY_TAKES, StoryTime } from "./story.ts";

export interface DemoWorld {
  config: Config;
  services: SimulatedServices;
  /** Ann is an administrator, Bob owns the log, and Cleo has a second factor. */
  users: readonly User[];
  /** By username. */
  passwords: Readonly<Record<string, string>>;
  /** The key for Cleo's authenticator app. */
  factorKeys: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

interface DemoOptions {
  /** An empty directory. */
  dataDir: string;
  port?: string;
  host?: string;
  clock: Clock;
  random: World["random"];
  /** How far each reading of the clock advances the story. With 0 the demo is the same every time. */
  lookTakes?: number;
}

/** Demo passwords protect nothing and are created again for every demo, so hashing is cheap. */
const PASSWORD_COST = { memoryCost: 8_192, timeCost: 1 };
const PACE = 0.2;

/** Creates a database with a log, jobs of every kind, and both simulated services running. */
export const createDemoWorld = async ({
  dataDir,
  port,
  host,
  clock,
  random,
  lookTakes,
}: DemoOptions): Promise<DemoWorld> => {
  const now = clock();
  const time = new StoryTime(now - STORY_TAKES, lookTakes);
  const { loadCallFacts } = await import("../callsign/facts.ts");
  const facts = await loadCallFacts(dataDir);
  const patiently = (ms: number, signal: AbortSignal) => SYSTEM_TIME.sleep(ms, signal).catch(() => {});
  const simulated = new SimulatedWorld({
    clock: time.clock,
    sleep: patiently,
    every: SYSTEM_TIME.every,
    locate: facts.locate,
  });
  await using started = new AsyncDisposableStack();
  started.defer(() => simulated.stop());
  simulated.services.start();
  const config = writeConfig({ dataDir, port, host }, simulated.services);
  const opened = await openWorld(config, { clock: time.clock, random, log: SILENT_LOG });
  started.defer(() => opened.db.close());
  const world = { ...opened, config: { ...config, pace: 0 }, passwordCost: PASSWORD_COST };
  // A hung job needs a live worker, so this one sends heartbeats for as long as the demo runs.
  const hung = new JobWorker({ ...world, clock });
  started.defer(() => hung.stop());
  await hung.register();

  const passwords = { ann: passwordFrom(random), bob: passwordFrom(random), cleo: passwordFrom(random) };
  const users = await addUsers(world, passwords);
  const runner = new SyncRunner(world, 1);
  await play(simulated, new Stage(world, users[1].id, runner, hung), time, now).finally(() => runner.stop());
  const cleo = await addCleo(world, passwords.cleo);
  await world.db.analyze();
  time.catchUp(clock);
  await schedule({ ...world, clock }, users[1]);
  simulated.start();
  const running = started.move();
  return {
    config,
    services: simulated.services,
    users: [...users, cleo.user],
    passwords,
    factorKeys: { cleo: cleo.key },
    stop: () => running.disposeAsync(),
  };
};

/** A user for trying the second step of a sign-in. The visitor adds the key to an app. */
const addCleo = async (world: World, password: string): Promise<{ user: User; key: string }> => {
  const user = await createUser(world, OPERATOR, { username: "cleo", password, callsign: "YU3DEMO" });
  const { key } = await beginApp(world, user);
  const shown = new TOTP({ secret: key }).generate({ timestamp: world.clock() });
  await confirmAppOf(world, OPERATOR, user.id, shown);
  return { user, key };
};

/** Both services are scheduled, but not due during the demo. */
const schedule = async (world: World, user: User): Promise<void> => {
  await changeSchedule(world, byOwner(user), {
    first: { enabled: true, intervalHours: 48 },
    second: { enabled: true, intervalHours: 72 },
  });
  const completed = await world.db.read(() => syncJobs.list({ userId: user.id, statuses: ["completed"], limit: 50 }));
  await world.db.write(function* () {
    for (const job of completed.toReversed()) yield* scheduleAfterSync(job);
  });
};

const addUsers = async (world: World, passwords: { ann: string; bob: string }): Promise<readonly [User, User]> => {
  const { ann: annSays, bob: bobSays } = passwords;
  const administrator = { username: "ann", password: annSays, callsign: "YU2DEMO", role: "admin" as const };
  const ann = await createUser(world, OPERATOR, administrator);
  const bob = await createUser(world, OPERATOR, { username: "bob", password: bobSays, callsign: OWN_CALL });
  await setCredentials(world, bob.id, "first", ACCOUNTS.first);
  await setCredentials(world, bob.id, "second", ACCOUNTS.second);
  return [ann, bob];
};

/** Writes settings that other processes on the data directory find too. The operator's environment is ignored. */
const writeConfig = (
  { dataDir, port, host }: Pick<DemoOptions, "dataDir" | "port" | "host">,
  { firstUrl, secondUrl }: SimulatedServices,
): Config => {
  const settings = { first_url: firstUrl, second_url: secondUrl, pace: String(PACE) };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  writeFileSync(join(dataDir, "qsolog.toml"), lines.join(""), { mode: 0o600 });
  return readConfig({ env: {}, flags: { dataDir, port, host } }).config;
};

const passwordFrom = (random: World["random"]): string => `demo-${Buffer.from(random(5)).toString("hex")}`;
