import { expect, test } from "bun:test";
import type { QsoParameters } from "../../src/domain/contact/qso-filter.ts";
import type { QsoListDocument } from "../../src/logbook/contract.ts";
import { QsoWindow } from "../../cli/tui/log/qso-window.ts";

/** A log with this many contacts, newest first, that records requests. */
const aLog = (count: number) => {
  const asked: QsoParameters[] = [];
  const said = { confirmed: false };
  const all = Array.from({ length: count }, (_, index) => ({
    id: count - index,
    call: `K${index}`,
    first: said,
    second: said,
    card: said,
    own: said,
  }));
  return {
    asked,
    async qsos(parameters: QsoParameters = {}): Promise<QsoListDocument> {
      asked.push(parameters);
      const rows = parameters.sort === "startedAt" ? all.toReversed() : all;
      const start = Number(parameters.cursor ?? 0);
      const end = start + Number(parameters.limit);
      const nextCursor = end < count ? String(end) : null;
      return { qsos: rows.slice(start, end), total: count, nextCursor } as unknown as QsoListDocument;
    },
  };
};

test("the end of a list of 100,000 is one page away, and so is its beginning", async () => {
  const log = aLog(100_000);
  const window = new QsoWindow(log, { q: "k" });

  await window.load(0, 20);
  await window.load(99_980, 100_000);

  expect(window.total).toBe(100_000);
  expect([window.getRow(0)?.call, window.getRow(99_999)?.call, window.getRow(50_000)]).toEqual(["K0", "K99999", null]);
  expect(log.asked.map(({ sort, q }) => [sort, q])).toEqual([
    ["-startedAt", "k"],
    ["startedAt", "k"],
  ]);
});

test("scrolling down requests every page once and connects to those loaded from the end", async () => {
  const log = aLog(1_000);
  const window = new QsoWindow(log, {});

  await window.load(980, 1_000);
  for (let top = 0; top < 1_000; top += 20) await window.load(top, top + 20);

  for (let index = 0; index < 1_000; index++) expect(window.getRow(index)?.call).toBe(`K${index}`);
  expect(log.asked.length).toBeLessThanOrEqual(7);
});

test("an empty list is recognised, and a question that nobody waits for is not sent", async () => {
  const log = aLog(0);
  const window = new QsoWindow(log, {});

  await window.load(0, 20, () => false);
  expect(log.asked).toEqual([]);
  await window.load(0, 20);

  expect([window.total, window.has(0, 20), log.asked.length]).toEqual([0, true, 1]);
});
