import { describe, expect, test } from "bun:test";
import { sample } from "../support/samples.ts";
import { AdifReader, readAdif } from "../../src/adif/reader.ts";
import { read, rules, withoutExcerpts } from "./reading.ts";

const ONE = "<CALL:5>K1ABC <BAND:3>20m <EOR>\n";
const K1ABC = { fields: { CALL: "K1ABC", BAND: "20m" } };

describe("sample files", () => {
  const EXPECTED = [
    ["lotwreport.adi", 438, 60, 0],
    ["qrz-export.adi", 931, 80, 0],
    ["adif-3.1.6-test-qsos.adi", 6191, 70, 4],
  ] as const;

  test.each(EXPECTED)("%s is read to the last record", (name, records, recordsOfTwin, problems) => {
    const { bytes, isReal } = sample(name);

    const reading = read(bytes);

    expect(reading.header).not.toBeNull();
    expect(reading.records).toHaveLength(isReal ? records : recordsOfTwin);
    expect(rules(reading)).toEqual(Array.from({ length: problems }, () => "length"));
    expect(reading.seen.unfinished).toBe(false);
  });

  test.each(EXPECTED)("%s gives the same records in chunks of any size", (name) => {
    const { bytes } = sample(name);
    const whole = withoutExcerpts(read(bytes));

    expect(withoutExcerpts(read(bytes, {}, 1))).toEqual(whole);
    expect(withoutExcerpts(read(bytes, {}, 777))).toEqual(whole);
  });

  test("the header of a LoTW report keeps its count, its last date and its text", () => {
    const { header, records, seen } = read(sample("lotwreport.adi").bytes);

    expect(header!.comment).toStartWith("ARRL Logbook of the World Status Report");
    expect(header!.comment).toContain("(user supplied value)");
    expect(header!.fields["APP_LOTW_NUMREC"]).toBe(String(records.length));
    expect(header!.fields["APP_LOTW_LASTQSL"]).toBe(records[0]!.fields["APP_LOTW_RXQSL"]!);
    expect(seen).toEqual({ header: true, records: records.length, eofMarker: true, unfinished: false });
  });

  test("the official test file defines its twelve user-defined fields", () => {
    const { header } = read(sample("adif-3.1.6-test-qsos.adi").bytes);

    expect(header!.userDefs).toHaveLength(12);
    expect(header!.userDefs[0]).toEqual({ name: "RCVD_FROM_DX_CLUSTER", type: "B" });
    expect(header!.userDefs[1]).toEqual({ name: "MY_POWER_CATEGORY", type: "E", values: "{QRPP,QRP,QRO}" });
    expect(header!.userDefs[2]!.values).toBe("{-50:150}");
  });
});

describe("headers", () => {
  test("a log without a header consists of records only", () => {
    expect(read(ONE)).toMatchObject({ header: null, records: [K1ABC], problems: [], seen: { header: false } });
  });

  test.each([
    ["a byte order mark", `\uFEFF<ADIF_VER:5>3.1.6 <EOH>${ONE}`],
    ["a leading space", ` <ADIF_VER:5>3.1.6 <EOH>${ONE}`],
    ["comment lines", `\uFEFF# a log\n# of mine\n<ADIF_VER:5>3.1.6 <eoh>\n# first\n${ONE}`],
    ["a field as its first byte", `<ADIF_VER:5>3.1.6\r\n<EOH>\r\n${ONE}`],
    ["its own end marker in its text", `Records end with <EOR>, the header too.\n<ADIF_VER:5>3.1.6 <EOH>${ONE}`],
  ])("a header can have %s", (_, log) => {
    const reading = read(log);

    expect(reading.header!.fields).toEqual({ ADIF_VER: "3.1.6" });
    expect(reading.header!.comment).not.toStartWith("\uFEFF");
    expect(reading.records).toEqual([K1ABC]);
    expect(reading.problems).toEqual([]);
  });

  test("without <EOH> the header's fields become part of the first record, and none is lost", () => {
    const reading = read(`My log <ADIF_VER:5>3.1.6\n${ONE}${ONE}`);

    expect(reading.records).toEqual([{ fields: { ADIF_VER: "3.1.6", ...K1ABC.fields } }, K1ABC]);
  });

  test("two logs in one file are both read, and the second header is reported", () => {
    const reading = read(`One <EOH>${ONE}Two <PROGRAMID:1>X <EOH>${ONE}`);

    expect(reading.records).toEqual([K1ABC, K1ABC]);
    expect(rules(reading)).toEqual(["second_header"]);
  });

  test("a header after a record without an end does not remove that record", () => {
    const reading = read(`One <EOH><CALL:5>K1ABC <BAND:3>20m <EOH>${ONE}`);

    expect(reading.records).toEqual([K1ABC, K1ABC]);
  });
});

