import { describe, expect, test } from "bun:test";
import {
  AWARD_IDS,
  describeModeUnknown,
  type Asked,
  type AwardId,
  type Progress,
} from "../../src/domain/awards/award.ts";
import type { Snapshot } from "../../src/storage/log/qsos.ts";
import { CURRENT } from "../../src/awards/dxcc.ts";
import { aKeeper, byCard, byFirst, bySecond, heard, worked } from "./logs.ts";
import { aFileRecord } from "../support/contacts.ts";

const at = (date: string) => Date.parse(`${date}T12:00:00Z`);

/** Worked and confirmed slots of an award, as `worked/confirmed`. */
interface Rule {
  name: string;
  log: Snapshot[];
  award: AwardId;
  view?: Asked;
  gives: string;
}

const germany = { call: "DL1ABC", dxcc: 230, state: "", grid: "" };
const iowa = { call: "K0XYZ", state: "IA", grid: "" };

const RULES: readonly Rule[] = [
  { name: "a contact counts as worked", log: [worked(germany)], award: "dxcc", gives: "1/0" },
  { name: "the first service confirms", log: [byFirst(germany)], award: "dxcc", gives: "1/1" },
  { name: "a card confirms", log: [byCard(germany)], award: "dxcc", gives: "1/1" },
  {
    name: "85: the second service alone does not confirm for the sponsor",
    log: [bySecond(germany)],
    award: "dxcc",
    gives: "1/0",
  },
  {
    name: "85: but it does when asked for",
    log: [bySecond(germany)],
    award: "dxcc",
    view: { by: "second" },
    gives: "1/1",
  },
  {
    name: "anybody's word counts when asked for",
    log: [bySecond(germany)],
    award: "dxcc",
    view: { by: "any" },
    gives: "1/1",
  },
  {
    name: "79: a deleted entity counts in its time",
    log: [byFirst({ ...germany, dxcc: 2, at: at("1990-05-01") })],
    award: "dxcc",
    gives: "1/1",
  },
  {
    name: "79: and not after it",
    log: [byFirst({ ...germany, dxcc: 2, at: at("1992-05-01") })],
    award: "dxcc",
    gives: "0/0",
  },
  {
    name: "28: a deleted entity is not in the Challenge",
    log: [byFirst({ ...germany, dxcc: 2, at: at("1990-05-01") })],
    award: "dxcc-challenge",
    gives: "0/0",
  },
  {
    name: "28: nor on the Honor Roll",
    log: [byFirst({ ...germany, dxcc: 2, at: at("1990-05-01") })],
    award: "dxcc-honor",
    gives: "0/0",
  },
  {
    name: "80: Kosovo before its day",
    log: [byFirst({ ...germany, dxcc: 522, at: at("2017-06-01") })],
    award: "dxcc",
    gives: "0/0",
  },
  {
    name: "80: Kosovo on its first day",
    log: [byFirst({ ...germany, dxcc: 522, at: at("2018-01-21") })],
    award: "dxcc",
    gives: "1/1",
  },
  {
    name: "nothing counts before November 1945",
    log: [byFirst({ ...germany, at: at("1945-11-14") })],
    award: "dxcc",
    gives: "0/0",
  },
  { name: "66: 60 m earns no DXCC", log: [byFirst({ ...germany, band: "60m" })], award: "dxcc", gives: "0/0" },
  {
    name: "66: 60 m earns no Challenge",
    log: [byFirst({ ...germany, band: "60m" })],
    award: "dxcc-challenge",
    gives: "0/0",
  },
  { name: "66: 60 m earns no WAS", log: [byFirst({ ...iowa, band: "60m" })], award: "was", gives: "0/0" },
  {
    name: "asked for by name 60 m shows plain counts",
    log: [byFirst({ ...germany, band: "60m" })],
    award: "dxcc",
    view: { band: "60M" },
    gives: "1/1",
  },
  {
    name: "satellites are no part of Mixed",
    log: [byFirst({ ...germany, band: "70cm", fields: { PROP_MODE: "SAT", SAT_NAME: "AO-91" } })],
    award: "dxcc",
    gives: "0/0",
  },
  {
    name: "nor of the band they transmit on",
    log: [byFirst({ ...germany, band: "2m", fields: { PROP_MODE: "SAT" } })],
    award: "dxcc",
    view: { band: "2m" },
    gives: "0/0",
  },
  {
    name: "but of Satellite",
    log: [byFirst({ ...germany, band: "70cm", fields: { PROP_MODE: "SAT" } })],
    award: "dxcc",
    view: { band: "SAT" },
    gives: "1/1",
  },
  {
    name: "a repeater makes a contact void",
    log: [byFirst({ ...iowa, band: "2m", fields: { PROP_MODE: "RPT" } })],
    award: "was",
    gives: "0/0",
  },
  { name: "at sea there is no entity", log: [byFirst({ ...germany, call: "DL1ABC/MM" })], award: "dxcc", gives: "0/0" },
  {
    name: "nor a zone",
    log: [byFirst({ ...germany, call: "DL1ABC/MM", fields: { CQZ: "14" } })],
    award: "waz",
    gives: "0/0",
  },
  { name: "images count mixed", log: [byFirst({ ...germany, mode: "SSTV" })], award: "dxcc", gives: "1/1" },
  {
    name: "images are no phone",
    log: [byFirst({ ...germany, mode: "SSTV" })],
    award: "dxcc",
    view: { group: "phone" },
    gives: "0/0",
  },
  {
    name: "27: 2xQSL=N counts for digital DXCC",
    log: [byFirst({ ...germany, mode: "RTTY", fields: { APP_LOTW_2XQSL: "N" } })],
    award: "dxcc",
    view: { group: "digital" },
    gives: "1/1",
  },
  {
    name: "27: and not for digital WAS",
    log: [byFirst({ ...iowa, mode: "RTTY", fields: { APP_LOTW_2XQSL: "N" } })],
    award: "was",
    view: { group: "digital" },
    gives: "1/0",
  },
  {
    name: "27: while mixed WAS takes it",
    log: [byFirst({ ...iowa, mode: "RTTY", fields: { APP_LOTW_2XQSL: "N" } })],
    award: "was",
    gives: "1/1",
  },
  {
    name: "two-way counts for the mode",
    log: [byFirst({ ...iowa, mode: "RTTY" })],
    award: "was",
    view: { group: "digital" },
    gives: "1/1",
  },
  {
    name: "70: typed IA, confirmed WI: one is worked, the other confirmed",
    log: [byFirst(iowa, { state: "WI" })],
    award: "was",
    gives: "1/1",
  },
  {
    name: "a confirmation without a state confirms none",
    log: [byFirst(iowa, { fields: { STATE: null } })],
    award: "was",
    gives: "1/0",
  },
  {
    name: "78: DC counts as Maryland",
    log: [byFirst({ ...iowa, state: "DC" }), byFirst({ ...iowa, state: "MD" })],
    award: "was",
    gives: "1/1",
  },
  {
    name: "78: Alaska before statehood",
    log: [byFirst({ ...iowa, dxcc: 6, state: "AK", at: at("1958-12-31") })],
    award: "was",
    gives: "0/0",
  },
  {
    name: "78: Alaska since",
    log: [byFirst({ ...iowa, dxcc: 6, state: "AK", at: at("1959-01-03") })],
    award: "was",
    gives: "1/1",
  },
  {
    name: "78: Hawaii before statehood",
    log: [byFirst({ ...iowa, dxcc: 110, state: "HI", at: at("1959-08-20") })],
    award: "was",
    gives: "0/0",
  },
  {
    name: "78: Hawaii has an entity of its own",
    log: [byFirst({ ...iowa, dxcc: 110, state: "HI" })],
    award: "was",
    gives: "1/1",
  },
  {
    name: "31: WA in Australia is not Washington",
    log: [byFirst({ ...iowa, dxcc: 150, state: "WA" })],
    award: "was",
    gives: "0/0",
  },
  {
    name: "zone from the confirmation",
    log: [byFirst({ ...germany, fields: { CQZ: "14" } }, { fields: { CQZ: "15" } })],
    award: "waz",
    gives: "1/1",
  },
  {
    name: "a zone there is not counts nowhere",
    log: [worked({ ...germany, dxcc: 999, fields: { CQZ: "41" } })],
    award: "waz",
    gives: "0/0",
  },
  {
    name: "RTTY is no digital WAZ",
    log: [worked({ ...germany, mode: "RTTY", fields: { CQZ: "14" } })],
    award: "waz",
    view: { group: "digital" },
    gives: "0/0",
  },
  {
    name: "it is RTTY WAZ",
    log: [worked({ ...germany, mode: "RTTY", fields: { CQZ: "14" } })],
    award: "waz",
    view: { group: "rtty" },
    gives: "1/0",
  },
  {
    name: "digital WAZ begins with 2000",
    log: [worked({ ...germany, mode: "PSK", at: at("1999-12-31"), fields: { CQZ: "14" } })],
    award: "waz",
    view: { group: "digital" },
    gives: "0/0",
  },
  {
    name: "84: Antarctica is no continent",
    log: [byFirst({ ...germany, dxcc: 13, fields: { CONT: "AN" } })],
    award: "wac",
    gives: "0/0",
  },
  {
    name: "84: 30 m is not one of the five bands",
    log: [byFirst({ ...germany, band: "30m" })],
    award: "wac-5band",
    gives: "0/0",
  },
  {
    name: "a satellite helps WAC",
    log: [byFirst({ ...germany, band: "70cm", fields: { PROP_MODE: "SAT" } })],
    award: "wac",
    gives: "1/1",
  },
  {
    name: "26: a grid list counts for each square",
    log: [byFirst({ ...iowa, band: "6m", fields: { VUCC_GRIDS: "EN52,EN53" } })],
    award: "vucc",
    gives: "2/2",
  },
  {
    name: "24: without a grid in the confirmation nothing is confirmed",
    log: [byFirst({ ...iowa, band: "6m", grid: "EN52" }, { fields: { GRIDSQUARE: null } })],
    award: "vucc",
    gives: "1/0",
  },
  {
    name: "the confirmation's square, not the log's",
    log: [byFirst({ ...iowa, band: "6m", grid: "EN52" }, { grid: "EN53AA" })],
    award: "vucc",
    gives: "1/1",
  },
  {
    name: "no squares below 50 MHz",
    log: [byFirst({ ...iowa, band: "10m", grid: "EN52" })],
    award: "vucc",
    gives: "0/0",
  },
  {
    name: "no squares before 1983",
    log: [byFirst({ ...iowa, band: "6m", grid: "EN52", at: at("1982-12-31") })],
    award: "vucc",
    gives: "0/0",
  },
  {
    name: "satellite squares only by satellite",
    log: [byFirst({ ...iowa, band: "2m", grid: "EN52", fields: { PROP_MODE: "SAT" } })],
    award: "vucc",
    view: { band: "2m" },
    gives: "0/0",
  },
  {
    name: "the league's Triple Play begins with 2009",
    log: [byFirst({ ...iowa, at: at("2008-12-31") })],
    award: "was-triple",
    view: { group: "cw" },
    gives: "0/0",
  },
  {
    name: "Triple Play takes the first service",
    log: [byFirst(iowa)],
    award: "was-triple",
    view: { group: "cw" },
    gives: "1/1",
  },
  { name: "and no card", log: [byCard(iowa)], award: "was-triple", view: { group: "cw" }, gives: "1/0" },
  {
    name: "prefixes count from 160 m to 6 m",
    log: [worked({ ...germany, band: "2m" }), worked({ ...germany, call: "DK2ABC" })],
    award: "wpx",
    gives: "1/0",
  },
  {
    name: "islands are confirmed by card",
    log: [byCard({ ...germany, fields: { IOTA: "EU-042" } })],
    award: "iota",
    gives: "1/1",
  },
  {
    name: "and not by the services",
    log: [byFirst({ ...germany, fields: { IOTA: "EU-042" } })],
    award: "iota",
    gives: "1/0",
  },
  {
    name: "NA-99 and none are no islands",
    log: [worked({ ...germany, fields: { IOTA: "NA-99" } }), worked({ ...germany, fields: { IOTA: "none" } })],
    award: "iota",
    gives: "0/0",
  },
];

