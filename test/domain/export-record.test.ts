import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Fields } from "../../src/domain/contact/adif-record.ts";
import { derive } from "../../src/domain/contact/derive.ts";
import { NO_LAYERS, type Layers } from "../../src/domain/contact/layers.ts";
import { fileOrigin } from "../../src/domain/origins/file.ts";
import { ownerOrigin } from "../../src/domain/origins/owner.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import { exportRecord } from "../../src/domain/contact/export-record.ts";
import { completeRecord, decodeCarried } from "../../src/domain/contact/exported-records.ts";
import { facts } from "../contacts/log.ts";
import { isFull } from "../support/full.ts";

const CONTACT = { CALL: "K1ABC", QSO_DATE: "20260801", TIME_ON: "1000", BAND: "20m", MODE: "CW" };

const record = (layers: Partial<Layers>) => {
  const whole = { ...NO_LAYERS, ...layers };
  return exportRecord({ ...derive(whole, facts)!, ...whole } as Qso);
};

const file = (fields: Fields, program?: string): Layers =>
  ownerOrigin.merge(NO_LAYERS, { fields: { ...CONTACT, ...fields }, ...(program ? { program } : {}) });

test("a file's fields are written unchanged with their types, including unknown fields", () => {
  const fields = { ...CONTACT, CALL: "k1abc", COMMENT: "  two\nlines ", APP_X_Y: "z", QSL_RCVD: "V", DXCC: "0291" };
  const own = { file: { fields, types: { APP_X_Y: "N", COMMENT: "M" } } };

  expect(record({ own })).toEqual({ fields, types: { APP_X_Y: "N", COMMENT: "M" } });
});

test("typed values have priority over a file, and a file over services", () => {
  const own = { typed: { NAME: "Ann" }, file: { fields: { ...CONTACT, NAME: "ANN", QTH: "Rome" } } };
  const second = { record: { fields: { ...CONTACT, NAME: "Anna", QTH: "ROMA", STATE: "RM" } } };

  expect(record({ own, second }).fields).toMatchObject({ NAME: "Ann", QTH: "Rome", STATE: "RM" });
});

test("a service's QSL_RCVD is not written as a card, and its values about the other service or credits are left out", () => {
  const hearsay = { QSL_RCVD: "Y", QSLRDATE: "20260802", LOTW_QSL_RCVD: "Y", CREDIT_GRANTED: "DXCC" };
  const { fields } = record({
    ...file({}),
    second: { record: { fields: { ...CONTACT, ...hearsay, APP_QRZLOG_LOGID: "7" } } },
  });

  expect(fields).toEqual({ ...CONTACT, APP_QRZLOG_LOGID: "7" });
});

test("the first service's confirmation is written under its own names, with the partner's details", () => {
  const qsl = { ...CONTACT, QSL_RCVD: "Y", QSLRDATE: "20260803", APP_LOTW_RXQSL: "2026-08-03 10:11:12", STATE: "WI" };
  const { fields } = record({ ...file({}), first: { qsl: { fields: qsl } } });

  expect(fields).toEqual({
    ...CONTACT,
    STATE: "WI",
    APP_LOTW_RXQSL: "2026-08-03 10:11:12",
    LOTW_QSL_RCVD: "Y",
    LOTW_QSLRDATE: "20260803",
  });
});

test("in a report that the first service wrote, QSL means the service", () => {
  const { fields } = record(file({ QSL_RCVD: "Y", QSLRDATE: "20260803" }, "LoTW"));

  expect(fields).toEqual({ ...CONTACT, LOTW_QSL_RCVD: "Y", LOTW_QSLRDATE: "20260803" });
});

test("the second service's status replaces an older one from a file", () => {
  const told = { APP_QRZLOG_STATUS: "C", APP_QRZLOG_QSLDATE: "20260804", APP_QRZLOG_LOGID: "9" };

  const confirmed = record({
    ...file({ APP_QRZLOG_STATUS: "N" }),
    second: { record: { fields: { ...CONTACT, ...told } } },
  });
  const withdrawn = record({ ...file(told), second: { record: { fields: { ...CONTACT, APP_QRZLOG_STATUS: "N" } } } });

  expect(confirmed.fields).toMatchObject(told);
  expect(withdrawn.fields).toEqual({ ...CONTACT, APP_QRZLOG_STATUS: "N", APP_QRZLOG_LOGID: "9" });
});

const MODES: [Fields, Fields][] = [
  [{ MODE: "FT4" }, { MODE: "MFSK", SUBMODE: "FT4" }],
  [{ MODE: "USB" }, { MODE: "SSB", SUBMODE: "USB" }],
  [
    { MODE: "ssb", SUBMODE: "lsb" },
    { MODE: "SSB", SUBMODE: "LSB" },
  ],
  [{ MODE: "CW", SUBMODE: "FT4" }, { MODE: "CW" }],
  [{ MODE: "DATA" }, { MODE: "MFSK", APP_QSOLOG_MODE: "DATA", APP_LOTW_MODEGROUP: "DATA" }],
  [
    { MODE: "PHONE", APP_LOTW_MODE: "PHONE" },
    { MODE: "SSB", APP_QSOLOG_MODE: "PHONE", APP_LOTW_MODEGROUP: "PHONE" },
  ],
];
test.each(MODES)("the mode %j is written as %j", (given, written) => {
  const { fields } = record({ own: { file: { fields: { ...CONTACT, MODE: "", ...given } } } });

  const { MODE: _, ...rest } = CONTACT;
  expect(fields).toEqual({ ...rest, ...written });
});

