import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readAdif } from "../../src/adif/reader.ts";
import { loadCountryFile } from "../../src/callsign/country-file.ts";
import { createCallFacts } from "../../src/callsign/facts.ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { BANDS } from "../../src/domain/radio/band.ts";
import type { CallFacts } from "../../src/domain/radio/call-facts.ts";
import { getConfirmations } from "../../src/domain/origins/origins.ts";
import { derive } from "../../src/domain/contact/derive.ts";
import { firstOrigin } from "../../src/domain/origins/first.ts";
import { secondOrigin } from "../../src/domain/origins/second.ts";
import { FIELD_NAMES } from "../../src/domain/contact/fields.ts";
import { CONTINENTS } from "../../src/domain/radio/entities.ts";
import { NO_LAYERS, type Layers } from "../../src/domain/contact/layers.ts";
import { ownerOrigin, setTyped } from "../../src/domain/origins/owner.ts";
import { byService } from "../../src/domain/jobs/source.ts";
import type { Derived } from "../../src/domain/contact/qso.ts";
import {
  aFileRecord,
  aFirstRecord,
  anyLayers,
  aSecondRecord,
  CONFIRMED_AT,
  CONTACT_AT,
  ofFile,
  ofFirst,
  theLayers,
  type Contact,
  type Said,
} from "../support/contacts.ts";
import { isFull } from "../support/full.ts";
import { foreignLogs, sample } from "../support/samples.ts";

const RUNS = { numRuns: isFull(import.meta) ? 5_000 : 100 };
const QSL_DAY = Date.UTC(2026, 6, 31);

let facts: CallFacts;
beforeAll(async () => {
  facts = createCallFacts(await loadCountryFile());
});

const derived = (said: Said): Derived => derive(theLayers(said), facts)!;
const fromFirst = (contact: Contact): Derived => derived({ qsl: aFirstRecord(contact) });
const fromSecond = (contact: Contact): Derived => derived({ second: aSecondRecord(contact) });
const fromFile = (contact: Contact): Derived => derived({ file: aFileRecord(contact) });

describe("the priority of sources", () => {
  test("typed values, then the file, then the first service, then the second", () => {
    const said: Said = {
      typed: { QTH: "typed" },
      file: aFileRecord({ fields: { QTH: "file", NAME: "file" } }),
      qsl: aFirstRecord({ fields: { QTH: "qsl", NAME: "qsl", CNTY: "qsl" } }),
      qso: aFirstRecord({ fields: { CNTY: "qso", RST_SENT: "qso" } }),
      second: aSecondRecord({ fields: { QTH: "second", RST_SENT: "second", COMMENT: "second" } }),
    };

    expect(derived(said)).toMatchObject({
      qth: "typed",
      name: "file",
      county: "qsl",
      rstSent: "qso",
      comment: "second",
    });
  });

  test.each([
    [{ CALL: "W1AW" }, { call: "W1AW", prefix: "W1" }],
    [{ TIME_ON: "0150" }, { startedAt: Date.UTC(2026, 6, 18, 1, 50) }],
    [{ QSO_DATE: "20260719" }, { startedAt: Date.UTC(2026, 6, 19, 1, 43, 45) }],
    [{ BAND: "40m" }, { band: "40m", freqHz: null }],
    [{ FREQ: "7.1" }, { band: "40m", freqHz: 7_100_000 }],
    [{ MODE: "SSB" }, { mode: "SSB", submode: null, modeGroup: "phone" }],
    [{ SUBMODE: "FT4" }, { mode: "MFSK", submode: "FT4", modeGroup: "digital" }],
    [{ DXCC: "1" }, { dxcc: 1, awardEntity: 1, firstEntity: 291 }],
    [{ CQZ: "3" }, { cqZone: 3, awardZone: 3 }],
    [{ STATE: "ia" }, { state: "IA", awardState: "IA", firstState: "WI" }],
    [{ GRIDSQUARE: "EN52" }, { gridsquare: "EN52", awardGrids: "EN52", firstGrids: "EN34" }],
    [{ VUCC_GRIDS: "EN53,EN52" }, { awardGrids: "EN52,EN53", firstGrids: "EN34" }],
    [{ PFX: "K0" }, { prefix: "K0" }],
    [{ QSL_RCVD: "Y" }, { cardConfirmed: true }],
    [{ CREDIT_GRANTED: "WAS" }, { credits: "WAS" }],
  ] satisfies [Record<string, string>, Partial<Derived>][])(
    "a typed %j has priority over all sources (case 70)",
    (typed, columns) => {
      const contact = { freq: "14.074", state: "WI", grid: "EN34qu", fields: { CQZ: "04" } };

      expect(
        derived({ typed, file: aFileRecord(contact), qsl: aFirstRecord(contact), second: aSecondRecord(contact) }),
      ).toMatchObject(columns);
    },
  );

  test("an impossible typed value is skipped", () => {
    const typed = {
      DXCC: "many",
      CQZ: "41",
      BAND: "19m",
      GRIDSQUARE: "here",
      TX_PWR: "much",
      IOTA: "NA-99",
      CONT: "XX",
      TIME_ON: "2561",
    };

    expect(
      derived({ typed, qsl: aFirstRecord({ fields: { CQZ: "04", TX_PWR: "5", IOTA: "NA-001", CONT: "NA" } }) }),
    ).toMatchObject({
      startedAt: CONTACT_AT,
      dxcc: 291,
      cqZone: 4,
      band: "20m",
      gridsquare: "EN34QU",
      txPower: 5,
      iota: "NA-001",
      continent: "NA",
    });
  });

  test("a record without call or time is no contact", () => {
    expect(derive(NO_LAYERS, facts)).toBeNull();
    expect(derive(theLayers({ typed: { STATE: "WI" } }), facts)).toBeNull();
    expect(derive(theLayers({ second: aSecondRecord({ fields: { TIME_ON: "2460" } }) }), facts)).toBeNull();
    expect(derive(theLayers({ second: aSecondRecord({ fields: { CALL: "A".repeat(3_000) } }) }), facts)).toBeNull();
  });
});

