import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { Awards } from "../../src/awards/book.ts";
import { AWARD_IDS } from "../../src/domain/awards/award.ts";
import type { Fields } from "../../src/domain/contact/adif-record.ts";
import type { ExportFormat } from "../../src/domain/contact/export-formats.ts";
import type { Layers } from "../../src/domain/contact/layers.ts";
import { addCarriedLayers } from "../../src/domain/origins/services.ts";
import { listRecords } from "../../src/domain/contact/records.ts";
import { SERVICES } from "../../src/domain/jobs/source.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { toQsoView } from "../../src/domain/contact/qso-view.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import { deleteQso, editQso } from "../../src/contacts/edit.ts";
import { exportLog } from "../../src/contacts/export.ts";
import { readLog } from "../../src/sync/source/log-file.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { cleanUp } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { aBody, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, ENGINE, testWorld, type TestWorld } from "../support/world.ts";
import { aContact, contactsOf, facts, importLog } from "./log.ts";

const FORMATS = ["adi", "adx"] as const;
// Each run reads a hundred award views of three logs.
const RUNS = isFull(import.meta) ? 80 : ENGINE === "postgres" ? 2 : 4;

const textOf = async (world: TestWorld, userId: number, format: ExportFormat = "adi"): Promise<string> =>
  (await Array.fromAsync(exportLog(world, userId, {}, { format }))).join("");

/** Everything that two logs must have in common: columns, records, service values and times. */
const contentOf = (contacts: readonly Qso[]): string[] => contacts.map((qso) => JSON.stringify(factsOf(qso))).sort();

const factsOf = (qso: Qso) => {
  const { id: _, createdAt: __, updatedAt: ___, own, ...view } = toQsoView(qso);
  const services = SERVICES.map((service) => view[service] && { ...view[service], via: view[service].via !== null });
  return {
    ...view,
    first: null,
    second: null,
    services,
    card: own.confirmed,
    typed: own.typed,
    records: recordsOf(qso),
  };
};

const recordsOf = (layers: Layers) =>
  listRecords(addCarriedLayers({ own: layers.own, first: layers.first, second: layers.second })).map((named) => {
    const { fields, types = null, program = null } = named.record;
    const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
    return [named.origin, named.key, named.isLinked, program, types, ...sorted];
  });

const BANDS = [null, "20m", "6m"];
const GROUPS = [null, "phone", "digital"];

/** Every award in all its views. */
const awardsOf = async (world: TestWorld, userId: number): Promise<string[]> => {
  const book = new Awards(world);
  const views: string[] = [];
  for (const id of AWARD_IDS) {
    for (const band of BANDS) {
      for (const group of GROUPS) {
        const found = await book.detail(userId, id, { band, group }).catch((error) => {
          if (error instanceof AppError) return null;
          throw error;
        });
        // Which contact represents a slot depends on ids.
        if (found) views.push(JSON.stringify(found, (name, value) => (name === "qsoId" ? undefined : value)));
      }
    }
  }
  return views;
};

/** Shows some of the lines that differ. */
const assertSame = (found: readonly string[], expected: readonly string[]): void => {
  const [extra, missing] = [found, expected].map((lines, at) => {
    const others = new Set(at === 0 ? expected : found);
    return lines.filter((line) => !others.has(line)).slice(0, 2);
  });
  expect({ extra, missing, lines: found.length }).toEqual({ extra: [], missing: [], lines: expected.length });
};

let copies = 0;

/** Imports exports of a log into empty logs. They must be equal. */
const assertCopies = async (world: TestWorld, userId: number): Promise<void> => {
  const contacts = await contactsOf(world, userId);
  const awards = await awardsOf(world, userId);
  for (const format of FORMATS) {
    const { id } = await aUser(world, `copy${(copies += 1)}`);
    const job = await importLog(world, id, await textOf(world, userId, format));
    expect(job.stats).toMatchObject({ added: contacts.length, fetched: contacts.length });
    const copy = await contactsOf(world, id);
    assertSame(contentOf(copy), contentOf(contacts));
    assertSame(await awardsOf(world, id), awards);
    for (const qso of copy.map(toQsoView)) {
      for (const service of SERVICES) expect(qso[service]?.via ?? "file").toBe("file");
    }
    const again = await importLog(world, id, await textOf(world, id, format));
    expect(again.stats).toMatchObject({ added: 0, updated: 0, unmatched: 0 });
    expect(await contactsOf(world, id)).toEqual(copy);
  }
};

