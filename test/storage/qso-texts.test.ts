import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Qso } from "../../src/domain/qso.ts";
import { parseListing } from "../../src/domain/qso-filter.ts";
import { TextIndexer } from "../../src/contacts/index-texts.ts";
import { deriveAgain } from "../../src/contacts/derive-again.ts";
import { SILENT_LOG } from "../../src/log.ts";
import { findPage } from "../../src/logbook/search.ts";
import { fillWork, findHolding, holds, look } from "../../src/storage/qso-texts.ts";
import * as qsos from "../../src/storage/qsos.ts";
import { many, run, type Unit } from "../../src/storage/unit.ts";
import { TIME } from "../../src/time.ts";
import { texts } from "../../src/upkeep/checks/rows.ts";
import { aLog, asRow, storeLog } from "../support/log-generator.ts";
import { CHEAP_FACTS } from "../support/log-records.ts";
import { aUser, ENGINE, testWorld, type TestWorld } from "../support/world.ts";
import { isFull } from "../support/full.ts";

const isEmbedded = ENGINE === "sqlite";

/** Letters that folding, quoting and patterns treat in their own ways. */
const LETTER = fc.constantFrom(..."aAbBkKsSüÜßé%_\\\"'* 1/😀", "\u212a", "\u017f", "\u0301");
const TEXT = fc.array(LETTER, { maxLength: 12 }).map((letters) => letters.join(""));
const FIELD = fc.option(TEXT);
const CONTACT = fc.record({ name: FIELD, qth: FIELD, comment: FIELD, gridsquare: FIELD });

type Act =
  | { kind: "add"; of: number; contact: Record<string, string | null> }
  | { kind: "edit"; at: number; contact: Record<string, string | null> }
  | { kind: "remove"; at: number; comesBack: boolean }
  | { kind: "call off"; at: number }
  | { kind: "fill" };

const ACT: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("add" as const), of: fc.nat(1), contact: CONTACT }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("edit" as const), at: fc.nat(), contact: CONTACT }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), at: fc.nat(), comesBack: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("call off" as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fill" as const) }) },
);

const ROW = asRow([...aLog({ contacts: 1 })][0]!, { keepsLayers: false });

class CalledOff extends Error {}

/** Does what somebody may do to contacts, one act after the other. */
class Acting {
  readonly ids: number[] = [];
  readonly world: TestWorld;
  readonly owners: readonly number[];

  constructor(world: TestWorld, owners: readonly number[]) {
    this.world = world;
    this.owners = owners;
  }

  async perform(act: Act): Promise<void> {
    const { db } = this.world;
    if (act.kind === "add") {
      const added = await db.write(() => qsos.addMany(this.owners[act.of]!, [{ ...ROW, ...act.contact }]));
      this.ids.push(...added);
    } else if (act.kind === "fill") {
      if (isEmbedded) await db.write(() => fillWork.unit(1));
    } else if (this.ids.length > 0) {
      const [qso] = await db.read(() => qsos.listByIds([this.ids[act.at % this.ids.length]!]));
      if (qso) await this.change(act, qso);
    }
  }

  private async change(act: Exclude<Act, { kind: "add" | "fill" }>, qso: Qso): Promise<void> {
    const { db } = this.world;
    const { id, userId } = qso;
    if (act.kind === "edit") {
      const before = qsos.snapshotOf(qso);
      await db.write(() => qsos.replaceMany([{ id, before, after: { ...before, ...act.contact } }]));
    } else if (act.kind === "remove") {
      await db.write(() => qsos.remove([id]));
      if (act.comesBack) await db.write(() => qsos.bringBack(userId, [qso]));
    } else {
      const refused = db.write(function* () {
        yield* qsos.remove([id]);
        throw new CalledOff();
      });
      await expect(refused).rejects.toThrow(CalledOff);
    }
  }
}

function* scanned(userId: number, text: string): Unit<number[]> {
  const rows = yield* many<{ id: number }>`
    SELECT id FROM qsos WHERE +user_id = ${userId} AND ${holds(text)} ORDER BY id`;
  return rows.map(({ id }) => id);
}

/** From the middle of what contacts say, in the other case. */
async function partsOfWhatIsThere({ db }: TestWorld): Promise<string[]> {
  const all = await db.read(() => qsos.listOfAll(0, 1_000));
  return all
    .flatMap(({ name, qth, comment, gridsquare }) => [name, qth, comment, gridsquare])
    .map((text) => [...(text ?? "")].slice(1, -1).join(""))
    .filter((part) => part !== "")
    .map((part) => (part === part.toLowerCase() ? part.toUpperCase() : part.toLowerCase()))
    .slice(-12);
}

const byNumber = (a: number, b: number) => a - b;

