import { expect, test } from "bun:test";
import { readIncoming, type Incoming } from "../../src/sync/match/incoming.ts";
import { buildTimeRanges } from "../../src/sync/job/candidates.ts";
import { facts } from "../contacts/log.ts";
import { said } from "../support/sync.ts";

const record = (call: string, time: string) => readIncoming(said(call, time), "file", "record", facts) as Incoming;

test("records of one call within an hour make one time range, with half an hour on either side", () => {
  const found = buildTimeRanges([
    record("K1ABC", "2026-07-18 21:00"),
    record("DL1ABC", "2026-07-18 20:00"),
    record("K1ABC", "2026-07-18 20:10"),
  ]);

  expect(found).toEqual([
    { call: "K1ABC", from: Date.UTC(2026, 6, 18, 19, 40), to: Date.UTC(2026, 6, 18, 21, 30) },
    { call: "DL1ABC", from: Date.UTC(2026, 6, 18, 19, 30), to: Date.UTC(2026, 6, 18, 20, 30) },
  ]);
});

test("the time between two distant records of a call is left out", () => {
  const found = buildTimeRanges([record("K1ABC", "2026-07-18 21:00"), record("K1ABC", "2001-01-01 12:00")]);

  expect(found.map(({ from }) => from)).toEqual([Date.UTC(2001, 0, 1, 11, 30), Date.UTC(2026, 6, 18, 20, 30)]);
});

test("no records make no time range", () => expect(buildTimeRanges([])).toEqual([]));