describe("an award counts contacts by its rules", () => {
  for (const { name, log, award, view, gives } of RULES) {
    test(`${award}: ${name}`, async () => {
      const { book, bob } = await aKeeper(...log);

      const { worked: done, confirmed } = await book.detail(bob.id, award, view);

      expect(`${done}/${confirmed}`).toBe(gives);
    });
  }
});

test("83: prefixes are those that the rules derive", async () => {
  const calls = {
    "N8BJQ/KH9": "KH9",
    "PA/N8BJQ": "PA0",
    XEFTJW: "XE0",
    "K1TEO/8": "K8",
    "W1AW/MM": "W1",
    "KH5K/DJ1YFK": "KH5",
    LY1000A: "LY1000",
    "A45XR/0": "A40",
  };
  const { book, bob } = await aKeeper(...Object.keys(calls).map((call) => worked({ call })));

  const { slots } = await book.detail(bob.id, "wpx");

  expect(slots.map(({ key }) => key)).toEqual(Object.values(calls).sort());
});

const on = (entities: readonly number[], band: string) =>
  entities.map((dxcc) => byFirst({ call: "AA1A", dxcc, band, state: "", grid: "" }));

const progress = async (log: Snapshot[], id: AwardId, view?: Asked): Promise<Progress> => {
  const { book, bob } = await aKeeper(...log);
  return book.detail(bob.id, id, view);
};

