// Each text once, with a number of its own.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { TextPacker, unpackTexts } from "../../src/domain/coded-texts.ts";
import { TextTable } from "../../src/domain/text-table.ts";

const aText = fc.oneof(
  fc.constantFrom("", "K1ABC", "73", "73 ", "Žarko", "日本", "😀"),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);

/** By their bytes, as databases have them. */
const inOrder = (texts: readonly string[]): string[] =>
  texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

const textsIn = ({ bytes, lengths }: { bytes: Uint8Array; lengths: Uint32Array }): string[] => {
  let at = 0;
  return Array.from(lengths, (length) => Buffer.from(bytes.subarray(at, (at += length))).toString());
};

test("a text has the number it had before, and no other text has it", () => {
  fc.assert(
    fc.property(fc.array(aText, { maxLength: 300 }), (texts) => {
      const table = new TextTable();
      const known = new Map<string, number>();
      for (const text of texts) {
        if (!known.has(text)) known.set(text, known.size);
        expect(table.codeOf(text)).toBe(known.get(text)!);
      }
      expect(textsIn(table.inOrder())).toEqual(inOrder([...known.keys()]));
      expect(table.inOrder().places).toEqual(
        Uint32Array.from(known.keys(), (text) => inOrder([...known.keys()]).indexOf(text)),
      );
    }),
  );
});

test("many texts and long ones too", () => {
  const table = new TextTable();
  const texts = Array.from({ length: 20_000 }, (_, n) => `${n} ${"é".repeat(n % 200)}`);

  const codes = texts.map((text) => table.codeOf(text));

  expect(codes).toEqual(texts.map((_, n) => n));
  expect(texts.toReversed().map((text) => table.codeOf(text))).toEqual(codes.toReversed());
  expect(textsIn(table.inOrder())).toEqual(inOrder(texts));
});

test("a column gives each contact its text back", () => {
  fc.assert(
    fc.property(fc.array(aText, { minLength: 1, maxLength: 200 }), (texts) => {
      const packer = new TextPacker();
      for (const text of texts) packer.add(text);
      const column = unpackTexts(packer.packed());

      expect(texts.map((_, row) => column.text(column.codes.at(row)))).toEqual(texts);
    }),
  );
});