test("of two services' times the one with seconds is written, and a frequency within the band", () => {
  const first = { qso: { fields: { ...CONTACT, TIME_ON: "100012", FREQ: "14.0251" } } };
  const { fields } = record({ first, second: { record: { fields: { ...CONTACT, FREQ: "7.01" } } } });

  expect(fields).toMatchObject({ TIME_ON: "100012", FREQ: "14.0251", BAND: "20m" });
});

// Invariant: exporting and importing a record gives the same contact
test("whatever the layers are, importing the record gives the same contact", () => {
  const values: Record<string, string[]> = {
    TIME_ON: ["1000", "100000", "100012", "1001", "9999"],
    QSO_DATE_OFF: ["20260801", "20260802", "00000000"],
    TIME_OFF: ["1005", "0010", "x"],
    BAND: ["20m", "20M", "40M"],
    FREQ: ["14.074", "14,0741", "7.05"],
    FREQ_RX: ["7.1"],
    MODE: ["SSB", "USB", "FT4", "MFSK", "DATA", "PHONE", "data", "FOO"],
    SUBMODE: ["USB", "FT4", "PSK31"],
    APP_LOTW_MODEGROUP: ["DATA", "PHONE"],
    GRIDSQUARE: ["JN61", "jn61fw", "JN62", "ZZ99"],
    VUCC_GRIDS: ["EN52,EN53"],
    STATE: ["WI", "wi", " "],
    DXCC: ["291", "0", "x"],
    CQZ: ["4", "99"],
    IOTA: ["EU-025", "none"],
    NAME: ["Ann", ""],
    PROP_MODE: ["SAT"],
    SAT_NAME: ["SO-50"],
    TX_PWR: ["100", "5,5"],
    STATION_CALLSIGN: ["YU1X", "yu1x/p"],
    QSL_RCVD: ["Y", "V", "N"],
    QSLRDATE: ["20260802", "00000000"],
    LOTW_QSL_RCVD: ["Y", "N"],
    LOTW_QSLRDATE: ["20260803"],
    APP_QRZLOG_STATUS: ["C", "N", "c"],
    APP_QRZLOG_QSLDATE: ["20260804"],
    APP_QRZLOG_LOGID: ["1", "2"],
    CREDIT_GRANTED: ["DXCC", "WAS:LOTW&CARD,DXCC"],
    APP_LOTW_CREDIT_GRANTED: ["DXCC:MIXED"],
    APP_LOTW_RXQSL: ["2026-08-03 10:11:12"],
  };
  const said = fc
    .record(Object.fromEntries(Object.entries(values).map(([name, list]) => [name, fc.constantFrom(...list)])), {
      requiredKeys: [],
    })
    .map((fields): Fields => ({ CALL: "W1AW", QSO_DATE: "20260801", TIME_ON: "1000", ...(fields as Fields) }));
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const layers = fc.record({
    file: maybe(fc.record({ fields: said })),
    program: fc.constantFrom(undefined, undefined, "LoTW"),
    qsl: maybe(said),
    qso: maybe(said),
    second: maybe(said),
  });

  fc.assert(
    fc.property(layers, ({ file: heard, program, qsl, qso, second }) => {
      let whole: Layers = {
        ...NO_LAYERS,
        first: qsl || qso ? { ...(qsl && { qsl: { fields: qsl } }), ...(qso && { qso: { fields: qso } }) } : null,
        second: second ? { record: { fields: second } } : null,
      };
      if (heard) whole = ownerOrigin.merge(whole, program ? { ...heard, program } : heard);
      const derived = derive(whole, facts);
      fc.pre(derived !== null);

      const { record } = decodeCarried(completeRecord({ ...derived, ...whole } as Qso));
      const again = derive(fileOrigin.merge(NO_LAYERS, record), facts);

      expect(again).toEqual(derived);
    }),
    { numRuns: isFull(import.meta) ? 20_000 : 1_000 },
  );
}, 120_000);

test("a frequency in kilohertz gives the right band, and is written in megahertz", () => {
  const { BAND: _, ...rest } = CONTACT;
  const own = { file: { fields: { ...rest, FREQ: "14074", FREQ_RX: "7074" } } };

  expect(derive({ ...NO_LAYERS, own }, facts)).toMatchObject({ band: "20m", freqHz: 14_074_000, bandRx: "40m" });
  expect(record({ own }).fields).toMatchObject({ BAND: "20m", FREQ: "14.074" });
});

test("unusual forms of time are understood, and written as in ADIF", () => {
  const own = { file: { fields: { ...CONTACT, TIME_ON: "9:30", TIME_OFF: "09:35:10" } } };

  expect(derive({ ...NO_LAYERS, own }, facts)).toMatchObject({ startedAt: Date.UTC(2026, 7, 1, 9, 30) });
  expect(record({ own }).fields).toMatchObject({ TIME_ON: "0930", TIME_OFF: "093510" });
});

test("a mode that only stands for its group is read as the group, until a file has the mode", () => {
  const wide = record({ own: { file: { fields: { ...CONTACT, MODE: "DATA" } } } });
  const again = ownerOrigin.merge(NO_LAYERS, wide);
  expect(derive(again, facts)).toMatchObject({ mode: "DATA", submode: null, modeGroup: "digital" });

  const known = ownerOrigin.merge(again, { fields: { ...CONTACT, MODE: "FT8" } });
  expect(derive(known, facts)).toMatchObject({ mode: "FT8" });
  expect(derive(ownerOrigin.merge(known, wide), facts)).toMatchObject({ mode: "FT8" });
});