describe("time", () => {
  test("of two services, the time with seconds has priority (case 54)", () => {
    const second = aSecondRecord({ fields: { TIME_ON: "0143" } });

    expect(derived({ qsl: aFirstRecord(), second }).startedAt).toBe(CONTACT_AT);
    expect(
      derived({
        qsl: aFirstRecord({ fields: { TIME_ON: "0144" } }),
        second: aSecondRecord({ fields: { TIME_ON: "014345" } }),
      }).startedAt,
    ).toBe(CONTACT_AT);
    expect(derived({ second }).startedAt).toBe(Date.UTC(2026, 6, 18, 1, 43));
  });

  test("the owner's minute has priority over a service's second", () => {
    expect(derived({ file: aFileRecord({ fields: { TIME_ON: "0143" } }), qsl: aFirstRecord() }).startedAt).toBe(
      Date.UTC(2026, 6, 18, 1, 43),
    );
  });

  test.each([
    ["0144", undefined, Date.UTC(2026, 6, 18, 1, 44)],
    ["014350", undefined, Date.UTC(2026, 6, 18, 1, 43, 50)],
    ["0143", undefined, CONTACT_AT],
    ["0005", undefined, Date.UTC(2026, 6, 19, 0, 5)],
    ["0144", "20260719", Date.UTC(2026, 6, 19, 1, 44)],
    ["0144", "00000000", Date.UTC(2026, 6, 18, 1, 44)],
    ["0144", "20260717", null],
    ["9999", undefined, null],
  ])("TIME_OFF %p with QSO_DATE_OFF %p ends it at the right time", (TIME_OFF, QSO_DATE_OFF, endedAt) => {
    expect(fromFirst({ fields: { TIME_OFF, QSO_DATE_OFF: QSO_DATE_OFF ?? null } }).endedAt).toBe(endedAt);
  });

  test("before 1970 an end in the same minute counts too", () => {
    const at = Date.UTC(1959, 0, 2, 3, 4, 5);

    expect(fromFirst({ at, fields: { TIME_OFF: "0304" } }).endedAt).toBe(at);
    expect(fromFirst({ at, fields: { TIME_OFF: "0305" } })).toMatchObject({ endedAt: at + 55_000, year: 1959 });
  });
});

