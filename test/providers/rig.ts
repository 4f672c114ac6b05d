import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { DAY } from "../../src/kernel/clock.ts";
import {
  type Body,
  type Credentials,
  type DownloadRequest,
  type ProviderDeps,
  SyncError,
} from "../../src/domain/jobs/provider.ts";
import type { Service } from "../../src/domain/jobs/source.ts";
import { providers } from "../../src/providers/registry.ts";
import { LastAskedInMemory } from "../support/last-asked.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { aRecord, aWorld, anUpload, fillBook, NOW } from "../simulated/world.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import type { SampleName } from "../support/samples.ts";
import { testRandom } from "../support/world.ts";
import { loadLotwReport, loadQrzExport } from "../simulated/load-samples.ts";

export const PASSWORD = "p@ss w&rd=1+%";
export const KEY = "AB12-CD34-EF56-0789";

export interface Taken {
  phase: string;
  part: string;
  count: number;
  total: number | null;
  rejected: Body["rejected"];
  records: AdifRecord[];
  batches: number[];
}

export interface Outcome {
  bodies: Taken[];
  cursor?: unknown;
  error?: SyncError;
}

type World = ReturnType<typeof aWorld>;

/** What the tests need to know about a service and its simulation. */
interface Manner {
  credentials: Credentials;
  wrong: Credentials;
  /** The cursor of an earlier run: the data of `seed` is newer, and no full download is due. */
  recent: unknown;
  /** The account that a test of the credentials reports. */
  says: string | null;
  /** The parts of a download of the data of `seed`. */
  parts: string[];
  /** The number of the first request for records. */
  asksForRecords: number;
  seed(world: World, calls: readonly string[]): void;
  /** A log that the real service has sent. */
  real: { sample: SampleName; load(world: World, records: AdifRecord[]): void };
  /** The batch sizes of a body with 1,201 records. */
  batches: number[];
  /** A download that breaks off after this many records, for services that need several requests. */
  breaks: { seed(world: World): void; when(request: { raw: string }): boolean; after: number; full: boolean } | null;
}

const first: Manner = {
  credentials: { username: "yu1test", password: PASSWORD },
  wrong: { username: "yu1test", password: "wrong" },
  recent: { qso: "2026-07-10 12:00:00", qsl: "2026-07-11 12:00:00" },
  says: null,
  parts: ["qso", "qsl"],
  asksForRecords: 1,
  seed({ store }, calls) {
    for (const [index, call] of calls.entries()) {
      const at = Date.UTC(2026, 6, 18, 1, 43, 45) + index * 60_000;
      store.upload(anUpload({ call, at, qsl: { rxqsl: at + 1 * DAY, detail: { STATE: "WI" } } }));
    }
  },
  real: { sample: "lotwreport.adi", load: ({ store }, records) => loadLotwReport(store, "yu1test", records) },
  batches: [500, 500, 201],
  breaks: {
    seed: (world) => first.seed(world, ["K1ABC", "N0NEW", "DL1ABC"]),
    when: ({ raw }) => raw.includes("qso_qsl=yes"),
    after: 3,
    full: false,
  },
};

const second: Manner = {
  credentials: { apiKey: KEY },
  wrong: { apiKey: "0000-1111" },
  recent: { since: "2026-07-20", sweptAt: NOW - 1 * DAY },
  says: "YU1TEST",
  parts: ["record"],
  asksForRecords: 2,
  seed({ store, book }, calls) {
    for (const call of calls) store.addRecord(book, aRecord({ CALL: call }, Date.UTC(2026, 6, 25)));
  },
  real: { sample: "qrz-export.adi", load: ({ book }, records) => loadQrzExport(book, records) },
  batches: [250],
  breaks: {
    seed: ({ book }) => fillBook(book, 300),
    when: ({ raw }) => raw.includes("AFTERLOGID%3A251"),
    after: 250,
    full: true,
  },
};

const MANNERS: Record<Service, Manner> = { first, second };

