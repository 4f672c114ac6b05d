import { describe, expect, test } from "bun:test";
import { createUser } from "../../src/people/users.ts";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import { NO_LAYERS, type Layers } from "../../src/domain/contact/layers.ts";
import { getMarks } from "../../src/domain/contact/marks.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { addQso, deleteQso, editQso } from "../../src/contacts/edit.ts";
import { toQsoView } from "../../src/domain/contact/qso-view.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import * as tombstones from "../../src/storage/log/tombstones.ts";
import * as users from "../../src/storage/people/users.ts";
import { aUser, NOON, testWorld } from "../support/world.ts";
import { aContact, contactsOf, facts } from "./log.ts";

const CONTACT = { call: "K1ABC", startedAt: "2026-08-01 10:00", band: "20m", mode: "FT8" };

const aLogbook = async () => {
  const world = await testWorld();
  const { id: bob } = await aUser(world, "bob");
  const { id: eve } = await aUser(world, "eve");
  return {
    world,
    bob,
    eve,
    add: (typed: Record<string, unknown>) => addQso(world, bob, typed, facts),
    edit: (id: number, patch: Record<string, unknown>, userId = bob) => editQso(world, userId, id, patch, facts),
    version: () => world.db.read(() => users.logVersion(bob)),
  };
};

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
};

const pathsOf = async (work: Promise<unknown>) => (await refusal(work)).fields!.map(({ path }) => path).sort();

