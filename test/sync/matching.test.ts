import { describe, expect, test } from "bun:test";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import * as leftovers from "../../src/storage/log/leftovers.ts";
import { aBody, logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

type Outcome = "matched" | "added" | "unmatched";

const outcomeOf = async (own: AdifRecord[], incoming: AdifRecord[], source: "first" | "second" = "first") => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await sync(world, bob.id, "file", own);
  const job = await sync(world, bob.id, source, incoming);
  return { world, bob, job, log: await logOf(world, bob.id) };
};

describe("a record and one contact of the log", () => {
  const FT8 = said("K1ABC", "2026-08-01 14:00");
  const cases: [string, AdifRecord, AdifRecord, Outcome][] = [
    [
      "54: four digits and six digits of the same minute",
      said("K1ABC", "2026-08-01 01:43"),
      lotw("K1ABC", "2026-08-01 01:43:45"),
      "matched",
    ],
    ["55: over midnight", said("K1ABC", "2026-08-01 23:58"), lotw("K1ABC", "2026-08-02 00:03"), "matched"],
    ["56: half an hour apart", FT8, lotw("K1ABC", "2026-08-01 14:30:00"), "matched"],
    ["56: a second more than half an hour", FT8, lotw("K1ABC", "2026-08-01 14:30:01"), "added"],
    [
      "20: MFSK with submode FT4 and a local FT4",
      said("K1ABC", "2026-08-01 14:00", { MODE: "FT4" }),
      lotw("K1ABC", "2026-08-01 14:00", { MODE: "MFSK", SUBMODE: "FT4" }),
      "matched",
    ],
    [
      "21: DATA and a local JS8",
      said("K1ABC", "2026-08-01 14:00", { MODE: "MFSK", SUBMODE: "JS8" }),
      lotw("K1ABC", "2026-08-01 14:00", { MODE: "DATA" }),
      "matched",
    ],
    [
      "21: DATA and a local FT2",
      said("K1ABC", "2026-08-01 14:00", { MODE: "FT2" }),
      lotw("K1ABC", "2026-08-01 14:00", { MODE: "DATA" }),
      "matched",
    ],
    [
      "22: no MODE but APP_LoTW_MODE",
      said("K1ABC", "2026-08-01 14:00", { MODE: "FT4" }),
      { fields: { ...lotw("K1ABC", "2026-08-01 14:00").fields, MODE: "", APP_LOTW_MODE: "FT4" } },
      "matched",
    ],
    [
      "23: SSB and a local USB",
      said("K1ABC", "2026-08-01 14:00", { MODE: "USB" }),
      lotw("K1ABC", "2026-08-01 14:00", { MODE: "SSB" }),
      "matched",
    ],
    [
      "another mode group",
      said("K1ABC", "2026-08-01 14:00", { MODE: "CW" }),
      lotw("K1ABC", "2026-08-01 14:00"),
      "added",
    ],
    ["another band", FT8, lotw("K1ABC", "2026-08-01 14:00", { BAND: "40M" }), "added"],
    [
      "53: the band in capitals",
      said("K1ABC", "2026-08-01 14:00", { BAND: "70CM" }),
      lotw("K1ABC", "2026-08-01 14:00", { BAND: "70cm" }),
      "matched",
    ],
    [
      "61: two satellites",
      said("K1ABC", "2026-08-01 14:00", { BAND: "70cm", PROP_MODE: "SAT", SAT_NAME: "CAS-4A" }),
      lotw("K1ABC", "2026-08-01 14:06", { BAND: "70CM", PROP_MODE: "SAT", SAT_NAME: "CAS-4B" }),
      "added",
    ],
    [
      "61: a satellite and none",
      said("K1ABC", "2026-08-01 14:00", { BAND: "70cm" }),
      lotw("K1ABC", "2026-08-01 14:00", { BAND: "70CM", PROP_MODE: "SAT", SAT_NAME: "SO-50" }),
      "added",
    ],
    [
      "the same satellite with the other band",
      said("K1ABC", "2026-08-01 14:00", { BAND: "2m", PROP_MODE: "SAT", SAT_NAME: "SO-50" }),
      lotw("K1ABC", "2026-08-01 14:00", { BAND: "70CM", PROP_MODE: "SAT", SAT_NAME: "SO-50" }),
      "matched",
    ],
    ["62: another propagation mode than none", FT8, lotw("K1ABC", "2026-08-01 14:00", { PROP_MODE: "TR" }), "matched"],
    ["63: a portable call", said("K1ABC/P", "2026-08-01 14:00"), lotw("K1ABC", "2026-08-01 14:00"), "added"],
    [
      "64: another own call",
      said("K1ABC", "2026-08-01 14:00", { STATION_CALLSIGN: "YU1TEST/P" }),
      lotw("K1ABC", "2026-08-01 14:00"),
      "added",
    ],
    [
      "an own call that is not given",
      said("K1ABC", "2026-08-01 14:00", { STATION_CALLSIGN: "" }),
      lotw("K1ABC", "2026-08-01 14:00"),
      "matched",
    ],
    [
      "65: no band but a frequency",
      said("K1ABC", "2026-08-01 14:00", { BAND: "", FREQ: "14.074" }),
      lotw("K1ABC", "2026-08-01 14:00"),
      "matched",
    ],
    [
      "a slashed zero and an underscore",
      said("K0ABC/P", "2026-08-01 14:00"),
      lotw("KØABC_P", "2026-08-01 14:00"),
      "matched",
    ],
  ];
  test.each(cases)("%s", async (_, own, incoming, outcome) => {
    const { job, log } = await outcomeOf([own], [incoming]);

    expect(job.error).toBeNull();
    expect(log).toHaveLength(outcome === "matched" ? 1 : 2);
    expect(job.stats).toMatchObject({ updated: outcome === "matched" ? 1 : 0, added: outcome === "added" ? 1 : 0 });
    expect(log.some(({ firstConfirmed }) => firstConfirmed)).toBe(true);
    expect(log.some((qso) => qso.own?.file !== undefined)).toBe(true);
  });
});