test("81: the Honor Roll is reached at nine below all current entities, and at all of them", async () => {
  const steps = [];
  for (const count of [330, 331, CURRENT.length]) {
    const { goal, next, confirmed } = await progress(on(CURRENT.slice(0, count), "20m"), "dxcc-honor");
    steps.push({ goal, next, confirmed });
  }

  expect(CURRENT).toHaveLength(340);
  expect(steps).toEqual([
    { goal: 331, next: 331, confirmed: 330 },
    { goal: 331, next: 340, confirmed: 331 },
    { goal: 331, next: null, confirmed: 340 },
  ]);
});

test("82: 5-Band DXCC shows the progress of its weakest band", async () => {
  const hundred = CURRENT.slice(0, 100);
  const log = ["80m", "40m", "20m", "15m"].flatMap((band) => on(hundred, band));

  const short = await progress([...log, ...on(hundred.slice(1), "10m")], "dxcc-5band");
  const full = await progress([...log, ...on(CURRENT.slice(50, 150), "10m")], "dxcc-5band");

  expect(short).toMatchObject({ goal: 100, next: 100, worked: 99, confirmed: 99, of: "10m" });
  expect(full).toMatchObject({ confirmed: 100, next: null });
});

test("the DXCC Challenge is the sum of ten bands", async () => {
  const ten = CURRENT.slice(0, 10);

  const sum = await progress(
    ["160m", "6m", "60m", "2m"].flatMap((band) => on(ten, band)),
    "dxcc-challenge",
  );

  expect(sum).toMatchObject({ goal: 1000, next: 1000, worked: 20, confirmed: 20 });
});

