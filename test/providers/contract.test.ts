import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { AdifReader } from "../../src/adif/reader.ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { SECOND } from "../../src/kernel/clock.ts";
import { type Body, SyncError, type SyncErrorCode } from "../../src/domain/jobs/provider.ts";
import { SERVICES } from "../../src/domain/jobs/source.ts";
import type { DeliveryFault } from "../../src/simulated/faults.ts";
import { LOTW_PATH } from "../../src/simulated/lotw.ts";
import { removeStaleSpools } from "../../src/providers/spool.ts";
import { isFull } from "../support/full.ts";
import { sample } from "../support/samples.ts";
import { aRig, callsOf, errorOf, KEY, outcomeOf, PASSWORD, type Rig } from "./rig.ts";

const CALLS = ["K1ABC", "N0NEW", "DL1ABC"];
const IMPATIENT = { patience: { silence: 60, total: 10 * SECOND } };
const SECRETS = [PASSWORD, encodeURIComponent(PASSWORD), "p%40ss", KEY, KEY.replaceAll("-", "")];

function aSeededRig(service: (typeof SERVICES)[number], changes = {}): Rig {
  const rig = aRig(service, changes);
  rig.seed(CALLS);
  return rig;
}

/** The fault affects only requests for records, not those that check a key. */
const forRecords = (rig: Rig, fault: DeliveryFault, times = 1) =>
  (rig.simulated.fail as (plan: unknown) => void).call(rig.simulated, {
    ...fault,
    times,
    when: ({ params }: { params: URLSearchParams }) => params.get("ACTION") !== "STATUS",
  });

const askedForRecords = ({ simulated }: Rig) =>
  simulated.requests.filter(({ params }) => params.get("ACTION") !== "STATUS").length;

const expectAll = (rig: Rig, outcome: Awaited<ReturnType<Rig["run"]>>) => {
  expect(outcome.error).toBeUndefined();
  for (const part of rig.parts) expect(callsOf(outcome, part).toSorted()).toEqual(CALLS.toSorted());
};