describe("band and frequency", () => {
  test.each([
    [{ BAND: "20M" }, { band: "20m", freqHz: null }, "case 53"],
    [{ BAND: "70CM" }, { band: "70cm", freqHz: null }, "case 53"],
    [{ FREQ: "14.074" }, { band: "20m", freqHz: 14_074_000 }, "case 65"],
    [{ BAND: "20m", FREQ: "14.4" }, { band: "20m", freqHz: null }, "case 65"],
    [{ FREQ: "13.9" }, { band: null, freqHz: 13_900_000 }, "outside every band"],
    [{ BAND: "60M", FREQ: "5.3585" }, { band: "60m", freqHz: 5_358_500 }, "case 66"],
    [{ BAND_RX: "2m", FREQ_RX: "435.1" }, { bandRx: "2m" }, "the band said"],
    [{ FREQ_RX: "435.1" }, { bandRx: "70cm" }, "the band implied"],
    [{ FREQ: "0" }, { band: null, freqHz: null }, "no frequency"],
  ])("%j gives %j (%s)", (fields, columns) => {
    expect(fromFirst({ fields: { BAND: null, ...fields } })).toMatchObject(columns);
  });

  test("the frequency of another origin is used only on the same band", () => {
    const second = aSecondRecord({ freq: "14.074" });

    expect(derived({ qsl: aFirstRecord({ band: "20m" }), second }).freqHz).toBe(14_074_000);
    expect(derived({ qsl: aFirstRecord({ band: "40m" }), second })).toMatchObject({ band: "40m", freqHz: null });
  });

  test("a satellite counts even without a propagation mode", () => {
    expect(fromFirst({ fields: { SAT_NAME: "AO-91" } })).toMatchObject({ propMode: "SAT", satName: "AO-91" });
    expect(fromFirst({ fields: { PROP_MODE: "sat", SAT_NAME: "ao-91" } })).toMatchObject({
      propMode: "SAT",
      satName: "AO-91",
    });
    expect(fromFirst({ fields: { PROP_MODE: "TR" } })).toMatchObject({ propMode: "TR", satName: null });
  });
});

describe("mode", () => {
  test.each([
    [{ MODE: "MFSK", SUBMODE: "FT4" }, { MODE: "FT4" }, "MFSK", "FT4", "case 20"],
    [{ MODE: "DATA" }, { MODE: "JS8" }, "MFSK", "JS8", "case 21"],
    [{ MODE: "DATA" }, { MODE: "FT2" }, "MFSK", "FT2", "case 21"],
    [{ MODE: null, APP_LOTW_MODE: "FT4" }, {}, "MFSK", "FT4", "case 22"],
    [{ MODE: "DATA", APP_LOTW_MODE: "PACTOR" }, {}, "PAC", null, "case 22"],
    [{ MODE: null, APP_LOTW_MODEGROUP: "PHONE" }, {}, "PHONE", null, "case 22"],
    [{ MODE: "SSB" }, { MODE: "USB" }, "SSB", "USB", "case 23"],
    [{ MODE: "SSB" }, { MODE: "FM" }, "SSB", null, "another mode of the group"],
    [{ MODE: "CW" }, { MODE: "FT8" }, "CW", null, "another group"],
  ])("the services' %j and %j make %s %j (%s)", (first, second, mode, submode) => {
    const other = Object.keys(second).length > 0 ? aSecondRecord({ fields: second }) : undefined;

    expect(derived({ qsl: aFirstRecord({ fields: first }), second: other })).toMatchObject({ mode, submode });
  });

  test("the owner's USB stays USB (case 23)", () => {
    expect(derived({ file: aFileRecord({ mode: "USB" }), qsl: aFirstRecord({ mode: "SSB" }) })).toMatchObject({
      mode: "SSB",
      submode: "USB",
    });
  });
});

describe("the station's location", () => {
  test.each([
    [
      { call: "K9XYZ", dxcc: 110, state: "HI" },
      { dxcc: 110, cqZone: 31, continent: "OC" },
      "the number before the call",
    ],
    [{ fields: { DXCC: null } }, { dxcc: 291, awardEntity: 291 }, "the call fills the gap"],
    [{ dxcc: 0 }, { dxcc: null, awardEntity: null, continent: null, firstEntity: null }, "in no entity"],
    [{ dxcc: 999 }, { dxcc: 999, awardEntity: null, firstEntity: null }, "an entity nobody knows"],
    [{ state: "CA", fields: { CQZ: null } }, { cqZone: 3, firstZone: 3 }, "the state's zone"],
    [
      { fields: { CQZ: "04", APP_LOTW_CQZ_INVALID: "5", APP_LOTW_CQZ_INFERRED: "Y" } },
      { cqZone: 4, firstZone: 4 },
      "case 25",
    ],
    [{ fields: { CQZ: "0", STATE: null } }, { firstZone: null }, "zone 0"],
    [
      { call: "DL1ABC", dxcc: 230, state: "", fields: { STATE: null } },
      { cqZone: 14, ituZone: 28, continent: "EU" },
      "the call's zones",
    ],
  ] satisfies [Contact, Partial<Derived>, string][])("%j gives %j (%s)", (contact, columns) => {
    expect(fromFirst(contact)).toMatchObject(columns);
  });

  test("the state is more reliable for the zone than the second service", () => {
    expect(fromSecond({ state: "WI", fields: { CQZ: "5" } }).cqZone).toBe(4);
  });

  test.each(["W1AW/MM", "W1AW/AM", "W1AW/MM2"])(
    "%s is in no entity, whatever a service fills in, but keeps its prefix (case 83)",
    (call) => {
      expect(fromFirst({ call, fields: { CQZ: "05", CONT: "NA" } })).toMatchObject({
        dxcc: null,
        continent: null,
        prefix: "W1",
        cqZone: 5,
        awardEntity: null,
        awardState: null,
        awardZone: null,
        firstEntity: null,
        firstState: null,
        firstZone: null,
        firstConfirmed: true,
      });
    },
  );

  test("the service's prefix is used only for its own call", () => {
    const fields = { PFX: "A40" };

    expect(fromFirst({ call: "A45XR/0", dxcc: 370, fields }).prefix).toBe("A40");
    expect(derived({ typed: { CALL: "W1AW" }, qsl: aFirstRecord({ call: "A45XR/0", fields }) }).prefix).toBe("W1");
  });
});

