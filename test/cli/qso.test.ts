import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "../adif/reading.ts";
import { aShellWithUsers } from "../support/qsolog.ts";

const BOB = { username: "bob", callsign: "yu1x" };

const aShellWithBob = () => aShellWithUsers(BOB);

const ADD = ["qso", "add", "k1abc", "--time", "2026-08-01 12:34", "--band", "20m", "--mode", "FT8"];
const DATABASE = "database: <data>/qsolog.db\n";

test("a QSO is added, listed, shown, edited and deleted", async () => {
  const qsolog = await aShellWithBob();
  const rest = ["--freq", "14.074", "--rst-sent", "-09", "--name", "Ann", "--field", "SOTA_REF=W1/HA-001"];

  const added = await qsolog([...ADD, ...rest]);
  expect(added).toEqual({
    code: 0,
    out:
      "ID  TIME (UTC)        CALL   BAND  MODE  LoTW  QRZ  CARD  NAME  ENTITY\n" +
      " 1  2026-08-01 12:34  K1ABC  20m   FT8   –     –    –     Ann   United States\n",
    err: DATABASE,
  });
  expect(await qsolog(["qso", "list"])).toEqual({ ...added, err: "" });

  const shown = (await qsolog(["qso", "show", "1"])).out;
  expect(shown).toContain("  Frequency       14.074 MHz\n");
  expect(shown).toContain("  Station         YU1X\n");
  expect(shown).toContain("Other fields\n  SOTA_REF  W1/HA-001");
  const then = (await qsolog(["qso", "show", "1", "--as-of", "2099-12-31"])).out;
  expect(then).toMatch(/^Your log as it was at the end of 2099-12-31/);
  expect(then).toContain(shown);
  expect((await qsolog(["qso", "show", "1", "--why", "--as-of", "2099-12-31"])).err).toContain("without --as-of");

  const edited = await qsolog(["qso", "edit", "1", "--mode", "SSB", "--name", "", "--freq", "7.1", "--json"]);
  expect(JSON.parse(edited.out)).toMatchObject({ id: 1, mode: "SSB", name: null, band: "40m", freqHz: 7_100_000 });
  expect(JSON.parse((await qsolog(["qso", "show", "1", "--json"])).out)).toEqual(JSON.parse(edited.out));

  expect((await qsolog(["qso", "delete", "1"])).err).toContain("Use --yes");
  expect(await qsolog(["qso", "delete", "1", "--yes"])).toEqual({
    code: 0,
    out: "Deleted the QSO with K1ABC of 2026-08-01 12:34 UTC.\n",
    err: DATABASE,
  });
  expect((await qsolog(["qso", "list"])).out).toBe("No matching QSOs.\n");
});

test("several problems are said in sentences, without the names of fields in the interface", async () => {
  const qsolog = await aShellWithUsers({ username: "bob", role: "user" });

  const { code, err } = await qsolog(["add", "W1AW", "--band", "99x", "--mode", "CW", "--freq", "abc"]);

  expect([code, err]).toEqual([
    2,
    `qsolog: there are several problems:
  "99x" is not a band; use 20m, 70cm or the like.
  "abc" is not a frequency of an amateur band, such as 14.074 MHz.
`,
  ]);
});

test("a list is filtered, sorted and paged, and its JSON has the next cursor", async () => {
  const qsolog = await aShellWithBob();
  for (const call of ["K1A", "K1B", "DL1A"]) await qsolog(ADD.map((word) => (word === "k1abc" ? call : word)));

  const first = JSON.parse(
    (await qsolog(["qso", "list", "--call", "k1*", "--sort", "-call", "--limit", "1", "--json"])).out,
  );
  const next = ["qso", "list", "--call", "k1*", "--sort", "-call", "--limit", "1", "--cursor", first.nextCursor];
  const second = JSON.parse((await qsolog([...next, "--json"])).out);
  const words = await qsolog(["qso", "list", "--limit", "2"]);

  expect(first).toMatchObject({ total: 2, qsos: [{ call: "K1B", entity: "United States", confirmation: "none" }] });
  expect(second).toMatchObject({ total: 2, qsos: [{ call: "K1A" }], nextCursor: null });
  expect(words.err).toMatch(/^2 of 3\. Next page: --cursor \S+\n$/);
});