// Invariant: both providers fulfil one contract
describe.each(SERVICES)("the %s service", (service) => {
  test("delivers everything the first time, and from a cursor only what came since", async () => {
    const rig = aSeededRig(service);

    const everything = await rig.run();
    const nothingNew = await rig.run({ cursor: everything.cursor });

    expectAll(rig, everything);
    expect(everything.bodies.map(({ part }) => part)).toEqual(rig.parts);
    expect(everything.bodies.every(({ count, total }) => count === CALLS.length && total === count)).toBeTrue();
    expect(nothingNew.error).toBeUndefined();
    expect(Object.keys(nothingNew.cursor as object)).toEqual(Object.keys(everything.cursor as object));
  });

  test("gives its cursor as JSON that survives being stored", async () => {
    const { cursor } = await aSeededRig(service).run();

    expect(JSON.parse(JSON.stringify(cursor))).toEqual(cursor);
  });

  test("delivers a realistic log field by field", async () => {
    const rig = aRig(service);
    const log = recordsIn(sample(rig.real.sample).bytes);
    rig.real.load(rig.world, log);

    const { error, bodies } = await rig.run();

    expect(error).toBeUndefined();
    const delivered = bodies.filter(({ part }) => part === rig.parts.at(-1)).flatMap(({ records }) => records);
    const byText = (fields: object) => JSON.stringify(Object.entries(fields).toSorted());
    expect(delivered.map(({ fields }) => byText(fields)).toSorted()).toEqual(
      log.map(({ fields }) => byText(fields)).toSorted(),
    );
    expect(rig.logged).toEqual([]);
  });

  test("an account without anything is empty, not an error", async () => {
    const { error, bodies } = await aRig(service).run();

    expect(error).toBeUndefined();
    expect(bodies.flatMap(({ records }) => records)).toEqual([]);
  });

  test("comes in batches of at most 500 that can be read twice", async () => {
    const rig = aRig(service);
    rig.seed(Array.from({ length: 1201 }, (_, index) => `K${index}AB`));
    const download = rig.start();

    const body = await bodyFrom(download);
    const sizes: number[][] = [];
    for (let time = 0; time < 2; time++) {
      const batches: number[] = [];
      for await (const batch of body.records()) batches.push(batch.length);
      sizes.push(batches);
    }
    await download.return(null);

    expect(sizes).toEqual([rig.batches, rig.batches]);
  });

  test("receives the name of the program and the callsign of the log", async () => {
    const rig = aSeededRig(service);

    await rig.run();
    await rig.run({ callsign: null });
    await rig.run({ callsign: null, credentials: { ...rig.credentials, callsign: "YU1TEST" } });
    await rig.run({ callsign: "yu1test/p (x)\r\nEvil: 1" });

    const agents = new Set(rig.simulated.requests.map(({ headers }) => headers["user-agent"]));
    expect([...agents]).toEqual(["qsolog/1.2.3 (YU1TEST)", "qsolog/1.2.3", "qsolog/1.2.3 (YU1TEST/PXEVIL1)"]);
  });

  test("is never asked twice at the same time", async () => {
    const rig = aSeededRig(service);

    await rig.run();

    expect(rig.simulated.requests.length).toBeGreaterThan(1);
    expect(rig.simulated.requests.flatMap(({ overlaps }) => overlaps)).toEqual([]);
  });

  test("is asked with pauses, multiplied by the pace", async () => {
    const [usual, double, none] = [1, 2, 0].map((pace) => aSeededRig(service, { pace }));

    for (const rig of [usual!, double!, none!]) await rig.run();

    expect(usual!.pauses.length).toBeGreaterThan(0);
    expect(double!.pauses).toEqual(usual!.pauses.map((pause) => 2 * pause));
    expect(none!.pauses).toEqual([]);
  });

  test("accepts valid credentials in a test and refuses wrong ones", async () => {
    const rig = aSeededRig(service);
    const { signal } = new AbortController();

    expect(await rig.provider.test(rig.deps, rig.credentials, signal)).toEqual({ callsign: rig.says });
    expect(await errorOf(rig.provider.test(rig.deps, rig.wrong, signal))).toMatchObject({ code: "auth_failed" });
    expect(rig.spools()).toEqual([]);
  });

  // Defence: services are asked over https only; http only on this machine
  test("is asked only over HTTPS, or on this machine", async () => {
    for (const baseUrl of ["http://lotw.example", "http://127.0.0.1.example", "ftp://127.0.0.1"]) {
      const { error } = await aRig(service, { baseUrl }).run();
      expect(error).toMatchObject({ code: "not_configured" });
    }
  });

  describe("downloaded files", () => {
    // Defence: downloaded files are readable by their owner only and are deleted
    test("can be read only by the owner, one at a time, and are removed at the end", async () => {
      const rig = aSeededRig(service);
      const seen: string[][] = [];
      const modes: number[] = [];

      for await (const body of rig.start()) {
        seen.push(rig.spools());
        modes.push(statSync(join(rig.deps.spoolDir, rig.spools()[0]!)).mode & 0o777);
        for await (const batch of body.records()) expect(batch.length).toBe(CALLS.length);
      }

      expect(seen.map(({ length }) => length)).toEqual(rig.parts.map(() => 1));
      expect(modes).toEqual(rig.parts.map(() => 0o600));
      expect(rig.spools()).toEqual([]);
    });

    test("can still be read after another process has cleaned the folder", async () => {
      const rig = aSeededRig(service);
      const download = rig.start();
      const body = await bodyFrom(download);

      const swept = removeStaleSpools(rig.deps.spoolDir);
      const records = [];
      for await (const batch of body.records()) records.push(...batch);
      await download.return(null);

      expect([swept, rig.spools().length, records.length]).toEqual([1, 0, CALLS.length]);
    });

    test("cannot be created if the folder is a file", async () => {
      const { error } = await aSeededRig(service, { spoolDir: import.meta.path }).run();

      expect(error).toMatchObject({ code: "internal" });
      expect(error!.message).not.toContain(import.meta.path);
    });
  });

  describe("a service that fails", () => {
    const FAILURES: [string, DeliveryFault, SyncErrorCode, number][] = [
      ["cannot be reached", { kind: "reset" }, "network", 3],
      ["breaks the connection", { kind: "reset", at: 60 }, "network", 3],
      ["answers 500", { kind: "status", status: 500 }, "network", 3],
      ["answers 502", { kind: "status", status: 502 }, "network", 3],
      ["answers 503", { kind: "status", status: 503 }, "network", 3],
      ["stays silent", { kind: "stall" }, "timeout", 1],
      ["falls silent", { kind: "stall", at: 60 }, "timeout", 1],
      ["is cut off", { kind: "truncate", at: 60 }, "truncated", 1],
      ["sends nothing", { kind: "truncate", at: 0 }, "truncated", 1],
      ["is being looked after", { kind: "maintenance" }, "invalid_answer", 1],
      ["sends a page that looks like an answer", { kind: "maintenance", tempting: true }, "invalid_answer", 1],
      ["redirects", { kind: "redirect" }, "invalid_answer", 1],
    ];

    test.each(FAILURES)("because it %s delivers nothing and no cursor", async (_, fault, code, requests) => {
      const rig = aSeededRig(service, fault.kind === "stall" ? IMPATIENT : {});
      forRecords(rig, fault, 9);

      const outcome = await rig.run({ cursor: rig.recent });

      expect(outcome.error).toBeInstanceOf(SyncError);
      expect(outcome.error).toMatchObject({ code });
      expect(outcome.bodies).toEqual([]);
      expect(outcome).not.toHaveProperty("cursor");
      expect(askedForRecords(rig)).toBe(requests);
      expect(rig.spools()).toEqual([]);
    });

    test("because nothing listens is reported as unreachable", async () => {
      const rig = aSeededRig(service);
      await rig.world.services.stop();

      const { error } = await rig.run();

      expect(error).toMatchObject({ code: "network", message: expect.stringContaining("ECONNREFUSED") });
    });

    test.each<DeliveryFault>([
      { kind: "reset" },
      { kind: "reset", at: 200 },
      { kind: "status", status: 502 },
      { kind: "status", status: 503, retryAfter: 90 },
    ])("with %j twice, the third attempt delivers everything once", async (fault) => {
      const rig = aSeededRig(service);
      forRecords(rig, fault, 2);

      const outcome = await rig.run({ cursor: rig.recent });

      expectAll(rig, outcome);
      const waits = "retryAfter" in fault ? [90 * SECOND, 90 * SECOND] : [5 * SECOND, 20 * SECOND];
      expect(rig.pauses.filter((pause) => pause > 5 * SECOND - 1).slice(0, 2)).toEqual(waits);
    });

    test("and asks for a pause is not asked during it", async () => {
      const rig = aSeededRig(service);
      forRecords(rig, { kind: "status", status: 503, retryAfter: 600 });

      const { error } = await rig.run({ cursor: rig.recent });

      expect(error).toMatchObject({ code: "network", retryAfterSeconds: 600 });
      expect(askedForRecords(rig)).toBe(1);
    });

    test("later has delivered complete parts, but no cursor", async () => {
      const rig = aRig(service);
      if (rig.breaks === null) return;
      const { when, after, full } = rig.breaks;
      rig.breaks.seed(rig.world);
      rig.simulated.fail({ kind: "truncate", at: 100, when });

      const outcome = await rig.run({ cursor: rig.recent, full });

      expect(outcome.error).toMatchObject({ code: "truncated" });
      expect(outcome.bodies.map(({ count }) => count)).toEqual([after]);
      expect(outcome).not.toHaveProperty("cursor");
    });

    // Defence: redirects are never followed
    test("with a redirect sends nothing to the new address", async () => {
      const led: string[] = [];
      using elsewhere = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: ({ url }) => {
          led.push(url);
          return new Response();
        },
      });
      const rig = aSeededRig(service);
      forRecords(rig, { kind: "redirect", to: elsewhere.url.href });

      expect((await rig.run()).error).toMatchObject({ code: "invalid_answer" });
      expect(led).toEqual([]);
    });
  });

  describe("an answer cut off at any byte", () => {
    const step = isFull(import.meta) ? 1 : 29;

    // Invariant: an incomplete download changes nothing
    // Defence: a download is applied completely or not at all
    test("fails or delivers everything", async () => {
      const size = await sizeOfAnswer(aSeededRig(service));
      const rig = aSeededRig(service, { pace: 0 });
      rig.world.second.perMinute = Number.POSITIVE_INFINITY;
      const codes = new Set<string>();
      for (let at = 0; at < size; at += at < size - 60 ? step : 1) {
        forRecords(rig, { kind: "truncate", at });
        const outcome = await rig.run({ cursor: rig.recent });
        if (outcome.error === undefined) expectAll(rig, outcome);
        else expect(outcome).not.toHaveProperty("cursor");
        codes.add(outcome.error?.code ?? "whole");
      }

      // LoTW's last two bytes are line ends after the end marker. QRZ's pages can end at a record and continue from
      // there.
      expect([...codes].toSorted()).toEqual(["truncated", "whole"]);
    });
  });

  describe("an answer in another form", () => {
    test.each<{ kind: "gzip" | "crlf" | "latin1" }>([{ kind: "gzip" }, { kind: "crlf" }, { kind: "latin1" }])(
      "(%j) delivers the same",
      async (fault) => {
        const rig = aSeededRig(service);
        rig.simulated.fail({ ...fault, times: 9 });

        expectAll(rig, await rig.run());
      },
    );

    test("byte by byte delivers the same, and its progress is reported", async () => {
      const told: number[] = [];
      const rig = aSeededRig(service, { onProgress: (bytes: number) => told.push(bytes) });
      forRecords(rig, { kind: "drip", bytes: 100, pause: 1 });

      expectAll(rig, await rig.run());
      expect(told.length).toBeGreaterThan(1);
      expect(told.at(-1)).toBeGreaterThan(400);
    });

    test("compressed and cut off is recognised as incomplete", async () => {
      const rig = aSeededRig(service);
      rig.simulated.fail({ kind: "gzip", and: [{ kind: "truncate", at: 60 }] });

      expect((await rig.run({ cursor: rig.recent })).error).toMatchObject({ code: "truncated" });
    });
  });

  describe("a stopped download", () => {
    const expectStopped = (rig: Rig, outcome: Awaited<ReturnType<Rig["run"]>>) => {
      expect(outcome.error).toMatchObject({ code: "interrupted" });
      expect(outcome).not.toHaveProperty("cursor");
      expect(rig.spools()).toEqual([]);
    };

    test("sends no request before it begins", async () => {
      const rig = aSeededRig(service);

      expectStopped(rig, await rig.run({}, AbortSignal.abort()));
      expect(rig.simulated.requests).toEqual([]);
    });

    test.each([0, 60])("ends the request while it waits for more than %j bytes", async (at) => {
      const rig = aSeededRig(service);
      const control = new AbortController();
      forRecords(rig, { kind: "stall", at });
      const running = rig.run({}, control.signal);
      await rig.simulated.journal.waitForArrival(rig.asksForRecords);
      if (at > 0) while (rig.spools().length === 0) await Bun.sleep(1);

      control.abort();

      expectStopped(rig, await running);
      await rig.simulated.journal.waitForDeparture(rig.simulated.requests.length);
      expect(rig.simulated.requests.at(-1)!.aborted).toBeTrue();
    });

    test("does not wait for the end of a pause", async () => {
      const control = new AbortController();
      const sleep = (_: number, signal: AbortSignal) =>
        new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve(), { once: true });
          control.abort();
        });
      const rig = aSeededRig(service, { sleep });
      forRecords(rig, { kind: "status", status: 502 });

      expectStopped(rig, await rig.run({}, control.signal));
    });

    test("ends at the next batch or step", async () => {
      const rig = aSeededRig(service);
      const control = new AbortController();
      const download = rig.start({}, control.signal);
      const body = await bodyFrom(download);

      control.abort();

      expect(await errorOf(body.records().next())).toMatchObject({ code: "interrupted" });
      expectStopped(rig, await outcomeOf(download));
    });

    test("after the last body has no cursor", async () => {
      const rig = aSeededRig(service);
      const control = new AbortController();
      const download = rig.start({}, control.signal);
      for (const _ of rig.parts) await download.next();

      control.abort();

      expectStopped(rig, await outcomeOf(download));
    });

    test("leaves no file if its reader ends it", async () => {
      const rig = aSeededRig(service);
      const download = rig.start();
      await download.next();
      expect(rig.spools()).toHaveLength(1);

      await download.return(null);

      expect(rig.spools()).toEqual([]);
    });
  });

  // Defence: credentials never appear in logs, errors, file names, messages or on a terminal
  test("keeps every secret out of errors, log lines and file names", async () => {
    const faults: DeliveryFault[] = [
      { kind: "reset" },
      { kind: "reset", at: 60 },
      { kind: "status", status: 500 },
      { kind: "stall" },
      { kind: "truncate", at: 60 },
      { kind: "maintenance" },
      { kind: "redirect" },
      { kind: "gzip" },
    ];
    const told: string[] = [];
    for (const fault of faults) {
      const rig = aSeededRig(service, IMPATIENT);
      const packedAndCut = fault.kind === "gzip" ? { and: [{ kind: "truncate", at: 60 }] } : {};
      forRecords(rig, { ...fault, ...packedAndCut } as DeliveryFault, 9);
      const { error } = await rig.run({ cursor: rig.recent });
      told.push(inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), inspect(rig.logged));
    }
    const rig = aSeededRig(service);
    rig.world.book.key = "other";
    rig.world.store.users[0]!.password = "other";
    const refused = await rig.run();
    told.push(inspect(refused.error, { depth: 9, showHidden: true }), refused.error!.stack!);
    await rig.world.services.stop();
    const unreachable = await errorOf(aRig(service, { baseUrl: "http://127.0.0.1:1" }).start().next());
    told.push(inspect(unreachable, { depth: 9, showHidden: true }));

    expect(told.filter((text) => text.includes("SyncError")).length).toBeGreaterThanOrEqual(faults.length + 2);
    for (const secret of SECRETS) expect(told.filter((text) => text.includes(secret))).toEqual([]);
    expect(told.filter((text) => text.includes(LOTW_PATH) || text.includes("?"))).toEqual([]);
  });

  describe("a download from an earlier point", () => {
    test.each([
      { full: false, since: null },
      { full: true, since: null },
      { full: false, since: "2026-07-01" },
      { full: false, since: "2026-07-25" },
    ])("after %j, brings the same again", async (job) => {
      for (const cursor of [null, "recent"]) {
        const rig = aSeededRig(service);
        const before = cursor === "recent" ? rig.recent : null;
        const brought = await rig.run({ cursor: before, ...job });
        rig.world.turn(2 * 24 * 3600 * SECOND);

        const again = await rig.run({ cursor: rig.provider.rewind(before, job) });

        expect([brought.error, again.error]).toEqual([undefined, undefined]);
        for (const part of rig.parts)
          expect(callsOf(again, part)).toEqual(expect.arrayContaining(callsOf(brought, part)));
      }
    });
  });

  test("since a later date moves no cursor", async () => {
    const rig = aSeededRig(service);

    const behind = await rig.run({ cursor: rig.recent, since: "2026-07-24" });
    const without = await rig.run({ since: "2026-07-01" });

    expect(behind.cursor).toEqual(rig.recent);
    expect(Object.values((without.cursor ?? {}) as object).filter((value) => value !== null)).toEqual([]);
  });

  test("from a cursor of another service delivers everything", async () => {
    for (const cursor of [
      "nonsense",
      7,
      {},
      [],
      { qso: 5, since: 5 },
      { qso: "x", qsl: "x", since: "x", sweptAt: 0 },
    ]) {
      const rig = aSeededRig(service);
      expectAll(rig, await rig.run({ cursor }));
    }
  });
});

function recordsIn(bytes: Uint8Array): AdifRecord[] {
  const records: AdifRecord[] = [];
  const reader = new AdifReader({ onRecord: (record) => records.push(record) });
  reader.write(bytes);
  reader.end();
  return records;
}

async function bodyFrom(download: ReturnType<Rig["start"]>): Promise<Body> {
  return (await download.next()).value as Body;
}

async function sizeOfAnswer(rig: Rig): Promise<number> {
  const told: number[] = [];
  for await (const _ of rig.provider.download(
    { ...rig.deps, onProgress: (bytes) => told.push(bytes) },
    { credentials: rig.credentials, cursor: rig.recent, full: false, since: null, callsign: null },
    new AbortController().signal,
  )) {
    return told.at(-1)!;
  }
  throw new Error("There was no answer");
}
