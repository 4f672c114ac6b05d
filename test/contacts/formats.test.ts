import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readAdx } from "../../src/adif/adx.ts";
import { writeRecord } from "../../src/adif/writer.ts";
import { exportLog } from "../../src/contacts/export.ts";
import { parseFilter } from "../../src/domain/contact/qso-filter.ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { said, sync } from "../support/sync.ts";
import { cleanUp } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { aUser, testWorld } from "../support/world.ts";
import { contentOf } from "../support/sync.ts";
import { exported, importLog } from "./log.ts";

const aLog = async (records: readonly AdifRecord[]) => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  await sync(world, id, "file", records);
  const out = async (filter: Record<string, string> = {}, options: { format?: string; columns?: string } = {}) =>
    (await Array.fromAsync(exportLog(world, id, parseFilter(filter), options))).join("");
  return { world, id, out };
};

const AWKWARD = said("K1AAA", "2026-07-18 01:43:20", {
  NAME: 'Jürg <"J"> & Co, Ω',
  COMMENT: "line\nand another",
  APP_N1MM_POINTS: "3",
  EPC: "12345",
  FREQ: "14.074",
});

describe("ADX", () => {
  test("contains everything that ADIF does, and gives the same log when imported", async () => {
    const { world, id, out } = await aLog([AWKWARD, said("K2BBB", "2026-07-18 02:43")]);

    const text = await out({}, { format: "adx" });

    const read: AdifRecord[] = [];
    for await (const { records } of readAdx(bytesOf(text))) read.push(...records);
    expect(read).toMatchObject([
      { fields: { CALL: "K1AAA", NAME: AWKWARD.fields.NAME, APP_N1MM_POINTS: "3", EPC: "12345" } },
      { fields: { CALL: "K2BBB" } },
    ]);
    expect(text).toContain('<APP PROGRAMID="N1MM" FIELDNAME="POINTS">3</APP>');
    const eve = await aUser(world, "eve");
    await importLog(world, eve.id, text);
    const plain = async (userId: number) => (await contentOf(world, userId)).map((qso) => ({ ...qso, own: null }));
    expect(await plain(eve.id)).toEqual(await plain(id));
  });
});

test("gives the same ADIF after an export and import, including spaces and types", async () => {
  const pieces = fc.constantFrom(
    ..." |  |\n|\r\n|\t|a|b|<EOR>|]]>|&|&lt;|\"|'|é|e\u0301|😀|<!--|<COMMENT:1>".split("|"),
  );
  const value = fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
  const name = fc.constantFrom(
    "COMMENT",
    "NOTES",
    "QTH",
    "EPC",
    "APP_X",
    "APP_A_B_C",
    "APP_A_",
    "SHOE SIZE",
    "1A",
    "RECORD",
  );
  const record = fc.record({
    fields: fc.dictionary(name, value),
    types: fc.dictionary(name, fc.constantFrom("S", "I", "M")),
  });
  const check = async (records: AdifRecord[]) => {
    const own = records.map(({ fields, types }, at) => {
      const base = said("K1ABC", `2026-08-01 12:${10 + at}`).fields;
      const given = Object.entries(types ?? {}).filter(([field]) => fields[field] !== undefined);
      return { fields: { ...base, ...fields }, types: Object.fromEntries(given) };
    });
    const world = await testWorld();
    const [{ id }, { id: eve }] = [await aUser(world, "bob"), await aUser(world, "eve")];
    await importLog(world, id, `x\n<EOH>\n${own.map(writeRecord).join("")}`);
    const adi = await exported(world, id);

    await importLog(world, eve, (await Array.fromAsync(exportLog(world, id, {}, { format: "adx" }))).join(""));

    expect(await exported(world, eve)).toBe(adi);
    expect((await importLog(world, eve, adi)).stats).toMatchObject({ added: 0, updated: 0, unmatched: 0 });
    await cleanUp();
  };
  await fc.assert(fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 5 }), check), {
    numRuns: isFull(import.meta) ? 100 : 15,
    examples: [[[{ fields: { NOTES: "  a\r\n b  ", COMMENT: "abc", QTH: "\n" }, types: { COMMENT: "S" } }]]],
  });
}, 60_000);