/** Imports exports of a log into that log. Nothing may change, and no match may be less certain. */
const assertUnchanged = async (world: TestWorld, userId: number): Promise<void> => {
  const contacts = await contactsOf(world, userId);
  for (const format of FORMATS) {
    const job = await importLog(world, userId, await textOf(world, userId, format));
    expect(job.stats).toMatchObject({ added: 0, updated: 0, unmatched: 0, rejected: 0 });
    expect(await contactsOf(world, userId)).toEqual(contacts);
  }
};

const VALUES: Record<string, string[]> = {
  STATE: ["IL", "WI", "AK", ""],
  CNTY: ["IL,Cook", "WI,Dane"],
  GRIDSQUARE: ["EN52", "FN", "FN20AA", "jn61fw"],
  VUCC_GRIDS: ["EN52,EN53"],
  DXCC: ["291", "0", "x"],
  CQZ: ["4", "99"],
  IOTA: ["NA-001", "none"],
  NAME: ["Ann", "Öl \u{1f4fb}", "  two\nlines "],
  COMMENT: ["a <EOR> b", 'say "73" & \\ </RECORD>', "\u0001x"],
  PROP_MODE: ["SAT"],
  SAT_NAME: ["SO-50"],
  FREQ: ["14.074", "14,0741", "50.1"],
  SUBMODE: ["USB", "FT4"],
  TIME_OFF: ["1005", "x"],
  QSL_RCVD: ["Y", "V", "N"],
  QSLRDATE: ["20260802", "00000000"],
  LOTW_QSL_RCVD: ["Y", "N"],
  LOTW_QSLRDATE: ["20260803"],
  APP_QRZLOG_STATUS: ["C", "N"],
  APP_QRZLOG_QSLDATE: ["20260804"],
  CREDIT_GRANTED: ["DXCC", "WAS:LOTW&CARD,DXCC"],
  APP_LOTW_CREDIT_GRANTED: ["DXCC:MIXED"],
  APP_LOTW_RXQSL: ["2026-08-03 10:11:12"],
  APP_LOTW_2XQSL: ["Y", "N"],
  APP_X_Y: ["z"],
};
const details = fc.record(
  Object.fromEntries(Object.entries(VALUES).map(([name, list]) => [name, fc.constantFrom(...list)])),
  { requiredKeys: [] },
) as fc.Arbitrary<Fields>;

/** A contact that up to four origins describe with contradictions. */
const toldContact = fc.record({
  call: fc.constantFrom("W9GYM", "KP4JRS", "DL1ABC/P", "K1MM/MM"),
  minute: fc.integer({ min: 0, max: 40 }),
  seconds: fc.tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 59 })),
  band: fc.constantFrom("20m", "6m", "20M"),
  mode: fc.constantFrom("FT8", "SSB", "CW", "DATA"),
  by: fc.record({
    typed: fc.boolean(),
    file: fc.boolean(),
    report: fc.boolean(),
    qso: fc.boolean(),
    qsl: fc.boolean(),
    second: fc.boolean(),
    twin: fc.boolean(),
  }),
  said: fc.array(details, { minLength: 7, maxLength: 7 }),
  confirmed: fc.tuple(fc.boolean(), fc.boolean(), fc.constantFrom("C", "N", "")),
  types: fc.boolean(),
});
type Told = typeof toldContact extends fc.Arbitrary<infer T> ? T : never;

