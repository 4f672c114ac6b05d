import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { AdifHeader, AdifProblem } from "../../src/adif/reader.ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { startImport } from "../../src/sync/source/file.ts";
import { assertLog, readLog } from "../../src/sync/source/log-file.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { exported, importLog } from "../contacts/log.ts";
import { read } from "../adif/reading.ts";
import { aDirectory } from "../support/directory.ts";
import { afterTest } from "../support/cleanup.ts";
import { logOf } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

const aFile = async (bytes: Uint8Array | string): Promise<string> => {
  const path = join(aDirectory(), "log");
  await Bun.write(path, bytes);
  return path;
};

const readAll = async (bytes: Uint8Array | string) => {
  const found = { header: null as AdifHeader | null, records: [] as AdifRecord[], problems: [] as AdifProblem[] };
  for await (const batch of readLog(SYSTEM_TIME, await aFile(bytes))) {
    found.header ??= batch.header;
    found.records.push(...batch.records);
    found.problems.push(...batch.problems);
  }
  return found;
};

const ADI = "Log\n<EOH>\n<CALL:5>K1ABC<QSO_DATE:8>20260801<TIME_ON:4>1200<BAND:3>20m<MODE:2>CW<EOR>\n";

const ADX = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE ADX [ <!ENTITY boom "boom"> ]>
<ADX>
 <HEADER>
  <!-- made by <a program> -->
  <ADIF_VER>3.1.6</ADIF_VER><PROGRAMID>monolog</PROGRAMID>
  <USERDEF FIELDID="1" TYPE="N">EPC</USERDEF>
  <USERDEF FIELDID="2" TYPE="E" ENUM="{S,M,L}">SweaterSize</USERDEF>
  <USERDEF FIELDID="3" TYPE="N" RANGE="{5:20}">ShoeSize</USERDEF>
 </HEADER>
 <RECORDS>
  <RECORD>
   <call>K1ABC</call><QSO_DATE>20260801</QSO_DATE><TIME_ON>120000</TIME_ON><BAND>20M</BAND><MODE>CW</MODE>
   <NAME>Ann &amp; Zoë &lt;&#x41;&#66;&gt; &boom;</NAME>
   <COMMENT><![CDATA[a < b & c]]></COMMENT>
   <QTH></QTH><GRIDSQUARE/>
   <USERDEF FIELDNAME="ShoeSize">9</USERDEF>
   <APP PROGRAMID="MONOLOG" FIELDNAME="Compression" TYPE="s">off</APP>
  </RECORD>
  <RECORD>
   <CALL>K2XYZ</CALL><QSO_DATE>20260802</QSO_DATE><TIME_ON>1200</TIME_ON><BAND>2M</BAND><MODE>FM</MODE>
  </RECORD>
 </RECORDS>
