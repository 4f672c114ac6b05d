import { describe, expect, test } from "bun:test";
import {
  describeChange,
  describeJob,
  describePart,
  findFirstPart,
  STORY_PARTS,
  isInChapter,
  CHAPTERS,
} from "../../src/domain/jobs/job-story.ts";
import { nameJob } from "../../src/domain/jobs/job-words.ts";
import { nameUndo } from "../../views/pages/rollback.tsx";

const NOTHING = {
  fetched: 0,
  added: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  unmatched: 0,
  rejected: 0,
  newlyConfirmed: 0,
};
const PLACES = { entities: [], bands: [], states: [], zones: [], grids: [] };

const change = (
  kind: "added" | "updated" | "deleted",
  ...diff: [field: string, before: unknown, after: unknown][]
) => ({
  kind,
  diff: diff.map(([field, before, after]) => ({ field, before, after })),
});

describe("the part of a job that is shown first", () => {
  test.each([
    ["new confirmations", { added: 2, newlyConfirmed: 14 }, "confirmed"],
    [
      "a few confirmations among many new QSOs, which its first page would not show",
      { added: 6_191, newlyConfirmed: 4 },
      "new",
    ],
    ["changes without confirmations", { updated: 3 }, "changed"],
    ["nothing but unresolved records", { unmatched: 1 }, "left"],
    ["nothing", {}, "new"],
  ] as const)("%s", (_, stats, part) => {
    expect(findFirstPart({ ...NOTHING, ...stats })).toBe(part);
  });
});

describe("a job in a sentence", () => {
  const job = { source: "first", client: null, status: "completed", dryRun: false, gains: null } as const;

  test("says what it did and what is new", () => {
    const stats = { ...NOTHING, newlyConfirmed: 14, added: 2, unmatched: 1, rejected: 1 };
    const gains = { worked: { ...PLACES, entities: [114] }, confirmed: PLACES };

    expect(describeJob({ ...job, stats, gains })).toBe(
      "LoTW added 2; 14 newly confirmed; Isle of Man is new; 2 records unresolved.",
    );
    expect(describeJob({ ...job, stats: NOTHING })).toBe("LoTW changed nothing.");
    expect(describeJob({ ...job, source: "file", stats: { ...NOTHING, added: 3 }, dryRun: true })).toBe(
      "Import would have added 3.",
    );
  });
});

test("what a program logged is called by its name", () => {
  const job = { source: "feed", client: "WSJT-X", status: "completed", dryRun: false, gains: null } as const;

  expect(describeJob({ ...job, stats: { ...NOTHING, added: 3 } })).toBe("WSJT-X added 3.");
  expect(nameJob(job)).toBe("WSJT-X logging");
  expect(nameUndo(job)).toBe("Undo what WSJT-X logged");
});

describe("the size of each part", () => {
  const words = (stats: Partial<typeof NOTHING>) =>
    STORY_PARTS.map((part) => describePart(part, { ...NOTHING, ...stats })).join(" · ");

  test("adds up to all records, with the confirmed ones among them", () => {
    expect(words({ updated: 20, newlyConfirmed: 14 })).toBe("New 0 · Changed 20 · Confirmed 14 · Unresolved 0");
    expect(words({ added: 3, updated: 2, deleted: 1 })).toBe("New 3 · Changed 3 · Confirmed 0 · Unresolved 0");
    expect(words({ added: 3, updated: 9, newlyConfirmed: 5, unmatched: 1 })).toBe(
      "New 3 · Changed 9 · Confirmed 5 · Unresolved 1",
    );
  });
});

describe("a change in words", () => {
  test.each([
    [change("updated", ["firstConfirmed", false, true], ["firstId", null, "x"]), "confirmed by LoTW"],
    [change("updated", ["firstId", null, "x"], ["first.qso.CALL", null, "K1A"]), "now on LoTW"],
    [change("updated", ["gridsquare", "JN72", "JN72WO"], ["awardGrids", "JN72", null]), "grid square JN72 → JN72WO"],
    [change("updated", ["own.file.NAME", null, "Ann"]), "more details"],
    [change("added", ["call", null, "K1A"]), "new"],
    [change("added", ["secondConfirmed", false, true]), "new; confirmed by QRZ"],
    [change("deleted"), "deleted"],
  ])("%j", (one, words) => {
    expect(describeChange(one)).toBe(words);
  });

  test("is in every chapter that applies, and in at least one", () => {
    const chaptersOf = (one: ReturnType<typeof change>) => CHAPTERS.filter((chapter) => isInChapter(chapter, one));

    expect(chaptersOf(change("added", ["firstConfirmed", false, true]))).toEqual(["new", "confirmed"]);
    expect(chaptersOf(change("added"))).toEqual(["new"]);
    expect(chaptersOf(change("updated", ["cardConfirmed", false, true]))).toEqual(["confirmed", "changed"]);
    expect(chaptersOf(change("updated", ["name", null, "Ann"]))).toEqual(["changed"]);
    expect(chaptersOf(change("deleted"))).toEqual(["changed"]);
  });
});