/** A provider with its simulated service over real HTTP, and a clock that advances when the provider sleeps. */
export function aRig(service: Service, changes: Partial<ProviderDeps> = {}) {
  const world = aWorld();
  afterTest(() => world.services.stop());
  world.store.users[0]!.password = PASSWORD;
  world.book.key = KEY;
  const simulated: World["services"][Service] = world.services[service];
  const manner = MANNERS[service];
  const spoolDir = aDirectory();
  const pauses: number[] = [];
  const logged: unknown[] = [];
  const deps: ProviderDeps = {
    baseUrl: world.services[`${service}Url`],
    spoolDir,
    version: "1.2.3",
    pace: 1,
    clock: () => world.turn(0),
    random: testRandom(),
    ...SYSTEM_TIME,
    lastAsked: new LastAskedInMemory(() => world.turn(0)),
    ticks: () => world.turn(0),
    sleep: async (ms) => {
      pauses.push(ms);
      // No time passes until the service has noticed that a request was aborted.
      if (simulated.requests.length > 0) await simulated.journal.waitForDeparture(simulated.requests.length);
      world.turn(ms);
    },
    log: (event, fields) => logged.push(event, fields),
    ...changes,
  };
  const provider = providers[service];
  const requestFor = (details: Partial<DownloadRequest> = {}): DownloadRequest => ({
    credentials: manner.credentials,
    cursor: null,
    full: false,
    since: null,
    callsign: "YU1TEST",
    ...details,
  });
  const start = (details?: Partial<DownloadRequest>, signal = new AbortController().signal) =>
    provider.download(deps, requestFor(details), signal);
  return {
    service,
    provider,
    world,
    deps,
    pauses,
    logged,
    simulated,
    ...manner,
    seed: (calls: readonly string[]) => manner.seed(world, calls),
    start,
    run: (details?: Partial<DownloadRequest>, signal?: AbortSignal) => outcomeOf(start(details, signal)),
    spools: () => readdirSync(spoolDir),
  };
}

export type Rig = ReturnType<typeof aRig>;

/** Consumes a whole download. A matcher's `rejects` would block the server in this process. */
export async function outcomeOf(download: AsyncGenerator<Body, unknown>): Promise<Outcome> {
  const bodies: Taken[] = [];
  try {
    for (;;) {
      const next = await download.next();
      if (next.done) return { bodies, cursor: next.value };
      bodies.push(await takenOf(next.value));
    }
  } catch (error) {
    return { bodies, error: error as SyncError };
  } finally {
    await download.return(null);
  }
}

async function takenOf({ phase, part, count, total, rejected, records }: Body): Promise<Taken> {
  const taken: Taken = { phase, part, count, total, rejected, records: [], batches: [] };
  for await (const batch of records()) {
    taken.records.push(...batch);
    taken.batches.push(batch.length);
  }
  return taken;
}

/** The error, or nothing. */
export function errorOf(promise: Promise<unknown>): Promise<SyncError | null> {
  return promise.then(
    () => null,
    (error: SyncError) => error,
  );
}

/** The worked calls of a part, in order of arrival. */
export function callsOf({ bodies }: Outcome, part: string): (string | undefined)[] {
  return bodies
    .filter((body) => body.part === part)
    .flatMap(({ records }) => records)
    .map(({ fields }) => fields["CALL"]);
}

/** A server with these answers, in turn or computed from the parameters. Records the requests. */
export function answering(...answers: (string | Uint8Array | Response | ((params: URLSearchParams) => Response))[]) {
  const asked: URLSearchParams[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const text = request.method === "POST" ? await request.text() : new URL(request.url).search;
      const params = new URLSearchParams(text);
      asked.push(params);
      const answer = answers[Math.min(asked.length, answers.length) - 1]!;
      if (typeof answer === "function") return answer(params);
      return answer instanceof Response
        ? (answer.clone() as Response)
        : new Response(answer as Uint8Array<ArrayBuffer>);
    },
  });
  afterTest(() => server.stop(true));
  return { baseUrl: server.url.origin, asked };
}

export function fixture(service: Service, name: string): Uint8Array {
  return readFileSync(join(import.meta.dir, "../fixtures", service, name));
}
