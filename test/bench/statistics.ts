/** How long the statistics of one user take beside fifty others, and how often a bare scan of the same index fits in. */
import { Database as Connection } from "bun:sqlite";
import { AwardBook, countAhead } from "../../src/awards/book.ts";
import { overview } from "../../src/awards/questions.ts";
import { Reading } from "../../src/awards/reading.ts";
import { awardView } from "../../src/domain/award.ts";
import type { Database } from "../../src/storage/database.ts";
import { FigureBook } from "../../src/logbook/figure-book.ts";
import { parseFilter } from "../../src/domain/qso-filter.ts";
import { changeLog } from "../../src/storage/log-changes.ts";
import { readAhead } from "../../src/storage/log-figures.ts";
import * as qsos from "../../src/storage/qsos.ts";
import { ofUser } from "../../src/storage/statistics.ts";
import { one } from "../../src/storage/unit.ts";
import { storeLog } from "../support/log-generator.ts";
import { addUser, unindexed, withDatabase } from "./database.ts";
import { median, middleOf, print, processorMs } from "./figure.ts";

const OTHERS = 50;
const THEIR_CONTACTS = 2_000;
const CHANGED = 500;
const CHANGES = 15;

interface Size {
  contacts: number;
  /** What counting anew may take, and what a program that has just started may take to answer. */
  limit: number;
  cold: number;
  runs: number;
}

const LOGS: Size[] = [
  { contacts: 8_000, limit: 3, cold: 2.5, runs: 101 },
  { contacts: 100_000, limit: 25, cold: 17, runs: 31 },
  { contacts: 1_000_000, limit: 200, cold: 160, runs: 9 },
];

/** All awards at a glance may take so many times as long as the statistics. */
const OVERVIEW = 2;

/** What the page of statistics may take, of 100,000 contacts and of however many more. */
const FIGURES_MS = 100;
const FIGURES_OF = 100_000;

/** What the page of statistics may be asked for; the first is the whole log. */
const SEARCHES = ["", "20m", "confirmed", "cw 2012..2022", "not:lotw"];

const logs = process.argv.includes("--quick") ? LOGS.slice(0, 2) : LOGS;

await withDatabase(async (db, file) => {
  const owners: number[] = [];
  await unindexed(db, file, async () => {
    for (let other = 1; other <= OTHERS; other++) {
      const id = await addUser(db, `other${other}`);
      await storeLog(db, id, { contacts: THEIR_CONTACTS, seed: other });
      // The logs that are measured lie among the others.
      const log = logs[(other - 10) / 10];
      if (!log) continue;
      const owner = await addUser(db, `owner${log.contacts}`);
      await storeLog(db, owner, { contacts: log.contacts, seed: 1_000 + other });
      owners.push(owner);
    }
  });
  const bare = new Connection(file, { readonly: true });
  const scan = bare.prepare("SELECT count(*) FROM qsos INDEXED BY qsos_rollup WHERE user_id = ?");
  for (const [index, log] of logs.entries()) await measure(db, owners[index]!, log, (userId) => scan.get(userId));
  scan.finalize();
  bare.close();
});

async function measure(
  db: Database,
  userId: number,
  { contacts, limit, cold, runs }: Size,
  scan: (userId: number) => unknown,
): Promise<void> {
  const baseline = await median(runs, () => scan(userId));
  const size = contacts.toLocaleString("en");
  const whole = await median(runs, () => db.read(() => ofUser(userId)));
  print({ name: `${size} QSOs, whole log`, value: whole, unit: "ms", ratio: whole / baseline, limit });
  const book = new FigureBook({ db, clock: Date.now });
  await book.of(userId);
  const warm = await median(runs, () => book.statistics(userId, null));
  print({ name: `${size} QSOs, from memory`, value: warm, unit: "ms", ratio: whole / warm, limit: 1 });
  const restarted = await processor(runs, () => new FigureBook({ db, clock: Date.now }).of(userId));
  print({ name: `${size} QSOs, after a restart`, value: restarted, unit: "ms", ratio: whole / restarted, limit: cold });
  await measureOverview(db, userId, size, { whole, cold, runs });
  await measureChange(db, userId, size, book);
  await measureFigures(db, userId, contacts, size);
  const station = "YU1TEST";
  const one = await median(runs, () => db.read(() => ofUser(userId, { stations: [station] })));
  print({ name: `${size} QSOs, one callsign`, value: one, unit: "ms", ratio: one / baseline });
}