const layersOf = (told: Told, index: number): Partial<Layers> | null => {
  const { call, minute, seconds, band, mode, by, said: more, confirmed, types } = told;
  if (!by.typed && !by.file && !by.qso && !by.second) return null;
  const time = `10${String(minute).padStart(2, "0")}`;
  const exact = (at: number) => `${time}${String(seconds[at]).padStart(2, "0")}`;
  const key = { CALL: call, QSO_DATE: "20260801", TIME_ON: time, BAND: band, MODE: mode };
  const own = {
    ...(by.typed && { typed: { ...(by.file || by.qso || by.second ? {} : key), ...more[0], NAME: "" } }),
    ...(by.file && { file: { fields: clean({ ...key, ...more[1] }), ...(types && { types: { CALL: "S" } }) } }),
    ...(by.report && { report: { fields: clean({ ...key, TIME_ON: exact(1), ...more[2] }), program: "LoTW" } }),
  };
  const theirs = { ...key, TIME_ON: exact(0), STATION_CALLSIGN: `YU${index}X`, APP_LOTW_MODEGROUP: "DATA" };
  const record = (fields: Fields, isConfirmed: boolean) => ({
    fields: clean({ ...theirs, ...fields, QSL_RCVD: isConfirmed ? "Y" : "N" }),
  });
  const twin = {
    qsl: { fields: clean({ ...theirs, TIME_ON: `${time}59`, STATION_CALLSIGN: `YT${index}X`, QSL_RCVD: "Y" }) },
  };
  const first = {
    ...(by.qso && { qso: record(more[3]!, confirmed[0]) }),
    ...(by.qsl && by.qso && { qsl: record(more[4]!, confirmed[1]) }),
    ...(by.qso && by.twin && { twins: { [`twin of ${index}`]: twin } }),
  };
  const ofSecond = { ...key, ...more[5], APP_QRZLOG_LOGID: `${index + 1}`, APP_QRZLOG_STATUS: confirmed[2] };
  return {
    own: Object.keys(own).length > 0 ? own : null,
    first: by.qso ? first : null,
    second: by.second ? { record: { fields: clean(ofSecond) } } : null,
  };
};

const clean = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));