describe("placeholders and damaged values are ignored", () => {
  test.each([
    [{ IOTA: "none" }, { iota: null }],
    [{ IOTA: "eu-005" }, { iota: "EU-005" }],
    [{ IOTA: "EU-000" }, { iota: null }],
    [{ IOTA: "NA-99" }, { iota: null }],
    [{ LOTW_QSL_RCVD: "Y", LOTW_QSLRDATE: "00000000" }, { firstConfirmed: false }],
    [{ TX_PWR: "100 W" }, { txPower: 100 }],
    [{ TX_PWR: "0,5" }, { txPower: 0.5 }],
    [{ TX_PWR: "1e400" }, { txPower: null }],
    [
      { GRIDSQUARE: null, APP_LOTW_GRIDSQUARE_INVALID: "JJ00AA" },
      { gridsquare: null, awardGrids: null },
    ],
    [{ NAME: "A\0nn " }, { name: "Ann" }],
    [{ STATE: "X".repeat(65) }, { state: null }],
    [{ DXCC: "1e3" }, { dxcc: 291 }],
  ] satisfies [Record<string, string | null>, Partial<Derived>][])("%j gives %j (cases 24, 42)", (fields, columns) => {
    expect(fromSecond({ fields })).toMatchObject(columns);
  });
});