describe("adding a contact", () => {
  test("keeps what was typed, derives the rest, and increases the log version", async () => {
    const { add, version, world, bob } = await aLogbook();

    const qso = await add({
      ...CONTACT,
      call: "k1abc",
      freqHz: 14_074_000,
      rstSent: "-09",
      extra: { sota_ref: "W1/HA-001" },
    });

    const typed = { CALL: "K1ABC", QSO_DATE: "20260801", TIME_ON: "1000", BAND: "20m", MODE: "FT8" };
    expect(qso.own).toEqual({ typed: { ...typed, FREQ: "14.074", RST_SENT: "-09", SOTA_REF: "W1/HA-001" } });
    expect(qso).toMatchObject({
      call: "K1ABC",
      startedAt: NOON - 7_200_000,
      dxcc: 291,
      modeGroup: "digital",
      year: 2026,
    });
    expect(await contactsOf(world, bob)).toEqual([qso]);
    expect(await version()).toBe(1);
  });

  test("sets the band from the frequency, and the mode from a submode", async () => {
    const { add } = await aLogbook();
    const { band: _, ...noBand } = CONTACT;

    const qso = await add({ ...noBand, freqHz: "7040250", mode: "psk31", startedAt: Date.UTC(2026, 6, 1, 1, 2, 3) });

    expect(qso).toMatchObject({ band: "40m", freqHz: 7_040_250, mode: "PSK", submode: "PSK31" });
    expect(qso.own!.typed).toMatchObject({ TIME_ON: "010203", FREQ: "7.04025" });
  });

  test.each([
    ["09:30", "20260801", "0930"],
    ["9:30", "20260801", "0930"],
    ["1134", "20260801", "1134"],
    ["1134z", "20260801", "1134"],
    ["11:34:56", "20260801", "113456"],
    ["113456", "20260801", "113456"],
    ["12:04", "20260801", "1204"],
    ["12:34", "20260731", "1234"],
    ["20260731 1234", "20260731", "1234"],
    ["2026-07-31T12:34Z", "20260731", "1234"],
    ["2026-07-31 12:34 UTC", "20260731", "1234"],
    ["1785500000", "19700121", "155820"],
    [1234, "19700101", "000001"],
  ])("accepts the time %p as people type it", async (startedAt, QSO_DATE, TIME_ON) => {
    const { add } = await aLogbook();
    expect((await add({ ...CONTACT, startedAt })).own!.typed).toMatchObject({ QSO_DATE, TIME_ON });
  });

  test("reads a time of end without a date as the next one after the start", async () => {
    const { add } = await aLogbook();
    const qso = await add({ ...CONTACT, startedAt: "2026-07-20 23:58", endedAt: "0010" });
    expect(qso.endedAt! - qso.startedAt).toBe(12 * 60_000);
  });

  test("accepts bands and modes as people type them, and names what is invalid", async () => {
    const { add } = await aLogbook();
    expect(await add({ ...CONTACT, band: "40", mode: "phone" })).toMatchObject({
      band: "40m",
      mode: "SSB",
      submode: null,
    });
    const { message } = await refusal(add({ ...CONTACT, mode: "data" }));
    expect(message).toBe('"data" stands for several modes. Enter one, such as FT8, RTTY or PSK31.');
    const wrong = await refusal(add({ ...CONTACT, startedAt: "25:00" }));
    expect(wrong.message).toBe('"25:00" is not a time; use HH:MM or YYYY-MM-DD HH:MM (UTC).');
  });

  test("uses the user's callsign unless another is typed", async () => {
    const { world, bob } = await aLogbook();
    const { id: ann } = await createUser(world, OPERATOR, {
      username: "ann",
      password: "long enough",
      callsign: "YU1X",
    });

    expect((await addQso(world, ann, CONTACT, facts)).stationCallsign).toBe("YU1X");
    expect((await addQso(world, ann, { ...CONTACT, stationCallsign: "yu1x/p" }, facts)).stationCallsign).toBe("YU1X/P");
    expect((await addQso(world, bob, CONTACT, facts)).stationCallsign).toBeNull();
  });

  test("is refused if the contact exists; another second, mode or own callsign is another contact", async () => {
    const { add, world, bob } = await aLogbook();
    const { id } = await add(CONTACT);

    const again = await refusal(add({ ...CONTACT, call: "k1abc", comment: "again" }));

    expect(again).toMatchObject({ code: "conflict", rule: "duplicate_qso" });
    expect(again.message).toContain(String(id));
    await add({ ...CONTACT, startedAt: "2026-08-01 10:00:30" });
    await add({ ...CONTACT, mode: "SSB" });
    await add({ ...CONTACT, stationCallsign: "YU1X" });
    expect(await contactsOf(world, bob)).toHaveLength(4);
  });

  const WRONG: [string, Record<string, unknown>, string[]][] = [
    ["nothing at all", {}, ["band", "call", "mode", "startedAt"]],
    ["everything", { call: "!", startedAt: "now", band: "21m", mode: "FTT8" }, ["band", "call", "mode", "startedAt"]],
    ["a call of digits", { ...CONTACT, call: "123" }, ["call"]],
    ["the 30th of February", { ...CONTACT, startedAt: "2026-02-30 10:00" }, ["startedAt"]],
    ["a time to come", { ...CONTACT, startedAt: "2026-08-03 10:00" }, ["startedAt"]],
    ["a time before radio logs", { ...CONTACT, startedAt: "1929-12-31 10:00" }, ["startedAt"]],
    ["a frequency of another band", { ...CONTACT, freqHz: 7_074_000 }, ["freqHz"]],
    ["a frequency of no band", { ...CONTACT, freqHz: 14_900_000 }, ["freqHz"]],
    ["megahertz for hertz", { ...CONTACT, freqHz: 14.074 }, ["freqHz"]],
    ["a submode of another mode", { ...CONTACT, submode: "USB" }, ["submode"]],
    [
      "zones and entities that are none",
      { ...CONTACT, cqZone: 41, ituZone: 0, dxcc: 999 },
      ["cqZone", "dxcc", "ituZone"],
    ],
    [
      "a grid, an island and a power",
      { ...CONTACT, gridsquare: "ZZ00", iota: "EU-000", txPower: -1 },
      ["gridsquare", "iota", "txPower"],
    ],
    ["two lines", { ...CONTACT, comment: "one\ntwo" }, ["comment"]],
    ["a name nobody knows, and one that is worked out", { ...CONTACT, colour: "red", year: 2020 }, ["colour", "year"]],
    [
      "extra fields with a place of their own",
      { ...CONTACT, extra: { freq: "14", "<X>": "1", OK: { a: 1 } } },
      ["extra.<X>", "extra.FREQ", "extra.OK"],
    ],
    ["values of another kind", { ...CONTACT, name: { a: 1 }, qth: true }, ["name", "qth"]],
  ];
  test.each(WRONG)("is refused completely: %s", async (_, typed, paths) => {
    const { add, version } = await aLogbook();

    expect(await pathsOf(add(typed))).toEqual(paths);
    expect(await version()).toBe(0);
  });
});