test("an exported log can be imported again, from a file and through a pipe", async () => {
  const qsolog = await aShellWithBob();
  const log = join(qsolog.dataDir, "log.adi");
  writeFileSync(log, "<CALL:5>K1ABC<QSO_DATE:8>20260801<TIME_ON:4>1234<BAND:3>20m<MODE:3>FT4<LOTW_QSL_RCVD:1>Y<EOR>");
  await qsolog(["qso", "import", log]);
  const file = join(qsolog.dataDir, "out.adi");

  const exported = await qsolog(["qso", "export", file]);
  const piped = await qsolog(["qso", "export", "--band", "20m"]);
  const none = await qsolog(["qso", "export", "-", "--band", "2m"]);

  expect(exported.out).toMatch(/out\.adi: 1 QSO, \d+ bytes\.\n$/);
  const { records } = read(readFileSync(file));
  expect(records[0]!.fields).toMatchObject({ CALL: "K1ABC", MODE: "MFSK", SUBMODE: "FT4", LOTW_QSL_RCVD: "Y" });
  expect(read(piped.out).records).toEqual(records);
  expect(read(none.out).records).toEqual([]);
  expect((await qsolog(["qso", "list"])).out).toContain("K1ABC  20m   FT4   C     –    –");
  expect((await qsolog(["qso", "import", "-"], { stdin: piped.out })).out).toContain("0 added");
  expect(await qsolog(["qso", "export", file])).toMatchObject({ code: 3, out: "" });
  expect((await qsolog(["qso", "export", file, "--force"])).code).toBe(0);
});

test("contacts that a service does not have are exported by either name of the service", async () => {
  const qsolog = await aShellWithBob();
  const log = join(qsolog.dataDir, "log.adi");
  const start = "<QSO_DATE:8>20260801<TIME_ON:4>1234<BAND:3>20m<MODE:2>CW";
  writeFileSync(log, `<CALL:3>K1A${start}<LOTW_QSL_RCVD:1>Y<EOR><CALL:3>K1B${start}<QSL_RCVD:1>Y<EOR>`);
  await qsolog(["qso", "import", log]);
  const calls = async (...flags: string[]) =>
    read((await qsolog(["qso", "export", ...flags])).out).records.map(({ fields }) => fields.CALL);

  expect(await calls("--not-at", "lotw")).toEqual(["K1B"]);
  expect(await calls("--not-at", "first")).toEqual(["K1B"]);
  expect(await calls("--at", "LoTW,qrz")).toEqual(["K1A"]);
  expect(await calls("--not-at", "qrz", "--confirmation", "card")).toEqual(["K1B"]);
  expect(await calls("--confirmation", "none")).toEqual([]);
  expect((await qsolog(["qso", "list", "--at", "eqsl"])).err).toContain('"eqsl" is not valid for --at. Use lotw, qrz.');
  expect((await qsolog(["stats"])).out).toMatch(/by any source +2 +100 %[^]*by card +1[^]*not confirmed +0 +0 %/);
});

describe("errors of qso commands", () => {
  const REFUSALS: [string, string[], number, string][] = [
    ["a QSO that is not there", ["qso", "show", "7"], 5, "There is no such QSO."],
    ["no number", ["qso", "show", "x"], 2, "is not a QSO number"],
    ["a wrong filter", ["qso", "list", "--band", "21m"], 2, '"21m" is not a band; use 20m, 70cm'],
    ["nothing to change", ["qso", "edit", "1"], 2, "Nothing to change"],
    ["everything wrong at once", ["qso", "add", "!", "--band", "1m", "--freq", "x"], 2, '  "!" is not a callsign.'],
    ["the same QSO twice", ADD, 3, "already in your log as QSO 1"],
    ["a user who is not there", ["qso", "list", "--user", "eve"], 5, "There is no user eve."],
    ["a field without a value", ["qso", "add", "K1A", "--field", "X"], 2, "is not NAME=VALUE"],
    ["a directory that is not there", ["qso", "export", "/nowhere/at/all.adi"], 1, ": the directory does not exist."],
    ["an unknown option", ["qso", "list", "--colour", "red"], 2, "unknown option"],
  ];
  test("have an exit code and a reason", async () => {
    const qsolog = await aShellWithBob();
    await qsolog(ADD);

    for (const [name, words, code, reason] of REFUSALS) {
      const answer = await qsolog(words);
      expect({ name, code: answer.code, out: answer.out }).toEqual({ name, code, out: "" });
      expect(answer.err).toContain(reason);
    }
  });

  test("the user must be named, by option or environment, if there are several", async () => {
    const qsolog = await aShellWithUsers(BOB, { username: "eve" });
    await qsolog([...ADD, "--user", "bob"]);

    expect((await qsolog(["qso", "list"])).code).toBe(2);
    expect(JSON.parse((await qsolog(["qso", "list", "--json"], { env: { QSOLOG_USER: "bob" } })).out).total).toBe(1);
    expect((await qsolog(["qso", "show", "1", "--user", "eve"])).code).toBe(5);
  });
});
