/** What any page of a large log costs, and a part of a text in it, beside a bare scan of one index. */
import { Database as Connection } from "bun:sqlite";
import { parseListing, type QsoParameters } from "../../src/domain/qso-filter.ts";
import { findPage } from "../../src/logbook/search.ts";
import { Totals } from "../../src/logbook/totals.ts";
import { Gate } from "../../src/gate.ts";
import type { Database } from "../../src/storage/database.ts";
import { changeLog } from "../../src/storage/log-changes.ts";
import { readAhead } from "../../src/storage/log-figures.ts";
import * as qsos from "../../src/storage/qsos.ts";
import { figuresOfLog } from "../../src/storage/statistics.ts";
import { storeLog } from "../support/log-generator.ts";
import { addUser, unindexed, withDatabase } from "./database.ts";
import { print, processorMs } from "./figure.ts";

const CONTACTS = process.argv.includes("--quick") ? 100_000 : 1_000_000;
const ROUNDS = 7;
const PAGE_LIMIT_MS = 30;
const PART_LIMIT_MS = 100;
/** So many contacts are brought up to date in a job: a list reads them beside what is packed. */
const CHANGED = 500;

/** In the other order, the first page is the last. */
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
  { at: "first" },
  { notAt: "first,second", sort: "startedAt" },
  { ownGrid: "KN04" },
  { call: "K1*" },
  { call: "*1A*" },
  { call: "*A", mode: "CW", sort: "call" },
  { sort: "call" },
  { sort: "-call", mode: "CW" },
  { sort: "dxcc" },
  { sort: "-dxcc" },
  { sort: "band" },
  { sort: "-band" },
  { sort: "-mode" },
  { sort: "-band", mode: "CW", confirmation: "none" },
  { sort: "updatedAt" },
  { sort: "-updatedAt", state: "CA" },
];

const PARTS: QsoParameters[] = [{ q: "1ab" }, { q: "nobody has this" }, { q: "dl1a", band: "20m" }];

await withDatabase(async (db, file) => {
  const userId = await addUser(db, "ann");
  await unindexed(db, file, () => storeLog(db, userId, { contacts: CONTACTS }));
  await packYears(db, userId);
  await fillTexts(db);
  const bare = await scanOf(file, userId);
  const desk = () => ({ db, ticks: () => 0, searching: new Gate(1), totals: new Totals() });
  for (const words of PAGES) {
    const name = JSON.stringify(words);
    const listing = parseListing(words);
    const row = (what: string, value: number) =>
      print({ name: `${name}: ${what}`, value, unit: "ms", ratio: value / bare, limit: PAGE_LIMIT_MS });
    row("the first time", await cost(() => findPage(desk(), userId, listing)));
    const known = desk();
    const { nextCursor } = await findPage(known, userId, listing);
    row("a page", await cost(() => findPage(known, userId, listing)));
    if (nextCursor !== null)
      row("the next", await cost(() => findPage(known, userId, { ...listing, cursor: nextCursor })));
  }
  const some = await db.read(() => qsos.listOfAll(0, CHANGED, userId));
  const replaced = some.map((before) => ({ id: before.id, before, after: { ...before, comment: "again" } }));
  await db.write(() => changeLog(userId, { replaced }, "nobody"));
  const changed = await cost(() => findPage(desk(), userId, parseListing({ state: "CA" })));
  const name = `a page when ${CHANGED} contacts have changed`;
  print({ name, value: changed, unit: "ms", ratio: changed / bare, limit: PAGE_LIMIT_MS });
  for (const words of PARTS) {
    const name = JSON.stringify(words);
    const found = await cost(() => findPage(desk(), userId, parseListing(words)));
    print({ name, value: found, unit: "ms", ratio: found / bare, limit: PART_LIMIT_MS });
  }
});

async function packYears(db: Database, userId: number): Promise<void> {
  await figuresOfLog(db, userId);
  const before = await db.sizeBytes();
  const packing = await processorMs(() => readAhead(db, userId));
  print({ name: "a contact into the columns", value: (packing * 1_000) / CONTACTS, unit: "µs", limit: 40 });
  const bytes = ((await db.sizeBytes()) - before) / CONTACTS;
  print({ name: "a contact in the columns", value: bytes, unit: "bytes", limit: 60 });
}

/** Says what the index costs. */
async function fillTexts(db: Database): Promise<void> {
  const before = await db.sizeBytes();
  let longest = 0;
  const began = process.cpuUsage();
  for (let more = true; more;) {
    const slice = await processorMs(async () => void (more = (await db.indexTexts()) === "now"));
    longest = Math.max(longest, slice);
  }
  const { user, system } = process.cpuUsage(began);
  print({ name: "a contact into the index of texts", value: (user + system) / CONTACTS, unit: "µs", limit: 60 });
  const bytes = ((await db.sizeBytes()) - before) / CONTACTS;
  print({ name: "a contact in the index of texts", value: bytes, unit: "bytes", limit: 70 });
  print({ name: "the longest step of filling it", value: longest, unit: "ms", limit: 100 });
}

async function scanOf(file: string, userId: number): Promise<number> {
  const connection = new Connection(file, { readonly: true });
  const scan = connection.prepare("SELECT count(*) FROM qsos INDEXED BY qsos_rollup WHERE user_id = ?");
  const took = await cost(async () => void scan.get(userId));
  scan.finalize();
  connection.close();
  return took;
}

/** The best of some rounds: other work on the machine makes each of them longer. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) best = Math.min(best, await processorMs(work));
  return best;
}
