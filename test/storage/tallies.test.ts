import { expect, test } from "bun:test";
import fc from "fast-check";
import { deriveOutdated } from "../../src/contacts/derive-again.ts";
import { addQso, deleteQso, editQso } from "../../src/contacts/edit.ts";
import type { Qso } from "../../src/domain/qso.ts";
import { FigureBook } from "../../src/logbook/figure-book.ts";
import { changeLog } from "../../src/storage/log-changes.ts";
import { figuresOfLog, ofUser } from "../../src/storage/statistics.ts";
import * as tallies from "../../src/storage/tallies.ts";
import { run } from "../../src/storage/unit.ts";
import * as users from "../../src/storage/users.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { importLog } from "../contacts/log.ts";
import { LogTally, type TallyRow } from "../../src/domain/log-tally.ts";
import type { Snapshot } from "../../src/storage/qsos.ts";
import { aLog, asRow, storeLog } from "../support/log-generator.ts";
import { logOf } from "../support/sync.ts";
import { isFull } from "../support/full.ts";
import { aUser, ENGINE, testWorld, type TestWorld } from "../support/world.ts";

const RUNS = isFull(import.meta) ? 40 : ENGINE === "sqlite" ? 15 : 4;

/** A handful of contacts that share calls, bands, years and confirmations, so that every count has several. */
const ROWS = [...aLog({ contacts: 60, seed: 5 })].map((contact, at): Snapshot => ({
  ...asRow(contact, { keepsLayers: false }),
  call: `K${at % 7}ABC`,
  dxcc: at % 5 === 0 ? null : 200 + (at % 4),
  cardConfirmed: at % 6 === 0,
}));

/** What is kept, and what counting anew gives. */
const both = ({ db }: TestWorld, userId: number) =>
  db.read(function* () {
    const [kept, counted] = [yield* tallies.whole(userId), yield* tallies.count(userId)];
    return { kept: kept && inOrder(kept.rows), counted: inOrder(counted.rows) };
  });

const inOrder = (rows: readonly TallyRow[]) =>
  new LogTally(rows).rows.sort((a, b) => (`${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1));

const act = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), rows: fc.array(fc.nat(ROWS.length - 1), { maxLength: 8 }) }),
  fc.record({ kind: fc.constant("replace" as const), which: fc.array(fc.nat(50), { maxLength: 5 }), by: fc.nat(59) }),
  fc.record({ kind: fc.constant("remove" as const), which: fc.array(fc.nat(50), { maxLength: 5 }) }),
  fc.record({ kind: fc.constant("job" as const) }),
  fc.record({ kind: fc.constant("ask" as const) }),
  fc.record({ kind: fc.constant("another program" as const) }),
);

// Invariant: what is kept of a log is what counting it anew gives
test("whatever happens to a log, what is kept of it is what counting it anew gives", async () => {
  const world = await testWorld();
  const { db } = world;
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      const { id } = await aUser(world, `user${(made += 1)}`);
      for (const one of acts) {
        const log = await logOf(world, id);
        const some = (which: readonly number[]): Qso[] => [
          ...new Set(which.flatMap((at) => (log.length > 0 ? [log[at % log.length]!] : []))),
        ];
        if (one.kind === "add")
          await db.write(() => changeLog(id, { added: one.rows.map((at) => ROWS[at]!) }, "nobody"));
        if (one.kind === "remove") await db.write(() => changeLog(id, { removed: some(one.which) }, "nobody"));
        if (one.kind === "replace") {
          const replaced = some(one.which).map((before) => ({ id: before.id, before, after: ROWS[one.by]! }));
          await db.write(() => changeLog(id, { replaced }, "nobody"));
        }
        if (one.kind === "job") await db.write(() => users.raiseLogVersion(id));
        if (one.kind === "ask") await figuresOfLog(db, id);
        if (one.kind === "another program") await db.write(() => anotherProgram(id));

        const { kept, counted } = await both(world, id);
        if (kept !== null) expect(kept).toEqual(counted);
        if (one.kind === "ask") expect(kept).not.toBeNull();
      }
      const asked = await figuresOfLog(db, id);
      expect(asked.statistics).toEqual(await db.read(() => ofUser(id)));
    }),
    { numRuns: RUNS, seed: 18 },
  );
}, 120_000);

/** One that knows nothing of what is kept: it adds a contact and raises the version. */
function* anotherProgram(userId: number) {
  yield* run`INSERT INTO qsos (user_id, created_at, updated_at, call, started_at, year) VALUES (${userId}, 0, 0, 'N0NE', 0, 1970)`;
  yield* run`UPDATE users SET log_version = log_version + 1 WHERE id = ${userId}`;
}

test("an import, a hand, new rules and an undo leave what counting anew gives", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  const facts = await world.callFacts();
  const adif = ["K1ABC", "DL1ABC", "JA1ABC", "K1ABC"].map(
    (call, at) => `<CALL:${call.length}>${call}<QSO_DATE:8>2020010${at + 1}<TIME_ON:4>1000<BAND:3>20m<MODE:2>CW<EOR>`,
  );
  const job = await importLog(world, id, `x<EOH>${adif.join("")}`);
  const agree = async (total: number) => {
    const { kept, counted } = await both(world, id);
    expect(kept).toEqual(counted);
    expect((await figuresOfLog(world.db, id)).statistics.total).toBe(total);
  };
  await agree(4);

  const [first, second] = await logOf(world, id);
  await editQso(world, id, first!.id, { band: "40m", call: "VK1ABC" }, facts);
  await deleteQso(world, id, second!.id);
  await addQso(world, id, { call: "N0NEW", startedAt: "2021-01-01 10:00", band: "6m", mode: "SSB" }, facts);
  await agree(4);

  await world.db.write(() => run`UPDATE qsos SET dxcc = 1, rules_version = 0 WHERE call = 'K1ABC'`);
  await world.db.write(() => tallies.forget(id));
  await figuresOfLog(world.db, id);
  await deriveOutdated(world, new AbortController().signal);
  await agree(4);

  await cancelJob(world, { userId: id, jobId: job.id, by: null, undo: true });
  await agree((await logOf(world, id)).length);
});

test("a new log is never counted, whatever comes into it", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");

  await world.db.write(() => changeLog(id, { added: ROWS }, "nobody"));

  expect(await world.db.read(() => tallies.find(id))).not.toBeNull();
  expect((await new FigureBook(world).of(id)).statistics.total).toBe(60);
});

test("figures stay the same object while the log does, of some callsigns too", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  await storeLog(world.db, id, { contacts: 40, station: "YU1TEST" });
  const figures = new FigureBook(world);
  const look = async () => [await figures.statistics(id, null), await figures.statistics(id, ["YU1TEST"])];

  const before = await look();
  expect((await look()).map((one, at) => one === before[at])).toEqual([true, true]);

  await world.db.write(() => changeLog(id, { added: [ROWS[0]!] }, "nobody"));
  const after = await look();
  expect(after.map((one, at) => one === before[at])).toEqual([false, false]);
  expect(after[0]!.total).toBe(41);
});