describe("confirmations", () => {
  test("the first service confirms with its timestamp, in either of its answers (case 14)", () => {
    const confirmed = {
      firstConfirmed: true,
      firstConfirmedAt: CONFIRMED_AT,
      secondConfirmed: false,
      cardConfirmed: false,
    };

    expect(fromFirst({})).toMatchObject(confirmed);
    expect(derived({ qso: aFirstRecord() })).toMatchObject(confirmed);
    expect(derived({ qso: aFirstRecord({ confirmed: false }) }).firstConfirmed).toBe(false);
    expect(fromFirst({ fields: { APP_LOTW_RXQSL: null } }).firstConfirmedAt).toBe(QSL_DAY);
  });

  test("the second service confirms with C; its QSL_RCVD and LOTW_QSL_RCVD are ignored (case 43)", () => {
    expect(fromSecond({ confirmed: true, fields: { QSL_RCVD: "Y", LOTW_QSL_RCVD: "Y" } })).toMatchObject({
      secondConfirmed: true,
      secondConfirmedAt: QSL_DAY,
      firstConfirmed: false,
      cardConfirmed: false,
    });
  });

  test.each(["N", "2", "S", "R", "A", "V", "Y", null])(
    "the second service's status %p does not confirm (case 44)",
    (status) => {
      expect(fromSecond({ fields: { APP_QRZLOG_STATUS: status, QRZCOM_QSO_DOWNLOAD_STATUS: "Y" } })).toMatchObject({
        secondConfirmed: false,
        secondConfirmedAt: null,
      });
    },
  );

  const NONE = { confirmed: false, confirmedAt: null, via: null };
  const BY_FILE = { confirmed: true, confirmedAt: QSL_DAY, via: "file" } as const;

  test.each([
    ["LOTW_QSL_RCVD Y", { LOTW_QSL_RCVD: "Y", LOTW_QSLRDATE: "20260731" }, undefined, { first: BY_FILE }],
    ["LOTW_QSL_RCVD V", { LOTW_QSL_RCVD: "v", LOTW_QSLRDATE: "20260731" }, undefined, { first: BY_FILE }],
    ["LOTW_QSL_RCVD R", { LOTW_QSL_RCVD: "R" }, undefined, {}],
    ["QSL_RCVD Y", { QSL_RCVD: "Y", QSLRDATE: "20260731" }, "Logger", { card: BY_FILE }],
    ["QSL_RCVD V", { QSL_RCVD: "V", QSLRDATE: "20260731" }, "QRZLogbook", { card: BY_FILE }],
    ["QSL_RCVD C", { QSL_RCVD: "C" }, "Logger", {}],
    [
      "QSL_RCVD Y by the bureau",
      { QSL_RCVD: "Y", QSLRDATE: "20260731", QSL_RCVD_VIA: "B" },
      "Logger",
      { card: BY_FILE },
    ],
    ["electronic QSL_RCVD Y", { QSL_RCVD: "Y", QSLRDATE: "20260731", QSL_RCVD_VIA: "e" }, "Logger", {}],
    ["the first service's QSL_RCVD Y", { QSL_RCVD: "Y", QSLRDATE: "20260731" }, "LoTW", { first: BY_FILE }],
    [
      "APP_QRZLOG_STATUS C",
      { APP_QRZLOG_STATUS: "C", APP_QRZLOG_QSLDATE: "20260731" },
      "QRZLogbook",
      { second: BY_FILE },
    ],
    ["APP_QRZLOG_STATUS V", { APP_QRZLOG_STATUS: "V" }, "QRZLogbook", {}],
  ])("a file's %s confirms for the right witness", (_, fields, program, confirmed) => {
    const file = { ...aFileRecord({ fields }), ...(program && { program }) };

    expect(getConfirmations(theLayers({ file }))).toEqual({ ...byService(() => NONE), card: NONE, ...confirmed });
  });

  test.each([
    ["a card, then something electronic", [{ QSL_RCVD: "Y" }, { QSL_RCVD: "Y", QSL_RCVD_VIA: "E" }], {}, true],
    ["something electronic, then a card", [{ QSL_RCVD: "Y", QSL_RCVD_VIA: "E" }, { QSL_RCVD_VIA: "D" }], {}, true],
    ["something electronic twice", Array(2).fill({ QSL_RCVD: "Y", QSL_RCVD_VIA: "E" }), {}, false],
    ["what a person knows better", [{ QSL_RCVD: "Y", QSL_RCVD_VIA: "E" }], { QSL_RCVD: "Y" }, true],
    ["how it came, by hand", [{ QSL_RCVD: "Y" }], { QSL_RCVD_VIA: "E" }, false],
  ])("%s: whether a card arrived", (_, files, typed, isCard) => {
    const heard = files.reduce(
      (layers: Layers, fields: Record<string, string>) =>
        ownerOrigin.merge(layers, { fields: { ...aFileRecord().fields, ...fields } }),
      NO_LAYERS,
    );

    expect(getConfirmations(setTyped(heard, typed)).card.confirmed).toBe(isCard);
  });

  test("a file's confirmation becomes the service's when the service confirms", () => {
    const file = aFileRecord({ confirmed: true, fields: { APP_QRZLOG_STATUS: "C" } });

    const { first, second } = getConfirmations(
      theLayers({ file, qsl: aFirstRecord(), second: aSecondRecord({ confirmed: true }) }),
    );

    expect(first).toEqual({ confirmed: true, confirmedAt: CONFIRMED_AT, via: "service" });
    expect(second).toEqual({ confirmed: true, confirmedAt: QSL_DAY, via: "service" });
  });

  test("N of the first service keeps a file's confirmation, N of the second service does not", () => {
    const file = aFileRecord({ confirmed: true, fields: { APP_QRZLOG_STATUS: "C" } });

    expect(derived({ file, qso: aFirstRecord({ confirmed: false }), second: aSecondRecord() })).toMatchObject({
      firstConfirmed: true,
      secondConfirmed: false,
    });
  });

  test("a report and another log of the same contact confirm the same in both orders", () => {
    const report = { ...aFirstRecord(), program: "LoTW" };
    const log = { ...aFileRecord({ fields: { QSL_RCVD: "N", STATE: "IA" } }), program: "Logger" };
    const confirmed = { firstConfirmed: true, cardConfirmed: false, state: "IA", firstState: "WI", twoWay: true };

    expect(derive(ownerOrigin.merge(ownerOrigin.merge(NO_LAYERS, report), log), facts)).toMatchObject(confirmed);
    expect(derive(ownerOrigin.merge(ownerOrigin.merge(NO_LAYERS, log), report), facts)).toMatchObject(confirmed);
  });

  test("the user can say whether a card arrived", () => {
    const file = aFileRecord({ fields: { QSL_RCVD: "Y" } });

    expect(derived({ typed: { QSL_RCVD: "Y" }, second: aSecondRecord() }).cardConfirmed).toBe(true);
    expect(derived({ typed: { QSL_RCVD: "N" }, file }).cardConfirmed).toBe(false);
  });
});