test("VUCC shows its best band", async () => {
  const squares = (count: number, band: string) =>
    Array.from({ length: count }, (_, index) =>
      byFirst({ band, grid: `EN${String(index).padStart(2, "0")}`, at: at("2020-01-01") + index * 60_000 }),
    );

  const standing = await progress([...squares(60, "6m"), ...squares(40, "70cm")], "vucc");

  expect(standing).toMatchObject({ of: "70cm", goal: 50, next: 50, confirmed: 40 });
});

test("the levels of DXCC follow one another", async () => {
  const steps = [];
  for (const count of [0, 99, 100, 250, 275, 300, 304])
    steps.push((await progress(on(CURRENT.slice(0, count), "20m"), "dxcc")).next);

  expect(steps).toEqual([100, 100, 150, 275, 300, 305, 305]);
});

test("a contact with an unknown entity, or outside the entity's dates, is reported", async () => {
  const { book, bob } = await aKeeper(
    worked({ call: "QQ1A", dxcc: 999 }),
    heard({ file: aFileRecord({ call: "Q0AA" }) }),
    worked({ ...germany, dxcc: 2, at: at("1992-01-01") }),
    worked(germany),
  );

  const { worked: entities, uncounted } = await book.detail(bob.id, "dxcc");

  expect(entities).toBe(1);
  expect(uncounted).toEqual({ unknownEntity: 2, notValid: 1 });
});

