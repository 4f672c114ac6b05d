import { expect, test } from "bun:test";
import { readAdif } from "../../src/adif/reader.ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import type { Service } from "../../src/domain/jobs/source.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { isFull } from "../support/full.ts";
import { ENGINE } from "../support/world.ts";
import { sample, twin, type Sample } from "../support/samples.ts";
import { contentOf } from "../support/sync.ts";
import { cleanUp } from "../support/cleanup.ts";
import { aLiveWorld, KEY, LOGIN, synced, writtenIn, type Live } from "./services.ts";
import { loadLotwReport, loadQrzExport } from "../simulated/load-samples.ts";

const recordsOf = async ({ bytes }: Sample): Promise<AdifRecord[]> => {
  const records: AdifRecord[] = [];
  for await (const batch of readAdif(new Response(bytes as Uint8Array<ArrayBuffer>).body!))
    records.push(...batch.records);
  return records;
};

const ORDERS: readonly (readonly Service[])[] = [
  ["first", "second"],
  ["second", "first"],
];
/** One record per batch takes too long for a real log. */
const BATCHES = (isReal: boolean): number[] => {
  if (isFull(import.meta)) return [1, 7, 500];
  if (ENGINE === "postgres") return [500];
  return isReal ? [7, 500] : [1, 7, 500];
};

const SAMPLES = [
  ["the samples", sample("lotwreport.adi"), sample("qrz-export.adi")],
  ["their twins", twin("lotwreport.adi"), twin("qrz-export.adi")],
] as const;

// The report has KP4JRS on 40m at 05:57:00 and at 05:57:45 on 2021-07-18, the book has that contact once. So the two
// logs make one contact more than the book's 931 records.
const REAL = { contacts: 932, first: 438, second: 533 };
const TWIN = { contacts: 140, first: 60, second: 48 };

// Invariant: real logs match as expected
test.each(SAMPLES)(
  "67: %s make the same log in both orders and with every batch size, and repeating them changes nothing",
  async (_, reportFile, bookFile) => {
    const [report, book] = [await recordsOf(reportFile), await recordsOf(bookFile)];
    const station = book[0]!.fields.STATION_CALLSIGN!;
    const logs: Qso[][] = [];
    for (const order of ORDERS) {
      for (const maxBatchRecords of BATCHES(reportFile.isReal)) {
        const live = await aLiveWorld();
        loadLotwReport(live.store, LOGIN, report);
        loadQrzExport(live.book, book);
        live.book.call = station;
        await setCredentials(live.world, live.bob.id, "second", { apiKey: KEY, callsign: station });
        for (const source of order) {
          expect(await synced(live, source, { maxBatchRecords })).toMatchObject({ status: "completed", error: null });
        }
        if (maxBatchRecords === 500) await expectNothingNew(live, order);
        logs.push((await contentOf(live.world, live.bob.id)) as Qso[]);
        await cleanUp();
      }
    }

    for (const log of logs) expect(log).toEqual(logs[0]!);
    expect(countsOf(logs[0]!)).toEqual(reportFile.isReal ? REAL : TWIN);
  },
  120_000,
);

const expectNothingNew = async (live: Live, order: readonly Service[]): Promise<void> => {
  const before = await writtenIn(live);
  live.world.clock.advance(1000);
  for (const source of order) {
    const again = await synced(live, source, { options: { full: true } });
    expect(again).toMatchObject({ status: "completed", stats: { added: 0, updated: 0, unmatched: 0 } });
  }
  const after = await writtenIn(live);
  expect({ ...after, cursors: null }).toEqual({ ...before, cursors: null, leftovers: 0 });
};

const countsOf = (log: readonly Qso[]) => ({
  contacts: log.length,
  first: log.filter(({ firstConfirmed }) => firstConfirmed).length,
  second: log.filter(({ secondConfirmed }) => secondConfirmed).length,
});
