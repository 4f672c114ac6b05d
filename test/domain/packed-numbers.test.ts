import { expect, test } from "bun:test";
import fc from "fast-check";
import { NumberPacker, unpackNumbers } from "../../src/domain/packed-numbers.ts";

const packed = (numbers: readonly number[]): Uint8Array => {
  const packer = new NumberPacker();
  for (const number of numbers) packer.add(number);
  return packer.packed();
};

/** Neighbours that take a byte, two, four or eight, in whole seconds or not. */
const aLog = fc
  .array(
    fc.record({
      from: fc.constantFrom(0, 1_000, 1_700_000_000_000, -5_000, 2 ** 50),
      within: fc.constantFrom(0, 1, 0xff, 0x100, 0xffff, 0x10000, 0xffff_ffff, 2 ** 40),
      unit: fc.constantFrom(1, 1_000),
      shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 150 }),
    }),
    { maxLength: 4 },
  )
  .map((runs) =>
    runs.flatMap(({ from, within, unit, shares }) => shares.map((share) => from + Math.round(share * within) * unit)),
  );

test("numbers are what they were, however narrow they are kept", () => {
  fc.assert(
    fc.property(aLog, (numbers) => {
      expect([...unpackNumbers(packed(numbers)).all()]).toEqual(numbers);
    }),
    { numRuns: 300 },
  );
});

test("the next number between two bounds is found either way", () => {
  const aPlace = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(aLog, aPlace, aPlace, aPlace, fc.constantFrom(1 as const, -1 as const), (numbers, a, b, from, step) => {
      const inOrder = numbers.toSorted((one, other) => one - other);
      const at = (share: number) => Math.min(numbers.length - 1, Math.floor(share * numbers.length));
      const [least, most] = [inOrder[at(a)] ?? 0, inOrder[at(b)] ?? 0];
      const rows = numbers.map((_, row) => row).filter((row) => (step === 1 ? row >= at(from) : row <= at(from)));
      const fitting = rows.filter((row) => numbers[row]! >= least && numbers[row]! <= most);
      const wanted = (step === 1 ? fitting[0] : fitting.at(-1)) ?? -1;
      expect(unpackNumbers(packed(numbers)).next(at(from), step, least, most)).toBe(wanted);
    }),
    { numRuns: 300 },
  );
});

test("numbers are read from wherever their bytes begin", () => {
  const bytes = packed([5, 7, 1_000_000]);
  for (let before = 0; before < 9; before++) {
    const room = Buffer.alloc(bytes.length + before, 0xff);
    room.set(bytes, before);
    expect([...unpackNumbers(room.subarray(before)).all()]).toEqual([5, 7, 1_000_000]);
  }
});

test("numbers that rise one by one take a byte, and steps of minutes two", () => {
  const ids = Array.from({ length: 64_000 }, (_, row) => 1_000_000 + row);
  const times = ids.map((_, row) => 1_700_000_000_000 + row * 400_000);
  expect(packed(ids).length / ids.length).toBeLessThan(1.3);
  expect(packed(times).length / times.length).toBeLessThan(2.3);
});
