import { expect, test } from "bun:test";
import { DAY, MINUTE } from "../../src/domain/clock.ts";
import { readIncoming, type Incoming } from "../../src/sync/match/incoming.ts";
import { stretchesOf } from "../../src/sync/job/candidates.ts";
import { said } from "../support/sync.ts";

const facts = { normalise: (call: string) => call };
const record = (call: string, time: string) => readIncoming(said(call, time), "file", "record", facts) as Incoming;

test("records of one evening are one stretch, with half an hour on either side", () => {
  const [stretch, ...others] = stretchesOf([record("K1ABC", "2026-07-18 21:00"), record("DL1ABC", "2026-07-18 20:00")]);

  expect(others).toEqual([]);
  expect(stretch).toEqual({
    calls: ["DL1ABC", "K1ABC"],
    from: Date.UTC(2026, 6, 18, 19, 30),
    to: Date.UTC(2026, 6, 18, 21, 30),
  });
});

test("years between records are left out", () => {
  const found = stretchesOf([
    record("K1ABC", "2026-07-18 21:00"),
    record("DL1ABC", "2001-01-01 12:00"),
    record("K1ABC", "2026-07-18 21:05"),
  ]);

  expect(found.map(({ calls, from, to }) => [calls, to - from])).toEqual([
    [["DL1ABC"], 60 * MINUTE],
    [["K1ABC"], 65 * MINUTE],
  ]);
});

test("however scattered they are, every record lies in a stretch with its call, and there are few", () => {
  const start = Date.UTC(2000, 0, 1);
  const records = Array.from({ length: 500 }, (_, index) => {
    const at = new Date(start + ((index * 7919) % 500) * 20 * DAY).toISOString();
    return record(`K${index}ABC`, `${at.slice(0, 10)} ${at.slice(11, 16)}`);
  });

  const found = stretchesOf(records);

  expect(found.length).toBe(64);
  for (const { key } of records) {
    const around = found.filter(({ from, to }) => from <= key.at && to >= key.at);
    expect(around.flatMap(({ calls }) => calls)).toContain(key.call);
  }
});

test("no records have no stretch", () => expect(stretchesOf([])).toEqual([]));