describe("editing a contact", () => {
  test("writes only what was typed; a cleared value returns to that of other sources", async () => {
    const { world, bob, edit, version } = await aLogbook();
    const file = {
      fields: { CALL: "K1ABC", QSO_DATE: "20260801", TIME_ON: "1000", BAND: "20m", MODE: "CW", NAME: "Joe" },
    };
    const { id } = await aContact(world, bob, { own: { file } });

    const named = await edit(id, { name: "Joseph", mode: "SSB", submode: "USB" });
    const back = await edit(id, { name: null, mode: null });

    expect(named).toMatchObject({ name: "Joseph", mode: "SSB", submode: "USB", own: { file } });
    expect(back).toMatchObject({ name: "Joe", mode: "CW", submode: null, own: { file } });
    expect(back.own).toEqual({ file });
    expect(await contactsOf(world, bob)).toEqual([back]);
    expect(await version()).toBe(2);
  });

  test("clears the typed submode with another mode, and moves the band with another frequency", async () => {
    const { add, edit } = await aLogbook();
    const { id } = await add({ ...CONTACT, mode: "USB", freqHz: 14_200_000 });

    expect(await edit(id, { mode: "CW" })).toMatchObject({ mode: "CW", submode: null });
    expect(await edit(id, { freqHz: 7_030_000 })).toMatchObject({ band: "40m", freqHz: 7_030_000 });
    expect(await pathsOf(edit(id, { band: "20m" }))).toEqual(["freqHz"]);
    expect(await edit(id, { band: "20m", freqHz: null })).toMatchObject({ band: "20m", freqHz: null });
  });

  test("keeps the day if only a time is typed", async () => {
    const { add, edit } = await aLogbook();
    const { id } = await add({ ...CONTACT, startedAt: "2015-03-01 10:00" });

    expect((await edit(id, { startedAt: "10:07" })).startedAt).toBe(Date.UTC(2015, 2, 1, 10, 7));
  });

  test("without a change leaves row and log version unchanged", async () => {
    const { world, add, edit, version } = await aLogbook();
    const qso = await add(CONTACT);
    world.clock.advance(1_000);

    expect(await edit(qso.id, { mode: "ft8", name: null })).toEqual(qso);
    expect(await version()).toBe(1);
  });

  test("cannot clear a value that no other source has", async () => {
    const { add, edit } = await aLogbook();
    const { id } = await add(CONTACT);

    expect(await pathsOf(edit(id, { call: null }))).toEqual(["call"]);
    expect(await pathsOf(edit(id, { startedAt: null }))).toEqual(["startedAt"]);
    expect(await pathsOf(edit(id, { band: null, mode: null }))).toEqual(["band", "mode"]);
  });

  test("is refused if it becomes an existing contact", async () => {
    const { add, edit } = await aLogbook();
    await add(CONTACT);
    const { id } = await add({ ...CONTACT, mode: "CW" });

    expect(await refusal(edit(id, { mode: "FT8" }))).toMatchObject({ rule: "duplicate_qso" });
  });

  // Defence: another user's data is "not found"
  test("another user's contact does not exist", async () => {
    const { add, edit, eve, world } = await aLogbook();
    const { id } = await add(CONTACT);

    expect(await refusal(edit(id, { name: "Eve" }, eve))).toMatchObject({ code: "not_found" });
    expect(await refusal(deleteQso(world, eve, id))).toMatchObject({ code: "not_found" });
    expect(await world.db.read(() => qsos.find(eve, id))).toBeNull();
  });
});

test("a deleted contact leaves a tombstone with its ids, and the version of the log rises", async () => {
  const { world, bob, version } = await aLogbook();
  const fields = { CALL: "K1ABC", QSO_DATE: "20260801", TIME_ON: "1000", BAND: "20m", MODE: "CW" };
  const { id, startedAt } = await aContact(world, bob, {
    second: { record: { fields: { ...fields, APP_QRZLOG_LOGID: "42" } } },
  });

  expect((await deleteQso(world, bob, id)).id).toBe(id);

  expect(await contactsOf(world, bob)).toEqual([]);
  const graves = await world.db.read(() =>
    tombstones.findMeant(bob, { calls: ["K1ABC"], from: startedAt, to: startedAt }),
  );
  expect(graves).toMatchObject([{ call: "K1ABC", band: "20m", modeGroup: "cw", secondId: "42" }]);
  expect(await version()).toBe(1);
  expect(await refusal(deleteQso(world, bob, id))).toMatchObject({ code: "not_found" });
});

