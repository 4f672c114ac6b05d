import { describe, expect, test } from "bun:test";
import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import type { DuplicateKind } from "../../src/domain/jobs/duplicates.ts";
import { NO_LAYERS } from "../../src/domain/contact/layers.ts";
import { ownerOrigin } from "../../src/domain/origins/owner.ts";
import { byOwner, type LogCaller } from "../../src/logbook/caller.ts";
import { listDuplicates, merge, previewMerge } from "../../src/logbook/duplicates.ts";
import { beginRepair } from "../../src/logbook/repairs.ts";
import { takeBack } from "../../src/logbook/job-actions.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import { findDuplicatesWork } from "../../src/sync/duplicates/find.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { afterTest } from "../support/cleanup.ts";
import { randomOf } from "../support/chance.ts";
import { isFull } from "../support/full.ts";
import { storeLog } from "../support/log-generator.ts";
import { loadCallFacts } from "../../src/callsign/facts.ts";
import { logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";

const START = Date.UTC(2020, 0, 1);
const MINUTE = 60_000;

const moment = (at: number, withSeconds = false) =>
  new Date(at)
    .toISOString()
    .slice(0, withSeconds ? 19 : 16)
    .replace("T", " ");

/** Inserts a file's row without the matching that prevents most duplicates. */
// A rollback derives restored contacts with these.
const FACTS = await loadCallFacts("/nowhere");

const rowOf = (record: AdifRecord): qsos.Snapshot => {
  const layers = ownerOrigin.merge(NO_LAYERS, record);
  return { createdAt: 0, updatedAt: 0, rulesVersion: RULES_VERSION, ...layers, ...derive(layers, FACTS)! };
};

const rowWith = (row: qsos.Snapshot, fields: Record<string, string>): qsos.Snapshot => {
  const layers = { ...qsos.getLayers(row), second: { record: { fields } } };
  return { ...row, ...layers, ...derive(layers, FACTS)! };
};

type Planted = (call: string, at: number) => AdifRecord[];

const without = ({ fields }: AdifRecord, ...names: string[]): AdifRecord => ({
  fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))),
});

/** The same contact twice, one pair for each kind. */
const DUPLICATES: Record<DuplicateKind, Planted> = {
  twice: (call, at) => [
    said(call, moment(at), { NAME: "Ann", SRX: "017" }),
    said(call, moment(at), { TX_PWR: "100", SRX: "17" }),
  ],
  seconds: (call, at) => [said(call, moment(at)), said(call, moment(at + 27_000, true))],
  overlap: (call, at) => [
    said(call, moment(at), {
      MODE: "SSB",
      TIME_OFF: moment(at + 12 * MINUTE)
        .slice(11)
        .replace(":", ""),
    }),
    said(call, moment(at + 11 * MINUTE), { MODE: "SSB" }),
  ],
  hours: (call, at) => [
    said(call, moment(at + 13_000, true), { FREQ: "14.0763" }),
    said(call, moment(at + 13_000 + 2 * 60 * MINUTE, true), { FREQ: "14.0763" }),
  ],
  ownCall: (call, at) => [said(call, moment(at)), without(said(call, moment(at)), "STATION_CALLSIGN")],
  modeName: (call, at) => [said(call, moment(at), { MODE: "SSB" }), said(call, moment(at), { MODE: "USB" })],
  band: (call, at) => [said(call, moment(at)), without(said(call, moment(at)), "BAND")],
};

