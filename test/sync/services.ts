import type { Service } from "../../src/domain/jobs/source.ts";
import type { JobOptions, SyncJob } from "../../src/domain/jobs/sync-job.ts";
import type { User } from "../../src/domain/people/user.ts";
import { SimulatedServices } from "../../src/simulated/services.ts";
import type { QrzBook, QrzRecord, Upload } from "../../src/simulated/store.ts";
import * as serviceCredentials from "../../src/storage/jobs/service-credentials.ts";
import * as syncCursors from "../../src/storage/jobs/sync-cursors.ts";
import { many, one } from "../../src/storage/engine/unit.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { startSync, type SyncOrder } from "../../src/sync/source/service.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { afterTest } from "../support/cleanup.ts";
import { logOf, STATION } from "../support/sync.ts";
import { aUser, NOON, testWorld, type TestWorld } from "../support/world.ts";

/** Contains every character that needs encoding somewhere. */
export const PASSWORD = "p@ss w&rd=1+%";
export const KEY = "AB12-CD34-EF56-0789";
export const LOGIN = "yu1test";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

interface Options {
  thread?: boolean;
  giveUpAfterMs?: number;
  env?: Record<string, string>;
  clock?: () => number;
}

/** Both services with an account and an empty logbook, as strict as the real ones. */
export const theServices = (clock: () => number) => {
  const services = new SimulatedServices({
    clock,
    random: seeded(7),
    sleep: (ms) => SYSTEM_TIME.sleep(Math.min(ms, 1)),
  });
  services.start();
  afterTest(() => services.stop());
  services.second.perMinute = Infinity;
  services.first.abandonedFor = 0;
  services.store.addUser({ login: LOGIN, password: PASSWORD, calls: [STATION] });
  const book = services.store.addBook({
    key: KEY,
    call: STATION,
    subscribed: true,
    bookid: 406_135,
    name: "YU1TEST Logbook",
  });
  return { services, book };
};

/** A world whose simulated services are used over HTTP by the real runner. */
export const aLiveWorld = async ({ thread, giveUpAfterMs, env }: Options = {}) => {
  let now: () => number = () => NOON;
  const { services, book } = theServices(() => now());
  const world: TestWorld = {
    ...(await testWorld({
      thread,
      giveUpAfterMs,
      env: { QSOLOG_FIRST_URL: services.firstUrl, QSOLOG_SECOND_URL: services.secondUrl, ...env },
    })),
    sleep: (ms, signal) => SYSTEM_TIME.sleep(Math.min(ms, 1), signal),
  };
  now = world.clock;
  const runner = new SyncRunner(world, 4);
  afterTest(() => runner.stop());
  const bob = await aBob(world, "bob");
  const { store, first, second } = services;
  return { world, services, store, first, second, book, runner, bob };
};

export type Live = Awaited<ReturnType<typeof aLiveWorld>>;

/** A user with accounts at both services. */
export const aBob = async (world: TestWorld, username: string): Promise<User> => {
  const user = await aUser(world, username);
  await setCredentials(world, user.id, "first", { username: LOGIN, password: PASSWORD });
  await setCredentials(world, user.id, "second", { apiKey: KEY, callsign: STATION });
  return user;
};

type Order = Partial<Omit<SyncOrder, "userId" | "source" | "options">> & { options?: JobOptions; userId?: number };

/** Runs a sync to its end. */
export const synced = async (live: Live, source: Service, order: Order = {}): Promise<SyncJob> => {
  const started = await begun(live, source, order);
  return (await live.runner.end(started.id)) ?? started;
};

export const begun = ({ world, runner, bob }: Live, source: Service, order: Order = {}): Promise<SyncJob> =>
  startSync(world, runner, { userId: bob.id, source, trigger: "manual", ...order });

export const cursorOf = ({ world, bob }: Live, source: Service): Promise<unknown> =>
  world.db.read(() => syncCursors.find(bob.id, source));

export const stateOf = async ({ world, bob }: Live, source: Service) => {
  const known = await world.db.read(() => serviceCredentials.find(bob.id, source));
  return { state: known!.state, reason: known!.stateReason };
};

/** Everything that a job can write, for comparison with the state before. */
export const writtenIn = async (live: Live) => ({
  log: await logOf(live.world, live.bob.id),
  cursors: [await cursorOf(live, "first"), await cursorOf(live, "second")],
  changes: await countOf(live, "qso_changes"),
  leftovers: await countOf(live, "sync_leftovers"),
});

type Table = "qso_changes" | "sync_leftovers" | "account_leases" | "workers" | "sync_jobs";

export const countOf = async ({ world }: Pick<Live, "world">, table: Table): Promise<number> => {
  const rows = await world.db.read(
    () => many<{ name: string; n: number }>`
    SELECT 'qso_changes' AS name, CAST(count(*) AS BIGINT) AS n FROM qso_changes
    UNION ALL SELECT 'sync_leftovers', CAST(count(*) AS BIGINT) FROM sync_leftovers
    UNION ALL SELECT 'account_leases', CAST(count(*) AS BIGINT) FROM account_leases
    UNION ALL SELECT 'workers', CAST(count(*) AS BIGINT) FROM workers
    UNION ALL SELECT 'sync_jobs', CAST(count(*) AS BIGINT) FROM sync_jobs`,
  );
  return rows.find(({ name }) => name === table)!.n;
};

export const logVersionOf = async ({ world, bob }: Live): Promise<number> =>
  (await world.db.read(() => one<{ version: number }>`SELECT log_version AS version FROM users WHERE id = ${bob.id}`))
    .version;

const CALLED = Date.UTC(2026, 6, 18, 1, 43, 45);

/** Adds a contact to LoTW, by default confirmed the day after. */
export const uploaded = ({ store }: Pick<Live, "store">, call: string, details: Partial<Upload> = {}) => {
  const at = details.at ?? CALLED;
  const qsl = { rxqsl: at + DAY, detail: { DXCC: "291", STATE: "WI", GRIDSQUARE: "EN34QU" } };
  return store.upload({ own: STATION, call, band: "20m", mode: "CW", at, qsl, ...details });
};

/** Adds a contact to the QRZ logbook. */
export const booked = (
  { store, book }: { store: Live["store"]; book: QrzBook },
  call: string,
  fields: Record<string, string> = {},
  more: Partial<QrzRecord> = {},
): QrzRecord =>
  store.addRecord(book, {
    modified: Date.UTC(2026, 6, 25),
    fields: {
      CALL: call,
      BAND: "20m",
      MODE: "CW",
      QSO_DATE: "20260718",
      TIME_ON: "0143",
      DXCC: "291",
      STATION_CALLSIGN: STATION,
      ...fields,
    },
    ...more,
  });

/** A different call for each number. */
export const callOf = (number: number): string => {
  const letters = [676, 26, 1].map((place) => String.fromCharCode(65 + (Math.floor(number / place) % 26))).join("");
  return `K${Math.floor(number / 17_576) % 10}${letters}`;
};

export const stampOf = (at: number): string => new Date(at).toISOString().slice(0, 19).replace("T", " ");

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