describe("the fields of a record", () => {
  test("names become upper case, values stay unchanged, and empty values are left out", () => {
    const reading = read("<cAlL:6>k1Abc  <name:0><Notes:0:S> <eor>");

    expect(reading.records).toEqual([{ fields: { CALL: "k1Abc " } }]);
    expect(reading.problems).toEqual([]);
  });

  test("data types are kept if they are given", () => {
    expect(read("<QSO_DATE:8:d>20260101<CALL:5>K1ABC<EOR>").records[0]!.types).toEqual({ QSO_DATE: "D" });
  });

  test.each([
    ["<STATE:2>WI // Wisconsin\n<EOR>", { STATE: "WI" }],
    ["<CNTY:9>WI,PIERCE // Pierce\r\n<CQZ:2>04\r\n<EOR>", { CNTY: "WI,PIERCE", CQZ: "04" }],
    ["<CALL:5>K1ABC\n# a remark <with> brackets\n<CQZ:1>4 # one more\n<EOR>", { CALL: "K1ABC", CQZ: "4" }],
  ])("comments after a value are not part of it: %j", (log, fields) => {
    const reading = read(log);

    expect(reading.records).toEqual([{ fields }]);
    expect(reading.problems).toEqual([]);
  });

  test.each(["<APP_LoTW_EOF>", "<APP_LOTW_EOF:1>1", "<app_lotw_eof>\r\n"])(
    "%s ends a report and is not a record",
    (marker) => {
      const reading = read(`LoTW<EOH>${ONE}${marker}`);

      expect(reading.records).toEqual([K1ABC]);
      expect(reading.seen).toEqual({ header: true, records: 1, eofMarker: true, unfinished: false });
      expect(reading.problems).toEqual([]);
    },
  );

  test("an empty application-defined field can have no length", () => {
    const reading = read(`<APP_LoTW_DXCCRecord_Call:S>\n<APP_X_Y>\n${ONE}`);

    expect(reading.records).toEqual([K1ABC]);
    expect(reading.problems).toEqual([]);
  });

  test.each(["<EOR>", "<eoh>", "a <CALL:5>b", "&RESULT=OK", "x < y > z", "// no comment", "<"])(
    "a value can contain %s",
    (text) => {
      const reading = read(`<COMMENT:${text.length}>${text} ${ONE}`);

      expect(reading.records).toEqual([{ fields: { COMMENT: text, ...K1ABC.fields } }]);
      expect(reading.problems).toEqual([]);
    },
  );

  test("line ends within a value become LF", () => {
    expect(read("<ADDRESS:12>one\r\ntwo\nsix<EOR>").records[0]!.fields["ADDRESS"]).toBe("one\ntwo\nsix");
  });

  test("names with characters beyond the standard are read", () => {
    expect(read("<My Own-Field.2:1>x<EOR>").records).toEqual([{ fields: { "MY OWN-FIELD.2": "x" } }]);
  });

  test("a name of Object.prototype is a field like any other", () => {
    const [record] = read("<__proto__:1>x<constructor:1>y<EOR>").records;

    expect(Object.entries(record!.fields)).toEqual([
      ["__PROTO__", "x"],
      ["CONSTRUCTOR", "y"],
    ]);
  });

  test("a field given twice with another value is reported; the last one counts", () => {
    const reading = read("<CALL:5>K1ABC<CALL:5>K1ABC<CALL:5>N0NEW<EOR>");

    expect(reading.records[0]!.fields).toEqual({ CALL: "N0NEW" });
    expect(rules(reading)).toEqual(["duplicate"]);
    expect(reading.problems[0]!.message).toContain("K1ABC");
  });

  test("an error gives the position of the record in the input", () => {
    const log = `Head <EOH>\n${ONE}\n${ONE}`;

    const { places } = read(log);

    expect(places.map(({ index }) => index)).toEqual([0, 1]);
    for (const { offset, length } of places) expect(log.slice(offset, offset + length)).toBe(ONE.trim());
  });
});