/** Where somebody stands in every award, counted anew and by a program that has just started. */
async function measureOverview(
  db: Database,
  userId: number,
  size: string,
  { whole, cold, runs }: { whole: number; cold: number; runs: number },
): Promise<void> {
  const few = Math.min(runs, 9);
  const counted = await median(few, () => db.read(() => overview(new Reading(userId), awardView({}))));
  print({ name: `${size} QSOs, awards at a glance, counted`, value: counted, unit: "ms", ratio: counted / whole });
  await countAhead({ db, clock: Date.now }, userId);
  const restarted = await processor(few, () => new AwardBook({ db, clock: Date.now }).standing(userId));
  const name = `${size} QSOs, awards at a glance, after a restart`;
  print({ name, value: restarted, unit: "ms", ratio: restarted / whole, limit: OVERVIEW * cold });
}

/** What a change of many contacts costs more for the figures, and how soon they are asked for again. */
async function measureChange(db: Database, userId: number, size: string, book: FigureBook): Promise<void> {
  const contacts = await db.read(() => qsos.listOfAll(0, CHANGED, userId));
  let isConfirmed = false;
  const changed = () => {
    isConfirmed = !isConfirmed;
    return contacts.map((qso) => {
      const before = { ...qso, secondConfirmed: !isConfirmed };
      return { id: qso.id, before, after: { ...qso, secondConfirmed: isConfirmed } };
    });
  };
  const [bare, kept, asked]: number[][] = [[], [], []];
  for (let round = 0; round < CHANGES; round++) {
    const [one, other] = [changed(), changed()];
    bare!.push(
      await processorMs(() =>
        db.write(function* () {
          yield* qsos.replaceMany(one);
        }),
      ),
    );
    kept!.push(await processorMs(() => db.write(() => changeLog(userId, { replaced: other }, "nobody"))));
    asked!.push(await processorMs(() => book.of(userId)));
  }
  // The least: garbage is collected in some rounds, of what both leave.
  const [least, leastBare] = [Math.min(...kept!), Math.min(...bare!)];
  const changes = `${size} QSOs, ${CHANGED} of them changed`;
  print({
    name: `${changes}: to keep count`,
    value: least - leastBare,
    unit: "ms",
    ratio: least / leastBare,
    limit: 10,
  });
  print({ name: `${changes}: asked again`, value: middleOf(asked!), unit: "ms", limit: 10 });
}

/** All that the page of statistics draws, in processor time: where nothing is kept, read ahead, and after a change. */
async function measureFigures(db: Database, userId: number, contacts: number, size: string): Promise<void> {
  const figuresOf = (search = "") =>
    new FigureBook({ db, clock: Date.now }).chosen(userId, parseFilter(search === "" ? {} : { search }));
  const limit = FIGURES_MS * Math.max(1, contacts / FIGURES_OF);
  const ahead = await processorMs(() => readAhead(db, userId));
  print({ name: `${size} QSOs, figures, read ahead of a visit`, value: ahead, unit: "ms" });
  for (const search of SEARCHES) {
    const rounds: number[] = [];
    for (let round = 0; round < CHANGES; round++) rounds.push(await processorMs(() => figuresOf(search)));
    print({ name: `${size} QSOs, figures of “${search}”, cold`, value: middleOf(rounds), unit: "ms", limit });
  }
  const newest = await db.read(function* () {
    // Generated logs are stored in the order of time.
    const { id } = yield* one<{ id: number }>`SELECT max(id) AS id FROM qsos WHERE user_id = ${userId}`;
    return yield* qsos.get(userId, id);
  });
  const changed: number[] = [];
  for (let round = 0; round < CHANGES; round++) {
    const after = { ...newest, comment: `the ${round}th` };
    await db.write(() => changeLog(userId, { replaced: [{ id: newest.id, before: newest, after }] }, "nobody"));
    changed.push(await processorMs(() => figuresOf()));
  }
  print({ name: `${size} QSOs, figures, after a change`, value: middleOf(changed), unit: "ms", limit });
}

async function processor(runs: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < runs; run++) taken.push(await processorMs(work));
  return middleOf(taken);
}