test("a contact is shown with its columns, the records of each source, and fields without a column", async () => {
  const { world, bob } = await aLogbook();
  const fields = { CALL: "K1ABC", QSO_DATE: "20260801", TIME_ON: "1000", BAND: "20m", MODE: "CW" };
  const qsl = { ...fields, QSL_RCVD: "Y", QSLRDATE: "20260802", STATE: "WI" };
  const qso = await aContact(world, bob, {
    own: { typed: { NAME: "Ann" }, file: { fields: { ...fields, QSL_RCVD: "Y", APP_QRZLOG_STATUS: "C", RIG: "K3" } } },
    first: { qso: { fields }, qsl: { fields: qsl } },
  });

  const view = toQsoView(qso);

  expect(view).toMatchObject({
    id: qso.id,
    call: "K1ABC",
    entity: "United States",
    confirmation: "both",
    card: { confirmed: true },
    own: {
      confirmed: true,
      confirmedAt: null,
      externalId: null,
      typed: { NAME: "Ann" },
      details: { NAME: "Ann", RIG: "K3" },
    },
    first: {
      confirmed: true,
      confirmedAt: Date.UTC(2026, 7, 2),
      via: "service",
      externalId: qso.firstId,
      details: qsl,
    },
    second: { confirmed: true, confirmedAt: null, via: "file", externalId: null, details: null },
    extra: { RIG: "K3" },
  });
  expect(
    Object.keys(view).filter((name) => /^award|^first.|^second.|Confirmed|userId|rulesVersion/.test(name)),
  ).toEqual([]);
});

test("a service without a record of a contact is null, and one with an unconfirmed record is not", async () => {
  const fields = { CALL: "K1ABC", QSO_DATE: "20260801", TIME_ON: "1234", BAND: "20m", MODE: "CW" };
  const seen = (layers: Partial<Layers>) => {
    const whole = { ...NO_LAYERS, ...layers };
    const { first, second, card, confirmation } = toQsoView({
      ...derive(whole, facts)!,
      ...whole,
      id: 1,
      userId: 1,
      createdAt: NOON,
      updatedAt: NOON,
      rulesVersion: RULES_VERSION,
    });
    return [
      first?.confirmed ?? null,
      second?.confirmed ?? null,
      confirmation,
      ...Object.values(getMarks({ first, second, card })),
    ];
  };
  const file = (more: Record<string, string>, program = "Logger") => ({
    own: { [program === "LoTW" ? "report" : "file"]: { fields: { ...fields, ...more }, program } },
  });

  expect(seen(file({}))).toEqual([null, null, "none", "–", "–", "–"]);
  expect(seen(file({ LOTW_QSL_SENT: "Y", LOTW_QSL_RCVD: "N" }))).toEqual([null, null, "none", "–", "–", "–"]);
  expect(seen(file({ QSL_RCVD: "Y" }))).toEqual([null, null, "cardOnly", "–", "–", "C"]);
  expect(seen(file({ LOTW_QSL_RCVD: "Y" }))).toEqual([true, null, "firstOnly", "C", "–", "–"]);
  expect(seen(file({ APP_QRZLOG_LOGID: "7" }))).toEqual([null, false, "none", "–", "W", "–"]);
  expect(seen(file({ QSL_RCVD: "N" }, "LoTW"))).toEqual([false, null, "none", "W", "–", "–"]);
  expect(seen({ first: { qso: { fields } } })).toEqual([false, null, "none", "W", "–", "–"]);
  expect(seen({ second: { record: { fields: { ...fields, APP_QRZLOG_STATUS: "C" } } } })).toEqual([
    null,
    true,
    "secondOnly",
    "–",
    "C",
    "–",
  ]);
});

describe("editing a contact that somebody else changed", () => {
  const opened = { name: "Tom", qth: null, comment: null };

  test("is refused with both versions if a changed field would be overwritten", async () => {
    const { add, edit, world, bob } = await aLogbook();
    const { id } = await add({ ...CONTACT, name: "Tom" });
    await edit(id, { name: "Thomas", comment: "worked on holiday" });

    const refused = await refusal(edit(id, { name: "Tommy", seen: opened }));

    expect(refused).toMatchObject({ code: "conflict", rule: "changed_meanwhile" });
    expect(refused.fields).toEqual([
      { path: "name", message: 'It was "Tom" when you opened this page and is now "Thomas".' },
    ]);
    const [qso] = await contactsOf(world, bob);
    expect(qso).toMatchObject({ name: "Thomas", comment: "worked on holiday" });
  });

  test("writes the edited fields and keeps the others' changes", async () => {
    const { add, edit } = await aLogbook();
    const { id } = await add({ ...CONTACT, name: "Tom" });
    await edit(id, { qth: "Toronto", comment: "worked on holiday" });

    expect(await edit(id, { name: "Thomas", seen: opened })).toMatchObject({
      name: "Thomas",
      qth: "Toronto",
      comment: "worked on holiday",
    });
  });

  test("refuses a version that is not an object", async () => {
    const { add, edit } = await aLogbook();
    const { id } = await add(CONTACT);

    for (const seen of [null, 7, "x"]) expect(await pathsOf(edit(id, { name: "Tom", seen }))).toEqual(["seen"]);
  });
});