test("23: a local USB stays USB", async () => {
  const { log } = await outcomeOf(
    [said("K1ABC", "2026-08-01 14:00", { MODE: "USB" })],
    [lotw("K1ABC", "2026-08-01 14:00", { MODE: "SSB" })],
  );

  expect(log).toMatchObject([{ mode: "SSB", submode: "USB", firstConfirmed: true }]);
});

test("57: two modes eight minutes apart, both confirmed, each keep to their own", async () => {
  const { log, job } = await outcomeOf(
    [said("K1ABC", "2026-08-01 14:00"), said("K1ABC", "2026-08-01 14:08", { MODE: "FT4" })],
    [lotw("K1ABC", "2026-08-01 14:08", { MODE: "MFSK", SUBMODE: "FT4" }), lotw("K1ABC", "2026-08-01 14:00")],
  );

  expect(job.stats).toMatchObject({ added: 0, updated: 2, newlyConfirmed: 2 });
  expect(log.map(({ mode, first }) => [mode, first?.qsl?.fields.MODE])).toEqual([
    ["FT8", "FT8"],
    ["MFSK", "MFSK"],
  ]);
});

test("58: FM and SSB in one minute are two contacts with two confirmations", async () => {
  const { log, job } = await outcomeOf(
    [
      said("K1ABC", "2026-08-01 20:30", { BAND: "2m", MODE: "FM" }),
      said("K1ABC", "2026-08-01 20:30", { BAND: "2m", MODE: "SSB" }),
    ],
    [
      lotw("K1ABC", "2026-08-01 20:30:40", { BAND: "2M", MODE: "SSB" }),
      lotw("K1ABC", "2026-08-01 20:30:05", { BAND: "2M", MODE: "FM" }),
    ],
  );

  expect(job.stats).toMatchObject({ added: 0, updated: 2 });
  expect(log.map(({ mode, first }) => mode === first?.qsl?.fields.MODE)).toEqual([true, true]);
});

test("59: two contacts three minutes apart get their confirmations one to one, nearest first", async () => {
  const { log, job } = await outcomeOf(
    [said("K1ABC", "2026-08-01 14:00"), said("K1ABC", "2026-08-01 14:03")],
    [lotw("K1ABC", "2026-08-01 14:04"), lotw("K1ABC", "2026-08-01 14:01")],
  );

  expect(job.stats).toMatchObject({ added: 0, updated: 2, unmatched: 0 });
  expect(log.map(({ first }) => first?.qsl?.fields.TIME_ON)).toEqual(["140100", "140400"]);
});

test("both answers of the first service about one contact match it, minutes away", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await sync(world, bob.id, "file", [said("W5PB", "2022-03-12 02:40", { MODE: "CW" })]);
  const record = lotw("W5PB", "2022-03-12 02:42:01", { MODE: "CW" });

  const job = await sync(world, bob.id, "first", [aBody("qso", [record]), aBody("qsl", [record])]);

  expect(job.stats).toMatchObject({ fetched: 2, added: 0, updated: 2, unmatched: 0, newlyConfirmed: 1 });
  const log = await logOf(world, bob.id);
  expect(log.map(({ first }) => Object.keys(first!))).toEqual([["qso", "qsl"]]);
});

