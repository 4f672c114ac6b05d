import { expect, setDefaultTimeout, test } from "bun:test";
import { logOf } from "../support/sync.ts";
import { expectScreen } from "./golden.ts";
import { aLogbook, aTui } from "./tui.ts";

setDefaultTimeout(120_000);

const ENTER = "\r";
const ESCAPE = "\x1b";
const TAB = "\t";
const CTRL_K = "\x0b";
const CTRL_Z = "\x1a";

test("contacts are logged one after the other, undone immediately, and errors are shown at the field", async () => {
  const line = await aLogbook();
  const tui = aTui(line);
  await tui.sees("4 QSOs");

  tui.type("n");
  await tui.sees("New QSO");
  tui.type(ENTER);
  await tui.sees("Call: ");
  tui.type(`dl1abc${TAB}`);
  await tui.sees("Worked before: 1 QSO");
  await tui.sees("Germany by band, for DXCC");
  tui.type("15 usb");
  await tui.sees("[·]");
  tui.type(ENTER);
  await tui.sees("In the log: DL1ABC  15m  USB");
  await tui.sees("Ctrl-Z undo");
  tui.type(`k1xyz${ENTER}`);
  await tui.sees("In the log: K1XYZ  15m  USB");
  tui.type(CTRL_Z);
  await tui.sees("Removed K1XYZ from the log.");
  tui.type(CTRL_Z);
  await tui.sees("There is nothing to undo.");
  tui.type(ESCAPE);
  await tui.sees("5 QSOs");

  const log = await logOf(line.world, line.bob.id);
  expect(log.map(({ call }) => call).sort()).toEqual(["DL1ABC", "DL1ABC", "JA1XYZ", "K1AAA", "K1AAA"]);
  expect(log.at(-1)).toMatchObject({ band: "15m", mode: "SSB", submode: "USB", rstSent: "59", rstRcvd: "59" });
});

test("times, frequencies and modes are accepted as people type them", async () => {
  const line = await aLogbook();
  const tui = aTui(line);
  const typedContact = async () => (await logOf(line.world, line.bob.id)).find(({ call }) => call === "K7ABC");
  await tui.sees("4 QSOs");

  tui.type("n");
  await tui.sees("New QSO");
  tui.type(`k7abc 14.074 data${TAB}${TAB}${TAB}20260722 0143${ENTER}`);
  await tui.sees('Mode: "data" stands for several modes');
  tui.type(`\x15ft8${ENTER}`);
  await tui.sees("In the log: K7ABC  20m  FT8");
  expect(await typedContact()).toMatchObject({ startedAt: Date.UTC(2026, 6, 22, 1, 43), freqHz: 14_074_000 });

  tui.type(`${ESCAPE}`);
  await tui.sees("5 QSOs");
  tui.type("2");
  await tui.sees("1 of 5");
  tui.type(`/k7abc${ENTER}`);
  await tui.sees("1 of 1");
  tui.type(ENTER);
  await tui.sees("Upload it to LoTW");
  tui.type("e");
  await tui.sees("Correct K7ABC");
  tui.type(`${TAB}\x150205z${TAB}${TAB}\x1514250 kHz${TAB}\x15phone${ENTER}`);
  await tui.sees("Saved.");
  expect(await typedContact()).toMatchObject({
    startedAt: Date.UTC(2026, 6, 22, 2, 5),
    freqHz: 14_250_000,
    mode: "SSB",
  });
});