describe("an operator with several station locations", () => {
  const home = { MY_DXCC: "291", MY_GRIDSQUARE: "FN42" };
  const hawaii = { MY_DXCC: "110", MY_GRIDSQUARE: "BL11" };
  const aTraveller = () =>
    aKeeper(
      byFirst({ ...germany, fields: home }),
      byFirst({ ...germany, call: "F5ABC", dxcc: 227, band: "6m", grid: "JN18", fields: home }),
      byFirst({ ...germany, call: "JA1ABC", dxcc: 339, band: "6m", grid: "PM95", fields: hawaii }),
      worked({ ...germany, call: "SP5ABC", dxcc: 269 }),
    );

  test("sees the awards of one location: the chosen one, or the most frequent one", async () => {
    const { book, bob } = await aTraveller();
    const figures = async (id: AwardId, view?: Asked) => {
      const { worked: all, confirmed, from, locations } = await book.detail(bob.id, id, view);
      return [all, confirmed, from?.location, from?.contacts, locations.map(({ location }) => location).join(" ")];
    };

    expect(await figures("dxcc")).toEqual([3, 2, "291", 3, "291 110"]);
    expect(await figures("dxcc", { location: "110" })).toEqual([1, 1, "110", 1, "291 110"]);
    expect(await figures("dxcc", { location: "bl11" })).toEqual([1, 1, "110", 1, "291 110"]);
    expect(await figures("vucc", { band: "6m" })).toEqual([1, 1, "BL11", 1, "BL11 FN42"]);
    expect(await figures("vucc", { band: "6m", location: "291" })).toEqual([1, 1, "FN42", 1, "FN42"]);
    expect(await figures("vucc", { band: "6m", location: "FN42" })).toEqual([1, 1, "FN42", 1, "BL11 FN42"]);
    expect(await figures("vucc", { band: "6m", location: "KN04" })).toEqual([0, 0, "KN04", 0, "BL11 FN42"]);
    const [dxcc] = await book.overview(bob.id, { location: "110" });
    expect(dxcc).toMatchObject({ worked: 1, from: { location: "110", label: "Hawaii", contacts: 1 } });
    expect((await book.needed(bob.id, "dxcc", { location: "110" })).neverWorked).toHaveLength(339);
    expect((await book.matrix(bob.id, "dxcc", { location: "110" })).rows.map(({ key }) => key)).toEqual([339]);
  });

  test("gets an error with the known locations for one without contacts", async () => {
    const { book, bob } = await aTraveller();

    await expect(book.detail(bob.id, "dxcc", { location: "230" })).rejects.toThrow(
      'You made no contacts from "230". Choose one of: 291 (United States, 3), 110 (Hawaii, 1).',
    );
    await expect(book.overview(bob.id, { location: "KN04" })).rejects.toThrow("You made no contacts from");
    expect(() => book.detail(bob.id, "dxcc", { location: "home" })).toThrow("is not an entity number or a grid square");
  });

  test("sees contacts of one callsign under the location where it was used", async () => {
    const portable = { STATION_CALLSIGN: "KH6/W1ABC", ...hawaii };
    const { book, bob } = await aKeeper(
      byFirst({ ...germany, fields: home }),
      byFirst({ ...germany, call: "F5ABC", dxcc: 227, fields: home }),
      worked({ ...germany, call: "JA1ABC", dxcc: 339, fields: portable }),
    );

    expect(await book.detail(bob.id, "dxcc", { station: "KH6/W1ABC" })).toMatchObject({
      worked: 1,
      from: { location: "110" },
    });
  });
});