test("both answers about a contact whose only candidate went to another record make one contact", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await sync(world, bob.id, "file", [said("W5PB", "2022-03-12 02:40", { MODE: "CW" })]);
  const [near, far] = ["02:41:00", "02:50:00"].map((time) => lotw("W5PB", `2022-03-12 ${time}`, { MODE: "CW" }));

  const job = await sync(world, bob.id, "first", [aBody("qso", [far!, near!]), aBody("qsl", [far!, near!])]);

  expect(job.stats).toMatchObject({ fetched: 4, added: 1, unmatched: 0 });
  const log = await logOf(world, bob.id);
  expect(log.map(({ first }) => first?.qsl?.fields.TIME_ON)).toEqual(["024100", "025000"]);
});

test("a record that a file has twice matches one contact of another origin, minutes away", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await sync(world, bob.id, "second", [qrz(1, "W5PB", "2022-03-12 02:40", { MODE: "CW" })]);
  const record = said("W5PB", "2022-03-12 02:42", { MODE: "CW" });

  const job = await sync(world, bob.id, "file", [record, record]);

  expect(job.stats).toMatchObject({ fetched: 2, added: 0, updated: 1, unchanged: 1, unmatched: 0 });
  expect(job.reasons.repeated).toBe(1);
});

// Invariant: a record that fits several contacts is never guessed
test("60: one confirmation equally far from two contacts is not guessed but kept", async () => {
  const { log, job } = await outcomeOf(
    [said("K1ABC", "2026-08-01 14:00"), said("K1ABC", "2026-08-01 14:10")],
    [lotw("K1ABC", "2026-08-01 14:05")],
  );

  expect(job.stats).toMatchObject({ fetched: 1, added: 0, updated: 0, unmatched: 1 });
  expect(log.map(({ firstConfirmed }) => firstConfirmed)).toEqual([false, false]);
});

test("a contact that fits two records equally well gets neither, nor a worse one", async () => {
  const download = [
    qrz(1, "K1ABC", "2026-08-01 14:00", { MODE: "USB" }),
    qrz(2, "K1ABC", "2026-08-01 14:17", { MODE: "FM" }),
    qrz(3, "K1ABC", "2026-08-01 14:07", { MODE: "FM" }),
  ];
  const { world, bob, log, job } = await outcomeOf(
    [said("K1ABC", "2026-08-01 14:12", { MODE: "FM" })],
    download,
    "second",
  );

  expect(job.stats).toMatchObject({ added: 1, updated: 0, unmatched: 2 });
  expect(log.map(({ mode, secondId }) => [mode, secondId])).toEqual([
    ["SSB", "1"],
    ["FM", null],
  ]);
  const left = (await world.db.read(() => leftovers.list(job.id, { limit: 9 }))).rows;
  expect(left.map(({ reason }) => reason)).toEqual(Array(2).fill("the matching QSO may belong to another record"));
  const again = await sync(world, bob.id, "second", download);
  expect(again.stats).toMatchObject({ added: 0, updated: 0, unmatched: 2 });
});

test("records that depend on such a guess are not guessed either", async () => {
  const download = [lotw("K1ABC", "2026-08-01 14:05"), lotw("K1ABC", "2026-08-01 14:20")];
  const { world, bob, log, job } = await outcomeOf(
    [said("K1ABC", "2026-08-01 13:58"), said("K1ABC", "2026-08-01 14:12")],
    download,
  );

  expect(job.stats).toMatchObject({ added: 0, updated: 0, unmatched: 2 });
  await sync(world, bob.id, "first", download);
  expect(await logOf(world, bob.id)).toEqual(log);
});

