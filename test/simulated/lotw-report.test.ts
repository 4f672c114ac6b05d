import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { aWorld, anUpload, callsOf, NOW } from "./world.ts";
import { isFull } from "../support/full.ts";
import { loadLotwReport } from "./load-samples.ts";

const FULL = { qso_mydetail: "yes", qso_qsldetail: "yes", qso_withown: "yes" };

const detail = {
  DXCC: "291",
  COUNTRY: "UNITED STATES OF AMERICA",
  APP_LOTW_DXCC_ENTITY_STATUS: "Current",
  PFX: "K9",
  GRIDSQUARE: "EN34QU",
  STATE: "WI",
  CNTY: "WI,SAINT CROIX",
  CQZ: "04",
  APP_LOTW_CQZ_INFERRED: "Y",
  ITUZ: "07",
};
const my = { MY_DXCC: "296", MY_GRIDSQUARE: "KN04FT" };

async function recordOf(
  params: Record<string, string>,
  upload = anUpload({ my, freq: 14.08231, qsl: { rxqsl: NOW, detail } }),
) {
  await using world = aWorld();
  world.store.upload(upload);
  const report = await world.report(params);
  return report.slice(report.indexOf("<eoh>\n") + 6, report.indexOf("<APP_LoTW_EOF>"));
}

test("a record has its fields in the service's order, with comments after the declared lengths", async () => {
  expect(await recordOf(FULL)).toBe(`
<APP_LoTW_OWNCALL:7>YU1TEST
<STATION_CALLSIGN:7>YU1TEST
<MY_DXCC:3>296
<MY_GRIDSQUARE:6>KN04FT
<CALL:5>K9XYZ
<BAND:3>20M
<FREQ:8>14.08231
<MODE:2>CW
<APP_LoTW_MODEGROUP:2>CW
<QSO_DATE:8>20260718
<APP_LoTW_RXQSO:19>2026-07-18 01:43:45 // QSO record inserted/modified at LoTW
<TIME_ON:6>014345
<APP_LoTW_QSO_TIMESTAMP:20>2026-07-18T01:43:45Z // QSO Date & Time; ISO-8601
<QSL_RCVD:1>Y
<QSLRDATE:8>20260801
<APP_LoTW_RXQSL:19>2026-08-01 10:11:12 // QSL record matched/modified at LoTW
<DXCC:3>291
<COUNTRY:24>UNITED STATES OF AMERICA
<APP_LoTW_DXCC_ENTITY_STATUS:7>Current
<PFX:2>K9
<APP_LoTW_2xQSL:1>Y
<GRIDSQUARE:6>EN34QU
<STATE:2>WI // Wisconsin
<CNTY:14>WI,SAINT CROIX // Saint Croix
<CQZ:2>04
<APP_LoTW_CQZ_Inferred:1>Y // from DXCC entity and PAS
<ITUZ:2>07
<eor>

`);
});

describe("details appear only on request", () => {
  test.each<[string, Record<string, string>, string[]]>([
    ["none", {}, []],
    ["qso_withown", { qso_withown: "yes" }, ["<STATION_CALLSIGN", "<APP_LoTW_OWNCALL"]],
    ["qso_mydetail", { qso_mydetail: "yes" }, ["<MY_DXCC", "<MY_GRIDSQUARE"]],
    ["qso_qsldetail", { qso_qsldetail: "yes" }, ["<DXCC", "<STATE", "<APP_LoTW_2xQSL", "<GRIDSQUARE", "<CQZ"]],
    ["any other value than yes", { qso_qsldetail: "1", qso_withown: "'yes'" }, []],
  ])("%s", async (_, params, present) => {
    const record = await recordOf(params);

    const optional = ["<STATION_CALLSIGN", "<APP_LoTW_OWNCALL", "<MY_DXCC", "<MY_GRIDSQUARE"];
    for (const name of [...optional, "<DXCC", "<STATE", "<APP_LoTW_2xQSL", "<GRIDSQUARE", "<CQZ"]) {
      expect([name, record.includes(name)]).toEqual([name, present.includes(name)]);
    }
  });
});