// Invariant: exporting and importing a log gives the same log
test("exports as ADI and ADX give the same log, whatever the sources said", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(toldContact, { minLength: 1, maxLength: 30 }), async (contacts) => {
      const world = await testWorld();
      const { id } = await aUser(world, "bob");
      for (const layers of contacts.map(layersOf)) if (layers) await aContact(world, id, layers);

      await assertCopies(world, id);
      await assertUnchanged(world, id);
      await cleanUp();
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 600_000);

const inLog = async (name = "bob"): Promise<{ world: TestWorld; id: number }> => {
  const world = await testWorld();
  return { world, id: (await aUser(world, name)).id };
};

const qsl = (records: Parameters<typeof aBody>[1]) => [aBody("qsl", records)];
const qso = (records: Parameters<typeof aBody>[1]) => [aBody("qso", records)];

test("two LoTW contacts in one minute stay two, and a state known only to QRZ is not confirmed by LoTW", async () => {
  const { world, id } = await inLog();
  await sync(world, id, "second", [
    qrz(1, "WD9GYM", "2021-07-18 21:27", { STATE: "IL", CNTY: "IL,Cook", DXCC: "291" }),
    qrz(2, "KP4JRS", "2021-07-18 05:57", {}),
  ]);
  const confirmed = { DXCC: "291", GRIDSQUARE: "EN52XG", APP_LOTW_2XQSL: "Y", CQZ: "04" };
  const records = [
    lotw("WD9GYM", "2021-07-18 21:27:00", confirmed),
    lotw("KP4JRS", "2021-07-18 05:57:00"),
    lotw("KP4JRS", "2021-07-18 05:57:45"),
  ];
  await sync(world, id, "first", qsl(records));
  expect(await contactsOf(world, id)).toHaveLength(3);

  await assertCopies(world, id);
  await assertUnchanged(world, id);
}, 60_000);

const STATES: [own: Fields, byLotw: Fields, confirmed: string | null][] = [
  [{ CNTY: "IL,Cook" }, {}, null],
  [{ STATE: "IL", CNTY: "IL,Cook" }, {}, null],
  [{ CNTY: "WI,Dane" }, { CNTY: "IL,COOK" }, "IL"],
  [{ GRIDSQUARE: "FN", QSL_RCVD: "Y", BAND: "6m" }, { GRIDSQUARE: "FN20AA", BAND: "6m" }, null],
];
test.each(STATES)(
  "with %j by the owner and %j by LoTW, LoTW confirms the state %p in a copy too",
  async (own, byLotw, state) => {
    const { world, id } = await inLog();
    const time = "2026-08-01 12:00";
    await sync(world, id, "file", [said("W9GYM", time, { DXCC: "291", ...own } as Record<string, string>)]);
    await sync(world, id, "first", qsl([lotw("W9GYM", time, { DXCC: "291", ...byLotw } as Record<string, string>)]));
    expect((await contactsOf(world, id)).map(({ firstState }) => firstState)).toEqual([state]);

    await assertCopies(world, id);
  },
  60_000,
);

test("a copy keeps an unconfirmed LoTW record and its id", async () => {
  const { world, id } = await inLog();
  await sync(world, id, "file", [said("W9GYM", "2026-08-01 12:00")]);
  await sync(world, id, "first", qso([lotw("W9GYM", "2026-08-01 12:00:10", { QSL_RCVD: "N" })]));

  await assertCopies(world, id);
  const [copy] = await contactsOf(world, id);
  expect(toQsoView(copy!).first).toMatchObject({
    confirmed: false,
    externalId: expect.stringContaining("20260801120010"),
  });
}, 60_000);

/** A copy of a log from two files, typed values and both services. */
const aCopy = async () => {
  const { world, id } = await inLog();
  await sync(world, id, "file", [
    said("W9GYM", "2026-08-01 12:00", { STATE: "WI" }),
    said("K1ABC", "2026-08-01 13:00"),
  ]);
  await sync(world, id, "file", [said("W9GYM", "2026-08-01 12:00", { STATE: "IL", NAME: "Al" })]);
  const records = [lotw("W9GYM", "2026-08-01 12:00:10", { STATE: "MN", DXCC: "291" })];
  await sync(world, id, "first", qsl(records));
  await sync(world, id, "second", [qrz(7, "W9GYM", "2026-08-01 12:01", { APP_QRZLOG_STATUS: "C", STATE: "AK" })]);
  const [qso] = await contactsOf(world, id);
  await editQso(world, id, qso!.id, { name: "Ann" }, facts);
  const copy = (await aUser(world, "copy")).id;
  const text = await textOf(world, id);
  const job = await importLog(world, copy, text);
  return { world, id, copy, text, job, records };
};

test("a sync replaces what a file said for the service, and an older file does not replace it again", async () => {
  const { world, copy, text, records } = await aCopy();
  const via = async () => (await contactsOf(world, copy)).map((qso) => toQsoView(qso).first?.via ?? null);
  expect(await via()).toEqual(["file", null]);

  await sync(world, copy, "first", qsl(records));
  expect(await via()).toEqual(["service", null]);
  const job = await importLog(world, copy, text);

  expect(job.stats).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
  expect(await via()).toEqual(["service", null]);
}, 60_000);

test("undoing the import of an export removes everything it added", async () => {
  const { world, id, text } = await aCopy();
  const other = (await aUser(world, "carl")).id;
  await sync(world, other, "file", [said("W9GYM", "2026-08-01 12:00", { STATE: "WI" })]);
  const before = await contactsOf(world, other);
  world.clock.advance(1_000);
  const job = await importLog(world, other, text);
  expect(job.stats).toMatchObject({ added: 1, updated: 1 });
  expect(contentOf(await contactsOf(world, other))).toEqual(contentOf(await contactsOf(world, id)));

  await cancelJob(world, { userId: other, jobId: job.id, by: null, undo: true });

  expect(await contactsOf(world, other)).toEqual(before);
}, 60_000);

test("undoing the import of an export keeps later records", async () => {
  const { world, text } = await aCopy();
  const other = (await aUser(world, "carl")).id;
  await sync(world, other, "file", [said("W9GYM", "2026-08-01 12:00", { STATE: "WI" })]);
  const job = await importLog(world, other, text);
  const [qso] = await contactsOf(world, other);
  await editQso(world, other, qso!.id, { qth: "Rome" }, facts);
  await sync(world, other, "second", [qrz(7, "W9GYM", "2026-08-01 12:01", { APP_QRZLOG_STATUS: "C" })]);

  await cancelJob(world, { userId: other, jobId: job.id, by: null, undo: true });

  const [left] = (await contactsOf(world, other)).map(toQsoView);
  expect(left).toMatchObject({ qth: "Rome", name: null, state: "WI", first: null, own: { typed: { QTH: "Rome" } } });
  expect(left!.second).toMatchObject({ confirmed: true, via: "service" });
}, 60_000);

test("an older export does not change contacts that were edited or cleared, and restores a deleted one", async () => {
  const { world, id, text } = await aCopy();
  const [qso] = await contactsOf(world, id);
  await editQso(world, id, qso!.id, { name: null, qth: "Rome" }, facts);
  const edited = await contactsOf(world, id);

  expect((await importLog(world, id, text)).stats).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
  expect(await contactsOf(world, id)).toEqual(edited);
  await deleteQso(world, id, qso!.id);
  expect((await importLog(world, id, text)).stats).toMatchObject({ added: 1, updated: 0, unchanged: 1 });
  const [back] = (await contactsOf(world, id)).map(toQsoView);
  expect(back).toMatchObject({ name: "Ann", first: { via: "service" }, second: { via: "service" } });
}, 60_000);

test("edits by another program in an export count, even over typed values, and nothing else does", async () => {
  const { world, text } = await aCopy();
  const other = (await aUser(world, "carl")).id;
  const edited = text.replace("<NAME:3>Ann", "<NAME:3>Eve").replace("<TIME_ON:6>120010", "<TIME_ON:6>120030");
  expect(edited.length).toBe(text.length);

  expect((await importLog(world, other, edited)).stats).toMatchObject({ added: 2 });
  const [qso] = (await contactsOf(world, other)).map(toQsoView);
  expect(qso).toMatchObject({ name: "Eve", state: "IL", first: { confirmed: true }, own: { typed: {} } });
  expect((await importLog(world, other, edited)).stats).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
}, 60_000);

test("an export with unreadable records is imported by its plain fields, with a warning", async () => {
  const { world, text } = await aCopy();
  const other = (await aUser(world, "carl")).id;
  const broken = text.replace('"origin":"first"', '"origin":"third"');
  const path = join(world.dataDir, "broken.adi");
  await Bun.write(path, broken);

  const batches = await Array.fromAsync(readLog(SYSTEM_TIME, path));
  expect(batches.flatMap(({ problems }) => problems).map(({ rule, message }) => ({ rule, message }))).toEqual([
    {
      rule: "records",
      message: "APP_QSOLOG_RECORDS of W9GYM is malformed. Only the other fields of this QSO were imported.",
    },
  ]);
  expect((await importLog(world, other, broken)).stats).toMatchObject({ added: 2 });
  const [qso] = await contactsOf(world, other);
  expect(qso).toMatchObject({ name: "Ann", firstConfirmed: true, firstId: null });
  expect(qso!.own).toMatchObject({
    file: { fields: expect.not.objectContaining({ APP_QSOLOG_RECORDS: expect.anything() }) },
  });
}, 60_000);

test("an export of the preview confirms for LoTW what LoTW said, and not the owner's county", async () => {
  const { world, id } = await inLog();
  const fields = { STATE: "IL", CNTY: "IL,Cook", DXCC: "291", LOTW_QSL_RCVD: "Y", LOTW_QSLRDATE: "20260803" };
  const saidByLotw = "DXCC=291&CQZ=04&GRIDSQUARE=EN52XG&APP_LOTW_2XQSL=Y";

  await sync(world, id, "file", [said("WD9GYM", "2026-08-01 12:00", { ...fields, APP_QSOLOG_LOTW_SAID: saidByLotw })]);

  const [qso] = await contactsOf(world, id);
  expect(qso).toMatchObject({ state: "IL", firstConfirmed: true, firstState: null, firstZone: 4, firstGrids: "EN52" });
}, 60_000);