</ADX>`;

describe("a log as ADX", () => {
  test("is read with its definitions, its user fields and its entities", async () => {
    const { header, records, problems } = await readAll(ADX);

    expect(header!.fields).toEqual({ ADIF_VER: "3.1.6", PROGRAMID: "monolog" });
    expect(header!.userDefs).toEqual([
      { name: "EPC", type: "N" },
      { name: "SWEATERSIZE", type: "E", values: "{S,M,L}" },
      { name: "SHOESIZE", type: "N", values: "{5:20}" },
    ]);
    expect(records).toEqual([
      {
        fields: {
          CALL: "K1ABC",
          QSO_DATE: "20260801",
          TIME_ON: "120000",
          BAND: "20M",
          MODE: "CW",
          NAME: "Ann & Zoë <AB> &boom;",
          COMMENT: "a < b & c",
          SHOESIZE: "9",
          APP_MONOLOG_COMPRESSION: "off",
        },
        types: { APP_MONOLOG_COMPRESSION: "S" },
      },
      { fields: { CALL: "K2XYZ", QSO_DATE: "20260802", TIME_ON: "1200", BAND: "2M", MODE: "FM" } },
    ]);
    expect(problems).toEqual([]);
  });

  test("is the same wherever a chunk ends", async () => {
    const { readAdx } = await import("../../src/adif/adx.ts");
    const bytes = new TextEncoder().encode(ADX);
    const whole = (await readAll(ADX)).records;

    for (const size of [1, 2, 3, 7, 50]) {
      const pieces = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      const records: AdifRecord[] = [];
      for await (const batch of readAdx(pieces())) records.push(...batch.records);
      expect(records).toEqual(whole);
    }
  });

  test("that ends inside a record reports it, and an endless record is given up", async () => {
    const cut = await readAll(ADX.slice(0, ADX.indexOf("K2XYZ")));
    expect([cut.records.length, cut.problems.map(({ rule }) => rule)]).toEqual([1, ["truncated"]]);

    const endless = `<ADX><RECORDS><RECORD><CALL>${"A".repeat(2_500_000)}</CALL></RECORD>`;
    const rest = "<RECORD><CALL>K1ABC</CALL></RECORD></RECORDS></ADX>";
    const { records, problems } = await readAll(endless + rest);
    expect(records.map(({ fields }) => fields.CALL)).toEqual(["K1ABC"]);
    expect(problems.every(({ rule }) => rule === "too_large")).toBe(true);
    expect(problems.length).toBeGreaterThan(0);
  });

  test("makes the same contacts as ADI", async () => {
    const world = await testWorld();
    const { id: bob } = await aUser(world, "bob");
    const { id: eve } = await aUser(world, "eve");
    await importLog(world, bob, ADX);

    const job = await importLog(world, eve, await exported(world, bob));

    expect(job.stats.added).toBe(2);
    const files = async (id: number) => (await logOf(world, id)).map(({ own }) => own!.file);
    expect(await files(eve)).toEqual(await files(bob));
  });
});

describe("a log compressed by gzip", () => {
  test("is read like its contents", async () => {
    expect((await readAll(Bun.gzipSync(ADI))).records).toEqual((await readAll(ADI)).records);
    expect((await readAll(Bun.gzipSync(ADX))).records).toHaveLength(2);
  });

  test("in two concatenated parts is read completely", async () => {
    const parts = Buffer.concat([Bun.gzipSync(ADI), Bun.gzipSync(ADI.slice(ADI.indexOf("<CALL")))]);

    expect((await readAll(parts)).records).toHaveLength(2);
  });

  test("is refused if it is damaged or too large when decompressed", async () => {
    const packed = Bun.gzipSync(ADI.repeat(5_000));
    const cut = await aFile(packed.subarray(0, packed.length - 20));
    await expect(assertLog(SYSTEM_TIME, cut)).rejects.toThrow(
      "This gzip file is damaged or incomplete. Create or download it again.",
    );

    const bomb = await aFile(Bun.gzipSync(ADI + " ".repeat(5_000_000)));
    await expect(assertLog(SYSTEM_TIME, bomb, 2 * 1_048_576)).rejects.toThrow(
      "This gzip file unpacks to more than 2 MB.",
    );
    await expect(assertLog(SYSTEM_TIME, bomb)).resolves.toBeUndefined();
  });
});

// Defence: requests about a large log do not delay other users
test.each([
  ["ADI", "<CALL:5>K1ABC<EOR>".repeat(20_000)],
  ["ADX", `<ADX><RECORDS>${"<RECORD><CALL>K1ABC</CALL></RECORD>".repeat(10_000)}</RECORDS></ADX>`],
  ["what is no log", "<".repeat(400_000)],
])("while %s is read, other work runs every few milliseconds", async (_, text) => {
  let [now, turns] = [0, 0];
  const time = { ticks: () => (now += 5), turn: async () => void (turns += 1) };

  await assertLog(time, await aFile(text)).catch(() => {});
  for await (const __ of readLog(time, await aFile(text)));

  expect(turns).toBeGreaterThanOrEqual(6);
});

/** A zip archive with one stored file. */
const zipped = (text: string): Uint8Array => {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(7, 26);
  return Buffer.concat([head, Buffer.from("log.adi"), Buffer.from(text)]);
};

const utf16 = (text: string): Uint8Array => Buffer.from(text, "utf16le");

test.each([
  ["a ZIP archive", zipped(ADI), "This is a ZIP archive"],
  ["UTF-16 with its mark", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16(ADI)]), "This file is encoded in UTF-16"],
  ["UTF-16 of the other order", Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16(ADI)).swap16()]), "UTF-16"],
  ["UTF-16 without a mark", utf16(ADI), "This file is encoded in UTF-16"],
  ["Cabrillo", "START-OF-LOG: 3.0\nCALLSIGN: YU1TEST\nQSO: 14000 CW 2026-08-01 1200\n", "This is a Cabrillo file"],
  ["CSV", "Call,Date,Time,Band\nK1ABC,2026-08-01,12:00,20m\n", "This is a CSV table"],
  ["CSV with semicolons", "\ufeffCall;Date;Time;Band\r\nK1ABC;2026-08-01;12:00;20m\r\n", "This is a CSV table"],
  ["CSV of two columns", "call,date\nK1ABC,2026-08-01\nK2XYZ,2026-08-02", "This is a CSV table"],
  ["a short CSV", "call;date\r\nK1ABC;2026\r\n", "This is a CSV table"],
  ["a letter", "Dear Bob, how are you\nI am well\n", "This is not an ADIF file"],
  ["a web page", "<!DOCTYPE html>\n<html><body>Sign in</body></html>", "This is a web page"],
  ["compressed Cabrillo", Bun.gzipSync("START-OF-LOG: 3.0\n"), "This is a Cabrillo file"],
  ["text", "Nothing to see here.", "This is not an ADIF file: it has no header and no records."],
  ["nothing", "", "This is not an ADIF file: it has no header and no records."],
])("%s is recognised and creates no job", async (_, bytes, words) => {
  const world = await testWorld();
  const { id: userId } = await aUser(world, "bob");
  const runner = new SyncRunner(world, 1);
  afterTest(() => runner.stop());

  const started = startImport(world, runner, { userId, path: await aFile(bytes), trigger: "cli" });

  await expect(started).rejects.toThrow(words);
  expect(runner.size).toBe(0);
});

test.each([
  ["a title with commas", `Log, made, by hand\nwith, some, words\n${ADI}`],
  ["a byte order mark", `\ufeff${ADI}`],
])("an ADIF file with %s is accepted", async (_, text) => {
  await expect(assertLog(SYSTEM_TIME, await aFile(text))).resolves.toBeUndefined();
});

test("user-defined fields are declared in the export, and a later log redefines them", async () => {
  const world = await testWorld();
  const { id: userId } = await aUser(world, "bob");
  const runner = new SyncRunner(world, 1);
  afterTest(() => runner.stop());
  const load = async (header: string, dryRun = false) => {
    const path = await aFile(`Log\n${header}<EOH>\n${ADI.slice(ADI.indexOf("<CALL"), -6)}<EPC:1>7<EOR>\n`);
    const job = await startImport(world, runner, { userId, path, trigger: "cli", dryRun });
    await runner.end(job.id);
    return read(await exported(world, userId)).header!.userDefs;
  };

  expect(await load("<USERDEF1:3:N>EPC", true)).toEqual([]);
  expect(await load("<USERDEF1:3:N>EPC<USERDEF2:19:E>SweaterSize,{S,M,L}")).toEqual([
    { name: "EPC", type: "N" },
    { name: "SWEATERSIZE", type: "E", values: "{S,M,L}" },
  ]);
  expect((await load("<USERDEF1:10:N>EPC,{5:20}"))[0]).toEqual({ name: "EPC", type: "N", values: "{5:20}" });
  const { id: eve } = await aUser(world, "eve");
  expect(read(await exported(world, eve)).header!.userDefs).toEqual([]);
});