test("an award that needs both sides' modes says how many contacts lack one", async () => {
  const claimed = { LOTW_QSL_RCVD: "Y" };
  const { book, bob } = await aKeeper(
    heard({ file: aFileRecord({ dxcc: 291, ...iowa, fields: claimed }) }),
    heard({ file: aFileRecord({ dxcc: 291, ...iowa, at: at("2011-05-01"), fields: claimed }) }),
    heard({ file: aFileRecord({ dxcc: 291, ...iowa, band: "60m", fields: claimed }) }),
    heard({ file: aFileRecord({ ...germany, fields: claimed }) }),
    byFirst({ ...iowa, state: "WI" }),
    worked(iowa),
  );
  const missing = async (id: AwardId, view?: Asked) => {
    const asked = [book.detail(bob.id, id, view), book.needed(bob.id, id, view), book.matrix(bob.id, id, view)];
    const found = new Set((await Promise.all(asked)).map(({ modeUnknown }) => modeUnknown));
    expect(found.size).toBe(1);
    return [...found][0]!;
  };

  expect(await missing("was")).toBeNull();
  expect(await missing("was", { group: "cw" })).toBe(2);
  expect(await missing("was", { group: "phone" })).toBe(0);
  expect(await missing("was-triple")).toBe(2);
  expect(await missing("dxcc", { group: "cw" })).toBeNull();
  expect((await book.overview(bob.id)).flatMap(({ id, modeUnknown }) => (modeUnknown === null ? [] : [id]))).toEqual([
    "was-triple",
  ]);
  expect(describeModeUnknown(2)).toContain("without saying both modes. Sync LoTW");
  expect([describeModeUnknown(0), describeModeUnknown(null)]).toEqual([null, null]);
});

test("a slot shows the earliest contact that confirms it, or else the earliest that worked it", async () => {
  const early = { ...germany, at: at("2001-01-01") };
  const late = { ...germany, at: at("2011-01-01") };
  const { book, bob, world } = await aKeeper(
    byFirst(late),
    worked(early),
    byFirst({ ...late, at: late.at + 1 }),
    byCard({ ...late, at: at("2010-01-01"), band: "40m" }),
    worked({ ...iowa, at: early.at }),
  );

  const slot = async (view: Asked) => (await book.detail(bob.id, "dxcc", view)).slots.find(({ key }) => key === 230);

  expect(await slot({})).toMatchObject({ key: 230, label: "Germany", band: null, qsoId: 4, confirmed: true });
  expect(await slot({ by: "first" })).toMatchObject({ qsoId: 1 });
  expect(await slot({ by: "second" })).toMatchObject({ qsoId: 2, worked: true, confirmed: false });
  expect(await slot({ band: "40m" })).toMatchObject({ qsoId: 4, band: "40m" });
  expect(world.db.engine).toBeDefined();
});

test("credits count for the award, band or mode for which they were granted", async () => {
  const granted = (credits: string) => byFirst({ ...germany, fields: { CREDIT_GRANTED: credits } });
  const credited = async (credits: string, id: AwardId, view?: Asked) =>
    (await progress([granted(credits)], id, view)).credited;

  expect(await credited("DXCC:CARD", "dxcc")).toBe(1);
  expect(await credited("DXCC:MIXED", "dxcc")).toBe(1);
  expect(await credited("DXCC:CARD", "dxcc", { band: "20m" })).toBe(0);
  expect(await credited("DXCC_BAND:LOTW", "dxcc", { band: "20m" })).toBe(1);
  expect(await credited("DXCC:20M", "dxcc-challenge")).toBe(1);
  expect(await credited("DXCC_MODE", "dxcc", { group: "cw" })).toBe(1);
  expect(await credited("DXCC_20m:CARD", "dxcc", { band: "20m" })).toBe(1);
  expect(await credited("DXCC_20m:CARD", "dxcc", { group: "cw" })).toBe(0);
  expect(await credited("DXCC_CW", "dxcc", { group: "cw" })).toBe(1);
  expect(await credited("DXCC_CW", "dxcc")).toBe(0);
  expect(await credited("DXCC_MIXED,DXCC_CW:LOTW", "dxcc")).toBe(1);
  expect(await credited("IOTA,WAS:LOTW&CARD", "dxcc")).toBe(0);
  expect(await credited("IOTA,DXCC_MODE", "dxcc", { group: "cw" })).toBe(1);
});