/** Two different contacts that look alike. */
const NEAR_MISSES: Record<string, Planted> = {
  "a two-fer": (call, at) => [
    said(call, moment(at), { SIG: "POTA", SIG_INFO: "US-1234" }),
    said(call, moment(at), { SIG: "POTA", SIG_INFO: "US-5678" }),
  ],
  "worked again in a contest": (call, at) => [
    said(call, moment(at), { CONTEST_ID: "CQ-WW-CW", MODE: "CW", SRX: "17", STX: "101" }),
    said(call, moment(at + 20 * MINUTE), { CONTEST_ID: "CQ-WW-CW", MODE: "CW", SRX: "63", STX: "144" }),
  ],
  "worked again in a contest, a minute later": (call, at) => [
    said(call, moment(at + 50_000, true), { MODE: "CW", SRX: "17" }),
    said(call, moment(at + 100_000, true), { MODE: "CW", SRX: "18" }),
  ],
  "another band": (call, at) => [said(call, moment(at)), said(call, moment(at), { BAND: "15m" })],
  "another group of modes": (call, at) => [said(call, moment(at)), said(call, moment(at), { MODE: "CW" })],
  "another own callsign": (call, at) => [
    said(call, moment(at)),
    said(call, moment(at), { STATION_CALLSIGN: "YU1TEST/P" }),
  ],
  "another satellite": (call, at) => [
    said(call, moment(at), { BAND: "70cm", SAT_NAME: "AO-91", PROP_MODE: "SAT" }),
    said(call, moment(at), { BAND: "70cm", SAT_NAME: "SO-50", PROP_MODE: "SAT" }),
  ],
  "a rover in the next square": (call, at) => [
    said(call, moment(at), {
      GRIDSQUARE: "FN42",
      TIME_OFF: moment(at + 10 * MINUTE)
        .slice(11)
        .replace(":", ""),
    }),
    said(call, moment(at + 5 * MINUTE), { GRIDSQUARE: "FN43" }),
  ],
  "an own callsign missing between two": (call, at) => [
    said(call, moment(at), { STATION_CALLSIGN: "YU1A" }),
    without(said(call, moment(at)), "STATION_CALLSIGN"),
    said(call, moment(at), { STATION_CALLSIGN: "YU1B" }),
  ],
  "the next day": (call, at) => [said(call, moment(at)), said(call, moment(at + 24 * 60 * MINUTE))],
};

const EACH = 40;

describe("among 100,000 contacts", () => {
  const CONTACTS = isFull(import.meta) ? 100_000 : ENGINE === "postgres" ? 3_000 : 12_000;

  // Invariant: duplicates are found, and similar contacts are not
  test("every planted duplicate is found with its reason, and no near miss", async () => {
    const world = await testWorld();
    const { db } = world;
    const bob = await aUser(world, "bob");
    await storeLog(db, bob.id, { contacts: CONTACTS });
    const known = new Set(
      (await db.inWorker(findDuplicatesWork, { userId: bob.id }, { userId: bob.id })).map(({ ids }) => ids.join()),
    );
    const random = randomOf(7);
    const planted = new Map<string, DuplicateKind>();
    const place = async (index: number, make: Planted) => {
      const at = START + Math.floor(random() * 3_000_000) * MINUTE;
      const call = `${["PL", "QN", "ZZ"][index % 3]}${index % 10}T${String.fromCharCode(65 + (index % 26), 65 + (Math.floor(index / 26) % 26))}`;
      return db.write(() => qsos.addMany(bob.id, make(call, at).map(rowOf)));
    };
    let index = 0;
    for (const [kind, make] of Object.entries(DUPLICATES)) {
      for (let n = 0; n < EACH; n++) {
        const ids = await place(index++, make);
        planted.set(ids.toSorted((a, b) => a - b).join(), kind as DuplicateKind);
      }
    }
    for (const make of Object.values(NEAR_MISSES)) for (let n = 0; n < EACH; n++) await place(index++, make);

    const began = world.ticks();
    const found = await db.inWorker(findDuplicatesWork, { userId: bob.id }, { userId: bob.id });
    const took = world.ticks() - began;

    const fresh = found.filter(({ ids }) => !known.has(ids.join()));
    const asPlanted = new Map(fresh.map(({ ids, kind }) => [ids.toSorted((a, b) => a - b).join(), kind]));
    expect(asPlanted).toEqual(planted);
    if (isFull(import.meta)) expect(took).toBeLessThan(3_000);
  }, 300_000);
});

const aDesk = async () => {
  const world = await testWorld();
  const user = await aUser(world, "bob");
  const runner = new SyncRunner(world, 2);
  afterTest(() => runner.stop());
  const bob: LogCaller = byOwner({ id: user.id, username: "bob" });
  return { world, bob, runner, desk: { ...world, runner } };
};

const FIRST = said("K1AAA", "2026-07-01 10:00", { NAME: "Ann", SRX_STRING: "A", MODE: "SSB", QSL_RCVD: "Y" });
const SECOND = said("K1AAA", "2026-07-01 10:00:27", { MODE: "USB", QTH: "Boston", SRX_STRING: "A", NAME: "Anne" });

