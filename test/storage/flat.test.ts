import { expect, test } from "bun:test";
import fc from "fast-check";
import { flatten, unflatten } from "../../src/storage/flat.ts";

const bytes = fc.uint8Array({ maxLength: 20 });
const leaf = fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.boolean(), fc.constant(null), bytes);
const name = fc.string({ minLength: 1 }).filter((text) => text !== "\0" && text !== "__proto__");
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(name, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

test("what crosses to another thread arrives as it was, arrays of bytes too", () => {
  fc.assert(
    fc.property(value, (given) => {
      const arrived = unflatten(structuredClone(flatten(given)));

      expect(arrived).toEqual(given);
    }),
  );
});

test("what is sent stays as it is", () => {
  const layer = Uint8Array.of(1, 2, 3);
  const row = { values: ["K1ABC", layer, null], layer };
  const kept = structuredClone(row);

  flatten(row);

  expect(row).toEqual(kept);
});
