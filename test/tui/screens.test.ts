import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { describeConfirmer } from "../../src/domain/awards/award-words.ts";
import { DAY } from "../../src/kernel/clock.ts";
import { prune } from "../../src/upkeep/prune.ts";
import { expectScreen } from "./golden.ts";
import { aLogbook, aTui } from "./tui.ts";

setDefaultTimeout(120_000);

const ROOT = join(import.meta.dir, "../..");
const ENTER = "\r";
const ESCAPE = "\x1b";
const RIGHT = "\x1b[C";

test("the log is searched while typing, filtered, and opened in detail", async () => {
  const tui = aTui(await aLogbook());

  await tui.sees("4 QSOs");
  tui.type("2");
  await expectScreen(tui, "log", "1 of 4");
  tui.type("/k1");
  await expectScreen(tui, "log-searched", "1 of 2");
  tui.type(`${ENTER}n`);
  await tui.sees("2 of 2");
  tui.type(ESCAPE);
  await tui.sees("1 of 4");
  tui.type("c");
  await expectScreen(tui, "log-confirmed", "1 of 1");
  tui.type(ENTER);
  await expectScreen(tui, "qso", "Jürgen");
  tui.type("w");
  await tui.sees("a file, job 1, ");
  tui.type("qq");
  expect(await tui.exited).toBe(0);
});

test("an invalid search stays for correction, with the error below it", async () => {
  const tui = aTui(await aLogbook());

  await tui.sees("4 QSOs");
  tui.type("2");
  await tui.sees("1 of 4");
  tui.type(`/foo:bar${ENTER}`);
  await expectScreen(tui, "log-problem", "You cannot search by");
  tui.type("/\x7f\x7f\x7f\x7f\x7f\x7f\x7fk1");
  await tui.sees("1 of 2");
  expect(tui.screen()).not.toContain("You cannot search by");
});

test("an award shows its matrix, what it needs, and the contacts behind a cell", async () => {
  const tui = aTui(await aLogbook());

  tui.type("3");
  await expectScreen(tui, "awards", "DXCC Challenge");
  tui.type(ENTER);
  await expectScreen(tui, "matrix", "row 1 of 3");
  tui.type("/jap\r");
  await expectScreen(tui, "matrix-found", "row 2 of 3");
  for (const by of ["first", "second", "card", "any", "sponsor"] as const) {
    tui.type("c");
    await tui.sees(`counts ${describeConfirmer(by)}`);
  }
  tui.type("w");
  await expectScreen(tui, "needed", "Never worked: 337");
  tui.type("wk");
  await tui.sees("row 1 of 3");
  tui.type(RIGHT);
  await tui.sees("C  [C]");
  tui.type(ENTER);
  await expectScreen(tui, "cell", "1 of 1");
  tui.type(ESCAPE);
  await tui.sees("C  [C]");
});

test("what is needed on a band is two keys away, and one phrase", async () => {
  const tui = aTui(await aLogbook());

  tui.type("3");
  await tui.sees("DXCC Challenge");
  tui.type("wb");
  await expectScreen(tui, "needed-on-band", "b 20m");
  expect(tui.screen()).toContain("Worked, but not confirmed: 2");
  tui.type("b");
  await tui.sees("b 40m");
  tui.type("\x0b");
  await tui.sees("Go to");
  tui.type(`needed 20m`);
  await tui.sees("DXCC needed on 20m");
  tui.type(ENTER);
  await tui.sees("b 20m");
});

test("a wide terminal shows the detail of the row at the cursor", async () => {
  const tui = aTui(await aLogbook(), {}, { cols: 200, rows: 60 });

  tui.type("2");
  await tui.sees("1 of 4");
  tui.type("j");
  await tui.sees("It counts for DXCC Germany");
  await tui.sees("Digital  ·   ·   ·  [C]  ·");
  tui.type("3");
  await tui.sees("Never worked: 337");
  tui.type(ENTER);
  await tui.sees("1 QSO of this cell");
  tui.type("4");
  await tui.sees("[Confirmed 1]");
  tui.type("5");
  await tui.sees("2 of 8");
});

test("the footer and the help name only keys that work", async () => {
  const tui = aTui(await aLogbook());

  tui.type("4");
  await tui.sees("LoTW      completed");
  expect(tui.screen()).not.toContain("S stop");
  tui.type(ENTER);
  await tui.sees("v fields");
  tui.type("l");
  await tui.sees("t resolve one");
  expect(tui.screen()).not.toContain("v fields");
  tui.type("?");
  await tui.sees("On this screen");
  expect(tui.screen()).not.toContain("fields");
});

test("the statistics are those of the command, one at a time, for the selected QSOs", async () => {
  const line = await aLogbook();
  const tui = aTui(line);

  tui.type("5");
  await expectScreen(tui, "statistics", "the busiest has");
  tui.type("hhh");
  await tui.sees("6 of 8");
  const { out } = await line.qsolog(["stats", "--by", "confirmations"]);
  const rows = out.split("\n").map((row) => row.trimEnd());
  expect(await tui.comesTo((screen) => rows.every((row) => screen.includes(row.trim())))).toBe(true);
  tui.type("/jap\t\r");
  await expectScreen(tui, "statistics-searched", "dxcc:");
  tui.type("/\x15foo:bar\r");
  await tui.sees("You cannot search by");
  await tui.sees("/ foo:bar");
});