test("ignores whitespace for readability and keeps spaces within values", async () => {
  const text = `<ADX><RECORDS><RECORD>
    <CALL>K1ABC</CALL>
    <QTH>
    </QTH><NAME> </NAME><COMMENT>&#10;</COMMENT><NOTES>
      <!-- nothing -->
    </NOTES><RIG><![CDATA[
]]></RIG></RECORD></RECORDS></ADX>`;
  const read: AdifRecord[] = [];
  for await (const { records } of readAdx(bytesOf(text))) read.push(...records);

  expect(read).toEqual([{ fields: { CALL: "K1ABC", NAME: " ", COMMENT: "\n", RIG: "\n" } }]);
});

async function* bytesOf(text: string) {
  yield new TextEncoder().encode(text);
}

describe("CSV", () => {
  test("has the requested columns, with values for spreadsheets and no formulas", async () => {
    const { out } = await aLog([AWKWARD, said("K2BBB", "2026-07-18 02:43", { COMMENT: "=1+1", RST_SENT: "-12" })]);

    const text = await out({}, { format: "csv", columns: "call,startedAt,freqHz,name,comment,rstSent,EPC" });

    expect(text).toBe(
      "call,startedAt,freqHz,name,comment,rstSent,EPC\r\n" +
        'K1AAA,2026-07-18 01:43:20,14.074,"Jürg <""J""> & Co, Ω","line\nand another",,12345\r\n' +
        "K2BBB,2026-07-18 02:43:00,,,'=1+1,-12,\r\n",
    );
    expect((await out({}, { format: "csv" })).split("\r\n")[0]).toStartWith("id,startedAt,call,band,freqHz,mode");
  });

  test("refuses unknown columns and formats", async () => {
    const { out } = await aLog([]);

    await expect(out({}, { format: "csv", columns: "call,colour" })).rejects.toMatchObject({ code: "invalid" });
    await expect(out({}, { format: "xls" })).rejects.toMatchObject({ code: "invalid" });
  });
});

test("JSON lines are contacts as in the API, or the requested columns", async () => {
  const { out } = await aLog([AWKWARD, said("K2BBB", "2026-07-18 02:43")]);

  const lines = (await out({ call: "K1AAA" }, { format: "jsonl" })).trim().split("\n");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ call: "K1AAA", extra: { EPC: "12345" }, confirmation: "none" });
  expect(await out({ call: "K2BBB" }, { format: "jsonl", columns: "call,band" })).toBe(
    '{"call":"K2BBB","band":"20m"}\n',
  );
});

