import { statSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import type { Repair } from "../../src/domain/jobs/repair.ts";
import { BackgroundThread } from "../../src/storage/engine/background-thread.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import { ReaderThreads } from "../../src/storage/engine/reader-threads.ts";
import { SqliteDatabase } from "../../src/storage/engine/sqlite.ts";
import { run } from "../../src/storage/engine/unit.ts";
import * as users from "../../src/storage/people/users.ts";
import { previewRepairWork } from "../../src/sync/repair/preview.ts";
import { afterTest } from "../support/cleanup.ts";
import { storeLog } from "../support/log-generator.ts";
import { aUser, ENGINE, testTime, testWorld } from "../support/world.ts";

const CRASHING = new URL("../support/crashing-thread.ts", import.meta.url);

/** Each thread loads the callsign tables, which takes half a second of processor time. */
const SLOW_MACHINE_MS = 60_000;

const unit = (name: string) => ({ kind: "unit", name, args: {} }) as const;

const outcomeOf = (answer: Promise<unknown>) => answer.catch(({ code }) => code);

describe.skipIf(ENGINE !== "sqlite")("a worker thread", () => {
  test.each(["throw", "exit"])("that crashes (%s) fails its tasks and is started again", async (crash) => {
    const thread = new BackgroundThread(CRASHING, {
      file: "nowhere.db",
      identity: { dev: 0, ino: 0 },
      isReadOnly: false,
    });
    afterTest(() => thread.stop());
    expect(await thread.ask<string>(unit("first"))).toBe("first");

    const lost = await outcomeOf(thread.ask(unit(crash)));

    expect(lost).toBe("unavailable");
    expect(await thread.ask<string>(unit("second"))).toBe("second");
  });

  test("that crashes while reading a log fails that question, and others are answered", async () => {
    const readers = new ReaderThreads(
      () => new BackgroundThread(CRASHING, { file: "nowhere.db", identity: { dev: 0, ino: 0 }, isReadOnly: true }),
    );
    afterTest(() => readers.stop());
    const ask = (name: string) => readers.read<string>({ userId: 1, identity: name, name, args: {}, isPreview: false });

    const outcomes = ["a", "exit", "b"].map((name) => outcomeOf(ask(name)));

    expect(await Promise.all(outcomes)).toEqual(["a", "unavailable", "b"]);
  });

  test("for reading cannot write", async () => {
    const { db } = await testWorld();
    const reader = new SqliteDatabase(db.location, {
      time: testTime(),
      openHere: statSync(db.location),
      isReadOnly: true,
    });
    afterTest(() => reader.close());

    const refusal = await reader.write(() => run`DELETE FROM users`).catch(({ message }) => message);

    expect(refusal).toContain("Could not write");
  });
});

// Defence: requests about a large log do not delay other users
describe.skipIf(ENGINE !== "sqlite")("a preview", () => {
  test("shows one state of the log, whatever is written between its slices", async () => {
    const world = await testWorld();
    const { db } = world;
    const bob = await aUser(world, "bob");
    const time = testTime();
    const reader = new SqliteDatabase(db.location, { time, openHere: statSync(db.location), isReadOnly: true });
    afterTest(() => reader.close());
    const count = function* () {
      const first = yield* qsos.listOfAll(0, 1);
      time.pass(1_000);
      yield* qsos.listOfAll(0, 1);
      return [first.length, (yield* qsos.listOfAll(0, 1)).length];
    };

    const slices = reader.readInSlices(count);
    expect(slices.next()).toEqual({ done: false, value: undefined });
    await storeLog(db, bob.id, { contacts: 3 });

    expect(slices.next()).toEqual({ done: true, value: [0, 0] });
  });

  test("that ends early releases its snapshot", async () => {
    const { db } = await testWorld();
    const time = testTime();
    const reader = new SqliteDatabase(db.location, { time, openHere: statSync(db.location), isReadOnly: true });
    afterTest(() => reader.close());
    const read = function* () {
      yield* qsos.listOfAll(0, 1);
      time.pass(1_000);
      yield* qsos.listOfAll(0, 1);
      yield* qsos.listOfAll(0, 1);
    };

    const slices = reader.readInSlices(read);
    slices.next();
    slices.return();

    expect(await reader.read(() => qsos.listOfAll(0, 1))).toEqual([]);
  });

  test(
    "in a thread gives the same result, is dropped when the client disconnects, and does not delay the exit",
    async () => {
      const world = await testWorld({ thread: true });
      const { db, dataDir } = world;
      const [bob, eve] = [await aUser(world, "bob"), await aUser(world, "eve")];
      for (const { id } of [bob, eve]) await storeLog(db, id, { contacts: 600 });
      const orderOf = (userId: number, comment: string) => {
        const repair: Repair = { choice: { filter: {} }, change: { kind: "edit", fields: { comment } } };
        return { userId, repair, now: world.clock(), dataDir };
      };
      const ask = (userId: number, comment: string, signal?: AbortSignal) =>
        db.inWorker(previewRepairWork, orderOf(userId, comment), { userId, signal });
      const facts = await world.callFacts();
      const hangUp = new AbortController();

      const left = outcomeOf(ask(bob.id, "one", hangUp.signal));
      const stays = ask(bob.id, "two");
      hangUp.abort();

      expect(await left).toBe("unavailable");
      expect(await stays).toEqual(await db.read(() => previewRepairWork.unit(orderOf(bob.id, "two"), facts)));

      const outcomes = [bob, eve].flatMap(({ id }) =>
        ["one", "two", "three"].map((comment) => outcomeOf(ask(id, comment))),
      );
      await db.read(() => users.get(bob.id));
      await db.close();

      const refused = (await Promise.all(outcomes)).filter((outcome) => outcome === "unavailable");
      expect(refused.length).toBeGreaterThanOrEqual(4);
    },
    SLOW_MACHINE_MS,
  );
});
