import { describe, expect, test } from "bun:test";
import { toAsciiJson, fitText, wrapText } from "../../cli/wrap.ts";
import { hasUtf8Locale } from "../../cli/terminal.ts";

const UTF8 = { hasUtf8: true, width: 80, isTerminal: true };
const ASCII = { ...UTF8, hasUtf8: false };

describe("the locale", () => {
  test.each([
    [{ LANG: "en_US.UTF-8" }, true],
    [{ LANG: "C.utf8" }, true],
    [{ LC_CTYPE: "UTF-8" }, true],
    [{ LC_ALL: "C", LANG: "en_US.UTF-8" }, false],
    [{ LC_ALL: "", LC_CTYPE: "", LANG: "de_DE.UTF-8" }, true],
    [{ LC_CTYPE: "de_DE.ISO-8859-1", LANG: "de_DE.UTF-8" }, false],
    [{ LANG: "broken" }, false],
    [{}, false],
  ])("%p supports UTF-8: %p", (env, expected) => {
    expect(hasUtf8Locale(env)).toBe(expected);
  });
});

test("with UTF-8 text stays unchanged", () => {
  expect(fitText("Jürgen · 山田 … and 3 more", UTF8)).toBe("Jürgen · 山田 … and 3 more");
});

test("the colours of tables and QR codes stay, and do not count as width", () => {
  for (const colour of ["\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[97;40m"]) {
    const line = `${"x".repeat(70)} ${colour}failed\x1b[0m`;
    expect(fitText(line, UTF8)).toBe(line);
  }
  expect(fitText("\x1b[5mfailed", UTF8)).not.toContain("\x1b");
});

test("without it a terminal gets ASCII of the same width", () => {
  expect(fitText("Jürgen Łukasz 山田 · W", ASCII)).toBe("Jurgen ?ukasz ???? . W");
  expect(fitText("Guttenb…  Fed. Rep…", ASCII)).toBe("Guttenb~  Fed. Rep~");
  expect(fitText("  … and 3 more", ASCII)).toBe("  ... and 3 more");
});

test("without it a pipe gets our own symbols in ASCII and names unchanged", () => {
  expect(fitText("Jürgen · 山田  Guttenb…", { ...ASCII, isTerminal: false })).toBe("Jürgen . 山田  Guttenb~");
});

test("JSON in ASCII has the same content", () => {
  const document = { name: "Jürgen 山田 😀", call: "K1ABC" };
  const json = toAsciiJson(JSON.stringify(document));

  expect(json).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(json)).toEqual(document);
});

test("a long line breaks between words with indentation, and a long word stays whole", () => {
  const path = `/a/${"long/".repeat(8)}path`;

  expect(wrapText(`short\n  12 records: 3 added, 4 updated, 5 left as they were\n${path}`, 30).split("\n")).toEqual([
    "short",
    "  12 records: 3 added, 4",
    "    updated, 5 left as they",
    "    were",
    path,
  ]);
});

test("without a terminal no line is wrapped", () => {
  const line = "word ".repeat(100).trimEnd();

  expect(fitText(line, { ...UTF8, width: 40, isTerminal: false })).toBe(line);
});