describe("lengths and encodings", () => {
  test.each([16, 15])("a name whose length is declared as %i, in bytes or characters, is read completely", (length) => {
    const reading = read(`<name:${length}>Toni Olmo Tomàs\n${ONE}`);

    expect(reading.records[0]!.fields["NAME"]).toBe("Toni Olmo Tomàs");
    expect(reading.problems).toEqual([]);
  });

  test.each([
    ["bytes", 8],
    ["characters", 5],
    ["UTF-16 units", 6],
  ])("an emoji is read when lengths count %s", (_, length) => {
    const reading = read(`<NOTES:${length}>hey \u{1F600}\n${ONE}`);

    expect(reading.records[0]!.fields["NOTES"]).toBe("hey \u{1F600}");
    expect(reading.problems).toEqual([]);
  });

  test("one log can contain both UTF-8 and Windows-1252 values", () => {
    const latin = Buffer.from("<QTH:3>\xC9rd\n<NAME:4>5 \x80 <EOR>", "latin1");

    const reading = read(Buffer.concat([latin, Buffer.from("<QTH:4>Érd\n<EOR>")]));

    expect(reading.records.map(({ fields }) => fields)).toEqual([{ QTH: "Érd", NAME: "5 € " }, { QTH: "Érd" }]);
    expect(reading.problems).toEqual([]);
  });

  test("a length that includes the next field loses neither value", () => {
    const reading = read("<CALL:5>K1ABC\n<NAME:20>Bob\n<BAND:3>20m\n<MODE:2>CW\n<EOR>\n");

    expect(reading.records).toEqual([{ fields: { CALL: "K1ABC", NAME: "Bob", BAND: "20m", MODE: "CW" } }]);
    expect(rules(reading)).toEqual(["length"]);
    expect(reading.problems[0]!.offset).toBe(14);
    expect(reading.problems[0]!.excerpt).toStartWith("<NAME:20>Bob");
  });

  test("a length that includes the end of the record does not join two records", () => {
    const reading = read(`<CALL:5>K1ABC <BAND:3>20m <NAME:12>Bob<EOR>\n${ONE}`);

    expect(reading.records).toEqual([{ fields: { ...K1ABC.fields, NAME: "Bob" } }, K1ABC]);
  });

  test("a length that is too short does not cut the value", () => {
    const reading = read(`<NAME:3>Robert <CALL:5>K1ABC <BAND:3>20m <EOR>`);

    expect(reading.records[0]!.fields).toEqual({ NAME: "Robert", ...K1ABC.fields });
    expect(rules(reading)).toEqual(["length"]);
  });

  test("extra text after a value is reported", () => {
    const reading = read(`<NAME:3>Bob the builder <CALL:5>K1ABC <EOR>`);

    expect(reading.records[0]!.fields).toEqual({ NAME: "Bob", CALL: "K1ABC" });
    expect(reading.problems).toMatchObject([{ rule: "text", excerpt: expect.stringContaining("the builder") }]);
  });

  test("a field without a length is reported anywhere", () => {
    expect(rules(read("<CALL:5>K1ABC <BAND>20m <MODE:2>CW <EOR>"))).toEqual(["text"]);
    expect(rules(read("<BAND>20m <CALL:5>K1ABC <EOR>"))).toEqual(["marker"]);
    expect(rules(read(`x<EOH>${ONE}<BAND>20m <CALL:5>K1ABC <EOR>`))).toEqual(["marker"]);
  });
});