describe("a leftover that arrives again", () => {
  const own = [said("K1ABC", "2026-08-01 14:00"), said("K1ABC", "2026-08-01 14:10")];
  const before = qrz(7, "K1ABC", "2026-08-01 14:05", { APP_QRZLOG_STATUS: "C" });
  const now = qrz(7, "K1ABC", "2026-08-01 14:05", { APP_QRZLOG_STATUS: "N" });
  const openOnes = ({ world, bob }: { world: TestWorld; bob: { id: number } }) =>
    world.db.read(() => leftovers.listOpen(bob.id, "second", 0, 9));

  test("is applied once, with its new values", async () => {
    const kept = await outcomeOf(own, [before], "second");
    await sync(kept.world, kept.bob.id, "file", [said("K1ABC", "2026-08-01 14:05")]);

    const job = await sync(kept.world, kept.bob.id, "second", [now]);

    expect(job.stats).toMatchObject({ fetched: 1, updated: 1, unmatched: 0, newlyConfirmed: 0 });
    expect((await logOf(kept.world, kept.bob.id)).some(({ secondConfirmed }) => secondConfirmed)).toBe(false);
    expect(await openOnes(kept)).toEqual([]);
  });

  test("replaces the stored version while it is ambiguous, until its job is rolled back", async () => {
    const kept = await outcomeOf(own, [before], "second");
    const statuses = async () => (await openOnes(kept)).map(({ record }) => record.fields.APP_QRZLOG_STATUS);

    await sync(kept.world, kept.bob.id, "second", [before]);
    expect(await statuses()).toEqual(["C"]);
    const job = await sync(kept.world, kept.bob.id, "second", [now], { failure: new Error("lost"), batchSize: 1 });
    expect([job.status, await statuses()]).toEqual(["failed", ["C"]]);
    const completed = await sync(kept.world, kept.bob.id, "second", [now]);
    expect([completed.stats.unmatched, await statuses()]).toEqual([1, ["N"]]);
    await kept.world.db.write(function* () {
      yield* leftovers.reopen(completed.id, 10);
      yield* leftovers.removeOf(completed.id, 10);
    });
    expect(await statuses()).toEqual(["C"]);
  });

  test("keeps its confirmation if one download has it twice, with and without", async () => {
    const [yes, no] = ["Y", "N"].map((status) => lotw("K1ABC", "2026-08-01 14:03:01", { QSL_RCVD: status }));
    const { log, job } = await outcomeOf(own.slice(0, 1), [yes!, no!]);

    expect(job.stats).toMatchObject({ fetched: 2, added: 0, newlyConfirmed: 1 });
    expect(log.map(({ firstConfirmed }) => firstConfirmed)).toEqual([true]);
  });
});

test("two confirmations in the minute of two equal contacts match one each", async () => {
  const own = [
    qrz(1, "KP4JRS", "2021-07-18 05:57", { BAND: "40m" }),
    qrz(2, "KP4JRS", "2021-07-18 05:57", { BAND: "40m" }),
  ];
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await sync(world, bob.id, "second", own);

  const job = await sync(world, bob.id, "first", [
    lotw("KP4JRS", "2021-07-18 05:57:45", { BAND: "40M" }),
    lotw("KP4JRS", "2021-07-18 05:57:15", { BAND: "40M" }),
  ]);

  expect(job.stats).toMatchObject({ added: 0, updated: 2, unmatched: 0 });
  expect((await logOf(world, bob.id)).map(({ firstId }) => firstId).every((id) => id !== null)).toBe(true);
});

test("within one service two records of one minute are two contacts if their ids differ", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");

  const job = await sync(world, bob.id, "second", [
    qrz(11, "NA1SS", "2020-11-29 01:41", { BAND: "2m", MODE: "FM" }),
    qrz(12, "NA1SS", "2020-11-29 01:41", { BAND: "2m", MODE: "FM" }),
  ]);

  expect(job.stats).toMatchObject({ added: 2 });
});

// Invariant: a deleted contact stays deleted
test("71: a contact that the user deleted stays deleted when a service sends it again", async () => {
  const { world, bob, log } = await outcomeOf([], [qrz(7, "K1ABC", "2026-08-01 14:00")], "second");
  const tombstones = await import("../../src/storage/log/tombstones.ts");
  const qsos = await import("../../src/storage/log/qsos.ts");
  await world.db.write(function* () {
    yield* tombstones.add([{ qso: log[0]! }], world.clock());
    yield* qsos.remove([log[0]!.id]);
  });

  const again = await sync(world, bob.id, "second", [
    qrz(7, "K1ABC", "2026-08-01 14:00"),
    qrz(8, "K2XYZ", "2026-08-01 15:00"),
  ]);
  expect(again.stats).toMatchObject({ added: 1, unchanged: 1 });
  expect(again.reasons).toEqual({ repeated: 0, deleted: 1 });

  const other = await sync(world, bob.id, "first", [lotw("K1ABC", "2026-08-01 14:00:20")]);
  expect(other.reasons.deleted).toBe(1);

  const asked = await sync(world, bob.id, "second", [qrz(7, "K1ABC", "2026-08-01 14:00")], {
    options: { full: true, resurrect: true },
  });
  expect(asked.stats).toMatchObject({ added: 1 });
});