test("an unconfirmed contact has no QSL fields", async () => {
  const record = await recordOf({ ...FULL, qso_qsl: "no", qso_qsorxsince: "1945-11-15" }, anUpload());

  expect(record).toContain("<QSL_RCVD:1>N\n");
  expect(record).not.toMatch(/QSLRDATE|RXQSL|2xQSL|DXCC/);
});

test("a partner with another mode makes it no two-way QSL, and the report has that mode", async () => {
  const record = await recordOf(FULL, anUpload({ qsl: { rxqsl: NOW, theirMode: "RTTY" } }));

  expect(record).toContain("<APP_LoTW_2xQSL:1>N\n<APP_LoTW_QSLMODE:4>RTTY\n");
});

test("a satellite contact has the satellite's name", async () => {
  const record = await recordOf({}, anUpload({ prop: "SAT", sat: "RS-44", qsl: { rxqsl: NOW } }));

  expect(record).toContain("<PROP_MODE:3>SAT\n<SAT_NAME:5>RS-44\n");
});

test("unknown fields come last, with the detail of their name", async () => {
  const fields = { APP_LOTW_MY_NPSUNIT: "NP01", APP_LOTW_NEW: "x" };
  await using world = aWorld();
  world.store.upload(anUpload({ qsl: { rxqsl: NOW, detail: fields } }));

  expect(await world.report({ qso_mydetail: "yes" })).toContain("<APP_LoTW_MY_NPSUNIT:4>NP01\n<eor>");
  expect(await world.report({ qso_qsldetail: "yes" })).toContain("<APP_LoTW_NEW:1>x\n<eor>");
});

test("a large report is produced only as fast as its client reads it", async () => {
  await using world = aWorld();
  world.store.addUser({ login: "yu2test", password: "secret", calls: [] });
  const count = isFull(import.meta) ? 100_000 : 25_000;
  const qso = world.store.upload(anUpload({ qsl: { rxqsl: NOW, detail } }));
  let looks = 0;
  const counted = { ...qso, comments: {} };
  Object.defineProperty(counted, "comments", { get: () => void looks++ });
  world.store.qsosOf("yu1test").push(...Array.from({ length: count - 1 }, () => counted));

  const response = await world.ask({ qso_qslsince: "1945-11-15", ...FULL });
  const atRest = await settled(world, () => looks);
  const ends = (await response.text()).split("<eor>").length - 1;

  expect(ends).toBe(count);
  expect(atRest).toBeLessThan(looks * 0.75);
});

/** The value of a counter when several further requests no longer change it. */
async function settled(world: ReturnType<typeof aWorld>, read: () => number): Promise<number> {
  for (let known = read(), same = 0; ; known = read()) {
    await world.report({ login: "yu2test" });
    same = read() === known ? same + 1 : 0;
    if (same === 10) return known;
  }
}

const SAMPLE = join(process.env.QSOLOG_SAMPLES ?? "samples", "lotwreport.adi");

test.skipIf(!existsSync(SAMPLE))("a real report is reproduced byte for byte", async () => {
  await using world = aWorld();
  const real = readFileSync(SAMPLE, "utf8");
  world.store.addUser({ login: "w9tst", password: "secret", calls: ["W9TST"] });
  loadLotwReport(world.store, "w9tst", recordsOf(real));

  const report = await world.report({ ...FULL, login: "w9tst", qso_qslsince: "2018-06-02" });

  const withoutTime = (text: string) => text.replace(/Generated at .*/, "").trimEnd();
  expect(callsOf(report)).toHaveLength(438);
  expect(withoutTime(report)).toBe(withoutTime(real));
});

function recordsOf(report: string) {
  const records = report.split("<eoh>")[1].split("<eor>").slice(0, -1);
  return records.map((text) => {
    const fields: Record<string, string> = {};
    const comments: Record<string, string> = {};
    for (const [, name, length, rest] of text.matchAll(/<(\w+):(\d+)>(.*)/g)) {
      fields[name.toUpperCase()] = rest.slice(0, Number(length));
      const comment = rest.slice(Number(length)).replace(" // ", "");
      if (comment !== "") comments[name.toUpperCase()] = comment;
    }
    return { fields, comments };
  });
}
