import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AdifRecord } from "../../src/domain/adif-record.ts";
import { DAY } from "../../src/domain/clock.ts";
import {
  type Body,
  type Credentials,
  type DownloadRequest,
  type ProviderDeps,
  SyncError,
} from "../../src/domain/provider.ts";
import type { Service } from "../../src/domain/source.ts";
import { providers } from "../../src/providers/registry.ts";
import { TIME } from "../../src/time.ts";
import { aRecord, aWorld, anUpload, NOW } from "../simulated/world.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { testRandom } from "../support/world.ts";

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

const CREDENTIALS: Record<Service, Credentials> = {
  first: { username: "yu1test", password: PASSWORD },
  second: { apiKey: KEY },
};

/** As an earlier run left it: what `seed` makes is newer, and no sweep is due. */
const RECENT: Record<Service, unknown> = {
  first: { qso: "2026-07-10 12:00:00", qsl: "2026-07-11 12:00:00" },
  second: { since: "2026-07-20", sweptAt: NOW - 1 * DAY },
};

/** One provider against its simulated service, over real HTTP, with a clock that turns when somebody sleeps. */
export function aRig(service: Service, changes: Partial<ProviderDeps> = {}) {
  const world = aWorld();
  afterTest(() => world.services.stop());
  world.store.users[0]!.password = PASSWORD;
  world.book.key = KEY;
  const simulated = service === "first" ? world.first : world.second;
  const spoolDir = aDirectory();
  const pauses: number[] = [];
  const logged: unknown[] = [];
  const deps: ProviderDeps = {
    baseUrl: service === "first" ? world.services.firstUrl : world.services.secondUrl,
    spoolDir,
    version: "1.2.3",
    pace: 1,
    clock: () => world.turn(0),
    random: testRandom(),
    ...TIME,
    sleep: async (ms) => {
      pauses.push(ms);
      // No time passes before the service has noticed that a request was given up.
      if (simulated.requests.length > 0) await simulated.journal.departure(simulated.requests.length);
      world.turn(ms);
    },
    log: (event, fields) => logged.push(event, fields),
    ...changes,
  };
  const provider = providers[service];
  const requestFor = (details: Partial<DownloadRequest> = {}): DownloadRequest => ({
    credentials: CREDENTIALS[service],
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
    credentials: CREDENTIALS[service],
    recent: RECENT[service],
    /** The bodies that one download of what `seed` made has. */
    parts: service === "first" ? ["qso", "qsl"] : ["record"],
    seed: (calls: string[]) => seed(world, service, calls),
    start,
    run: (details?: Partial<DownloadRequest>, signal?: AbortSignal) => outcomeOf(start(details, signal)),
    spools: () => readdirSync(spoolDir),
  };
}

export type Rig = ReturnType<typeof aRig>;

function seed({ store, book }: ReturnType<typeof aWorld>, service: Service, calls: string[]): void {
  for (const [index, call] of calls.entries()) {
    const at = Date.UTC(2026, 6, 18, 1, 43, 45) + index * 60_000;
    if (service === "first")
      store.upload(anUpload({ call, at, qsl: { rxqsl: at + 1 * DAY, detail: { STATE: "WI" } } }));
    else store.addRecord(book, aRecord({ CALL: call }, Date.UTC(2026, 6, 25)));
  }
}

/** Goes through a whole download. A matcher's `rejects` would wait for it without letting the server run. */
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

/** What went wrong, or nothing. */
export function errorOf(promise: Promise<unknown>): Promise<SyncError | null> {
  return promise.then(
    () => null,
    (error: SyncError) => error,
  );
}

/** The worked calls of a part, in the order of arrival. */
export function callsOf({ bodies }: Outcome, part: string): (string | undefined)[] {
  return bodies
    .filter((body) => body.part === part)
    .flatMap(({ records }) => records)
    .map(({ fields }) => fields["CALL"]);
}

/** A server that answers with what it is given, in turn or by looking at the parameters, and remembers them. */
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
