import { describe, expect, test } from "bun:test";
import { version } from "../../package.json";
import { writeRecord } from "../../src/adif/writer.ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import type { QsoFilter } from "../../src/domain/contact/qso-filter.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import { exportLog, FORMAT_NAMES, readRecordsAfter } from "../../src/contacts/export.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import { read } from "../adif/reading.ts";
import { tcadif } from "../adif/tcadif.ts";
import { isFull } from "../support/full.ts";
import { everyLog } from "../support/samples.ts";
import { turnsDuring } from "../support/turns.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";
import { aContact, aLog, exported, importLog, typed } from "./log.ts";

/** Fields that differ because modes are normalised and a report of the first service becomes an ordinary file. */
const MODE = ["MODE", "SUBMODE", "APP_LOTW_MODE", "APP_LOTW_MODEGROUP", "APP_QSOLOG_MODE"];
const CLAIM = ["QSL_RCVD", "QSLRDATE", "LOTW_QSL_RCVD", "LOTW_QSLRDATE"];
/** Fields that only the first service itself can provide. */
const SERVICE_ONLY = ["firstId", "firstConfirmedAt"];

const isReport = (qso: Qso) => qso.firstId !== null;

/** Some programs write only the end time. */
const hasStart = ({ own }: Qso) => own?.file?.fields.TIME_ON !== undefined;

const without = (values: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !names.includes(name) && value !== "00000000"));

const ROW = ["id", "userId", "own", "createdAt", "updatedAt"];

const columnsOf = (qso: Qso, left: readonly string[]) => without(qso, [...ROW, ...left]);

const saidIn = (qso: Qso, left: readonly string[]) =>
  (Object.values(qso.own!) as AdifRecord[]).map(({ fields, types }) => ({
    fields: without(fields, [...MODE, ...left]),
    types,
  }));

const byContent = (contacts: readonly Qso[]): Qso[] =>
  contacts
    .map((qso) => ({ qso, content: JSON.stringify(saidIn(qso, CLAIM)) }))
    .sort((a, b) => a.qso.startedAt - b.qso.startedAt || (a.content < b.content ? -1 : 1))
    .map(({ qso }) => qso);

/** The largest log takes seconds. */
const LOGS = everyLog().filter(({ bytes, isReal }) => !isReal || bytes.length < 960_000 || isFull(import.meta));

describe("a log after import, export and import", () => {
  test.each(LOGS.map((log) => [log.name, log] as const))("%s has the same contacts", async (_, { bytes }) => {
    const world = await testWorld();
    const before = await aLog(world, "ann", bytes);
    const text = await exported(world, before.userId);

    const after = await aLog(world, "bob", text);
    const again = await importLog(world, before.userId, text);

    expect(after.job.stats).toMatchObject({ added: before.contacts.length, rejected: 0, unmatched: 0 });
    expect(again.stats).toMatchObject({ added: 0, unmatched: 0 });
    const fresh = byContent(after.contacts);
    const changed = byContent(before.contacts).flatMap((qso, index) => {
      const kept = isReport(qso) ? [CLAIM, SERVICE_ONLY] : [hasStart(qso) ? [] : ["TIME_ON"], []];
      const [was, is] = [qso, fresh[index]!].map((one) => ({
        ...columnsOf(one, kept[1]!),
        own: saidIn(one, kept[0]!),
      }));
      return Bun.deepEquals(was, is) ? [] : [{ was, is }];
    });
    expect(changed.slice(0, 3)).toEqual([]);
    assertStrictReaderTakes(text, before.contacts.length);
  });
});

const CORE = ["CALL", "QSO_DATE", "TIME_ON", "BAND", "MODE", "SUBMODE"];
const CONFIRMATION = ["LOTW_QSL_RCVD", "LOTW_QSLRDATE", "QSL_RCVD", "QSLRDATE"];

/**
 * One contact of each kind, because the strict parser is slow. Errors of other programs in other fields are ignored.
 */
const assertStrictReaderTakes = (text: string, contacts: number): void => {
  const { records, problems } = read(text);
  expect(problems).toEqual([]);
  expect(records).toHaveLength(contacts);
  const kinds = new Map(
    records.map(({ fields }) => [
      CORE.slice(3)
        .map((name) => fields[name])
        .join(),
      fields,
    ]),
  );
  for (const fields of kinds.values()) {
    const given = [...CORE, ...CONFIRMATION].filter((name) => fields[name] !== undefined);
    const contact = writeRecord({ fields: Object.fromEntries(given.map((name) => [name, fields[name]!])) });
    expect(tcadif.ADIF.parse(`qsolog<EOH>${contact}`).qsos[0]!.toObject()).toMatchObject({ MODE: fields.MODE });
  }
};