describe("what a contact counts for in awards", () => {
  test("is worked by the operator's values and confirmed by the service's (case 70)", () => {
    expect(derived({ typed: { STATE: "IA", GRIDSQUARE: "EN31" }, qsl: aFirstRecord() })).toMatchObject({
      awardState: "IA",
      awardGrids: "EN31",
      firstState: "WI",
      firstGrids: "EN34",
    });
  });

  test.each([
    [
      { fields: { GRIDSQUARE: null, VUCC_GRIDS: "EN52,EN53" } },
      { awardGrids: "EN52,EN53", firstGrids: "EN52,EN53" },
      "case 26",
    ],
    [
      { fields: { GRIDSQUARE: "EN34", VUCC_GRIDS: "EN53fa, en52EN,EN52" } },
      { firstGrids: "EN52,EN53" },
      "a list replaces the grid",
    ],
    [{ grid: "EN" }, { gridsquare: "EN", awardGrids: null, firstGrids: null }, "a field is no square"],
    [{ fields: { APP_LOTW_2XQSL: "N", APP_LOTW_QSLMODE: "RTTY" } }, { twoWay: false, firstEntity: 291 }, "case 27"],
    [{ fields: { APP_LOTW_2XQSL: null } }, { twoWay: null }, "not said"],
    [{ fields: { STATION_CALLSIGN: "YU1TEST/P" } }, { stationCallsign: "YU1TEST/P" }, "case 29"],
    [{ call: "VK1ABC", dxcc: 150, state: "ACT" }, { state: "ACT", awardState: null, firstState: null }, "case 31"],
    [{ call: "VK6ABC", dxcc: 150, state: "WA" }, { state: "WA", awardState: null, firstState: null }, "case 31"],
    [{ band: "60m" }, { firstConfirmed: true, awardEntity: 291 }, "case 66"],
    [{ state: "DC" }, { state: "DC", awardState: "MD", firstState: "MD" }, "case 78"],
    [
      { dxcc: 6, state: "AK", at: Date.UTC(1958, 5, 1) },
      { awardState: null, firstState: null, awardEntity: 6 },
      "case 78",
    ],
    [{ dxcc: 110, state: "HI" }, { awardState: "HI", firstState: "HI" }, "case 78"],
    [{ call: "J20A", dxcc: 2, at: Date.UTC(1990, 4, 1) }, { awardEntity: 2, firstEntity: 2 }, "cases 28 and 79"],
    [{ call: "J20A", dxcc: 2, at: Date.UTC(1992, 4, 1) }, { dxcc: 2, awardEntity: null, firstEntity: null }, "case 79"],
    [{ call: "Z61AA", dxcc: 522, at: Date.UTC(2017, 4, 1) }, { awardEntity: null, firstEntity: null }, "case 80"],
    [{ call: "Z61AA", dxcc: 522, at: Date.UTC(2018, 0, 21) }, { awardEntity: 522, firstEntity: 522 }, "case 80"],
    [{ at: Date.UTC(1945, 10, 14) }, { dxcc: 291, awardEntity: null }, "before the ban was lifted"],
  ] satisfies [Contact, Partial<Derived>, string][])("%j counts as %j (%s)", (contact, columns) => {
    expect(fromFirst(contact)).toMatchObject(columns);
  });

  test("an unconfirmed contact has nothing of the service's own", () => {
    expect(
      derived({ qso: aFirstRecord({ confirmed: false }), second: aSecondRecord({ confirmed: true }) }),
    ).toMatchObject({
      firstEntity: null,
      firstState: null,
      firstZone: null,
      firstGrids: null,
      twoWay: null,
    });
  });

  test("a confirmation in a file counts with the file's values and the entity of the call", () => {
    expect(fromFile({ confirmed: true, state: "WI", grid: "EN34" })).toMatchObject({
      firstEntity: 291,
      firstState: "WI",
      firstZone: 4,
      firstGrids: "EN34",
      twoWay: null,
    });
    expect(fromFile({ confirmed: true, call: "DL1ABC" })).toMatchObject({
      firstEntity: 230,
      firstState: null,
      firstZone: null,
    });
  });

  test.each([
    [{ CREDIT_GRANTED: "IOTA,WAS:LOTW&CARD" }, "IOTA,WAS:LOTW&CARD"],
    [{ APP_LOTW_CREDIT_GRANTED: "DXCC:MIXED , dxcc" }, "DXCC,DXCC:MIXED"],
    [{ CREDIT_GRANTED: "DXCC", APP_LOTW_CREDIT_GRANTED: "DXCC" }, "DXCC"],
    [{ CREDIT_GRANTED: " , ," }, null],
    [{}, null],
  ])("of %j the credits are %j", (fields, credits) => {
    expect(fromFirst({ fields }).credits).toBe(credits);
  });

  test("a verified contact has DXCC credit for the medium that verified it", () => {
    expect(fromFile({ fields: { QSL_RCVD: "V" } }).credits).toBe("DXCC:CARD,DXCC_BAND:CARD,DXCC_MODE:CARD");
    expect(fromFile({ fields: { LOTW_QSL_RCVD: "V" } }).credits).toBe("DXCC:LOTW,DXCC_BAND:LOTW,DXCC_MODE:LOTW");
  });
});