test("ADIF's name for island groups counts as a credit for IOTA", async () => {
  const island = byFirst({ ...germany, fields: { IOTA: "EU-042", CREDIT_GRANTED: "IOTA_GROUP:CARD" } });

  expect((await progress([island], "iota")).credited).toBe(1);
});

describe("what an award still needs", () => {
  test("is never worked, or confirmed only by services that do not count", async () => {
    const { book, bob } = await aKeeper(
      byFirst(iowa),
      bySecond({ ...iowa, state: "WI" }),
      worked({ ...iowa, state: "OH", band: "40m" }),
    );

    const all = await book.needed(bob.id, "was");
    const first = await book.needed(bob.id, "WAS", { by: "first", group: "CW", band: "20m" });

    expect(all.neverWorked).toHaveLength(47);
    expect(all.notConfirmed).toEqual([
      { key: "OH", label: "Ohio", band: null, group: null, confirmedElsewhere: [], qsoId: 3 },
      { key: "WI", label: "Wisconsin", band: null, group: null, confirmedElsewhere: ["second"], qsoId: 2 },
    ]);
    expect(first.neverWorked).toHaveLength(48);
    expect(first.notConfirmed).toMatchObject([{ key: "WI", band: "20m", group: "cw" }]);
  });

  test("is listed for each band", async () => {
    const { book, bob } = await aKeeper(...on(CURRENT.slice(0, 3), "20m"));

    const { neverWorked } = await book.needed(bob.id, "dxcc-challenge");

    expect(neverWorked).toHaveLength(3_397);
    expect(neverWorked!.filter(({ key }) => key === CURRENT[0]).map(({ band }) => band)).toEqual([
      "160m",
      "80m",
      "40m",
      "30m",
      "17m",
      "15m",
      "12m",
      "10m",
      "6m",
    ]);
  });

  test("cannot be listed for awards without a list of slots", async () => {
    const { book, bob } = await aKeeper(worked(germany));

    expect(await book.needed(bob.id, "wpx")).toMatchObject({ neverWorked: null, notConfirmed: [{ key: "DL1" }] });
  });
});

test("unknown parameters are refused by name, and an unknown award is not found", async () => {
  const { book, bob } = await aKeeper();
  const refused = (view: Asked) =>
    Promise.try(() => book.detail(bob.id, "dxcc", view)).catch((error: unknown) => error);

  expect(await refused({ band: "21m", group: "ssb", by: "me" })).toMatchObject({
    code: "invalid",
    fields: [{ path: "band" }, { path: "by" }],
  });
  expect(await refused({ group: "fax" })).toMatchObject({ code: "invalid", fields: [{ path: "group" }] });
  expect(await refused({ group: "rtty" })).toMatchObject({ code: "invalid", fields: [{ path: "group" }] });
  expect(await Promise.try(() => book.detail(bob.id, "waja")).catch((error: unknown) => error)).toMatchObject({
    code: "not_found",
  });
});

test("an empty log has no progress in any award", async () => {
  const { book, bob } = await aKeeper();

  const awards = await book.overview(bob.id);

  expect(awards.map(({ id }) => id)).toEqual([...AWARD_IDS]);
  for (const award of awards) expect(award).toMatchObject({ worked: 0, confirmed: 0, credited: 0, next: award.goal });
});

test("only contacts of the chosen callsign are counted", async () => {
  const { book, bob } = await aKeeper(worked(germany), worked({ ...iowa, own: "YU1TEST/P" }));

  const [dxcc] = await book.overview(bob.id, { station: "yu1test/p" });

  expect(dxcc).toMatchObject({ id: "dxcc", worked: 1 });
});
