import { expect, test } from "bun:test";
import { AdifParser } from "adif-parser-ts";
import { writeRecord } from "../../src/adif/writer.ts";
import { tcadif } from "../adif/tcadif.ts";
import { testApp } from "../support/app.ts";

interface Row {
  call: string;
  date: string;
  band: string;
  mode: string;
  name: string;
}

type Fields = Readonly<Record<string, string | undefined>>;

const rowOf = (fields: Fields): Row => {
  const get = (name: string) => fields[name] ?? fields[name.toLowerCase()] ?? "";
  return {
    call: get("CALL"),
    date: get("QSO_DATE"),
    band: get("BAND").toLowerCase(),
    mode: get("MODE"),
    name: get("NAME"),
  };
};

interface Qson {
  their: { call: string; name?: string };
  startAt: string;
  band: string;
  mode: string;
}

// It comes without types.
const { adifToQSON } = (await import("@ham2k/lib-qson-adif" as string)) as {
  adifToQSON(text: string): { qsos: Qson[] };
};

/** Programs of three other authors. */
const READERS: Record<string, (text: string) => Row[]> = {
  tcadif: (text) => tcadif.ADIF.parse(text).qsos.map((qso) => rowOf(qso.toObject())),
  "adif-parser-ts": (text) => (AdifParser.parseAdi(text).records ?? []).map(rowOf),
  "lib-qson-adif": (text) =>
    adifToQSON(text).qsos.map(({ their, startAt, band, mode }) => ({
      call: their.call,
      date: startAt.slice(0, 10).replaceAll("-", ""),
      band,
      mode,
      name: their.name ?? "",
    })),
};

const MODES: Record<string, string>[] = [
  { MODE: "CW" },
  { MODE: "SSB", SUBMODE: "USB" },
  { MODE: "FT8" },
  { MODE: "MFSK", SUBMODE: "FT4" },
  { MODE: "RTTY" },
];

const contacts = Array.from({ length: 200 }, (_, n) => ({
  CALL: `K${n % 10}A${String.fromCharCode(65 + (n % 26))}${n}/P`,
  QSO_DATE: `20260${1 + (n % 9)}1${n % 10}`,
  TIME_ON: `${String(n % 24).padStart(2, "0")}${String(n % 60).padStart(2, "0")}30`,
  BAND: ["160m", "20m", "70cm", "1.25m"][n % 4]!,
  ...MODES[n % MODES.length]!,
  NAME: `Ann <${n}> O'Hara`,
  COMMENT: "73 <eor> 100% & more",
}));

test.each(Object.keys(READERS))("%s reads every contact of an export", async (name) => {
  const app = await testApp();
  const bob = await app.as(app.bob);
  const body = contacts.map((fields) => writeRecord({ fields })).join("");
  await bob.send("POST", "/api/qsos/import", { body, headers: { "content-type": "text/plain" } });
  await app.runner.idle();

  const { text } = await bob.get("/api/qsos/export");

  const sorted = (rows: Row[]) => rows.map((row) => JSON.stringify(row)).sort();
  expect(sorted(READERS[name]!(text))).toEqual(sorted(contacts.map(rowOf)));
});
