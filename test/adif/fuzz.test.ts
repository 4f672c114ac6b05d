import { expect, test } from "bun:test";
import { AdifReader } from "../../src/adif/reader.ts";
import { isFull } from "../support/full.ts";
import { SAMPLE_NAMES, twin } from "../support/samples.ts";
import { read, withoutExcerpts, type Reading } from "./reading.ts";

const INPUTS = isFull(import.meta) ? 20_000 : 1_000;
const MAX_INPUT_BYTES = 6_000;
/** Far more than a slow machine takes for these few kilobytes, far less than a reader that goes back and back. */
const MAX_READING_MS = 10_000;

type Random = () => number;

const HEADS = [Buffer.alloc(0), Buffer.from("x<EOH>"), Buffer.from("RESULT=OK&ADIF=")];
const SPLINTERS = [
  "<",
  ">",
  ":",
  "<EOR>",
  "<eoh>",
  "<A:1",
  "<A:0>",
  "<A:99999>",
  "<A:9999999999>",
  "<A:999999999999999>",
  "&lt;",
  "&gt;",
  "&amp;",
  "&RESULT=OK",
  "//",
  " // x\n",
  "#",
  "\r\n",
  "\0",
  "\uFEFF",
  "é",
  "\u{1F600}",
  "<APP_LoTW_EOF>",
  "<APP_X",
  " ".repeat(1100),
  "<A:5:N>",
  "<A::>",
].map((text) => Buffer.from(text));
const LOGS = SAMPLE_NAMES.map((name) => Buffer.from(twin(name).bytes));

/** Inside a record that is too large to be kept, words between its fields may be remarked on or not. */
const comparable = (reading: Reading, { maxRecordLength }: { maxRecordLength?: number }): object =>
  withoutExcerpts(
    maxRecordLength === undefined
      ? reading
      : { ...reading, problems: reading.problems.filter(({ rule }) => rule !== "text") },
  );

// Invariant: damaged ADIF never crashes or hangs the reader, and chunk sizes do not matter
// Defence: hostile ADIF is read in bounded memory
test(`${INPUTS} damaged logs are read without an exception, without hanging, and the same however they are split`, () => {
  const random = seeded(20260801);

  for (let n = 0; n < INPUTS; n++) {
    const input = damagedLog(random);
    const options = { html: n % 2 === 0, keepUnfinished: n % 3 === 0, maxRecordLength: n % 5 === 0 ? 500 : undefined };

    const before = performance.now();
    const whole = read(input, options);
    expect(performance.now() - before).toBeLessThan(MAX_READING_MS);

    const pieces = read(input, options, 1 + Math.floor(random() * 300));
    expect({ n, ...comparable(pieces, options) }).toEqual({ n, ...comparable(whole, options) });
    for (const { fields } of whole.records) {
      for (const name in fields) {
        expect(name).toBe(name.toUpperCase());
        expect(fields[name]).not.toBe("");
      }
    }
    expect(whole.seen.records).toBe(whole.records.length);
  }
});

test("reading damaged logs for a long time does not leak memory", async () => {
  const random = seeded(7);
  const inputs = Array.from({ length: 50 }, () => damagedLog(random));
  const reader = new AdifReader({}, { html: true });
  const feed = async (times: number) => {
    for (let n = 0; n < times; n++) reader.write(inputs[n % inputs.length]!);
    return heldNow();
  };
  const atStart = await feed(500);

  const atEnd = await feed(INPUTS * 4);

  expect(atEnd - atStart).toBeLessThan(8 * 1024 * 1024);
});

/** What is left when nothing more can be collected. One collection may leave what was in use when it began. */
const heldNow = async (): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    Bun.gc(true);
    least = Math.min(least, process.memoryUsage().heapUsed);
    await Bun.sleep(1);
  }
  return least;
};

/** A piece of a log with up to a dozen injuries. */
function damagedLog(random: Random): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  const log = LOGS[below(LOGS.length)]!;
  const from = below(log.length);
  let input = Buffer.concat([HEADS[below(HEADS.length)]!, log.subarray(from, from + below(MAX_INPUT_BYTES))]);
  for (let injuries = below(12); injuries > 0; injuries--) {
    const at = below(input.length + 1);
    const splinter = SPLINTERS[below(SPLINTERS.length)]!;
    input = [
      () => Buffer.concat([input.subarray(0, at), splinter, input.subarray(at)]),
      () => Buffer.concat([input.subarray(0, at), splinter, input.subarray(at + splinter.length)]),
      () => Buffer.concat([input.subarray(0, at), input.subarray(at + below(40))]),
      () => Buffer.concat([input.subarray(0, at), Buffer.from([below(256)]), input.subarray(at + 1)]),
      () => Buffer.concat([input.subarray(0, at), input.subarray(below(at + 1), at), input.subarray(at)]),
      () =>
        Buffer.from(
          input.toString("latin1").replace(/:(\d+)>/, () => `:${below(300)}>`),
          "latin1",
        ),
      () => input.subarray(0, at),
    ][below(7)]!();
  }
  return input;
}

/** The same numbers in every run (mulberry32). */
function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
