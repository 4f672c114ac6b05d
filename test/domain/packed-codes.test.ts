import { expect, test } from "bun:test";
import fc from "fast-check";
import { unpackCoded, type Shared } from "../../src/domain/packed-codes.ts";
import { packCoded } from "../support/pack-coded.ts";

const valuesIn = (packed: Uint8Array): (Shared | null)[] => {
  const { values, codes } = unpackCoded(packed);
  return Array.from({ length: codes.length }, (_, row) => values[codes.at(row)]!);
};

const word = fc.oneof(fc.constantFrom("", "null", "20m", "1"), fc.string());
const COLUMNS = [
  fc.array(fc.option(word)),
  fc.array(fc.option(fc.oneof(fc.integer(), fc.constantFrom(0, 1)))),
  fc.array(fc.tuple(fc.option(word), fc.option(word))),
] as fc.Arbitrary<Shared[]>[];

test("each contact has its value back, no value and the word for it too", () => {
  fc.assert(fc.property(fc.oneof(...COLUMNS), (values) => expect(valuesIn(packCoded(values))).toEqual(values)));
});

test.each([1, 2, 256, 257, 65_536, 65_537])("of %i values each contact has its own", (count) => {
  const values = Array.from({ length: count }, (_, n) => n * 3);
  expect(valuesIn(packCoded(values))).toEqual(values);
});
