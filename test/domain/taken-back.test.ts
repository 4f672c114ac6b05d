import { describe, expect, test } from "bun:test";
import { NO_LAYERS, type Layers } from "../../src/domain/contact/layers.ts";
import { ownerOrigin } from "../../src/domain/origins/owner.ts";
import { listRecords, getSlot } from "../../src/domain/contact/records.ts";
import { removeTakenBack, type PastChange } from "../../src/domain/contact/taken-back.ts";

const file = (more: Record<string, string>): Layers => ({
  ...NO_LAYERS,
  own: { file: { fields: { CALL: "K1A", BAND: "20m", ...more } } },
});
const atSecond = (status: string): Layers => ({
  ...file({}),
  second: { record: { fields: { CALL: "K1A", APP_QRZLOG_LOGID: "7", APP_QRZLOG_STATUS: status } } },
});

/** The changes between these states. A star marks rolled back jobs, R a rollback. */
const changes = (marks: string, ...states: (Layers | null)[]): PastChange[] =>
  [...marks]
    .map((mark, index) => ({
      before: states[index]!,
      after: states[index + 1]!,
      isTakenBack: mark === "*",
      isRollback: mark === "R",
    }))
    .reverse();

const [NONE, OSLO, BERGEN] = [file({}), file({ QTH: "Oslo" }), file({ QTH: "Bergen" })];
/** The combined record of two files, older first. */
const both = (older: Layers, newer: Layers): Layers => ownerOrigin.merge(older, newer.own!.file!);
const typed = (fields: Record<string, string>): Layers => ({ ...NONE, own: { ...NONE.own, typed: fields } });

describe("a contact without rolled back changes", () => {
  test("is unchanged if there are none", () => {
    const now = both(NONE, OSLO);

    expect(removeTakenBack(now, changes("..", null, NONE, now))).toBe(now);
  });

  test.each<[string, string, (Layers | null)[], Layers]>([
    ["has no record that it brought", "*", [OSLO, both(OSLO, BERGEN)], OSLO],
    [
      "has a record of another job that says the same",
      "*.",
      [null, OSLO, both(OSLO, file({ QTH: "Oslo", NAME: "Ann" }))],
      file({ QTH: "Oslo", NAME: "Ann" }),
    ],
    ["has a record again that it replaced", "*", [OSLO, BERGEN], OSLO],
    ["has no record again that a later correction replaced, too", ".*.", [null, NONE, OSLO, BERGEN], BERGEN],
    ["has a record again that two of these replaced in turn", ".**", [null, NONE, OSLO, BERGEN], NONE],
    [
      "has no record that two jobs taken back brought and replaced",
      "**",
      [NONE, both(NONE, OSLO), both(NONE, BERGEN)],
      NONE,
    ],
    [
      "loses a record that a rollback had restored",
      "**R",
      [NONE, both(NONE, OSLO), both(NONE, BERGEN), both(NONE, OSLO)],
      NONE,
    ],
    [
      "is the same after it was deleted and brought back",
      "*.R",
      [NONE, both(NONE, OSLO), null, both(NONE, OSLO)],
      NONE,
    ],
    [
      "has the value again that was typed before",
      "*",
      [typed({ QTH: "Oslo" }), typed({ QTH: "Bergen" })],
      typed({ QTH: "Oslo" }),
    ],
    ["has the value from before two", "**", [NONE, typed({ QTH: "Oslo" }), typed({ QTH: "Bergen" })], NONE],
    [
      "keeps what was typed later",
      "*.",
      [NONE, typed({ QTH: "Oslo" }), typed({ QTH: "Bergen" })],
      typed({ QTH: "Bergen" }),
    ],
    [
      "keeps a value typed again later",
      "*..",
      [NONE, typed({ QTH: "O" }), typed({ QTH: "B" }), typed({ QTH: "O" })],
      typed({ QTH: "O" }),
    ],
    ["has a typed field again that was removed", "*", [typed({ QTH: "Oslo" }), NONE], typed({ QTH: "Oslo" })],
    ["has a service's record from before it as a whole", "*", [atSecond("N"), atSecond("C")], atSecond("N")],
    ["keeps a service's later record", "*.", [NONE, atSecond("C"), atSecond("N")], atSecond("N")],
  ])("%s", (_, marks, states, left) => {
    expect(removeTakenBack(states.at(-1)!, changes(marks, ...states))).toEqual(left);
  });

  test("keeps a record that another job gave too", () => {
    const now = both(NONE, OSLO);
    const again = new Set(listRecords(OSLO).map(getSlot));

    expect(removeTakenBack(now, changes("*", NONE, now), again)).toBe(now);
  });
});