describe("external ids", () => {
  test("the first service's is the same from its timestamp and from date and time", () => {
    const id = "20260718014345|YU1TEST|K9XYZ|20M|CW||";

    expect(fromFirst({}).firstId).toBe(id);
    expect(firstOrigin.idOf(aFirstRecord({ confirmed: false }))).toBe(id);
    expect(firstOrigin.idOf(aFirstRecord({ fields: { APP_LOTW_QSO_TIMESTAMP: null } }))).toBe(id);
    expect(derived({ file: { ...aFirstRecord(), program: "LoTW" } }).firstId).toBe(id);
  });

  test("two contacts of one minute have different ids", () => {
    expect(firstOrigin.idOf(aFirstRecord())).not.toBe(firstOrigin.idOf(aFirstRecord({ at: CONTACT_AT + 1000 })));
    expect(firstOrigin.idOf(aFirstRecord({ mode: "FM" }))).not.toBe(firstOrigin.idOf(aFirstRecord({ mode: "SSB" })));
  });

  test("a record without call or time has none, and another log has none of the first service", () => {
    expect(firstOrigin.idOf(aFirstRecord({ fields: { CALL: null } }))).toBeNull();
    expect(firstOrigin.idOf({ fields: { CALL: "K9XYZ" } })).toBeNull();
    expect(fromFile({}).firstId).toBeNull();
  });

  test("the second service's is its number, also from a file", () => {
    expect(fromSecond({ logid: 17 }).secondId).toBe("17");
    expect(fromFile({ fields: { APP_QRZLOG_LOGID: "17" } }).secondId).toBe("17");
    expect(secondOrigin.idOf({ fields: { APP_QRZLOG_LOGID: " " } })).toBeNull();
  });
});

describe("whatever the records contain", () => {
  // Invariant: deriving twice gives the same result
  test("deriving twice gives the same, and no layer changes", () => {
    fc.assert(
      fc.property(anyLayers(), (layers) => {
        const before = structuredClone(layers);

        expect(derive(layers, facts)).toEqual(derive(before, facts));
        expect(layers).toEqual(before);
      }),
      RUNS,
    );
  });

  // Defence: hostile values cannot corrupt computed columns
  test("every column has a valid value", () => {
    fc.assert(
      fc.property(anyLayers(), (layers) => {
        const qso = derive(layers, facts);

        if (qso) assertFits(qso);
      }),
      RUNS,
    );
  });

  // Invariant: a typed value always wins
  test("a valid typed text is always the column's", () => {
    fc.assert(
      fc.property(anyLayers(), fc.stringMatching(/^[A-Z]{1,20}$/), (layers, text) => {
        const typed = { CALL: "K9XYZ", STATE: text, NAME: text, QTH: text, COMMENT: text, CNTY: text, PROP_MODE: text };
        const qso = derive(
          setTyped(layers, { ...typed, QSO_DATE: "20260718", TIME_ON: "0143", BAND: "2m", DXCC: "1" }),
          facts,
        );

        expect(qso).toMatchObject({
          call: "K9XYZ",
          startedAt: Date.UTC(2026, 6, 18, 1, 43),
          band: "2m",
          dxcc: 1,
          state: text,
          county: text,
          name: text,
          qth: text,
          comment: text,
          propMode: text,
        });
      }),
      RUNS,
    );
  });

  // Invariant: a missing value or an N never withdraws a confirmation
  test("neither a file nor the first service withdraws a confirmation, nor does a record of the second without a status", () => {
    fc.assert(
      fc.property(anyLayers(), fc.oneof(ofFile(), ofFirst()), (layers, hear) => {
        const before = getConfirmations(layers);
        const silent = aSecondRecord({ fields: { APP_QRZLOG_STATUS: null } });

        for (const after of [
          hear(layers),
          secondOrigin.merge(layers, silent),
          firstOrigin.merge(layers, aFirstRecord(), "qsl"),
        ]) {
          for (const who of ["first", "second", "card"] as const) {
            if (before[who].confirmed) expect(getConfirmations(after)[who].confirmed).toBe(true);
          }
        }
      }),
      RUNS,
    );
  });
});

