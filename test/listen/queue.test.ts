import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { AppError } from "../../src/kernel/errors.ts";
import type { FeedRequest, Taken } from "../../src/domain/jobs/feed.ts";
import { deliver } from "../../src/listen/delivery.ts";
import { lockFolder, findHolder } from "../../src/listen/folder.ts";
import type { ParsedContact } from "../../src/listen/parsed-contact.ts";
import { countRefused, Queue, QUEUE_FILE, readQueue, REFUSED_FILE } from "../../src/listen/queue.ts";
import { parseWsjtx } from "../../src/listen/wsjtx.ts";
import { loggedAdif, qsoLogged } from "./packets.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { testClock } from "../support/world.ts";

const TO = "https://log.example.org";
const SECOND = 1_000;

const a = (call: string, more: Partial<ParsedContact> = {}): ParsedContact => ({
  client: "WSJT-X",
  told: { kind: "contact", fields: { CALL: call } },
  ...more,
});

const anOpenQueue = async (folder = aDirectory(), to = TO, limits?: { memoryBytes: number; diskBytes: number }) => {
  const clock = testClock();
  const deps = { clock, sleep: (_ms: number, signal?: AbortSignal) => SYSTEM_TIME.sleep(1, signal) };
  const queue = await Queue.open(deps, { folder, to, limits });
  afterTest(() => queue.close());
  return { queue, folder, clock };
};

const namesIn = (told: readonly ParsedContact["told"][]) => told.map(({ fields, name }) => fields?.CALL ?? name);
const callsIn = (entries: readonly { told: ParsedContact["told"] }[]) => namesIn(entries.map(({ told }) => told));

/** A log that the test controls. */
const aLog = (queue: Queue, clock: () => number, answer: (request: FeedRequest) => void = () => {}) => {
  const told: FeedRequest[] = [];
  const events: unknown[] = [];
  const control = new AbortController();
  const done = deliver(
    {
      clock,
      sleep: (_ms, signal) => SYSTEM_TIME.sleep(1, signal),
      queue,
      async feed(request) {
        answer(request);
        told.push(request);
        return { jobId: 1, taken: request.told.map(() => ({ outcome: "added" }) as Taken) };
      },
      onTaken: ({ told: { fields } }, { outcome }) => events.push([fields?.CALL, outcome]),
      onRefused: ({ told: { fields } }, reason) => events.push([fields?.CALL, reason]),
      onWaiting: (reason) => reason !== null && events.push(reason),
    },
    control.signal,
  );
  const stop = async () => {
    control.abort();
    await done;
  };
  afterTest(stop);
  const settled = async () => {
    while (queue.size > 0) await SYSTEM_TIME.sleep(1);
    await stop();
  };
  return { told, events, settled, calls: () => told.flatMap((one) => namesIn(one.told)) };
};

test("entries are sent in order, grouped by program, and nothing is left", async () => {
  const { queue, folder, clock } = await anOpenQueue();
  await queue.add([a("K1A"), a("K1B", { client: "N1MM" }), a("K1C")]);
  expect(callsIn((await readQueue(folder)).waiting)).toEqual(["K1A", "K1B", "K1C"]);
  expect(statSync(join(folder, QUEUE_FILE)).mode & 0o777).toBe(0o600);

  const log = aLog(queue, clock);
  await log.settled();
  await queue.close();

  expect(log.told.map(({ client, told }) => [client, namesIn(told)])).toEqual([
    ["WSJT-X", ["K1A", "K1C"]],
    ["N1MM", ["K1B"]],
  ]);
  expect(await readQueue(folder)).toEqual({ to: TO, waiting: [] });
  expect(readFileSync(join(folder, QUEUE_FILE), "utf8")).toBe(`{"to":"${TO}"}\n`);
});