test("the code for statistics is only loaded on their screen", async () => {
  const app = JSON.stringify(join(ROOT, "cli", "tui", "app.tsx"));
  const DRAWS = /cli\/figures\.ts$|tui\/statistics\.ts$/;
  const loaded = `await import(${app}); console.log(Object.keys(require.cache).filter((name) => ${DRAWS}.test(name)).length)`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", loaded], { cwd: ROOT });
  expect(String(stdout).trim()).toBe("1");
});

test("the jobs show their changes and unresolved records", async () => {
  const tui = aTui(await aLogbook());

  tui.type("4");
  await expectScreen(tui, "jobs", "LoTW      completed");
  tui.type(ENTER);
  await expectScreen(tui, "changes", "QSO 3");
  tui.type("l");
  await expectScreen(tui, "leftovers", "equally well");
  expect(tui.screen()).not.toContain("rolled back");
  tui.type("x");
  await tui.sees("Completed syncs can't be rolled back");
});

test("an import is undone after a preview, and not without confirmation", async () => {
  const tui = aTui(await aLogbook());

  tui.type("4");
  await tui.sees("Import    completed");
  tui.type(`j${ENTER}`);
  await tui.sees("Job 1: Import");
  tui.type("x");
  await expectScreen(tui, "undo", "Undo job 1");
  tui.type("n");
  expect(await tui.comesTo((screen) => !screen.includes("Undo job 1"))).toBe(true);
  tui.type("x");
  await tui.sees("Undo job 1");
  tui.type("y");
  await tui.sees("Job 1 is undone: 4 QSOs deleted, 1 value kept.");
  await tui.sees("Job 1: Import, rolled back");
  tui.type("?");
  await expectScreen(tui, "help", "quit immediately");
});

test("an import with removed records is not offered for undo, with the reason", async () => {
  const line = await aLogbook();
  line.world.clock.advance(10 * DAY);
  expect(await prune(line.world, { olderThanMs: 5 * DAY })).toMatchObject({ jobs: 2 });
  const tui = aTui(line);

  tui.type("4");
  await tui.sees("Import    completed");
  tui.type(`j${ENTER}`);
  await tui.sees("This import can no longer be undone");
  expect(tui.screen()).not.toContain("undoes this import");
  tui.type("x");
  await tui.sees("can no longer be undone");
  expect(tui.screen()).not.toContain("Undo job 1");
});

test("a sync is started, followed to its end, and rolled back with a preview", async () => {
  const line = await aLogbook();
  line.first.fail({ kind: "maintenance" });
  const tui = aTui(line);

  tui.type("3");
  await tui.sees("DXCC Challenge");
  tui.type("s");
  await expectScreen(tui, "sync", "Esc cancel");
  tui.type("1");
  await tui.sees("as job 3");
  tui.type("4");
  await tui.sees("LoTW      failed");
  tui.type(`g${ENTER}`);
  await tui.sees("LoTW changed nothing.");
  expect(tui.screen()).toContain("LoTW sent a web page instead of a report.");
  tui.type("x");
  await tui.sees("No QSOs would change.");
  tui.type("y");
  await tui.sees("Job 3 is rolled back: no QSOs changed.");
  await tui.sees("LoTW, rolled back");
});

test("changes by another process appear by themselves", async () => {
  const line = await aLogbook();
  const tui = aTui(line);
  tui.type("4");
  await tui.sees("LoTW      completed");

  line.first.fail({ kind: "maintenance" });
  await line.qsolog(["sync", "first"]);

  await tui.sees("LoTW      failed");
});

test("without colour nothing is coloured, and letters still show the state", async () => {
  const tui = aTui(await aLogbook(), { NO_COLOR: "1" });

  tui.type("3");
  await tui.sees("DXCC Challenge");
  tui.type(ENTER);
  await tui.sees("[C]");
  tui.type("2");
  await tui.sees("C    –    –");

  expect(tui.raw()).not.toMatch(/\x1b\[[0-9;]*\b(?:3[0-7]|4[0-7]|9[0-7]|38|48)\b[0-9;]*m/);
});

test("only the sixteen standard colours are used", async () => {
  const tui = aTui(await aLogbook(), { COLORTERM: "truecolor" });

  tui.type("2");
  await tui.sees("C    –    –");

  expect(tui.raw()).toContain("\x1b[32m");
  expect(tui.raw()).not.toMatch(/\x1b\[[0-9;]*[34]8;/);
});

test("the screen follows the size of the terminal and keeps its place while that is too small", async () => {
  const tui = aTui(await aLogbook(), {}, { cols: 80, rows: 24 });
  tui.type("3");
  await tui.sees("DXCC Challenge");
  tui.type(ENTER);
  await tui.sees("row 1 of 3");

  tui.child.terminal!.resize(40, 10);
  await tui.sees("Terminal too small: 40×10");
  tui.child.terminal!.resize(80, 24);

  await tui.sees("row 1 of 3");
});
