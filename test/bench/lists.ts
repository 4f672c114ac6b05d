/**
 * What any page of a large log costs, and a part of a text in it, beside a bare scan of one index: of each list the dearest
 * of its pages. With --postgres the same on a server, whose own time counts.
 */
import { parseListing, type QsoListing, type QsoParameters } from "../../src/domain/qso-filter.ts";
import { Gate } from "../../src/gate.ts";
import { findPage, type FoundPage, type SharedDesk } from "../../src/logbook/search.ts";
import { Totals } from "../../src/logbook/totals.ts";
import type { Database } from "../../src/storage/database.ts";
import { changeLog } from "../../src/storage/log-changes.ts";
import { readAhead } from "../../src/storage/log-figures.ts";
import * as qsos from "../../src/storage/qsos.ts";
import { figuresOfLog } from "../../src/storage/statistics.ts";
import { one, run } from "../../src/storage/unit.ts";
import { storeLog } from "../support/log-generator.ts";
import { addUser, embedded, withDatabase, withServer, type Filled } from "./database.ts";
import { print, processorMs } from "./figure.ts";

const CONTACTS = process.argv.includes("--quick") ? 100_000 : 1_000_000;
const ROUNDS = 7;
const PAGE_LIMIT_MS = 30;
const PART_LIMIT_MS = 100;
/** So many contacts are brought up to date in a job: a list reads them beside what is packed. */
const CHANGED = 500;

/** Every filter, every order, and several at once. */
const PAGES: QsoParameters[] = [
  {},
  { sort: "startedAt" },
  { from: "2020-01-01", to: "2020-12-31" },
  { from: "2001-03-05", to: "2024-07-09" },
  { band: "20m" },
  { station: "YU1TEST/P" },
  { station: "YU1TEST", band: "20m", sort: "startedAt" },
  { mode: "CW" },
  { group: "digital" },
  { confirmation: "any" },
  { band: "20m", mode: "CW", confirmation: "none" },
  { dxcc: "1" },
  { state: "CA" },
  { state: "CA,NY", band: "40m", sort: "-call" },
  { contest: "CQ-WW-CW" },
  { hour: "3,4" },
  { hour: "14", sort: "-dxcc" },
  { at: "first" },
  { notAt: "first,second", sort: "startedAt" },
  { ownGrid: "KN04" },
  { ownDxcc: "296", sort: "mode" },
  { call: "K1*" },
  { call: "*1A*" },
  { call: "*A", mode: "CW", sort: "call" },
  { sort: "call" },
  { sort: "-call", mode: "CW" },
  { sort: "call", from: "2001-03-05", to: "2024-07-09", group: "digital" },
  { sort: "dxcc" },
  { sort: "band" },
  { sort: "mode" },
  { sort: "-band", mode: "CW", confirmation: "none" },
  { sort: "updatedAt" },
  { sort: "-updatedAt", state: "CA" },
];

/** From letters that most contacts hold to those that none does. */
const PARTS: QsoParameters[] = [
  ...["a", "1", "z", "1a", "an", "qz", "1ab", "ann", "number 77", "dl1a", "nobody has this"].map((q) => ({ q })),
  { q: "a", sort: "call" },
  { q: "n", sort: "-updatedAt" },
  { q: "1", band: "20m", mode: "CW", sort: "-dxcc" },
  { q: "dl1a", band: "20m" },
  { q: "e", from: "2001-03-05", to: "2024-07-09", sort: "startedAt" },
  { q: "7", call: "*1A*", sort: "mode" },
];

const measure = async ({ db, unindexed, taken }: Filled): Promise<void> => {
  const userId = await addUser(db, "ann");
  await unindexed(async () => {
    await storeLog(db, userId, { contacts: CONTACTS });
    await comment(db);
  });
  await packYears(db, userId);
  /** The best of some rounds: other work on the machine makes each of them longer. */
  const cost = async (work: () => Promise<unknown>): Promise<number> => {
    let best = Infinity;
    for (let round = 0; round < ROUNDS; round++) best = Math.min(best, await processorMs(work, taken));
    return best;
  };
  const bare = await cost(() => db.read(() => scan(userId)));
  const row = (name: string, value: number, limit: number) =>
    print({ name, value, unit: "ms", ratio: value / bare, limit });
  const dearest = async (words: QsoParameters, limit: number): Promise<void> => {
    const pages: [what: string, ms: number][] = [];
    const page = async (what: string, desk: () => SharedDesk, listing: QsoListing): Promise<FoundPage> => {
      pages.push([what, await cost(() => findPage(desk(), userId, listing))]);
      return findPage(desk(), userId, listing);
    };
    const listing = parseListing(words);
    const { sort } = listing;
    const first = await page("first", () => deskOf(db), listing);
    const known = deskOf(db);
    const again = () => known;
    await page("the first again", again, listing);
    await page("last", again, { ...listing, sort: { ...sort, descending: !sort.descending } });
    if (first.nextCursor !== null) {
      const next = await page("next", again, { ...listing, cursor: first.nextCursor });
      await page("previous", again, { ...listing, before: next.previousCursor! });
    }
    const [what, ms] = pages.reduce((most, one) => (one[1] > most[1] ? one : most));
    row(`${JSON.stringify(words)}, ${what}`, ms, limit);
  };
  for (const words of PAGES) await dearest(words, PAGE_LIMIT_MS);
  for (const words of PARTS) await dearest(words, PART_LIMIT_MS);
  await change(db, userId);
  const changed = await cost(() => findPage(deskOf(db), userId, parseListing({ state: "CA" })));
  row(`a page when ${CHANGED} contacts have changed`, changed, PAGE_LIMIT_MS);
};

const deskOf = (db: Database): SharedDesk => ({ db, ticks: () => 0, searching: new Gate(1), totals: new Totals() });

/** A third have something to say, each something of its own. */
const comment = (db: Database): Promise<number> =>
  db.write(
    () =>
      run`UPDATE qsos SET comment = 'Number ' || id || ' in the log', qth = 'A place of ' || (id % 9973) WHERE id % 3 = 0`,
  );

const scan = (userId: number) => one`SELECT count(mode_group) FROM qsos WHERE user_id = ${userId}`;

async function packYears(db: Database, userId: number): Promise<void> {
  await figuresOfLog(db, userId);
  const before = await db.sizeBytes();
  const packing = await processorMs(() => readAhead(db, userId));
  print({ name: "a contact into the columns", value: (packing * 1_000) / CONTACTS, unit: "µs", limit: 40 });
  const bytes = ((await db.sizeBytes()) - before) / CONTACTS;
  print({ name: "a contact in the columns", value: bytes, unit: "bytes", limit: 80 });
}

const change = async (db: Database, userId: number): Promise<void> => {
  const some = await db.read(() => qsos.listOfAll(0, CHANGED, userId));
  const replaced = some.map((before) => ({ id: before.id, before, after: { ...before, comment: "again" } }));
  await db.write(() => changeLog(userId, { replaced }, "nobody"));
};

if (process.argv.includes("--postgres")) await withServer(measure);
else await withDatabase((db, file) => measure(embedded(db, file)));