describe("Cabrillo", () => {
  const contest = (call: string, at: string, more: Record<string, string>) =>
    said(call, at, {
      CONTEST_ID: "ARRL-DX-SSB",
      STATION_CALLSIGN: "HC8N",
      BAND: "80m",
      FREQ: "3.799",
      MODE: "SSB",
      RST_SENT: "59",
      RST_RCVD: "59",
      STX: "700",
      ...more,
    });

  test("writes a contest like the published samples of format 3.0", async () => {
    const { out } = await aLog([
      contest("W1AW", "1999-03-06 07:11", { SRX_STRING: "CT" }),
      contest("N5KO", "1999-03-06 07:12", { SRX_STRING: "CA" }),
      said("K1AAA", "2026-07-18 01:43"),
    ]);

    const lines = (await out({ contest: "ARRL-DX-SSB" }, { format: "cabrillo" })).split("\n");

    expect(lines[0]).toBe("START-OF-LOG: 3.0");
    expect(lines).toContain("CONTEST: ARRL-DX-SSB");
    expect(lines.filter((line) => line.startsWith("QSO:"))).toEqual([
      "QSO:  3799 PH 1999-03-06 0711 HC8N           59 700    W1AW           59 CT     0",
      "QSO:  3799 PH 1999-03-06 0712 HC8N           59 700    N5KO           59 CA     0",
    ]);
    expect(lines.at(-2)).toBe("END-OF-LOG:");
  });

  test("names bands above 50 MHz and each mode group", async () => {
    const { out } = await aLog([
      contest("K1AAA", "2026-07-18 01:43", { BAND: "2m", FREQ: "144.2", MODE: "FM" }),
      contest("K2BBB", "2026-07-18 01:44", { BAND: "20m", FREQ: "", MODE: "RTTY", RST_SENT: "599" }),
      contest("K3CCC", "2026-07-18 01:45", { BAND: "40m", FREQ: "7.0745", MODE: "CW" }),
      contest("K4DDD", "2026-07-18 01:46", { BAND: "40m", FREQ: "7.0745", MODE: "FT8" }),
    ]);

    const text = await out({ contest: "ARRL-DX-SSB" }, { format: "cabrillo" });

    const parts = text.split("\n").flatMap((line) => /^QSO: (.{5} \w\w)/.exec(line)?.[1] ?? []);
    expect(parts).toEqual(["  144 FM", "14000 RY", " 7075 CW", " 7075 DG"]);
  });

  /** The tags in the published specification of format 3.0, and their values. */
  const CATEGORIES: Record<string, readonly string[]> = {
    "CATEGORY-OPERATOR": ["SINGLE-OP", "MULTI-OP", "CHECKLOG"],
    "CATEGORY-BAND":
      "ALL 160M 80M 40M 20M 15M 10M 6M 4M 2M 222 432 902 1.2G 2.3G 3.4G 5.7G 10G 24G 47G 75G 122G 134G 241G".split(" "),
    "CATEGORY-MODE": ["CW", "DIGI", "FM", "RTTY", "SSB", "MIXED"],
    "CATEGORY-POWER": ["HIGH", "LOW", "QRP"],
  };
  const OTHER_TAGS = ["START-OF-LOG", "CREATED-BY", "CONTEST", "CALLSIGN", "GRID-LOCATOR", "OPERATORS", "END-OF-LOG"];

  test("fills in the header from the contacts, in the words of the specification", async () => {
    const alone = [contest("K1AAA", "2026-07-18 01:43", { TX_PWR: "5", OPERATOR: "YU1A", MY_GRIDSQUARE: "KN04" })];
    const many = [
      ...alone,
      contest("K2BBB", "2026-07-18 01:44", { BAND: "40m", FREQ: "7.03", MODE: "CW", TX_PWR: "100", OPERATOR: "YU1B" }),
    ];
    const vhf = [contest("K3CCC", "2026-07-18 01:45", { BAND: "70cm", FREQ: "432.2", MODE: "FM" })];
    const headOf = async (records: Parameters<typeof aLog>[0]) => {
      const text = await (await aLog(records)).out({ contest: "ARRL-DX-SSB" }, { format: "cabrillo" });
      const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("QSO:"));
      return Object.fromEntries(lines.map((line) => line.split(/: ?/) as [string, string]));
    };

    const [one, more, high] = [await headOf(alone), await headOf(many), await headOf(vhf)];

    expect(one).toMatchObject({
      "CATEGORY-OPERATOR": "SINGLE-OP",
      "CATEGORY-BAND": "80M",
      "CATEGORY-MODE": "SSB",
      "CATEGORY-POWER": "QRP",
      "GRID-LOCATOR": "KN04",
      OPERATORS: "YU1A",
    });
    expect(more).toMatchObject({
      "CATEGORY-OPERATOR": "MULTI-OP",
      "CATEGORY-BAND": "ALL",
      "CATEGORY-MODE": "MIXED",
      "CATEGORY-POWER": "LOW",
    });
    expect(high).toMatchObject({ "CATEGORY-BAND": "432", "CATEGORY-MODE": "FM" });
    expect(high).not.toHaveProperty("CATEGORY-POWER");
    for (const head of [one, more, high]) {
      for (const [tag, value] of Object.entries(head)) {
        if (!OTHER_TAGS.includes(tag)) expect(CATEGORIES[tag]).toContain(value);
      }
    }
  });

  test("has one line per item, whatever line ends the values have", async () => {
    const forged = "ARRL\nQSO: 14000 CW 2026-01-01 0000 K9EVI 599 1 W9EVI 599 1";
    const { out } = await aLog([
      contest("W1AW", "1999-03-06 07:11", {
        CONTEST_ID: forged,
        SRX_STRING: "C\nT",
        RST_RCVD: "5\r\n9",
        OPERATOR: "A\nB",
      }),
    ]);

    const lines = (await out({ contest: forged }, { format: "cabrillo" })).split("\n");

    expect(lines.filter((line) => line.startsWith("QSO:"))).toHaveLength(1);
    expect(lines.filter((line) => !/^[A-Z-]+: ?/.test(line))).toEqual([""]);
    expect(lines.join()).not.toContain("\r");
  });

  test("needs one contest", async () => {
    const { out } = await aLog([]);

    await expect(out({}, { format: "cabrillo" })).rejects.toMatchObject({ code: "invalid" });
  });
});
