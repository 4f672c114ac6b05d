import { expect, test } from "bun:test";
import fc from "fast-check";
import { sieve } from "../../src/domain/column-filter.ts";
import { HOUR } from "../../src/domain/clock.ts";
import { Scratch } from "../../src/domain/packed-codes.ts";
import { NumberPacker, unpackNumbers } from "../../src/domain/packed-numbers.ts";

const BEGIN = Date.UTC(2024, 1, 27);
const TWO_MONTHS = 60 * 24 * HOUR;

/** Minutes, some of them at the very end or beginning of an hour, in clusters and alone. */
const aTime = fc.oneof(
  fc.integer({ min: 0, max: TWO_MONTHS }),
  fc.integer({ min: 0, max: 60 * 24 }).map((hour) => hour * HOUR),
  fc.integer({ min: 1, max: 60 * 24 }).map((hour) => hour * HOUR - 1),
  fc.integer({ min: 0, max: 3 * HOUR }),
);
const someHours = fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 24 });

test("contacts of some hours of the day are those that begin in one of them", () => {
  fc.assert(
    fc.property(fc.array(aTime, { maxLength: 200 }), someHours, (times, hour) => {
      const startedAt = times.map((time) => BEGIN + time).sort((a, b) => a - b);
      const packer = new NumberPacker();
      for (const at of startedAt) packer.add(at);
      const fits = new Uint8Array(startedAt.length).fill(1);

      sieve(fits, { hour }, { startedAt: unpackNumbers(packer.packed()) }, new Scratch());

      expect([...fits]).toEqual(startedAt.map((at) => Number(hour.includes(new Date(at).getUTCHours()))));
    }),
    { numRuns: 500 },
  );
});
