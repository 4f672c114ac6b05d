import { expect, setDefaultTimeout, test } from "bun:test";
import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import { NO_LAYERS } from "../../src/domain/contact/layers.ts";
import { ownerOrigin } from "../../src/domain/origins/owner.ts";
import { changeLog } from "../../src/storage/log/log-changes.ts";
import { logOf, said } from "../support/sync.ts";
import { aLogbook, aTui } from "./tui.ts";

setDefaultTimeout(120_000);

const ENTER = "\r";
const ESCAPE = "\x1b";

test("a bulk edit is typed, previewed, cancelled, confirmed and undone", async () => {
  const line = await aLogbook();
  const before = await logOf(line.world, line.bob.id);
  const tui = aTui(line);

  tui.type("2");
  await tui.sees("1 of 4");
  tui.type("/k1");
  await tui.sees("1 of 2");
  tui.type(`${ENTER}e`);
  await tui.sees("Bulk edit 2 QSOs: what should change?");
  tui.type(`shift=later${ENTER}`);
  await tui.sees('"later" is not a time shift');
  tui.type(`\x15qth=Nis${ENTER}`);
  await tui.sees("Change these QSOs?");
  await tui.sees("2 contacts will change.");
  tui.type("n");
  expect(await tui.comesTo((screen) => !screen.includes("Change these QSOs?"))).toBe(true);
  expect(await logOf(line.world, line.bob.id)).toEqual(before);

  tui.type("e");
  await tui.sees("what should change?");
  tui.type(`qth=Nis${ENTER}`);
  await tui.sees("Change these QSOs?");
  tui.type("y");
  await tui.sees("completed: ");

  const log = await logOf(line.world, line.bob.id);
  expect(log.map(({ call, qth }) => [call, qth])).toEqual([
    ["K1AAA", "Nis"],
    ["K1AAA", "Nis"],
    ["DL1ABC", null],
    ["JA1XYZ", null],
  ]);
});

test("duplicates are shown with their reason, skipped, and merged after confirmation", async () => {
  const line = await aLogbook();
  const facts = await line.world.callFacts();
  const layers = ownerOrigin.merge(NO_LAYERS, said("JA1XYZ", "2026-07-20 11:30:20", { DXCC: "339", MODE: "CW" }));
  const twin = { createdAt: 0, updatedAt: 0, rulesVersion: RULES_VERSION, ...layers, ...derive(layers, facts)! };
  await line.world.db.write(() => changeLog(line.bob.id, { added: [twin] }, "nobody"));
  const tui = aTui(line);
  const calls = async () => (await logOf(line.world, line.bob.id)).map(({ call }) => call);

  tui.type("2");
  await tui.sees("1 of 5");
  tui.type("d");
  await tui.sees("Duplicates: 1 of 1 group");
  await tui.sees("JA1XYZ");
  tui.type(ESCAPE);
  expect(await tui.comesTo((screen) => !screen.includes("Duplicates: 1"))).toBe(true);
  tui.type("d");
  await tui.sees("Duplicates: 1 of 1 group");
  tui.type("m");
  await tui.sees("Merge these QSOs?");
  tui.type("n");
  expect(await tui.comesTo((screen) => !screen.includes("Merge these QSOs?"))).toBe(true);
  expect(await calls()).toHaveLength(5);

  tui.type("d");
  await tui.sees("Duplicates: 1 of 1 group");
  tui.type("a");
  await tui.sees("Merge these QSOs?");
  tui.type("y");
  await tui.sees("completed: ");

  expect(await calls()).toEqual(["K1AAA", "K1AAA", "DL1ABC", "JA1XYZ"]);
  tui.type("d");
  await tui.sees("No duplicates found.");
});
