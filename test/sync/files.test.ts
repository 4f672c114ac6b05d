import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AdifRecord, Fields } from "../../src/domain/contact/adif-record.ts";
import type { FileRecord } from "../../src/domain/contact/layers.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import { editQso } from "../../src/contacts/edit.ts";
import * as leftovers from "../../src/storage/log/leftovers.ts";
import { exported, importLog } from "../contacts/log.ts";
import { cleanUp } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { logOf, lotw, said, STATION, sync } from "../support/sync.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

const RUNS = isFull(import.meta) ? 50 : 5;

const aLog = async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  return {
    world,
    id,
    load: (records: readonly AdifRecord[], batchSize?: number) => sync(world, id, "file", records, { batchSize }),
    log: () => logOf(world, id),
  };
};

/** A record without its empty fields. */
const one = (more: Fields = {}): AdifRecord => {
  const { fields } = said("K1ABC", "2026-08-01 14:00", { MODE: "SSB", ...more });
  return { fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")) };
};

const TOLD_APART: [name: string, Fields, Fields][] = [
  ["its own park", { MY_SIG: "POTA", MY_SIG_INFO: "US-1234" }, { MY_SIG: "POTA", MY_SIG_INFO: "US-5678" }],
  ["its own park, in ADIF's own field", { MY_POTA_REF: "US-1234" }, { MY_POTA_REF: "US-5678" }],
  ["its own park, once in either field", { MY_SIG: "POTA", MY_SIG_INFO: "US-1234" }, { MY_POTA_REF: "US-5678" }],
  ["the other's park", { SIG_INFO: "US-1234" }, { SIG_INFO: "US-5678" }],
  ["the other's park, in ADIF's own field", { POTA_REF: "US-1234" }, { POTA_REF: "US-5678" }],
  ["its own summit", { MY_SOTA_REF: "W7A/AE-001" }, { MY_SOTA_REF: "W7A/AE-002" }],
  ["the other's summit", { SOTA_REF: "W7A/AE-001" }, { SOTA_REF: "W7A/AE-002" }],
  ["its own reserve", { MY_WWFF_REF: "KFF-0001" }, { MY_WWFF_REF: "KFF-0002" }],
  ["the other's reserve", { WWFF_REF: "KFF-0001" }, { WWFF_REF: "KFF-0002" }],
  ["its own grid", { MY_GRIDSQUARE: "FN31" }, { MY_GRIDSQUARE: "FN32" }],
  ["its own grids", { MY_VUCC_GRIDS: "FN31,FN32" }, { MY_VUCC_GRIDS: "FN21,FN22" }],
  ["the other's grid", { GRIDSQUARE: "EN34QU" }, { GRIDSQUARE: "EN35" }],
  ["its own county", { MY_CNTY: "WI,Dane" }, { MY_CNTY: "WI,Rock" }],
  ["the other's county", { CNTY: "WI,Dane" }, { CNTY: "WI,Rock" }],
  ["its own state", { MY_STATE: "WI" }, { MY_STATE: "IL" }],
  ["the other's state", { STATE: "WI" }, { STATE: "IL" }],
  ["its own latitude", { MY_LAT: "N042 21.000" }, { MY_LAT: "N044 21.000" }],
  ["the other's longitude", { LON: "W071 00.000" }, { LON: "W071 04.000" }],
  ["its own place, in decimals", { MY_LON: "-71.0" }, { MY_LON: "-75.5" }],
  ["its own entity", { MY_DXCC: "291" }, { MY_DXCC: "1" }],
  ["the other's entity", { DXCC: "110" }, { DXCC: "291" }],
  ["its own zones", { MY_CQ_ZONE: "4", MY_ITU_ZONE: "7" }, { MY_CQ_ZONE: "5", MY_ITU_ZONE: "8" }],
  ["the other's zone", { CQZ: "14" }, { CQZ: "15" }],
  ["its own DOK", { MY_DARC_DOK: "A01" }, { MY_DARC_DOK: "B02" }],
  ["the other's DOK", { DARC_DOK: "A01" }, { DARC_DOK: "B02" }],
  ["the island", { IOTA: "NA-001", IOTA_ISLAND_ID: "2001" }, { IOTA: "NA-001", IOTA_ISLAND_ID: "2002" }],
  ["the region", { REGION: "IV" }, { REGION: "SY" }],
  ["the province", { VE_PROV: "ON" }, { VE_PROV: "QC" }],
  [
    "the small square",
    { MY_GRIDSQUARE: "FN42", MY_GRIDSQUARE_EXT: "AA01" },
    { MY_GRIDSQUARE: "FN42", MY_GRIDSQUARE_EXT: "BB02" },
  ],
  ["the contest", { CONTEST_ID: "NEQP" }, { CONTEST_ID: "7QP" }],
  [
    "its own entity, place and city",
    { MY_DXCC: "291", MY_LAT: "N042 00.000", MY_CITY: "BOSTON" },
    { MY_DXCC: "1", MY_LAT: "N046 00.000", MY_CITY: "OTTAWA" },
  ],
  ["the number received", { SRX: "007" }, { SRX: "8" }],
  ["the exchange received", { SRX_STRING: "DAN" }, { SRX_STRING: "ROC" }],
  ["the number sent", { STX: "7" }, { STX: "8" }],
  ["the exchange sent", { STX_STRING: "DAN" }, { STX_STRING: "ROC" }],
  ["the second", { TIME_ON: "140010" }, { TIME_ON: "140045" }],
  ["the mode", { MODE: "FT8" }, { MODE: "PSK", SUBMODE: "PSK31" }],
];

describe("two records of one file that differ in", () => {
  test.each(TOLD_APART)("%s stay two contacts, in one file, in chunks and in another order", async (name, a, b) => {
    const [first, second] = [one(a), one(b)];
    const ways: AdifRecord[][][] = [[[first, second]], [[second, first]], [[first], [second]], [[second], [first]]];
    // In the short form the pairs take turns.
    const turn = TOLD_APART.findIndex(([other]) => other === name) % ways.length;
    for (const way of isFull(import.meta) ? ways : [ways[turn]!]) {
      const { load, log } = await aLog();
      for (const piece of way) await load(piece);
      const before = await log();
      expect(before.map(({ own }) => own!.file!.fields)).toHaveLength(2);

      for (const again of [[first, second], [second, first], [first], [second]]) {
        expect((await load(again, 1)).stats).toMatchObject({ added: 0, updated: 0, unmatched: 0 });
      }

      expect(await log()).toEqual(before);
      const kept = before.map(({ own }) => own!.file!.fields).sort((x, y) => (said2(x) < said2(y) ? -1 : 1));
      expect(kept).toEqual([first!.fields, second!.fields].sort((x, y) => (said2(x) < said2(y) ? -1 : 1)));
    }
  });

  test.each([
    ["its own city", { MY_CITY: "Boston" }, { MY_CITY: "Ottawa" }],
    ["its own country", { MY_COUNTRY: "United States" }, { MY_COUNTRY: "Canada" }],
    ["the other's town", { QTH: "Boston" }, { QTH: "Salem" }],
  ] as [string, Fields, Fields][])("%s stay two contacts, even if a later file has it differently", async (_, a, b) => {
    const records = [one(a), one(b)];
    for (const way of [records, records.toReversed()]) {
      const { load, log } = await aLog();
      await load(way);
      const before = await log();
      expect(before.map(({ own }) => own!.file!.fields)).toEqual(way.map(({ fields }) => fields));
      for (const again of [records, records.toReversed(), [records[1]!], [...records, ...records]]) {
        expect((await load(again, 1)).stats).toMatchObject({ added: 0, updated: 0, unmatched: 0 });
      }
      expect(await log()).toEqual(before);
    }
    const { load, log } = await aLog();
    await load([records[0]!]);
    expect((await load([records[1]!])).stats).toMatchObject({ added: 0, updated: 1 });
    expect(await log()).toHaveLength(1);
  });

  test("details are one contact, and importing the file again changes nothing", async () => {
    const { load, log } = await aLog();
    const records = [one({ COMMENT: "a", LOTW_QSL_RCVD: "N" }), one({ COMMENT: "b", NAME: "Ann", LOTW_QSL_RCVD: "Y" })];

    expect(await load(records)).toMatchObject({ stats: { added: 1, updated: 1 } });
    const before = await log();
    expect(before.map(({ own }) => own!.file!.fields)).toEqual([
      { ...records[0]!.fields, NAME: "Ann", LOTW_QSL_RCVD: "Y" },
    ]);

    expect(await load(records)).toMatchObject({ stats: { added: 0, updated: 0, unchanged: 2 } });
    expect(await log()).toEqual(before);
  });
});

const said2 = (fields: Fields): string => JSON.stringify(Object.entries(fields).sort());

test("a two-fer matches the one contact of a service once, and the other park is a contact of its own", async () => {
  const { world, id, load, log } = await aLog();
  await sync(world, id, "first", [lotw("K1ABC", "2026-08-01 14:02:10", { MODE: "SSB" })]);
  const parks = ["US-1234", "US-5678"].map((park) => one({ MY_SIG: "POTA", MY_SIG_INFO: park }));

  expect((await load(parks)).stats).toMatchObject({ added: 1, updated: 1, unmatched: 0 });
  const before = await log();
  expect((await load(parks.toReversed())).stats).toMatchObject({ added: 0, updated: 0, unmatched: 0 });

  expect(await log()).toEqual(before);
  expect(before.map(({ own }) => own!.file!.fields.MY_SIG_INFO).sort()).toEqual(["US-1234", "US-5678"]);
});

describe("a log that is imported again with a correction", () => {
  const neighbour = said("K2XYZ", "2026-08-01 15:00", { MODE: "SSB" });

  test("corrects its contact if the former record is gone", async () => {
    const { load, log } = await aLog();
    await load([one({ STATE: "WI" }), neighbour]);

    const job = await load([one({ STATE: "IL" }), neighbour]);

    expect(job.stats).toMatchObject({ added: 0, updated: 1, unchanged: 1 });
    expect((await log()).map(({ state }) => state)).toEqual(["IL", null]);
  });

  test("changes nothing of a contact whose former record is still there", async () => {
    const { load, log } = await aLog();
    await load([one({ STATE: "WI" }), neighbour]);

    const job = await load([one({ STATE: "IL" }), one({ STATE: "WI" }), neighbour]);

    expect(job.stats).toMatchObject({ added: 1, updated: 0, unchanged: 2 });
    expect((await log()).map(({ state }) => state).sort()).toEqual(["IL", "WI", null]);
  });
});

describe("logs of two programs", () => {
  const pairs: [name: string, Fields, Fields][] = [
    ["no own call", {}, { STATION_CALLSIGN: "", NAME: "Ann" }],
    ["SSB and a sideband", { MODE: "SSB" }, { MODE: "SSB", SUBMODE: "USB" }],
    ["SSB and a bare sideband", { MODE: "SSB" }, { MODE: "LSB" }],
    ["two sidebands", { MODE: "LSB", NAME: "A" }, { MODE: "SSB", SUBMODE: "USB", QTH: "B" }],
    ["minutes and seconds", {}, { TIME_ON: "140045" }],
    ["two seconds of one minute", { TIME_ON: "140012", QTH: "Rome" }, { TIME_ON: "140045", NAME: "Ann" }],
    ["DATA and FT8", { MODE: "DATA" }, { MODE: "FT8" }],
    ["MFSK and FT4", { MODE: "MFSK" }, { MODE: "FT4" }],
    ["PHONE and SSB", { MODE: "PHONE" }, { MODE: "SSB" }],
    ["a band without its unit", { BAND: "20" }, { BAND: "20M" }],
    ["a frequency and no band", { BAND: "", FREQ: "14.2" }, { BAND: "20M" }],
    ["neither band nor frequency", { BAND: "" }, { BAND: "20m" }],
    ["a frequency beyond the band's edge", { BAND: "", FREQ: "14.351" }, { BAND: "20m" }],
    ["a grid and a longer one", { GRIDSQUARE: "EN34" }, { GRIDSQUARE: "EN34qu" }],
    ["a county with its state and without", { CNTY: "WI,Pierce" }, { CNTY: "PIERCE" }],
    ["a state looked up elsewhere", { STATE: "WI", QTH: "Here" }, { STATE: "IL", NAME: "Ann" }],
    ["its own county from another profile", { MY_CNTY: "WI,Pierce", QTH: "H" }, { MY_CNTY: "NE,Douglas", NAME: "A" }],
    ["a place within one small square", { LAT: "N042 21.000", QTH: "H" }, { LAT: "42.36", NAME: "A" }],
    ["a place looked up elsewhere", { LAT: "N042 00.000", QTH: "H" }, { LAT: "N043 30.000", NAME: "A" }],
    ["zones and entity looked up elsewhere", { CQZ: "04", DXCC: "6", QTH: "H" }, { CQZ: "5", DXCC: "291", NAME: "A" }],
    ["a contest by another name", { CONTEST_ID: "CQWWSSB", QTH: "H" }, { CONTEST_ID: "CQ-WW-SSB", NAME: "A" }],
    [
      "a town and a country spelled otherwise",
      { QTH: "Boston", COUNTRY: "USA" },
      { QTH: "BOSTON, MA", COUNTRY: "United States", NAME: "A" },
    ],
    ["numbers with zeros before them", { SRX: "007", QTH: "H" }, { SRX: "7", NAME: "A" }],
    ["an exchange with the report and without", { SRX_STRING: "599 WI", QTH: "H" }, { SRX_STRING: "WI", NAME: "A" }],
    ["one park of two", { POTA_REF: "US-1,US-2", QTH: "H" }, { POTA_REF: "US-1", NAME: "A" }],
  ];

  test.each(pairs)("with %s make one contact in both orders, with the same values", async (_, a, b) => {
    const told = { LOTW_QSL_RCVD: "Y", APP_QRZLOG_STATUS: "C" };
    const records = [one({ ...a, ...told }), one({ ...b, COMMENT: "x" })];
    const logs = [];
    for (const order of [records, records.toReversed()]) {
      const { load, log } = await aLog();
      for (const record of order) expect((await load([record])).stats.unmatched).toBe(0);
      logs.push(await log());
      expect((await load([order[1]!])).stats).toMatchObject({ added: 0, updated: 0 });
    }
    for (const log of logs) {
      expect(log).toMatchObject([
        { firstConfirmed: true, secondConfirmed: true, stationCallsign: STATION, band: "20m" },
      ]);
    }
    const exact = ({ own }: Qso) => {
      const { TIME_ON, CNTY, POTA_REF, SRX_STRING, GRIDSQUARE } = own!.file!.fields;
      return { TIME_ON: TIME_ON!.length, CNTY: CNTY?.length, POTA_REF, SRX_STRING, GRIDSQUARE };
    };
    expect(exact(logs[0]![0]!)).toEqual(exact(logs[1]![0]!));
    const submodes = logs.map(([qso]) => qso!.submode !== null).filter(Boolean).length;
    expect(submodes).not.toBe(1);
  });

  test.each([
    ["the exchange", { SRX_STRING: "WI", QTH: "Here" }, { SRX_STRING: "IL", NAME: "Ann" }, "SRX_STRING"],
    ["the mode", { MODE: "FT8", QTH: "Here" }, { MODE: "RTTY", NAME: "Ann" }, "MODE"],
  ])("that differ in %s leave the decision to the user", async (_, a, b, name) => {
    const { world, id, load, log } = await aLog();
    await load([one(a)]);
    const before = await log();

    const job = await load([one(b)]);

    expect(job.stats).toMatchObject({ added: 0, updated: 0, unmatched: 1 });
    expect(await log()).toEqual(before);
    const [left] = (await world.db.read(() => leftovers.list(job.id, { limit: 9 }))).rows;
    expect(left).toMatchObject({
      reason: `differs in ${name} from the QSO of the same minute`,
      candidates: [before[0]!.id],
      record: one(b),
    });
    await load([one(a)]);
    await load([one(b)]);
    expect(await log()).toEqual(before);
    expect(await world.db.read(() => leftovers.listOpen(id, "file", 0, 9))).toHaveLength(1);
  });

  test("with another band, own call, mode group or satellite are of two contacts", async () => {
    const others: Fields[] = [
      { BAND: "40m" },
      { STATION_CALLSIGN: "YU1TEST/P" },
      { MODE: "CW" },
      { PROP_MODE: "SAT", SAT_NAME: "SO-50" },
      { TIME_ON: "1401" },
    ];
    const { load, log } = await aLog();
    await load([one()]);

    for (const other of others) expect((await load([one({ NAME: "Ann", ...other })])).stats.added).toBe(1);

    expect(await log()).toHaveLength(1 + others.length);
  });
});

test("a contact edited by the user is recognised by the file's values and by the new ones", async () => {
  const { world, id, load, log } = await aLog();
  await load([one({ STATE: "WI" })]);
  const [{ id: qsoId }] = (await log()) as [Qso];
  await editQso(world, id, qsoId, { startedAt: "2026-08-01T14:20:00Z", state: "IL" }, await world.callFacts());

  expect((await load([one({ STATE: "WI" })])).stats).toMatchObject({ added: 0, updated: 0, unchanged: 1 });
  expect((await importLog(world, id, await exported(world, id))).stats).toMatchObject({ added: 0, unmatched: 0 });
  expect(await log()).toHaveLength(1);
});

/** A contact as it was, the programs that have it, and the services that confirmed it. */
const truth = fc.array(
  fc.record({
    call: fc.constantFrom("K1ABC", "K2XYZ", "DL1ABC", "JA1XYZ"),
    band: fc.constantFrom("20m", "40m"),
    mode: fc.constantFrom("CW", "USB", "FT8", "FT4", "PSK31"),
    second: fc.integer({ min: 1, max: 59 }),
    grid: fc.constantFrom("EN34QU", "FN31AB"),
    otherState: fc.boolean(),
    park: fc.constantFrom(null, "US-0001", "US-0002"),
    tellers: fc.subarray(["qrz", "n3fjp", "log4om", "report", "wsjtx"] as const, { minLength: 1 }),
    isConfirmed: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);
type Contact = (typeof truth extends fc.Arbitrary<infer T> ? T : never)[number];
type Dialect = Contact["tellers"][number];

const NARROW: Record<string, Fields> = {
  CW: { MODE: "CW" },
  USB: { MODE: "SSB", SUBMODE: "USB" },
  FT8: { MODE: "FT8" },
  FT4: { MODE: "MFSK", SUBMODE: "FT4" },
  PSK31: { MODE: "PSK", SUBMODE: "PSK31" },
};
const WIDE: Record<string, Fields> = {
  ...NARROW,
  USB: { MODE: "SSB" },
  FT4: { MODE: "DATA" },
  PSK31: { MODE: "DATA" },
};

const DIALECTS: Record<Dialect, (contact: Contact, at: number, index: number) => FileRecord> = {
  qrz: ({ call, band, mode, otherState, isConfirmed }, at, index) => ({
    fields: {
      APP_QRZLOG_LOGID: String(1000 + index),
      APP_QRZLOG_STATUS: isConfirmed ? "C" : "N",
      CALL: call,
      ...moment(at, 4),
      BAND: band,
      MODE: mode,
      STATION_CALLSIGN: STATION,
      STATE: otherState ? "IL" : "WI",
      COUNTRY: "United States",
    },
  }),
  n3fjp: ({ call, band, mode }, at) => ({
    fields: { CALL: call, ...moment(at, 6), BAND: band.toUpperCase(), ...WIDE[mode], STATE: "WI", CONT: "NA" },
  }),
  log4om: ({ call, band, mode, grid, park, isConfirmed }, at) => ({
    fields: {
      CALL: call,
      ...moment(at, 6),
      BAND: band,
      FREQ: band === "20m" ? "14.1" : "7.1",
      ...NARROW[mode],
      STATION_CALLSIGN: STATION,
      GRIDSQUARE: grid,
      LOTW_QSL_RCVD: isConfirmed ? "Y" : "N",
      ...(park && { MY_SIG: "POTA", MY_SIG_INFO: park }),
    },
  }),
  report: ({ call, band, mode, isConfirmed }, at) => ({
    fields: {
      STATION_CALLSIGN: STATION,
      CALL: call,
      BAND: band.toUpperCase(),
      ...WIDE[mode],
      ...moment(at, 6),
      QSL_RCVD: isConfirmed ? "Y" : "N",
      STATE: "WI",
      DXCC: "291",
    },
    program: "LoTW",
  }),
  wsjtx: ({ call, band, mode, grid }, at) => ({
    fields: {
      CALL: call,
      GRIDSQUARE: grid.slice(0, 4),
      ...NARROW[mode],
      ...moment(at, 6),
      BAND: band,
      STATION_CALLSIGN: STATION,
      MY_GRIDSQUARE: "KN04FT",
    },
  }),
};

const moment = (at: number, digits: 4 | 6): Fields => {
  const [date = "", time = ""] = new Date(at).toISOString().split("T");
  return { QSO_DATE: date.replaceAll("-", ""), TIME_ON: time.replaceAll(":", "").slice(0, digits) };
};

const filesOf = (contacts: readonly Contact[]) => {
  const files: Partial<Record<Dialect, FileRecord[]>> = {};
  contacts.forEach((contact, index) => {
    const at = Date.UTC(2026, 7, 1, 12, index * 40, contact.second);
    for (const teller of contact.tellers) (files[teller] ??= []).push(DIALECTS[teller](contact, at, index));
  });
  return Object.entries(files) as [Dialect, FileRecord[]][];
};

const holds = async <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => Promise<void>): Promise<void> => {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    await check(value);
    await cleanUp();
  });
  await fc.assert(property, { numRuns: RUNS });
};