test("a new process continues where the last was killed, even with a partly written line", async () => {
  const calls = Array.from({ length: 12 }, (_, n) => `K${n}A`);
  const { queue, folder } = await anOpenQueue();
  const entries = await queue.add(calls.map((call) => a(call)));
  queue.done(entries.slice(0, 5));
  await queue.add([a("K99Z")]);
  const text = readFileSync(join(folder, QUEUE_FILE));

  await fc.assert(
    fc.asyncProperty(fc.nat(text.length), async (cut) => {
      const other = aDirectory();
      writeFileSync(join(other, QUEUE_FILE), text.subarray(0, cut));
      const lines = text.subarray(0, cut).toString().split("\n");
      const wanted = lines
        .filter((line) => line.endsWith("}") && (line.startsWith('{"to') || /^\{"(n.*\}\}|done.*\]\})$/.test(line)))
        .map((line) => JSON.parse(line))
        .reduce<string[]>(
          (left, line) =>
            line.done ? left.slice(line.done.length) : line.told ? [...left, line.told.fields.CALL] : left,
          [],
        );

      const { queue: next } = await anOpenQueue(other);

      expect(callsIn([...next.next(0).told])).toEqual(wanted);
      await next.add([a("K100Z")]);
      await next.close();
      expect(callsIn((await readQueue(other)).waiting)).toEqual([...wanted, "K100Z"]);
    }),
    { numRuns: 40 },
  );
});

test("entries for one log are not sent to another", async () => {
  const { queue, folder } = await anOpenQueue();
  await queue.add([a("K1A")]);
  await queue.close();

  expect(anOpenQueue(folder, "https://other.example.org")).rejects.toMatchObject({ rule: "queue_elsewhere" });
});

describe("a contact that WSJT-X sends as its own message and as ADIF", () => {
  const AT = Date.UTC(2026, 6, 18, 23, 59, 45);
  // The ADIF ends 75 seconds earlier than the message says.
  const message = parseWsjtx(qsoLogged({ call: "K1ABC", at: AT }))!;
  const adif = parseWsjtx(loggedAdif({ call: "K1ABC", at: AT }))!;
  const bare = parseWsjtx(qsoLogged({ call: "K1ABC", at: AT, late: 0, grid: null }))!;
  const whole = [
    { ...adif[0]!, told: { ...adif[0]!.told, fields: { ...message[0]!.told.fields, ...adif[0]!.told.fields } } },
  ];
  const countOf = ([one]: ParsedContact[]) => Object.keys(one!.told.fields!).length;

  test.each([
    ["the ADIF richer and second", bare, whole],
    ["the ADIF richer and first", whole, bare],
    ["the message richer than the ADIF", adif, message],
    ["the message richer and first", message, adif],
  ])("is sent once: %s", async (_, first, second) => {
    const { queue, clock } = await anOpenQueue();
    await queue.add(first);
    clock.advance(300);
    await queue.add(second);
    clock.advance(2 * SECOND);

    const log = aLog(queue, clock);
    await log.settled();

    const richer = countOf(first) > countOf(second) ? first : second;
    expect(log.told.flatMap(({ told }) => told)).toEqual([richer[0]!.told]);
  });

  test("is sent once if the first form is in the log already", async () => {
    const { queue, clock } = await anOpenQueue();
    const log = aLog(queue, clock);
    await queue.add(whole);
    while (log.told.length === 0) await SYSTEM_TIME.sleep(1);
    await queue.add(bare);
    await log.settled();

    expect(log.calls()).toEqual(["K1ABC"]);
  });

  test("waits two seconds for its other form, and is sent without", async () => {
    const { queue, clock } = await anOpenQueue();
    await queue.add(message);
    expect(queue.next(clock())).toEqual({ told: [], answered: [] });

    clock.advance(2 * SECOND);

    expect(callsIn(queue.next(clock()).told)).toEqual(["K1ABC"]);
  });

  test("is another contact if it starts at another time, comes later, or is of another program", async () => {
    const { queue, clock } = await anOpenQueue();
    await queue.add(adif);
    await queue.add(parseWsjtx(loggedAdif({ call: "K1ABC", at: AT + 600_000 }))!);
    await queue.add(parseWsjtx(loggedAdif({ call: "K1ABC", at: AT, id: "JTDX" }))!);
    clock.advance(3 * SECOND);
    await queue.add(parseWsjtx(loggedAdif({ call: "K1ABC", at: AT }))!);

    const log = aLog(queue, clock);
    await log.settled();

    expect(log.calls()).toEqual(["K1ABC", "K1ABC", "K1ABC", "K1ABC"]);
  });

  test("leaves one contact for the next process", async () => {
    const { queue, folder } = await anOpenQueue();
    await queue.add(bare);
    await queue.add(adif);
    await queue.close();

    const { queue: next } = await anOpenQueue(folder);

    expect(next.size).toBe(1);
  });
});

test("a deletion followed by an edit becomes only the edit, and one after it stays a deletion", async () => {
  const { queue, clock } = await anOpenQueue();
  const deletion = (): ParsedContact => ({ client: "N1MM", told: { kind: "delete", name: "id" }, awaits: "n1mm id" });
  const edit: ParsedContact = {
    client: "N1MM",
    told: { kind: "edit", name: "id", fields: { CALL: "K1A" } },
    answers: "n1mm id",
  };
  await queue.add([deletion(), edit, deletion()]);
  clock.advance(3 * SECOND);

  const log = aLog(queue, clock);
  await log.settled();

  expect(log.told.flatMap(({ told }) => told.map(({ kind }) => kind))).toEqual(["edit", "delete"]);
});

test("an unreachable log is retried, and permanently refused entries are moved aside", async () => {
  const { queue, clock, folder } = await anOpenQueue();
  const failures = [
    new AppError("unavailable", "The server cannot be reached."),
    new Error("something else"),
    new AppError("unauthenticated", "The token is over."),
  ];
  await queue.add([a("K1A"), a("BAD"), a("K1C")]);

  const log = aLog(queue, clock, ({ told }) => {
    const failure = failures.shift();
    if (failure) throw failure;
    if (namesIn(told).includes("BAD")) throw new AppError("invalid", "This record is not a valid contact.");
  });
  await log.settled();

  expect(log.calls()).toEqual(["K1A", "K1C"]);
  expect(log.events).toEqual([
    "The server cannot be reached.",
    "something else",
    "The token is over.",
    ["K1A", "added"],
    ["BAD", "This record is not a valid contact."],
    ["K1C", "added"],
  ]);
  expect(
    readFileSync(join(folder, REFUSED_FILE), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ told: { fields: { CALL: "BAD" } }, reason: "This record is not a valid contact." }]);
});

test("a log that never responds does not delay the exit and is retried later", async () => {
  const { queue, clock, folder } = await anOpenQueue();
  await queue.add([a("K1A")]);
  const control = new AbortController();
  const asked = Promise.withResolvers<void>();
  const ended = deliver(
    {
      clock,
      sleep: (_ms, signal) => SYSTEM_TIME.sleep(1, signal),
      queue,
      feed: () => (asked.resolve(), new Promise<never>(() => {})),
      onTaken: () => {},
      onRefused: () => {},
      onWaiting: () => {},
    },
    control.signal,
  );
  await asked.promise;

  control.abort();
  await ended;
  await queue.close();

  expect(callsIn((await readQueue(folder)).waiting)).toEqual(["K1A"]);
});

test.skipIf(!existsSync("/dev/full"))(
  "a full disk loses nothing: entries are sent from memory and written when there is room",
  async () => {
    const { queue, folder, clock } = await anOpenQueue();
    const file = join(folder, QUEUE_FILE);
    rmSync(file);
    symlinkSync("/dev/full", file);

    let isKept = false;
    const kept = queue.add([a("K1A"), a("K1B")]).then(() => (isKept = true));
    while (queue.diskProblem === null) await SYSTEM_TIME.sleep(1);
    expect([queue.diskProblem, isKept, callsIn(queue.next(clock()).told)]).toEqual(["ENOSPC", false, ["K1A", "K1B"]]);
    rmSync(file);
    await kept;

    expect(queue.diskProblem).toBeNull();
    expect(callsIn((await readQueue(folder)).waiting)).toEqual(["K1A", "K1B"]);
  },
);

test("a write cut off by a full disk does not damage the next one", async () => {
  const { queue, folder } = await anOpenQueue();
  await queue.add([a("K1A")]);
  await queue.close();
  appendFileSync(join(folder, QUEUE_FILE), '{"n":2,"at":1,"client":"WSJT');

  const { queue: next } = await anOpenQueue(folder);
  await next.add([a("K1C")]);

  expect(callsIn((await readQueue(folder)).waiting)).toEqual(["K1A", "K1C"]);
});

describe("a flood", () => {
  const limits = { memoryBytes: 20_000, diskBytes: 50_000 };
  const long = (call: string, length: number) =>
    a(call, { told: { kind: "contact", fields: { CALL: call, NOTES: "é\u2028".repeat(length / 5) } } });

  test.each([100, 1_000, 9_000])(
    "of contacts of %i bytes fills neither memory nor disk, and loses none",
    async (size) => {
      const folder = aDirectory();
      const { queue } = await anOpenQueue(folder, TO, limits);
      const sizes: number[] = [];
      const accepted: string[] = [];
      const sent: string[] = [];
      for (let n = 0; n < 600; n++) {
        try {
          await queue.add([long(`K${n}A`, size)]);
          accepted.push(`K${n}A`);
        } catch (error) {
          expect(error).toMatchObject({ code: "too_large" });
          expect(queue.isFull).toBe(true);
          const { told } = queue.next(0);
          sent.push(...callsIn(told.slice(0, 3)).map(String));
          queue.done(told.slice(0, 3));
        }
        sizes.push(statSync(join(folder, QUEUE_FILE)).size);
      }
      await queue.close();

      expect(Math.max(...sizes)).toBeLessThan(limits.diskBytes + limits.memoryBytes + 10_000);
      const left = (await readQueue(folder)).waiting;
      expect(Buffer.byteLength(JSON.stringify(left))).toBeLessThan(limits.memoryBytes + 1_000);
      expect([...sent, ...callsIn(left)]).toEqual(accepted);
      const { queue: next } = await anOpenQueue(folder, TO, limits);
      expect(next.size).toBe(left.length);
    },
  );

  test("of contacts that the log rejects does not fill the disk", async () => {
    const folder = aDirectory();
    const { queue } = await anOpenQueue(folder, TO, limits);
    for (let n = 0; n < 100; n++) await queue.refuse(await queue.add([long(`K${n}A`, 1_000)]), "why");

    expect(statSync(join(folder, REFUSED_FILE)).size).toBeLessThan(limits.diskBytes + 3_000);
    expect(await countRefused(folder)).toBeGreaterThan(20);
    expect(queue.size).toBe(0);
  });
});

test("only one process at a time can use the folder", () => {
  const folder = join(aDirectory(), "listen");
  const deps = { clock: Date.now, every: SYSTEM_TIME.every };
  const leave = lockFolder(folder, deps);

  expect(findHolder(folder, Date.now())?.pid).toBe(process.pid);
  expect(() => lockFolder(folder, deps)).toThrow(`process ${process.pid}`);
  leave();
  expect(findHolder(folder, Date.now())).toBeNull();
  const gone = Bun.spawnSync(["true"]).pid;
  writeFileSync(join(folder, "listener.json"), JSON.stringify({ place: "elsewhere", pid: gone, born: null }));
  expect(findHolder(folder, Date.now())).not.toBeNull();
  const long = Date.now() / SECOND - 180;
  utimesSync(join(folder, "listener.json"), long, long);
  expect(findHolder(folder, Date.now())).toBeNull();
  lockFolder(folder, deps)();
});
