import { expect, test } from "bun:test";
import { readAdif } from "../../src/adif/reader.ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { Awards } from "../../src/awards/book.ts";
import { getStatistics } from "../../src/storage/log/statistics.ts";
import { foreignLogs, sample, type Sample } from "../support/samples.ts";
import { sync } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

const recordsOf = async ({ bytes }: Sample): Promise<AdifRecord[]> => {
  const records: AdifRecord[] = [];
  async function* whole() {
    yield bytes;
  }
  for await (const batch of readAdif(whole())) records.push(...batch.records);
  return records;
};

// Invariant: a real log gives its known counts
test("a real log of 1,015 contacts gives the known counts", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const [log] = foreignLogs().filter(({ name }) => name === "k0xm-logger32.adi");

  await sync(world, bob.id, "file", await recordsOf(log!));

  const book = new Awards(world);
  const { total, callsigns, entities } = await getStatistics(world.db, bob.id);
  expect({ total, callsigns, entities }).toEqual({ total: 1_015, callsigns: 664, entities: 212 });
  const on = async (band: string | null) => {
    const { worked, confirmedBy } = await book.detail(bob.id, "dxcc", { band });
    return `${worked}/${confirmedBy.first}`;
  };
  expect(await on(null)).toBe("212/171");
  const bands = ["160m", "80m", "60m", "40m", "30m", "20m", "17m", "15m", "12m", "10m", "6m"];
  expect(await Promise.all(bands.map(on))).toEqual(
    "2/2 14/8 8/5 44/27 51/34 54/38 61/42 76/48 96/64 156/124 4/4".split(" "),
  );
  expect(await book.detail(bob.id, "waz")).toMatchObject({ worked: 37 });
  expect(await book.detail(bob.id, "wpx")).toMatchObject({ worked: 509 });
});

const LOTW = sample("lotwreport.adi");
const QRZ = sample("qrz-export.adi");

/**
 * Counted by hand in the two files, each record read as it stands. All of the book's 931 contacts are in 27 entities,
 * none at sea, none deleted, none on 60 m or by satellite; each of the report's 438 is in one of 20 of these, and the
 * book's confirmed ones in 24, those 20 among them. On a band by itself that makes 35 entities worked, 27 in the report,
 * 31 confirmed in the book. The states are all 50, 48 of them in the report (no NE, no ND) and the same 48 confirmed in
 * the book. The book names 17 zones, confirmed 17; the report 15, and none for some records. The report has 188
 * prefixes. In it 46 states were worked in CW, 38 by phone and 20 digitally, always by both sides alike. Squares only
 * the book has above 50 MHz: 7 on 2 m, one of them worked from EN62, 450 km from the rest. No record speaks of a card, so an island group is confirmed by none.
 */
test.skipIf(!LOTW.isReal || !QRZ.isReal)(
  "an operator's LoTW report and QRZ logbook give the counts made by hand",
  async () => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    await sync(world, bob.id, "second", await recordsOf(QRZ));
    await sync(world, bob.id, "first", await recordsOf(LOTW));
    const book = new Awards(world);

    const awards = await book.overview(bob.id);

    const figures = awards.map(({ id, worked, confirmedBy: { first, second, card, any } }) =>
      [id, worked, first, second, card, any].join(" "),
    );
    expect(figures.filter((line) => /^(dxcc|dxcc-challenge|was|waz) /.test(line))).toEqual([
      "dxcc 27 20 24 0 24",
      "dxcc-challenge 35 27 31 0 31",
      "was 50 48 48 0 48",
      "waz 17 15 17 0 17",
    ]);
    const of = (id: string) => awards.find((award) => award.id === id)!;
    expect(of("wpx").confirmedBy.first).toBe(188);
    expect(of("vucc")).toMatchObject({ of: "2m", worked: 6, confirmed: 0, from: { location: "EN34QU" } });
    expect(await book.detail(bob.id, "vucc", { location: "EN62" })).toMatchObject({
      worked: 1,
      from: { location: "EN62BP" },
      locations: [{ location: "EN34QU" }, { location: "EN62BP" }],
    });
    expect(of("iota").confirmed).toBe(0);
    expect(
      (await book.detail(bob.id, "was-triple")).parts.map(({ name, confirmed }) => `${name} ${confirmed}`),
    ).toEqual(["cw 46", "phone 38", "digital 20"]);
    expect((await book.needed(bob.id, "was")).notConfirmed.map(({ key }) => key)).toEqual(["ND", "NE"]);
  },
);