test("importing a file restores a deleted contact", async () => {
  const { world, bob, log } = await outcomeOf([said("K1ABC", "2026-08-01 14:00")], []);
  const tombstones = await import("../../src/storage/log/tombstones.ts");
  const qsos = await import("../../src/storage/log/qsos.ts");
  await world.db.write(function* () {
    yield* tombstones.add([{ qso: log[0]! }], world.clock());
    yield* qsos.remove([log[0]!.id]);
  });

  const job = await sync(world, bob.id, "file", [said("K1ABC", "2026-08-01 14:00")]);

  expect(job.stats).toMatchObject({ added: 1 });
});

test("a record without call or time is rejected and stored with its reason", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const leftovers = await import("../../src/storage/log/leftovers.ts");

  const job = await sync(world, bob.id, "file", [
    { fields: { BAND: "20m", NAME: "Ann" } },
    said("K1ABC", "2026-08-01 25:00"),
    said("K2XYZ", "2026-08-01 14:00"),
  ]);

  expect(job.stats).toMatchObject({ fetched: 3, added: 1, rejected: 2 });
  const kept = (await world.db.read(() => leftovers.list(job.id, { limit: 10 }))).rows;
  expect(kept.map(({ kind, reason }) => [kind, reason])).toEqual([
    ["rejected", "no callsign"],
    ["rejected", "no valid date and time (20260801 2500)"],
  ]);
});

test("a record that makes no contact is counted once, not in each later import", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const long = said(`K1${"A".repeat(63)}`, "2026-08-01 14:00");
  expect((await sync(world, bob.id, "file", [long])).stats).toMatchObject({ fetched: 1, rejected: 1 });

  const later = await sync(world, bob.id, "file", [said("K2XYZ", "2026-08-01 14:00")]);

  expect(later.stats).toMatchObject({ fetched: 1, added: 1, rejected: 0 });
});

test("a settled record shows how it was settled", async () => {
  const own = [said("K1ABC", "2026-08-01 14:00"), said("K1ABC", "2026-08-01 14:10")];
  const { world, bob, job } = await outcomeOf(own, [qrz(7, "K1ABC", "2026-08-01 14:05")], "second");
  const of = async ({ id }: { id: number }) =>
    (await world.db.read(() => leftovers.list(id, { limit: 9 }))).rows.map(({ resolution }) => resolution);
  expect(await of(job)).toEqual([null]);

  const tried = await sync(world, bob.id, "file", [said("K3XYZ", "nonsense")], { dryRun: true });
  const unwanted = await sync(world, bob.id, "file", [said("K2XYZ", "nonsense")]);
  const [one] = (await world.db.read(() => leftovers.list(unwanted.id, { limit: 9 }))).rows;
  await world.db.write(() => leftovers.dismiss(bob.id, one!.id, world.clock()));
  const again = await sync(world, bob.id, "second", [qrz(7, "K1ABC", "2026-08-01 14:05", { COMMENT: "other words" })]);
  await sync(world, bob.id, "file", [said("K1ABC", "2026-08-01 14:05")]);
  await sync(world, bob.id, "second", []);

  expect(await of(job)).toEqual(["replaced"]);
  expect(await of(unwanted)).toEqual(["dismissed"]);
  expect(await of(again)).toEqual(["matched"]);
  expect(await of(tried)).toEqual(["dry_run"]);
});

test("an unmatched record is offered again and settles when its contact is clear", async () => {
  const { world, bob } = await outcomeOf(
    [said("K1ABC", "2026-08-01 14:00"), said("K1ABC", "2026-08-01 14:10")],
    [lotw("K1ABC", "2026-08-01 14:05")],
  );
  await sync(world, bob.id, "file", [said("K1ABC", "2026-08-01 14:05")]);

  const job = await sync(world, bob.id, "first", []);

  expect(job.stats).toMatchObject({ fetched: 1, updated: 1 });
  const log = await logOf(world, bob.id);
  expect(log.map(({ firstConfirmed }) => firstConfirmed)).toEqual([false, true, false]);
  expect((await sync(world, bob.id, "first", [])).stats.fetched).toBe(0);
});

// Invariant: another user's contacts are never matched
test("another user's contacts are never matched", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const eve = await aUser(world, "eve");
  await sync(world, eve.id, "file", [said("K1ABC", "2026-08-01 14:00")]);

  const job = await sync(world, bob.id, "first", [lotw("K1ABC", "2026-08-01 14:00")]);

  expect(job.stats).toMatchObject({ added: 1 });
  expect(await logOf(world, eve.id)).toMatchObject([{ firstConfirmed: false }]);
});
