import { expect, test } from "bun:test";
import fc from "fast-check";
import { TextPacker, unpackTexts } from "../../src/domain/coded-texts.ts";

const packed = (texts: readonly string[]) => {
  const packer = new TextPacker();
  for (const text of texts) packer.add(text);
  return unpackTexts(packer.packed());
};

const likeByHand = (pieces: readonly string[]) => new RegExp(`^${pieces.map(RegExp.escape).join(".*")}$`, "su");

const TEXTS = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "é", "1", " "), maxLength: 6 }), { minLength: 1 });
const PIECES = fc.array(fc.constantFrom("", "a", "b", "1", "ab", "é1"), { minLength: 2, maxLength: 5 });
const ANYWHERE = fc
  .array(fc.constantFrom("a", "b", "1"), { minLength: 1, maxLength: 3 })
  .map((letters) => ["", ...letters, ""]);

test("texts that have pieces one after the other are found as by hand", () => {
  fc.assert(
    fc.property(TEXTS, fc.oneof(PIECES, ANYWHERE), (given, pieces) => {
      const texts = packed(given);
      const marks = new Uint8Array(texts.size);
      texts.markLike(pieces, marks);

      const isLike = likeByHand(pieces);
      for (let code = 0; code < texts.size; code++) expect(marks[code] === 1).toBe(isLike.test(texts.text(code)));
    }),
  );
});

test.each([
  ["none has it", () => false],
  ["few have it", (n: number) => n % 500 === 7],
  ["all have it", () => true],
  ["all of the last have it", (n: number) => n > 2_500],
  ["all of the first have it", (n: number) => n < 2_500],
])("a letter is found in each of many texts where %s", (_, has) => {
  const texts = packed(Array.from({ length: 5_000 }, (_, n) => `${n + 10_000}${has(n) ? "z" : ""}.`));
  const marks = new Uint8Array(texts.size);

  texts.markLike(["", "z", ""], marks);

  expect(marks).toEqual(Uint8Array.from({ length: 5_000 }, (_, n) => Number(has(n))));
});
