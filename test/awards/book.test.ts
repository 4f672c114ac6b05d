import { expect, test } from "bun:test";
import { MINUTE } from "../../src/kernel/clock.ts";
import { parseAwardView } from "../../src/domain/awards/award.ts";
import { Awards, awardsWork } from "../../src/awards/book.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import type { Unit } from "../../src/storage/engine/unit.ts";
import * as users from "../../src/storage/people/users.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { isFull } from "../support/full.ts";
import { logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { storeLog } from "../support/log-generator.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";
import { aKeeper, byCard, worked } from "./logs.ts";

const FULL = isFull(import.meta);

const germany = { call: "DL1ABC", dxcc: 230 };
const GERMANY = { DXCC: "230" };

const mixed = async (book: Awards, userId: number) => {
  const [{ worked: done, confirmed } = { worked: -1, confirmed: -1 }] = await book.overview(userId);
  return `${done}/${confirmed}`;
};

test("an equal question about an unchanged log is answered from the cache", async () => {
  const { book, bob } = await aKeeper(worked(germany));

  const first = await book.detail(bob.id, "dxcc", { band: "20m" });

  expect(await book.detail(bob.id, "DXCC", { band: "20M", by: "sponsor" })).toBe(first);
  expect(await book.detail(bob.id, "dxcc", { band: "40m" })).not.toBe(first);
});

test("an answer is cached for five minutes", async () => {
  const { book, bob, world } = await aKeeper(worked(germany));
  const first = await book.overview(bob.id);

  world.clock.advance(5 * MINUTE - 1);
  const before = await book.overview(bob.id);
  world.clock.advance(1);
  const after = await book.overview(bob.id);

  expect(before).toBe(first);
  expect(after).not.toBe(first);
  expect(after).toEqual(first);
});

test("a changed log is read again, and logs of others are not", async () => {
  const { book, bob, world } = await aKeeper(worked(germany));
  const eve = await aUser(world, "eve");
  const [bobs, eves] = [await book.overview(bob.id), await book.overview(eve.id)];

  await world.db.write(() => users.raiseLogVersion(bob.id));

  expect(await book.overview(bob.id)).not.toBe(bobs);
  expect(await book.overview(eve.id)).toBe(eves);
});

// Invariant: cached answers are never stale
test("syncs, imports and undone imports change the answer immediately", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const book = new Awards(world);
  const seen = [await mixed(book, bob.id)];

  await sync(world, bob.id, "second", [qrz(1, "DL1ABC", "2026-07-01 12:00", GERMANY)]);
  seen.push(await mixed(book, bob.id));
  await sync(world, bob.id, "first", [lotw("DL1ABC", "2026-07-01 12:00:30", GERMANY)]);
  seen.push(await mixed(book, bob.id));
  const job = await sync(world, bob.id, "file", [said("K1ABC", "2026-07-02 12:00", { DXCC: "291" })]);
  seen.push(await mixed(book, bob.id));
  await cancelJob(world, { userId: bob.id, jobId: job.id, by: null, undo: true });
  seen.push(await mixed(book, bob.id));

  expect(seen).toEqual(["0/0", "1/0", "1/1", "2/1", "1/1"]);
});

test("a failed sync and its rollback change the answer immediately", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const book = new Awards(world);
  await mixed(book, bob.id);

  const job = await sync(world, bob.id, "first", [lotw("DL1ABC", "2026-07-01 12:00:30", GERMANY)], {
    failure: new Error("lost"),
  });
  const failed = await mixed(book, bob.id);
  await cancelJob(world, { userId: bob.id, jobId: job.id, by: null });

  expect([job.status, failed, await mixed(book, bob.id)]).toEqual(["failed", "1/1", "0/0"]);
});

// Invariant: cached answers are never stale
test("an edit changes the answer immediately, also one by another process", async () => {
  const { book, bob, world } = await aKeeper(worked(germany));
  const before = await mixed(book, bob.id);
  const other = await openDatabase(world.config.databaseUrl, { time: SYSTEM_TIME });
  const [qso] = await logOf(world, bob.id);

  await other.write(function* (): Unit<void> {
    const { id: _, userId: __, ...kept } = qso!;
    yield* qsos.replaceRows(bob.id, [{ id: qso!.id, before: kept, after: { ...kept, ...byCard(germany) } }], {
      jobId: null,
      now: 2,
    });
    yield* users.raiseLogVersion(bob.id);
  });
  const after = await mixed(book, bob.id);
  await other.close();

  expect([before, after]).toEqual(["1/0", "1/1"]);
});

test("the reader thread gives the same answers", async () => {
  const world = await testWorld({ thread: true });
  const bob = await aUser(world, "bob");
  await storeLog(world.db, bob.id, { contacts: 50, seed: 5 });
  const question = { kind: "detail", id: "dxcc", view: parseAwardView({ band: "20m" }) } as const;

  const [answer] = await world.db.inWorker(awardsWork, { userId: bob.id, questions: [question] }, { userId: bob.id });

  expect(answer).toEqual(await new Awards(world).detail(bob.id, "dxcc", { band: "20m" }));
});

test("everything on an award's page is counted once and equals the separate answers", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await storeLog(world.db, bob.id, { contacts: 80, seed: 5 });
  const view = parseAwardView({});
  const stepsFor = (...kinds: readonly ("detail" | "needed" | "matrix")[]) =>
    world.db.read(function* () {
      const questions = kinds.map((kind) => ({ kind, id: "dxcc" as const, view }));
      const unit = awardsWork.unit({ userId: bob.id, questions });
      let steps = 0;
      let step = unit.next();
      for (; !step.done; steps++) step = unit.next(yield step.value);
      return steps;
    });

  const pages = await new Awards(world).pages(bob.id, "dxcc");

  expect(await stepsFor("detail", "needed", "matrix")).toBe(await stepsFor("detail"));
  const book = new Awards(world);
  expect(pages).toEqual({
    detail: await book.detail(bob.id, "dxcc"),
    needed: await book.needed(bob.id, "dxcc"),
    matrix: await book.matrix(bob.id, "dxcc"),
  });
  const { matrix } = await book.pages(bob.id, "dxcc", { band: "20m" });
  expect(matrix).toEqual(await book.matrix(bob.id, "dxcc"));
  expect((await book.pages(bob.id, "wpx")).matrix).toBeNull();
});

test.skipIf(!FULL || ENGINE !== "sqlite")("a large log is read in the reader thread", async () => {
  const world = await testWorld({ thread: true });
  const bob = await aUser(world, "bob");
  await storeLog(world.db, bob.id, { contacts: 20_001, seed: 5 });
  const book = new Awards(world);
  let beats = 0;
  const heart = setInterval(() => (beats += 1), 1);

  const [dxcc] = await book.overview(bob.id);
  await book.needed(bob.id, "dxcc-challenge");

  clearInterval(heart);
  expect(dxcc!.worked).toBeGreaterThan(200);
  expect(beats).toBeGreaterThan(5);
});
