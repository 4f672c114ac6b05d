// Which contacts hold a letter, and which columns may hold a text, beside a look into each text.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GramsPacker, isLetter, LetterPacker, unpackGrams, unpackLetters } from "../../src/domain/held-letters.ts";
import { foldCase } from "../../src/domain/year-contacts.ts";

const text = fc.oneof(
  fc.string({ maxLength: 30, unit: fc.constantFrom(..."abzABZ019/ -éÉ") }),
  fc.string({ maxLength: 30, unit: "binary" }),
);
const NAMES = ["name", "qth"] as const;
const contact = fc.record({ name: fc.option(text), qth: text });

test("who holds a letter is what a look into each text says", () => {
  fc.assert(
    fc.property(fc.array(contact, { maxLength: 70 }), fc.constantFrom(..."abz019"), (contacts, letter) => {
      const packer = new LetterPacker(NAMES);
      for (const one of contacts) packer.add(one);
      const fits = new Uint8Array(contacts.length).fill(1);
      unpackLetters(packer.packed()).keep(fits, letter);
      const isHeld = (one: (typeof contacts)[number]) =>
        NAMES.some((name) => foldCase(one[name] ?? "").includes(letter));
      expect([...fits]).toEqual(contacts.map((one) => Number(isHeld(one))));
    }),
  );
});

test("a letter is a digit or a small letter of the plain alphabet, alone", () => {
  expect(["0", "9", "a", "z"].every(isLetter)).toBe(true);
  expect(["", "A", "é", "/", "-", " ", "ab"].some(isLetter)).toBe(false);
});

describe("which columns may hold a text", () => {
  const gramsOf = (contacts: readonly { name: string | null; qth: string | null }[]) => {
    const packer = new GramsPacker(NAMES);
    for (const one of contacts) packer.add(one);
    return unpackGrams(packer.packed(), NAMES);
  };

  test("one that holds it is never left out", () => {
    fc.assert(
      fc.property(
        fc.array(contact, { minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.constantFrom(...NAMES),
        fc.nat(),
        fc.nat(),
        (contacts, row, name, from, length) => {
          const one = contacts[row % contacts.length]![name] ?? "";
          const begin = from % (one.length + 1);
          const part = foldCase(one).slice(begin, begin + 1 + (length % 12));
          expect(gramsOf(contacts).mayHold(name, part)).toBe(true);
        },
      ),
    );
  });

  test("one whose letters never follow each other so is left out, however few or many there are", () => {
    const few = gramsOf([{ name: "OSCAR", qth: null }]);
    const held = [few.mayHold("name", "sca"), few.mayHold("name", "qzx"), few.mayHold("qth", "sca")];
    expect(held).toEqual([true, false, false]);

    const letters = "abcdefghijklmnopqrstuvwx";
    const square = (n: number) =>
      [n % 18, (n * 7) % 18].map((at) => letters[at]).join("") + (n % 100) + letters[n % 24] + letters[(n >> 5) % 24];
    const many = gramsOf(Array.from({ length: 40_000 }, (_, n) => ({ name: square(n), qth: null })));
    const never = Array.from({ length: 1_000 }, (_, n) => `${n % 10}${letters[n % 24]}${(n >> 3) % 10}`);
    expect(never.filter((part) => many.mayHold("name", part)).length).toBeLessThan(150);
    expect(never.filter((part) => many.mayHold("name", `${part} ${part}`)).length).toBeLessThan(10);
  });
});
