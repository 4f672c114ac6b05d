import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  listChips,
  listCompletions,
  readSearch,
  formatSearch,
  parseTokens,
} from "../../src/domain/contact/search-words.ts";
import { parseFilter } from "../../src/domain/contact/qso-filter.ts";

const read = (search: string): Record<string, string> => {
  const wrong: string[] = [];
  const meant = readSearch(search, (message) => wrong.push(message));
  return wrong.length > 0 ? { ...meant, wrong: wrong[0]! } : meant;
};

const JAPAN = "339";
const NAMED = { name: "hans", qth: "bremen", comment: "new antenna", grid: "jo" };

describe("a search in one line", () => {
  test.each<[search: string, meant: Record<string, string>]>([
    [
      "20m ft8 not:lotw dxcc:japan 2024 k1*",
      {
        band: "20m",
        mode: "ft8",
        notAt: "first",
        dxcc: JAPAN,
        from: "2024-01-01",
        to: "2024-12-31",
        call: "k1*",
      },
    ],
    ["20m,40m 6m", { band: "20m,40m,6m" }],
    ["OWNDXCC:japan,Unknown owngrid:kn04", { ownDxcc: `${JAPAN},Unknown`, ownGrid: "kn04" }],
    ["70CM USB", { band: "70CM", mode: "USB" }],
    ["unconfirmed phone", { confirmation: "none", group: "phone" }],
    ["by:qrz at:LoTW,qrz", { confirmation: "second", at: "first,second" }],
    ["by:card-only,lotw-only", { confirmation: "cardOnly,firstOnly" }],
    ["2024-02", { from: "2024-02-01", to: "2024-02-29" }],
    ["2023..2024", { from: "2023-01-01", to: "2024-12-31" }],
    ["..2020-05-03", { to: "2020-05-03" }],
    ["2024..2022", { from: "2022-01-01", to: "2024-12-31" }],
    ["2024-06-02..2024-05", { from: "2024-05-01", to: "2024-06-02" }],
    ["2024..2024-03", { from: "2024-01-01", to: "2024-03-31" }],
    ["2020..", { from: "2020-01-01" }],
    ["from:2020 to:2021", { from: "2020-01-01", to: "2021-12-31" }],
    ['dxcc:"united states"', { dxcc: "291" }],
    ["dxcc:aland-islands", { dxcc: "5" }],
    ["dxcc:none,1", { dxcc: "none,1" }],
    ["state:tx,CA station:yu1x/p", { state: "tx,CA", station: "yu1x/p" }],
    ["john 'quoted' k1abc", { q: "john 'quoted' k1abc" }],
    ['"20m" "dxcc:japan"', { q: "20m dxcc:japan" }],
    ['name:hans qth:bremen comment:"new antenna" grid:jo', NAMED],
    ["dxcc: not:", {}],
    ["40 14.074", { q: "40 14.074" }],
    ["", {}],
  ])("%s", (search, meant) => {
    expect(read(search)).toEqual(meant);
  });

  test("accepts part of an entity's name; several matches all count", () => {
    expect(read("dxcc:russia")).toEqual({ dxcc: "15,54" });
    expect(read("dxcc:atlantis")).toEqual({ dxcc: "none", wrong: 'There is no entity named "atlantis".' });
  });

  test("reports what it does not understand", () => {
    expect(read("foo:bar").wrong).toBe('You cannot search by "foo:". To search for this text, put it in quotes.');
    expect(read("cal:k1abc").wrong).toBe('You cannot search by "cal:". Did you mean call:?');
    expect(read("nmae:hans").wrong).toBe('You cannot search by "nmae:". Did you mean name:?');
    expect(read("2023 2024").wrong).toBe("A search can have only one time range, such as 2023..2024.");
    expect(() => parseFilter({ search: "20m", band: "40m" })).toThrow(
      "band is given both in the search and on its own. Use it once.",
    );
    expect(() => parseFilter({ search: "at:nowhere" })).toThrow('"nowhere" is not a service; use lotw, qrz.');
    expect(() => parseFilter({ search: "by:nobody" })).toThrow(
      '"nobody" is not a confirmation; use any, none, both, lotw, qrz, card, lotw-only, qrz-only, card-only.',
    );
    expect(() => parseFilter({ search: "at:lotw," })).toThrow("has an empty value");
  });

  test("expresses filters, and parses back to them", () => {
    const parts = fc.subarray(
      [
        "20m,40m",
        "ft8",
        "phone",
        "dxcc:japan",
        "not:lotw",
        "at:qrz",
        "by:card",
        "unconfirmed",
        "state:tx",
        "k1*",
        "2024",
        "john",
        "name:hans",
        "grid:jo",
      ],
      { minLength: 1 },
    );
    fc.assert(
      fc.property(parts, (words) => {
        const meant = read(words.join(" "));
        expect(read(formatSearch(meant))).toEqual(meant);
      }),
    );
    expect(formatSearch({ band: "20m", dxcc: "291", notAt: "second", confirmation: "none", from: "2024-01-01" })).toBe(
      "20m dxcc:united-states not:qrz unconfirmed 2024-01-01..",
    );
    expect(formatSearch({ q: "20m" })).toBe('"20m"');
  });

  test("accepts any text without an exception, and loses no part of it", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (search) => {
        read(search);
        const left = parseTokens(search)
          .map(({ text }) => text)
          .join("");
        expect(left.replace(/\s/g, "")).toBe(search.replace(/\s/g, ""));
      }),
    );
  });

  test("has a chip for each part, to remove it", () => {
    expect(listChips("BY:Any by:NONE").map(({ words }) => words)).toEqual(["confirmed", "not confirmed"]);
    expect(listChips('20m not:lotw dxcc:japan "new york"')).toEqual([
      { words: "20m", without: 'not:lotw dxcc:japan "new york"' },
      { words: "not on LoTW", without: '20m dxcc:japan "new york"' },
      { words: "Japan", without: '20m not:lotw "new york"' },
      { words: '"new york"', without: "20m not:lotw dxcc:japan" },
    ]);
  });

  test("is completed at its end, and the rest stays", () => {
    expect(listCompletions("20m jap")).toEqual(["20m dxcc:japan"]);
    expect(listCompletions("dxcc:alb")).toEqual(["dxcc:albania"]);
    expect(listCompletions("not:")).toEqual(["not:lotw", "not:qrz"]);
    expect(listCompletions("20m ")).toEqual([]);
    expect(listCompletions("owng")).toEqual(["ownGrid:"]);
  });
});

test("a range with its end before its start is refused with both names", () => {
  const slip = "The end date 2022-12-31 is before the start date 2024-01-01.";
  expect(() => parseFilter({ search: "from:2024 to:2022" })).toThrow(slip);
  expect(() => parseFilter({ from: "2024-01-01", to: "2022-12-31" })).toThrow(slip);
  expect(parseFilter({ from: "2022-12-31", to: "2022-12-31" })).toEqual({
    from: Date.UTC(2022, 11, 31),
    to: Date.UTC(2023, 0),
  });
});
