import { describe, expect, test } from "bun:test";
import { NO_LAYERS, type Layers } from "../../src/domain/layers.ts";
import { withoutTakenBack, type PastChange } from "../../src/domain/taken-back.ts";

const file = (more: Record<string, string>, types?: Record<string, string>): Layers => ({
  ...NO_LAYERS,
  own: { file: { fields: { CALL: "K1A", BAND: "20m", ...more }, ...(types && { types }) } },
});
const atSecond = (status: string): Layers => ({
  ...file({}),
  second: { fields: { CALL: "K1A", APP_QRZLOG_LOGID: "7", APP_QRZLOG_STATUS: status } },
});

/** The changes that lead from one state to the next; a star marks those of jobs that were taken back, R a rollback. */
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

describe("a contact without what was taken back", () => {
  test("is as it is where nothing was", () => {
    expect(withoutTakenBack(OSLO, changes("..", NONE, BERGEN, OSLO))).toBe(OSLO);
  });

  test.each<[string, string, (Layers | null)[], Layers]>([
    ["has the value from before it", "*", [BERGEN, OSLO], BERGEN],
    ["has the value from before two", "**", [NONE, OSLO, BERGEN], NONE],
    ["keeps what was said later", "*.", [NONE, OSLO, BERGEN], BERGEN],
    ["keeps the same value said again later", "*..", [NONE, OSLO, BERGEN, OSLO], OSLO],
    ["loses a value that a rollback had restored", "**R", [NONE, OSLO, BERGEN, OSLO], NONE],
    ["has a field again that was removed", "*", [OSLO, NONE], OSLO],
    ["is the same after it was deleted and brought back", "*.R", [NONE, OSLO, null, OSLO], NONE],
    ["loses the type of a field with the field", "*", [NONE, file({ MY: "1" }, { MY: "N" })], NONE],
    ["has a service's record from before it as a whole", "*", [atSecond("N"), atSecond("C")], atSecond("N")],
    ["keeps a service's later record", "*.", [NONE, atSecond("C"), atSecond("N")], atSecond("N")],
  ])("%s", (_, marks, states, left) => {
    expect(withoutTakenBack(states.at(-1)!, changes(marks, ...states))).toEqual(left);
  });

  test("is known by its call when a file left a field more and the first file goes", () => {
    const both = file({ COMMENT: "later" });
    const typed: Layers = { ...NO_LAYERS, own: { typed: { CALL: "K1A" } } };
    const withFile: Layers = { ...typed, own: { ...typed.own, ...NONE.own } };
    const now: Layers = { ...typed, own: { ...typed.own, ...both.own } };

    expect(withoutTakenBack(now, changes("*.", typed, withFile, now))).toEqual(now);
  });
});