test("a contact is edited where it is open, and its details can be copied to the clipboard", async () => {
  const line = await aLogbook();
  const tui = aTui(line);
  tui.type("2");
  await tui.sees("1 of 4");
  tui.type("/dl1abc\r");
  await tui.sees("1 of 1");
  tui.type(ENTER);
  await tui.sees("Zones");
  tui.type("e");
  await tui.sees("Correct DL1ABC");
  tui.type("\x15");
  tui.type(`not a call${ENTER}`);
  await expectScreen(tui, "correct", "Callsign: ");
  tui.type("\x15");
  tui.type(`dl1abd${ENTER}`);
  await tui.sees("Saved.");
  await tui.sees("DL1ABD");
  // It no longer matches the search, but stays open.
  await Bun.sleep(1_500);
  expect(tui.screen()).toContain("DL1ABD");
  expect((await logOf(line.world, line.bob.id)).some(({ call }) => call === "DL1ABD")).toBe(true);

  tui.type("y");
  await tui.sees("to the clipboard");
  const [, sent] = /\x1b\]52;c;([A-Za-z0-9+/=]+)\x07/.exec(tui.raw())!;
  expect(Buffer.from(sent!, "base64").toString()).toContain("DL1ABD");
});

test("an unresolved record is matched with a contact by a job", async () => {
  const line = await aLogbook();
  const tui = aTui(line);
  tui.type("4");
  await tui.sees("LoTW      completed");
  tui.type(ENTER);
  await tui.sees("Unresolved 1");
  tui.type("l");
  await tui.sees("equally well");
  tui.type("t");
  await expectScreen(tui, "settle", "it belongs to");
  tui.type("1");
  await tui.sees("Resolved by job 3");
  const [first] = await logOf(line.world, line.bob.id);
  expect(first!.firstConfirmed || first!.firstId !== null).toBe(true);
});

test("an unresolved record is dismissed", async () => {
  const tui = aTui(await aLogbook());
  tui.type("4");
  await tui.sees("LoTW      completed");
  tui.type(`${ENTER}l`);
  await tui.sees("equally well");
  tui.type("t");
  await tui.sees("dismiss it");
  tui.type("d");
  await tui.sees("Dismissed the record.");
});

test("a running job is stopped after confirmation", async () => {
  const line = await aLogbook();
  line.first.fail({ kind: "stall" });
  const tui = aTui(line);
  tui.type("s");
  await tui.sees("Esc cancel");
  tui.type("1");
  await tui.sees("as job 3");
  tui.type("4");
  await tui.sees("LoTW      running");
  tui.type("gS");
  await tui.sees("Stop job 3");
  tui.type("y");
  await tui.sees("LoTW      failed");
});

test("Ctrl-K runs a command by name and searches the log for anything else", async () => {
  const tui = aTui(await aLogbook());
  await tui.sees("4 QSOs");
  tui.type(`${CTRL_K}job${ENTER}`);
  await tui.sees("LoTW      completed");
  tui.type(CTRL_K);
  await expectScreen(tui, "palette", "Import a file");
  tui.type(`ja1${ENTER}`);
  await tui.sees("1 of 1");
  expect(tui.screen()).toContain("JA1XYZ");
});

test("Ctrl-K has the verbs of the pages: callsigns, jobs, undo, awards and settings", async () => {
  const tui = aTui(await aLogbook());
  await tui.sees("4 QSOs");
  const pick = async (typed: string, offered: string, seen: string) => {
    tui.type(CTRL_K);
    await tui.sees("Go to");
    tui.type(typed);
    await tui.sees(offered);
    tui.type(ENTER);
    await tui.sees(seen);
  };

  await pick("k1aaa", "2 contacts, last 2026-07-18", "1 of 2");
  await pick("job 2", "Job 2", "Job 2: LoTW");
  await pick("undo", "Undo Import 1", "Undo job 1");
  tui.type("n");
  expect(await tui.comesTo((screen) => !screen.includes("Undo job 1"))).toBe(true);
  await pick("needed 40m", "DXCC needed on 40m", "b 40m");
  await pick("schedule", "Set the schedule", "Set the schedule: quit, then run qsolog schedule");
  await pick("logging programs", "on the pages", "open qsolog in a browser");
});