describe("the end of the input", () => {
  const CUT = `x<EOH>${ONE}<CALL:5>N0NEW <BAND:3>20m`;

  test("a file keeps its last record without <EOR> and reports it", () => {
    const reading = read(CUT);

    expect(reading.records).toHaveLength(2);
    expect(rules(reading)).toEqual(["unfinished"]);
    expect(reading.seen.unfinished).toBe(true);
  });

  test("a truncated answer keeps no partial record", () => {
    const reading = read(CUT, { keepUnfinished: false });

    expect(reading.records).toEqual([K1ABC]);
    expect(rules(reading)).toEqual(["truncated"]);
    expect(reading.seen.unfinished).toBe(true);
  });

  test("wherever an answer is cut, there is no partial record and the cut is noticed", () => {
    const log = `x<EOH>\n${ONE}<CALL:6>DJ9\u00C4BC <BAND:3>40m <NAME:3>Bob // so\n<EOR>`;
    const bytes = Buffer.from(log);
    const second = bytes.indexOf("<CALL:6>");

    for (let end = second + 1; end < bytes.length; end++) {
      const reading = read(bytes.subarray(0, end), { keepUnfinished: false });
      expect(reading.records).toEqual([K1ABC]);
      expect(reading.seen.unfinished).toBe(true);
    }
  });

  test("a truncated value is reported and left out", () => {
    const reading = read(`x<EOH><CALL:5>K1ABC <BAND:3>20m <NAME:9>Bob`);

    expect(reading.records).toEqual([K1ABC]);
    expect(rules(reading)).toEqual(["truncated", "unfinished"]);
  });
});

describe("files that are not ADIF", () => {
  test.each([
    ["nothing", ""],
    [
      "a page",
      "<!DOCTYPE html><html><head><title>Login</title></head><body><p>Username/password incorrect</I></body></html>",
    ],
    ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452000000013c413c3e3a", "hex")],
    ["prose", "Dear OM, < 73 > and best DX."],
  ])("%s gives neither header nor record", (_, input) => {
    expect(read(input)).toMatchObject({ header: null, records: [], seen: { header: false, records: 0 } });
  });
});

