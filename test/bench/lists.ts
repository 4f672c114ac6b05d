/** What a page of a large log costs, and a part of a text in it, beside a bare scan of one index. */
import { Database as Connection } from "bun:sqlite";
import { parseListing, type QsoParameters } from "../../src/domain/qso-filter.ts";
import { findPage } from "../../src/logbook/search.ts";
import { Totals } from "../../src/logbook/totals.ts";
import { Gate } from "../../src/gate.ts";
import type { Database } from "../../src/storage/database.ts";
import { figuresOfLog } from "../../src/storage/statistics.ts";
import { storeLog } from "../support/log-generator.ts";
import { addUser, unindexed, withDatabase } from "./database.ts";
import { print, processorMs } from "./figure.ts";

const CONTACTS = process.argv.includes("--quick") ? 100_000 : 1_000_000;
const ROUNDS = 7;
const PAGE_LIMIT_MS = 30;
const PART_LIMIT_MS = 100;
/** What no tally knows is counted in an index, once while the log stays as it is. */
const COUNT_LIMIT_MS = 60;

const PAGES: QsoParameters[] = [
  {},
  { sort: "startedAt" },
  { from: "2020-01-01", to: "2020-12-31" },
  { band: "20m" },
  { station: "YU1TEST/P" },
  { mode: "CW" },
  { group: "digital" },
  { confirmation: "any" },
  { band: "20m", mode: "CW", confirmation: "none" },
  { dxcc: "1" },
  { call: "K1*" },
  { sort: "call" },
  { sort: "-dxcc" },
  { sort: "band" },
  { sort: "-mode" },
  { sort: "-band", mode: "CW", confirmation: "none" },
];

const PARTS: QsoParameters[] = [{ q: "1ab" }, { q: "nobody has this" }, { q: "dl1a", band: "20m" }];

await withDatabase(async (db, file) => {
  const userId = await addUser(db, "ann");
  await unindexed(db, file, () => storeLog(db, userId, { contacts: CONTACTS }));
  await figuresOfLog(db, userId);
  await fillTexts(db);
  const bare = await scanOf(file, userId);
  const desk = () => ({ db, ticks: () => 0, searching: new Gate(1), totals: new Totals() });
  for (const words of PAGES) {
    const name = JSON.stringify(words);
    const listing = parseListing(words);
    const first = await cost(() => findPage(desk(), userId, listing));
    print({ name: `${name}: the first time`, value: first, unit: "ms", ratio: first / bare, limit: COUNT_LIMIT_MS });
    const known = desk();
    const { nextCursor } = await findPage(known, userId, listing);
    const again = await cost(() => findPage(known, userId, listing));
    print({ name: `${name}: a page`, value: again, unit: "ms", ratio: again / bare, limit: PAGE_LIMIT_MS });
    if (nextCursor === null) continue;
    const next = await cost(() => findPage(known, userId, { ...listing, cursor: nextCursor }));
    print({ name: `${name}: the next`, value: next, unit: "ms", ratio: next / bare, limit: PAGE_LIMIT_MS });
  }
  for (const words of PARTS) {
    const name = JSON.stringify(words);
    const found = await cost(() => findPage(desk(), userId, parseListing(words)));
    print({ name, value: found, unit: "ms", ratio: found / bare, limit: PART_LIMIT_MS });
  }
});

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