test("the log is filtered by a year, an entity or an own callsign from a list", async () => {
  const tui = aTui(await aLogbook());
  tui.type("2");
  await tui.sees("1 of 4");
  tui.type("f");
  await expectScreen(tui, "filter", "Only QSOs of");
  tui.type("germ");
  await tui.sees("dxcc:");
  tui.type(ENTER);
  await tui.sees("/ dxcc:");
  await tui.sees("1 of 1");
  expect(tui.screen()).toContain("DL1ABC");
});

test("the log is shown as of a past day, which cannot be changed", async () => {
  const line = await aLogbook();
  const tui = aTui(line);
  tui.type("2");
  await tui.sees("1 of 4");
  tui.type("f");
  await tui.sees("Only QSOs of");
  const today = new Date().toISOString().slice(0, 10);
  tui.type(today);
  await tui.sees(`the log as of ${today}`);
  tui.type(`\x1b[B${ENTER}`);
  await tui.sees(`as of ${today}`);
  await tui.sees("1 of 4");
  tui.type("e");
  await tui.sees("You cannot change the log as of a past day");
  tui.type(ENTER);
  await tui.sees("Your log as it was at the end of");
  tui.type("w");
  await tui.sees("Sources are shown for the current log only");
  tui.type("e");
  await tui.sees("You cannot change the log as of a past day");
  tui.type(ESCAPE);
  tui.type(ESCAPE);
  expect(await tui.comesTo((screen) => !screen.includes(`as of ${today}`))).toBe(true);
});

test("the log is compared with both services: each class leads to its contacts, an unresolved record to its actions", async () => {
  const line = await aLogbook();
  const tui = aTui(line);
  tui.type("2");
  await tui.sees("1 of 4");
  tui.type("R");
  await expectScreen(tui, "reconcile", "Your log, LoTW and QRZ");
  tui.type(`not on lotw${ENTER}`);
  await tui.sees("not on LoTW: 3");
  tui.type(`ja1${ENTER}`);
  await tui.sees("1 of 1");
  expect(tui.screen()).toContain("JA1XYZ");

  tui.type(`R`);
  await tui.sees("Your log, LoTW and QRZ");
  tui.type(`unresolved${ENTER}`);
  await tui.sees("unresolved, needs your decision: 1");
  tui.type(ENTER);
  await tui.sees("it belongs to");
  tui.type("1");
  await tui.sees("Resolved by job 3");
});

test("on a light background nothing is yellow or cyan", async () => {
  const line = await aLogbook();
  for (const [env, options] of [
    [{ COLORFGBG: "0;15" }, []],
    [{}, ["--theme", "light"]],
  ] as const) {
    const tui = aTui(line, env, { cols: 80, rows: 24 }, options);
    tui.type("3");
    await tui.sees("DXCC Challenge");
    tui.type(ENTER);
    await tui.sees("[C]");
    tui.type("2");
    await tui.sees("C    –    –");
    expect(tui.raw()).toContain("\x1b[32m");
    expect(tui.raw()).not.toMatch(/\x1b\[(?:33|36)m/);
    tui.type("q");
    expect(await tui.exited).toBe(0);
  }
});

test("tabs and rows can be clicked, and mouse mode is off at exit", async () => {
  const tui = aTui(await aLogbook(), {}, { cols: 80, rows: 24 }, ["--mouse"]);
  await tui.sees("4 QSOs");
  const click = (column: number, row: number) => tui.type(`\x1b[<0;${column};${row}M\x1b[<0;${column};${row}m`);
  const log = tui.screen().split("\n")[0]!.indexOf("2 Log");
  click(log + 2, 1);
  await tui.sees("1 of 4");
  click(10, 8);
  await tui.sees("3 of 4");
  tui.type("\x1b[<64;10;8M");
  await tui.sees("1 of 4");
  click(10, 6);
  await tui.sees("e edit");
  tui.type("qq");
  expect(await tui.exited).toBe(0);
  expect(tui.raw().lastIndexOf("\x1b[?1000l")).toBeGreaterThan(tui.raw().lastIndexOf("\x1b[?1000h"));
});