describe("complete logs", () => {
  test("each contact of a report is confirmed, with an id, a prefix and a zone that match the service", async () => {
    const records = await recordsOf(sample("lotwreport.adi").bytes);

    const rows = records.map((record) => derive(firstOrigin.merge(NO_LAYERS, record, "qsl"), facts)!);

    expect(rows.filter((qso) => !qso.firstConfirmed || qso.firstConfirmedAt === null)).toEqual([]);
    expect(rows.filter((qso) => qso.prefix !== facts.prefix(qso.call))).toEqual([]);
    expect(rows.filter((qso) => qso.firstZone !== null && qso.firstZone !== qso.cqZone)).toEqual([]);
    expect(new Set(rows.map((qso) => qso.firstId)).size).toBe(rows.length);
  });

  test("a known log has the entities, zones and prefixes that its owner counts", async () => {
    const log = foreignLogs().find(({ name }) => name === "k0xm-logger32.adi")!;
    const rows = (await recordsOf(log.bytes)).map((record) => derive(ownerOrigin.merge(NO_LAYERS, record), facts)!);
    const count = (of: (qso: Derived) => unknown) => new Set(rows.map(of).filter((key) => key !== null)).size;
    const on = (band: string) => [
      count((qso) => (qso.band === band ? qso.awardEntity : null)),
      count((qso) => (qso.band === band ? qso.firstEntity : null)),
    ];

    expect([rows.length, count(({ call }) => call)]).toEqual([1015, 664]);
    expect([count((qso) => qso.awardEntity), count((qso) => qso.firstEntity)]).toEqual([212, 171]);
    expect([count((qso) => qso.awardZone), count((qso) => qso.prefix)]).toEqual([37, 509]);
    expect([on("160m"), on("40m"), on("20m"), on("10m")]).toEqual([
      [2, 2],
      [44, 27],
      [54, 38],
      [156, 124],
    ]);
  });
});

const recordsOf = async (bytes: Uint8Array): Promise<AdifRecord[]> => {
  const records: AdifRecord[] = [];
  for await (const batch of readAdif(new Blob([new Uint8Array(bytes)]).stream())) records.push(...batch.records);
  return records;
};

const NUMBERS: Partial<Record<keyof Derived, [lowest: number, highest: number]>> = {
  startedAt: [Date.UTC(1930), Date.UTC(10_000)],
  endedAt: [Date.UTC(1930), Date.UTC(10_001)],
  freqHz: [1, Number.MAX_SAFE_INTEGER],
  dxcc: [1, 999],
  cqZone: [1, 40],
  ituZone: [1, 90],
  year: [1930, 9999],
  firstConfirmedAt: [Date.UTC(1930), Date.UTC(10_000)],
  secondConfirmedAt: [Date.UTC(1930), Date.UTC(10_000)],
  awardEntity: [1, 999],
  awardZone: [1, 40],
  firstEntity: [1, 999],
  firstZone: [1, 40],
};
const BAND_NAMES: readonly string[] = BANDS.map(({ name }) => name);
const WORDS: Partial<Record<keyof Derived, readonly string[]>> = {
  band: BAND_NAMES,
  bandRx: BAND_NAMES,
  modeGroup: ["cw", "phone", "digital", "image"],
  continent: CONTINENTS,
};
const LONG = new Set<keyof Derived>(["name", "qth", "comment", "county", "rstSent", "rstRcvd", "credits", "firstId"]);
const CLAIMS = new Set<keyof Derived>(["firstConfirmed", "secondConfirmed", "cardConfirmed"]);
const COLUMNS = FIELD_NAMES.toSorted();

const assertFits = (qso: Derived): void => {
  expect(Object.keys(qso).sort()).toEqual(COLUMNS);
  for (const [name, value] of Object.entries(qso) as [keyof Derived, unknown][]) {
    if (CLAIMS.has(name)) expect(value).toBeBoolean();
    else if (value === null) expect(["call", "startedAt", "year"]).not.toContain(name);
    else if (name === "twoWay") expect(value).toBeBoolean();
    else if (name === "txPower") expect(Number.isFinite(value) && Number(value) >= 0).toBe(true);
    else if (NUMBERS[name]) assertWithin(name, value as number, NUMBERS[name]);
    else assertText(name, value as string);
  }
};

const assertWithin = (name: string, value: number, [lowest, highest]: [number, number]): void => {
  const fits = Number.isSafeInteger(value) && value >= lowest && value <= highest;
  expect({ name, value, fits }).toEqual({ name, value, fits: true });
};

const assertText = (name: keyof Derived, value: string): void => {
  expect(value).toBeString();
  const fits = value.trim() !== "" && !value.includes("\0") && (LONG.has(name) || value.length <= 64);
  expect({ name, value, fits }).toEqual({ name, value, fits: true });
  if (WORDS[name]) expect(WORDS[name]).toContain(value);
};
