import { describe, expect, test } from "bun:test";
import { suggest } from "../../src/kernel/similar-words.ts";
import { saying } from "./program.ts";

describe("a misspelt word is wrong usage, and the right one is suggested", () => {
  test.each([
    ["synk", "unknown command 'synk'. Did you mean sync?"],
    ["help synk", "unknown command 'synk'. Did you mean sync?"],
    ["jobs lsit", "unknown command 'lsit'. Did you mean list?"],
    ["schedule ste first", "unknown command 'ste'. Did you mean set?"],
    ["promote bob", "unknown command 'promote'. Use qsolog admin promote."],
    ["backup x.db", "unknown command 'backup'. Use qsolog db backup."],
    ["delete 3", "unknown command 'delete'. Use one of qsolog qso delete, qsolog user delete."],
    ["admin promot bob", "unknown command 'promot'. Did you mean promote?"],
    ["country shwo", "unknown command 'shwo'. Did you mean show?"],
    ["schedule lotw --off", "unknown command 'lotw'. See qsolog schedule --help."],
    ["token --data-dir x", "Choose a command of qsolog token: create, list, revoke."],
    ["audit --action frobnicate", '"frobnicate" is not valid for --action. Use create_user, '],
    ["jobs --limit many", "Use --limit with a whole number from 1 to 500."],
    ["stats --usr bob", "unknown option '--usr'. Did you mean --user?"],
    ["jobs list --statsu failed", "unknown option '--statsu'. Did you mean --status?"],
    ["sync frist", 'unknown word "frist". Did you mean first?'],
    ["service set secnod", 'unknown word "secnod". Did you mean second?'],
    ["awards dxc", 'unknown word "dxc". Did you mean dxcc?'],
    ["awards was neded", 'unknown word "neded". Did you mean needed?'],
    ["awards was --by sponser", '--by: unknown word "sponser". Did you mean sponsor?'],
    ["jobs list --status failed,runing", '--status: unknown word "runing". Did you mean running?'],
    ["token create x --scope raed", '--scope: unknown word "raed". Did you mean read?'],
    ["completion bahs", 'unknown word "bahs". Did you mean bash?'],
  ])("qsolog %s", async (line, message) => {
    const { code, out, err } = await saying(line.split(" "));

    expect([code, out]).toEqual([2, ""]);
    expect(err).toStartWith(`qsolog: ${message}`);
  });
});

describe("an unknown word gets no suggestion", () => {
  test.each(["frobnicate", "jobs frobnicate", "stats --frobnicate", "sync third"])("qsolog %s", async (line) => {
    const { code, err } = await saying(line.split(" "));

    expect(code).toBe(2);
    expect(err).not.toContain("Did you mean");
  });
});

test("with --json it is an ordinary error", async () => {
  const { err } = await saying(["--json", "synk"]);

  expect(JSON.parse(err)).toEqual({
    error: { code: "invalid", message: "unknown command 'synk'. Did you mean sync?" },
  });
});

test("another case, or a word that is the value of an option, is no mistake", async () => {
  expect((await saying(["jobs", "list", "--user", "lsit", "--status", "FAILED,running"])).code).toBe(5);
  expect((await saying(["jobs", "--user", "lsit"])).code).toBe(5);
  expect((await saying(["duplicates", "--kind", "ownCall"])).code).toBe(5);
  expect((await saying(["reconcile", "--class", "otherCall"])).code).toBe(5);
});

test("several similar words are all suggested", () => {
  expect(suggest("sor", ["sort", "for", "list"])).toBe(" Did you mean one of sort, for?");
});
