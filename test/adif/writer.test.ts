import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { exportMode } from "../../src/domain/radio/mode.ts";
import { writeHeader, writeRecord } from "../../src/adif/writer.ts";
import { everyLog } from "../support/samples.ts";
import { read } from "./reading.ts";
import { tcadif } from "./tcadif.ts";

const HEADER = { programVersion: "0.1.0", createdAt: Date.UTC(2026, 7, 1, 10, 11, 12) };

function written(records: AdifRecord[]): Buffer {
  return Buffer.from(writeHeader(HEADER) + records.map(writeRecord).join(""));
}

test("the header says which program wrote the log, and when", () => {
  const { header } = read(writeHeader({ ...HEADER, comment: "Log of YU1TEST\n<EOH>" }));

  expect(header).toEqual({
    comment: "Log of YU1TEST EOH>",
    fields: {
      ADIF_VER: "3.1.6",
      PROGRAMID: "qsolog",
      PROGRAMVERSION: "0.1.0",
      CREATED_TIMESTAMP: "20260801 101112",
    },
    userDefs: [],
  });
});

test("user-defined fields are written again", () => {
  const userDefs = [
    { name: "MY_POWER_CATEGORY", type: "E", values: "{QRPP,QRP,QRO}" },
    { name: "EPC" },
    { name: "MY_TEMPERATURE", type: "N", values: "{-50:150}" },
  ];

  expect(read(writeHeader({ ...HEADER, userDefs })).header!.userDefs).toEqual(userDefs);
});

test("lengths count bytes, lines end with CRLF, types are kept, and empty values are left out", () => {
  const line = writeRecord({
    fields: { CALL: "K1ABC", NAME: "Stra\u00DFe", ADDRESS: "one\ntwo", QTH: "" },
    types: { NAME: "I" },
  });

  expect(line).toBe("<CALL:5>K1ABC <NAME:7:I>Stra\u00DFe <ADDRESS:8>one\r\ntwo <EOR>\n");
});

test("every length is correct for values and records of any size", () => {
  const sizes = [0, 1, 9, 10, 99, 100, 101, 998, 999, 1_000, 1_001, 20_000];
  const values = [...sizes, ...sizes, ...sizes, ...sizes].map((size, at) =>
    (at % 5 === 4 ? "é" : "").padEnd(size, "x"),
  );
  const fields = Object.fromEntries(values.map((value, at) => [`FIELD_${at}`, value]));

  const line = writeRecord({ fields: { ...fields, "NO NAME ": "x", EOR: "x", CALL: "K1ABC" } });

  const expected = Object.entries({ ...fields, CALL: "K1ABC" })
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<${name}:${Buffer.byteLength(value)}>${value} `);
  expect(line).toBe(`${expected.join("")}<EOR>\n`);
});

describe("a log after reading, writing and reading again", () => {
  test.each(everyLog().map((log) => [log.name, log] as const))("%s has the same records as before", (_, log) => {
    const { records } = read(log.bytes);

    const again = read(written(records));

    expect(records.length).toBeGreaterThan(10);
    expect(again.records).toEqual(records);
    expect(again.problems).toEqual([]);
    expect(again.header!.fields["PROGRAMID"]).toBe("qsolog");
  });

  test("any text stays unchanged", () => {
    const name = fc
      .stringMatching(/^[A-Z0-9_]{1,20}$/)
      .filter((text) => !["EOR", "EOH", "APP_LOTW_EOF"].includes(text));
    const value = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.string({ unit: "binary", minLength: 1 }),
      adifLike(),
    );

    fc.assert(
      fc.property(fc.array(fc.dictionary(name, value, { minKeys: 1 }), { maxLength: 4 }), (logs) => {
        const records = logs.map((fields) => ({ fields: mapped(fields, (text) => text.replaceAll(/\r+\n/g, "\n")) }));

        const again = read(written(records));

        expect(again.records).toEqual(records);
        expect(again.problems).toEqual([]);
      }),
    );
  });

  function adifLike(): fc.Arbitrary<string> {
    const pieces = [
      "<EOR>",
      "<CALL:5>K1ABC",
      "<eoh>",
      "&lt;",
      "\r",
      "\n",
      " ",
      "// x",
      "#",
      "é",
      "\u{1F600}",
      "<A:900>",
    ];
    return fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((list) => list.join(""));
  }

  function mapped(fields: Record<string, string>, change: (text: string) => string): Record<string, string> {
    return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, change(text)]));
  }
});

describe("an independent strict reader", () => {
  type Found = [name: string, value: string | null];

  /** It counts characters; one character a byte makes that the same. */
  const asBytes = (text: string) => Buffer.from(text).toString("latin1");

  test.each(everyLog().map((log) => [log.name, log] as const))("finds the same fields in %s", (_, log) => {
    for (const record of read(log.bytes).records) {
      const expected = Object.entries(record.fields).map(([name, value]): Found => [name, asBytes(crlf(value))]);
      expect(fieldsFoundIn(asBytes(writeRecord(record)))).toEqual([...expected, ["EOR", null]]);
    }
  });

  test.each(everyLog().map((log) => [log.name, log] as const))("accepts every mode of %s after an export", (_, log) => {
    const modes = new Map(
      read(log.bytes).records.map(({ fields }) => [`${fields["MODE"]} ${fields["SUBMODE"]}`, fields]),
    );
    for (const fields of modes.values()) {
      const { MODE, SUBMODE } = exportMode(fields["MODE"], fields["SUBMODE"]);
      if (MODE === undefined) continue;
      const contact = {
        CALL: "K1ABC",
        BAND: "20m",
        QSO_DATE: "20260801",
        TIME_ON: "1011",
        MODE,
        SUBMODE: SUBMODE ?? "",
      };

      const { qsos } = tcadif.ADIF.parse(writeHeader(HEADER) + writeRecord({ fields: contact }));

      expect(qsos[0]!.toObject()).toMatchObject({ MODE });
    }
  });

  test("accepts a whole LoTW report after an export", () => {
    const [lotw] = everyLog();
    const records = read(lotw!.bytes).records.flatMap(({ fields }) => {
      const mode = exportMode(fields["MODE"], fields["SUBMODE"]);
      return mode.MODE === undefined ? [] : [{ fields: { ...fields, SUBMODE: "", ...mode } }];
    });

    const { qsos } = tcadif.ADIF.parse(asBytes(written(records).toString()));

    expect(qsos.length).toBe(records.length);
    expect(qsos.length).toBeGreaterThan(40);
  });

  function fieldsFoundIn(text: string): Found[] {
    const found: Found[] = [];
    for (let rest = text; ;) {
      const field = tcadif.Field.parse(rest);
      if (field === null) return found;
      found.push([field.fieldName, field.data]);
      rest = rest.slice(field.bytesConsumed);
    }
  }

  function crlf(value: string): string {
    return value.replaceAll("\n", "\r\n");
  }
});