const LATER_FILE_WINS = ["state", "awardState", "firstState", "freqHz", "startedAt"];
const ROW = ["id", "userId", "own", "createdAt", "updatedAt"];

const columnsOf = async (world: TestWorld, userId: number, left: readonly string[]) =>
  (await logOf(world, userId))
    .map((qso) => Object.fromEntries(Object.entries(qso).filter(([name]) => ![...ROW, ...left].includes(name))))
    .map((columns) => JSON.stringify(columns))
    .sort();

test("logs of five programs make the same log in any order, with the same confirmations, and importing them again changes nothing", async () => {
  const example = truth.chain((contacts) => {
    const files = filesOf(contacts);
    const order = fc.shuffledSubarray(files, { minLength: files.length });
    return fc.record({ contacts: fc.constant(contacts), orders: fc.tuple(order, order) });
  });
  await holds(example, async ({ contacts, orders }) => {
    const logs: string[][] = [];
    for (const files of orders) {
      const { world, id, load, log } = await aLog();
      for (const [, records] of files) {
        expect((await load(records)).stats.unmatched).toBe(0);
        const before = await log();
        expect((await load(records, 1)).stats).toMatchObject({ added: 0, updated: 0, unmatched: 0 });
        expect(await log()).toEqual(before);
      }
      const told = await log();
      expect(told).toHaveLength(contacts.length);
      contacts.forEach(({ tellers, isConfirmed }, index) => {
        const isToldBy = (...dialects: Dialect[]) => isConfirmed && dialects.some((one) => tellers.includes(one));
        expect(told[index]).toMatchObject({
          firstConfirmed: isToldBy("log4om", "report"),
          secondConfirmed: isToldBy("qrz"),
          cardConfirmed: false,
        });
      });
      for (const [, records] of files) expect((await load(records)).stats).toMatchObject({ added: 0, unmatched: 0 });
      logs.push(await columnsOf(world, id, LATER_FILE_WINS));
    }
    expect(logs[1]).toEqual(logs[0]!);
  });
});

test("the log from five programs is the same after an export and an import elsewhere", async () => {
  await holds(truth, async (contacts) => {
    const { world, id, load, log } = await aLog();
    for (const [, records] of filesOf(contacts)) await load(records);
    const text = await exported(world, id);
    const { id: eve } = await aUser(world, "eve");

    const job = await importLog(world, eve, text);

    expect(job.stats).toMatchObject({ added: (await log()).length, updated: 0, unmatched: 0 });
    const left = ["firstId", "firstConfirmedAt"];
    expect(await columnsOf(world, eve, left)).toEqual(await columnsOf(world, id, left));
    expect((await importLog(world, id, text)).stats).toMatchObject({ added: 0, unmatched: 0 });
  });
});