describe("hostile files", () => {
  test("a record over the size limit is skipped and reported, and its neighbours are read", () => {
    const huge = `<CALL:5>N0BIG ${"<NOTES:9>123456789 ".repeat(20)}<EOR>`;

    const reading = read(`${ONE}${huge}${ONE}`, { maxRecordLength: 200 });

    expect(reading.records).toEqual([K1ABC, K1ABC]);
    expect(rules(reading)).toEqual(["too_large"]);
  });

  test("a record with too many fields is skipped, and its neighbours are read", () => {
    const many = `<CALL:5>N0BIG ${Array.from({ length: 2_500 }, (_, n) => `<F${n}:1>x`).join("")}<EOR>`;

    const reading = read(`${ONE}${many}${ONE}`);

    expect(reading.records).toEqual([K1ABC, K1ABC]);
    expect(rules(reading)).toEqual(["too_large"]);
  });

  // Defence: requests about a large log do not delay other users
  test.each([
    ["fields", "<A:1>b".repeat(5_000), 0],
    ["misfits", "<A:3>b".repeat(5_000), 0],
    ["records", "<CALL:1>A<EOR>".repeat(5_000), 5_000],
    ["headers", "<EOH>".repeat(5_000), 0],
    ["values without end", "<A:900000>b".repeat(5_000), 0],
  ])("thousands of %s are read in steps", (_, input, records) => {
    const reader = new AdifReader({});
    const bytes = Buffer.from(`x<EOH>${input}<EOR>`);

    const steps = [...reader.steps(bytes), ...reader.lastSteps()];

    expect(steps.length).toBeGreaterThanOrEqual(9);
    expect(reader.seen.records).toBe(records);
  });

  // Defence: hostile ADIF is read in bounded memory
  test("a declared length of a gigabyte does not make the reader wait for a gigabyte", () => {
    const reading = read(`<CALL:5>K1ABC <NOTES:1000000000>short\n<BAND:3>20m <EOR>${ONE}`);

    expect(reading.records).toEqual([{ fields: { CALL: "K1ABC", NOTES: "short", BAND: "20m" } }, K1ABC]);
    expect(rules(reading)).toEqual(["length"]);
  });

  test.each([
    ["an opening bracket in every byte", "<"],
    ["markers without end", "<A"],
    ["names that go on", "<AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    ["lengths of nearly a megabyte", "<A:900000>x"],
    ["lengths of nearly a megabyte over other letters", "<A:900000>é"],
    ["entities", "&lt;A:90000&gt;&amp;"],
    ["blank space", "<A:1>x" + " ".repeat(2000)],
    ["comments", "<A:1>x //" + "/".repeat(2000)],
  ])("%s takes time in proportion", (_, piece) => {
    const bytes = Buffer.from(piece.repeat(Math.ceil(1_000_000 / piece.length)));

    const before = performance.now();
    read(bytes, { html: true });

    expect(performance.now() - before).toBeLessThan(15_000);
  });
});

describe("replies of the QRZ interface", () => {
  const html = { html: true };
  const escaped = (adif: string) => adif.replaceAll("<", "&lt;").replaceAll(">", "&gt;");

  test("escaped tags are read, and text after the log is ignored", () => {
    const body = `COUNT=2&ADIF=${escaped(ONE)}\n${escaped("<call:5>N0NEW\n<eor>\n\n")}&RESULT=OK`;

    const reading = read(body, html);

    expect(reading.records).toEqual([K1ABC, { fields: { CALL: "N0NEW" } }]);
    expect(reading.problems).toEqual([]);
  });

  test("other keys of a reply can directly follow a value", () => {
    const reading = read(`ADIF=${escaped("<call:5>N0NEW")}&RESULT=OK`, html);

    expect(reading.records).toEqual([{ fields: { CALL: "N0NEW" } }]);
    expect(rules(reading)).toEqual(["unfinished"]);
  });

  test.each([
    ["&lt;comment:7&gt;R&R net", "R&R net"],
    ["&lt;comment:10&gt;A+B 50%20C", "A+B 50%20C"],
    ["&lt;comment:3&gt;a&lt;b", "a<b"],
    ["&lt;comment:23&gt;&amp; &lt; &gt; literal", "&amp; &lt; &gt; literal"],
    ["&lt;comment:7&gt;a <eor>", "a <eor>"],
    ["&lt;comment:7&gt;a &lt;eor&gt;", "a <eor>"],
    ["&lt;comment:11&gt;&ADIF=1 &C=", null],
    ["&lt;comment:10&gt;x &COUNT=9", "x &COUNT=9"],
    ["&lt;comment:5&gt;é&amp;&lt;à&gt;", "é&<à>"],
  ])("%s", (field, value) => {
    const reading = read(`RESULT=OK&ADIF=${field}\n${escaped(ONE)}&COUNT=1`, html);

    if (value !== null) expect(reading.problems).toEqual([]);
    expect(reading.records[0]!.fields).toEqual({ COMMENT: value ?? "&ADIF=1 &C=", ...K1ABC.fields });
  });
});

test("a stream is read in batches", async () => {
  const { bytes } = sample("lotwreport.adi");
  const whole = read(bytes);
  const stream = new Blob([Buffer.from(bytes)]).stream();

  const records = [];
  let header = null;
  let bytesRead = 0;
  for await (const batch of readAdif(stream)) {
    header ??= batch.header;
    records.push(...batch.records);
    bytesRead = batch.bytesRead;
  }

  expect(header).toEqual(whole.header);
  expect(records).toEqual(whole.records);
  expect(bytesRead).toBe(bytes.length);
});