test("the header names program and version, and the contacts come oldest first", async () => {
  const world = await testWorld();
  const { id: userId } = await aUser(world, "bob");
  await aContact(world, userId, typed({ CALL: "K1NEW" }));
  await aContact(world, userId, typed({ CALL: "K1OLD", QSO_DATE: "20200101" }));
  const { id: eve } = await aUser(world, "eve");
  await aContact(world, eve, typed({ CALL: "EV3" }));

  const { header, records } = read(await exported(world, userId));

  expect(header!.fields).toMatchObject({ ADIF_VER: "3.1.6", PROGRAMID: "qsolog", PROGRAMVERSION: version });
  expect(records.map(({ fields }) => fields.CALL)).toEqual(["K1OLD", "K1NEW"]);
});

test("only contacts of the filter are exported, and an empty log is only a header", async () => {
  const world = await testWorld();
  const { id: userId } = await aUser(world, "bob");
  await aContact(world, userId, typed({ CALL: "K1ABC" }));
  await aContact(world, userId, typed({ CALL: "N0NEW", BAND: "2m" }));

  expect(read(await exported(world, userId, { band: ["2m"] })).records.map(({ fields }) => fields.CALL)).toEqual([
    "N0NEW",
  ]);
  expect(read(await exported(world, userId, { band: ["6m"] })).records).toEqual([]);
});

test("a long log comes in chunks of at most 250 contacts, each made when the one before was read", async () => {
  const world = await testWorld();
  const userId = await aLongLog(world, 1_300);
  let reads = 0;
  const db = { ...world.db, read: (unit: never) => (reads++, world.db.read(unit)) };

  const sizes: number[] = [];
  for await (const piece of exportLog({ ...world, db } as never, userId, {})) {
    sizes.push(piece.split("<EOR>").length - 1);
    expect(reads).toBe(sizes.length);
  }

  expect(sizes[0]).toBe(0);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(250);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(1_300);
  // Reading from a server blocks nobody, so its pages do not shrink.
  if (world.db.isShared) expect(sizes.length).toBeLessThanOrEqual(8);
});

// Defence: requests about a large log do not delay other users
test.each(FORMAT_NAMES.filter((name) => name !== "cabrillo"))(
  "other work gets many turns during an export as %s",
  async (format) => {
    const world = await testWorld();
    const userId = await aLongLog(world, 5_000);

    const turns = await turnsDuring(() => Array.fromAsync(exportLog(world, userId, {}, { format })));

    expect(turns).toBeGreaterThanOrEqual(20);
  },
);

test("a filter of a large log runs in the reader thread, an export by date does not", async () => {
  const world = await testWorld();
  const userId = await aLongLog(world, 20_001);
  let searches = 0;
  const inWorker = (...order: Parameters<typeof world.db.inWorker>) => {
    searches += 1;
    return world.db.inWorker(...order);
  };
  const db = { ...world.db, read: world.db.read.bind(world.db), inWorker };
  const exportedBy = (filter: QsoFilter) => Array.fromAsync(exportLog({ ...world, db } as never, userId, filter));

  expect((await exportedBy({ call: ["N0BODY"] })).join("").includes("<EOR>")).toBeFalse();
  expect(searches).toBe(1);
  await exportedBy({ to: 0 });
  expect(searches).toBe(1);
});

test("other work gets many turns while a program fetches a long log", async () => {
  const world = await testWorld();
  const userId = await aLongLog(world, 5_000);
  const asked = { afterId: 0, station: null, limit: 4_900 };

  let found: Awaited<ReturnType<typeof readRecordsAfter>>;
  const turns = await turnsDuring(async () => (found = await readRecordsAfter(world, userId, asked)));

  expect(turns).toBeGreaterThanOrEqual(19);
  expect(found!.count).toBe(4_900);
  expect(found!.pieces.join("").split("<EOR>")).toHaveLength(4_901);
});

const aLongLog = async (world: TestWorld, contacts: number): Promise<number> => {
  const { id: userId } = await aUser(world, "bob");
  const one = await aContact(world, userId, typed({}));
  const others = Array.from({ length: contacts - 1 }, () => one);
  await world.db.write(() => qsos.addMany(userId, others));
  return userId;
};