// Invariant: a search by the index finds what a search through every contact finds
test("whatever is written, edited, removed and called off, the index finds what is there", async () => {
  const world = await testWorld();
  const owners = [(await aUser(world, "ann")).id, (await aUser(world, "bob")).id];
  if (!isEmbedded) await world.db.indexTexts();

  await fc.assert(
    fc.asyncProperty(
      fc.array(ACT, { maxLength: 25 }),
      fc.array(TEXT, { minLength: 1, maxLength: 8 }),
      async (acts, wanted) => {
        const acting = new Acting(world, owners);
        for (const act of acts) await acting.perform(act);

        const asked = [...wanted, ...(await partsOfWhatIsThere(world))];
        for (const userId of owners) {
          for (const text of asked) {
            const found = await world.db.read(() => findHolding(userId, text));
            const there = await world.db.read(() => scanned(userId, text));
            if ([...text].length >= 3) expect([text, found?.toSorted(byNumber)]).toEqual([text, there]);
            else expect(found).toBeNull();
          }
        }
        expect((await world.db.read(look)).astray).toEqual([]);
      },
    ),
    { numRuns: isFull(import.meta) ? 200 : 12 },
  );
}, 120_000);

describe("in a large log", () => {
  const CONTACTS = 21_000;

  const aLargeLog = async () => {
    const world = await testWorld();
    const { id } = await aUser(world, "bob");
    await storeLog(world.db, id, { contacts: 200, seed: 3 });
    await world.db.write(
      () => run`INSERT INTO qsos (user_id, created_at, updated_at, call, started_at, year, band, comment)
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CONTACTS})
                SELECT CAST(${id} AS BIGINT), 0, 0, 'K' || (i % 10) || 'ABC', i * 1000, 1970,
                       CASE WHEN i % 2 = 0 THEN '20m' ELSE '40m' END, 'number ' || i || ' of a hundred%' FROM n`,
    );
    return { ...world, userId: id };
  };
  const indexed = async (world: TestWorld) =>
    new TextIndexer({ db: world.db, every: TIME.every, sleep: TIME.sleep, log: SILENT_LOG }).look();
  /** Nobody has time to look into every contact. */
  const find = (world: TestWorld, userId: number, words: Record<string, string>) => {
    let now = 0;
    const searching = { pass: <T>(task: () => Promise<T>) => task() } as never;
    return findPage({ db: world.db, searching, ticks: () => (now += 1_000) }, userId, parseListing(words));
  };

  // Defence: nothing that is asked of a large log holds the others up
  test("a part of a text is found without looking into every contact, with filters, in every order", async () => {
    const { userId, ...world } = await aLargeLog();
    await expect(find(world, userId, { q: "BER 2057 o" })).rejects.toThrow("takes too long");

    await indexed(world);

    const { qsos: found, total } = await find(world, userId, { q: "BER 2057 o" });
    expect([found.map(({ comment }) => comment), total]).toEqual([["number 2057 of a hundred%"], 1]);
    expect((await find(world, userId, { q: "er 205", band: "40m", sort: "-call", limit: "3" })).total).toBe(56);
    expect((await find(world, userId, { q: "%%%" })).total).toBe(0);
    const first = await find(world, userId, { q: "number 20", sort: "call", limit: "500" });
    const cursor = first.nextCursor!;
    const second = await find(world, userId, { q: "number 20", sort: "call", limit: "500", cursor });
    expect([first.total, first.qsos.length + second.qsos.length]).toEqual([1_112 - 1, 1_000]);
  });

  test("what comes later is found too, before it is in the index and after", async () => {
    const { userId, ...world } = await aLargeLog();
    await indexed(world);

    await world.db.write(() => qsos.addMany(userId, [{ ...ROW, comment: "seldom said" }]));

    expect((await find(world, userId, { q: "DOM SAI" })).total).toBe(1);
    if (isEmbedded) await world.db.write(() => fillWork.unit(1));
    expect((await find(world, userId, { q: "DOM SAI" })).total).toBe(1);
  });

  test.if(isEmbedded)(
    "an index that does not know every contact is found, and made anew with what is derived",
    async () => {
      const { userId, ...world } = await aLargeLog();
      await indexed(world);
      expect((await texts(world)).map(({ severity }) => severity)).toEqual(["ok"]);

      await world.db.write(() => run`DELETE FROM qso_texts WHERE rowid = 300`);
      expect((await texts(world)).map(({ severity, message }) => [severity, message])).toEqual([
        ["fail", expect.stringMatching(/^Searches know \d+ of [\d,]+ QSOs\.$/)],
      ]);

      await deriveAgain(world, CHEAP_FACTS);
      await indexed(world);
      expect((await texts(world)).map(({ severity }) => severity)).toEqual(["ok"]);
      expect((await find(world, userId, { q: "BER 2057 o" })).total).toBe(1);
    },
  );
});

test.if(!isEmbedded)("a database without the index is searched as before, and the doctor says so", async () => {
  const world = await testWorld();

  expect((await texts(world)).map(({ severity }) => severity)).toEqual(["note"]);
  expect(await world.db.read(() => findHolding(1, "anything"))).toBeNull();
  await world.db.indexTexts();
  expect((await texts(world)).map(({ severity }) => severity)).toEqual(["ok"]);
});