describe("a merge", () => {
  // Invariant: a merge keeps every record and is undone exactly
  test("keeps the values of both, combines their confirmations, and is undone exactly, even after later syncs", async () => {
    const { world, bob, runner, desk } = await aDesk();
    await world.db.write(() => qsos.addMany(bob.owner.id, [rowOf(FIRST), rowOf(SECOND)]));
    await sync(world, bob.owner.id, "second", [
      qrz(7, "K1AAA", "2026-07-01 10:00", { MODE: "USB", APP_QRZLOG_STATUS: "C" }),
    ]);
    const before = await logOf(world, bob.owner.id);
    expect(before).toHaveLength(2);
    const { groups, kinds } = await listDuplicates(desk, bob, {});
    expect(groups).toMatchObject([{ kind: "modeName", why: ["seconds", "modeName"] }]);
    expect(kinds).toMatchObject({ modeName: 1, twice: 0 });

    const { preview } = await previewMerge(desk, bob, { qsoId: before[1]!.id });
    expect(preview).toMatchObject({ changed: 1, deleted: 1 });
    const { job } = await merge(desk, bob, { kind: "modeName" });
    const ended = (await runner.end(job.id))!;

    expect(ended).toMatchObject({ status: "completed", stats: { updated: 1, deleted: 1 } });
    const [merged, ...others] = await logOf(world, bob.owner.id);
    expect(others).toEqual([]);
    expect(merged).toMatchObject({
      qth: "Boston",
      startedAt: Date.UTC(2026, 6, 1, 10, 0, 27),
      mode: "SSB",
      submode: "USB",
      secondConfirmed: true,
      cardConfirmed: true,
    });
    expect((await listDuplicates(desk, bob, {})).total).toBe(0);
    await takeBack(world, bob, { jobId: job.id, undo: true });
    expect(await logOf(world, bob.owner.id)).toEqual(before);

    const { job: again } = await merge(desk, bob, { qsoId: before[0]!.id });
    await runner.end(again.id);
    await sync(world, bob.owner.id, "second", [
      qrz(7, "K1AAA", "2026-07-01 10:00", { MODE: "USB", APP_QRZLOG_STATUS: "C", COMMENT: "73" }),
    ]);
    await sync(world, bob.owner.id, "first", [lotw("K1AAA", "2026-07-01 10:00:20", { MODE: "SSB" })]);
    await takeBack(world, bob, { jobId: again.id, undo: true });

    const left = await logOf(world, bob.owner.id);
    expect(left.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const spoken = (service: "first" | "second") => left.filter((qso) => qso[service] !== null);
    expect(spoken("second")).toMatchObject([{ id: before.find(({ second }) => second)!.id, comment: "73" }]);
    expect(spoken("first")).toHaveLength(1);
  });

  test("is not split again by the file that had the contact twice, nor by a service", async () => {
    const { world, bob, runner, desk } = await aDesk();
    await world.db.write(() => qsos.addMany(bob.owner.id, [rowOf(FIRST), rowOf(SECOND)]));
    const { job } = await merge(desk, bob, { kind: "modeName" });
    await runner.end(job.id);

    const imported = await sync(world, bob.owner.id, "file", [FIRST, SECOND]);
    await sync(world, bob.owner.id, "first", [lotw("K1AAA", "2026-07-01 10:00:27", { MODE: "SSB" })]);

    expect(imported.stats.added).toBe(0);
    expect(await logOf(world, bob.owner.id)).toHaveLength(1);
  });

  // Invariant: a confirmation reaches the contact that its own was merged into
  test("is known to a service that later confirms the merged contact, and neither record is added again", async () => {
    const { world, bob, runner, desk } = await aDesk();
    const told = (status: string) => [
      qrz(1, "K1AAA", "2026-07-01 10:00", { APP_QRZLOG_STATUS: "N" }),
      qrz(2, "K1AAA", "2026-07-01 12:00", { APP_QRZLOG_STATUS: status, STATE: "MA", DXCC: "291" }),
    ];
    const exact = { FREQ: "14.0763" };
    await world.db.write(() =>
      qsos.addMany(bob.owner.id, [
        rowOf(said("K1AAA", "2026-07-01 10:00:13", exact)),
        rowOf(said("K1AAA", "2026-07-01 12:00:13", exact)),
      ]),
    );
    await sync(world, bob.owner.id, "second", told("N"));
    await sync(world, bob.owner.id, "first", [
      lotw("K1AAA", "2026-07-01 10:00:13", { QSL_RCVD: "N" }),
      lotw("K1AAA", "2026-07-01 12:00:13", { QSL_RCVD: "N" }),
    ]);
    const before = await logOf(world, bob.owner.id);
    expect(before.map(({ secondId }) => secondId)).toEqual(["1", "2"]);
    const { job } = await merge(desk, bob, { kind: "hours" });
    await runner.end(job.id);
    const merged = (await logOf(world, bob.owner.id))[0]!;
    expect(merged).toMatchObject({ secondId: "1", secondConfirmed: false, firstConfirmed: false });

    const second = await sync(world, bob.owner.id, "second", told("C"));
    const first = await sync(world, bob.owner.id, "first", [
      lotw("K1AAA", "2026-07-01 12:00:13", { STATE: "MA", DXCC: "291" }),
    ]);

    expect([second.stats, first.stats]).toMatchObject([
      { added: 0, updated: 1, newlyConfirmed: 1 },
      { added: 0, updated: 1, newlyConfirmed: 1 },
    ]);
    const [one, ...others] = await logOf(world, bob.owner.id);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ secondId: "1", secondConfirmed: true, firstConfirmed: true, firstState: "MA" });

    const again = await sync(world, bob.owner.id, "second", told("C"));
    expect(again.stats).toMatchObject({ added: 0, updated: 0, unchanged: 2 });

    await takeBack(world, bob, { jobId: job.id, undo: true });

    const left = await logOf(world, bob.owner.id);
    expect(left.map(({ id, secondId }) => [id, secondId])).toEqual(before.map(({ id, secondId }) => [id, secondId]));
    expect(left.map(({ secondConfirmed, firstConfirmed }) => [secondConfirmed, firstConfirmed])).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(left[0]).toMatchObject({ second: before[0]!.second!, first: before[0]!.first! });
  });

  test("is followed through further merges", async () => {
    const { world, bob, runner, desk } = await aDesk();
    const at = ["10:00", "10:00", "10:00"];
    await world.db.write(() =>
      qsos.addMany(
        bob.owner.id,
        at.map((time) => rowOf(said("K1AAA", `2026-07-01 ${time}`))),
      ),
    );
    const [a, b, c] = await logOf(world, bob.owner.id);
    for (const [kept, gone, id] of [
      [b!, a!, 1],
      [c!, b!, 2],
    ] as const) {
      const fields = qrz(id, "K1AAA", "2026-07-01 10:00").fields;
      await world.db.write(() =>
        qsos.replaceRows(bob.owner.id, [{ id: gone.id, before: gone, after: rowWith(gone, fields) }], {
          jobId: null,
          now: 2,
        }),
      );
      const pairs: [number, number][] = [[kept.id, gone.id]];
      const repair = { choice: { pairs }, change: { kind: "merge" as const, rules: null } };
      const { job } = await beginRepair(desk, bob, repair);
      await runner.end(job.id);
    }
    const confirmed = qrz(1, "K1AAA", "2026-07-01 10:00", { APP_QRZLOG_STATUS: "C" });

    const { stats } = await sync(world, bob.owner.id, "second", [confirmed]);

    expect(stats).toMatchObject({ added: 0, updated: 1 });
    expect(await logOf(world, bob.owner.id)).toMatchObject([{ id: c!.id, secondConfirmed: true }]);
  });

  test("refuses contacts that are no duplicates, and says so", async () => {
    const { world, bob, desk } = await aDesk();
    await sync(world, bob.owner.id, "file", [said("K1AAA", "2026-07-01 10:00")]);

    await expect(merge(desk, bob, { qsoId: 1 })).rejects.toMatchObject({ code: "not_found" });
    await expect(merge(desk, bob, {})).rejects.toMatchObject({ code: "invalid" });
    await expect(merge(desk, bob, { kind: "alike" })).rejects.toMatchObject({ code: "invalid" });
  });
});
