import { expect, test } from "bun:test";
import fc from "fast-check";
import { pack, packLayer, unpack, unpackLayer } from "../../src/storage/packed.ts";
import { DICTIONARIES } from "../../src/storage/packed-dictionary.ts";
import { aFirstRecord, anyLayers } from "../support/contacts.ts";

test("whatever JSON can say comes back as it was", () => {
  fc.assert(
    fc.property(fc.json(), (text) => expect<unknown>(unpack(pack(JSON.parse(text)))).toEqual(JSON.parse(text))),
  );
});

test("whatever the origins said comes back as it was", () => {
  fc.assert(
    fc.property(anyLayers(), (layers) => expect<unknown>(unpack(pack(layers))).toEqual(layers)),
    { numRuns: 30 },
  );
});

test("text far beyond the dictionary, and text that no encoding has, comes back as it was", () => {
  for (const text of ["é".repeat(300_000), "\ud800", "\0", "😀", ""])
    expect<unknown>(unpack(pack({ text }))).toEqual({ text });
});

test("what was never said is kept as nothing at all", () => {
  expect(packLayer(null)).toBeNull();
  expect(unpackLayer(null)).toBeNull();
  expect<unknown>(unpackLayer(packLayer({ fields: {} }))).toEqual({ fields: {} });
});

test("the first byte names the dictionary, and an unknown one is refused", () => {
  const bytes = pack({ fields: {} });

  expect(bytes[0]).toBe(DICTIONARIES.length - 1);
  bytes[0] = DICTIONARIES.length;
  expect(() => unpack(bytes)).toThrow("unknown kind");
});

test("bytes cut short are refused instead of half read", () => {
  const bytes = pack(aFirstRecord());

  expect(() => unpack(bytes.subarray(0, -5))).toThrow();
});

test("a report's record takes less than half of its text", () => {
  const record = { qsl: aFirstRecord() };

  expect(pack(record).length).toBeLessThan(JSON.stringify(record).length / 2);
});
