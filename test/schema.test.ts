import { expect, test } from "bun:test";
import fc from "fast-check";
import Typebox from "typebox";
import { readText, fits } from "../src/kernel/schema.ts";

const Flat = Typebox.Object(
  {
    name: Typebox.String({ maxLength: 3 }),
    note: Typebox.Optional(Typebox.String()),
    code: Typebox.Optional(Typebox.String({ minLength: 2 })),
    count: Typebox.Optional(Typebox.Integer()),
    kind: Typebox.Optional(Typebox.Enum(["a", "b"])),
  },
  { additionalProperties: false },
);

const refuses = (value: unknown): boolean => {
  try {
    readText(Flat, value);
    return false;
  } catch {
    return true;
  }
};

test("any plain text is read like the compiled schema reads it", () => {
  const text = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom("a", "12", "abc", "abcd", "😀😀😀", ""));
  const value = fc.dictionary(fc.constantFrom("name", "note", "code", "kind", "other", "toString"), text);
  fc.assert(
    fc.property(value, (given) => {
      expect(refuses(given)).toBe(!fits(Flat, given));
      if (!refuses(given)) expect(readText(Flat, given)).toEqual(given as never);
    }),
    { numRuns: 500 },
  );
});

test("numbers in text become numbers", () => {
  expect(readText(Flat, { name: "abc", count: "12" })).toEqual({ name: "abc", count: 12 });
  expect(refuses({ name: "abc", count: "1e1" })).toBe(true);
  expect(refuses({ count: "12" })).toBe(true);
});
