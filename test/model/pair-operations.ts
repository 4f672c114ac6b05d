// Two contacts that are close to each other: duplicates, records that can mean either, and neighbours.
import { STATION } from "../support/sync.ts";
import { assertSame } from "./checks.ts";
import { MINUTE, SECOND } from "../../src/kernel/clock.ts";
import { fileFields, soonAfter, timeOf, type RealContact } from "./contacts.ts";
import { importRecords } from "./owner-operations.ts";
import type { Leftover } from "./program.ts";
import { syncBoth, uploadTo, applyAll } from "./service-operations.ts";
import { assertCompleted, type Operation } from "./session.ts";

/** Two contacts whole hours apart count as duplicates only if their times have seconds. */
export const toTheSecond = (one: RealContact): RealContact => ({
  ...one,
  at: one.at - (one.at % MINUTE) + 10 * SECOND,
  reportedBy: "files",
  minutesLateAtSecond: 0,
  isFixed: true,
});

/** Imports a contact twice, once in local time, and merges the two. */
export const merge: Operation = async (s) => {
  const first = s.newContact(toTheSecond);
  const second = s.model.add(soonAfter(s.realOf(first), s.model.real.length, 60));
  const pair = [first, second];
  const records = pair.map((one) => ({
    ...fileFields(s.realOf(one), "B", []),
    FREQ: FREQUENCIES[s.realOf(one).band]!,
  }));
  await importRecords(s, pair, records, "once");
  if (s.chance(0.5)) uploadTo(s, "first", s.draw(pair));
  await syncBoth(s, {});

  const numbers = await s.numbers();
  const ids = pair.map(({ id }) => numbers.get(id)!).sort();
  const groups = await s.program.duplicates();
  const group = groups.find(({ contacts }) => contacts.some(({ id }) => ids.includes(id)));
  assertSame("The duplicates", group?.contacts.map(({ id }) => id).sort(), ids);
  const before = await s.snapshot();
  s.say(`merge ${s.namesOf(pair)}`);
  const preview = await s.program.mergePreview(group!.contacts[0]!.id);
  const job = await s.program.merge(group!.contacts[0]!.id);
  assertCompleted(job);
  const { updated, deleted } = job.stats;
  assertSame("The preview of a merge", { updated: preview.changed, deleted: preview.deleted }, { updated, deleted });
  assertSame("The contacts that a merge takes away", deleted, 1);
  if (s.chance(0.3)) return s.takeBackImmediately(job.id, before, true);
  const line = (await s.program.lines()).find(({ id }) => ids.includes(id))!;
  for (const one of pair) one.isHeld = true;
  s.mergers.push({ jobId: job.id, ids: pair.map(({ id }) => id), row: s.observed(line, s.realOf(first)) });
};

export const FREQUENCIES: Record<string, string> = {
  "160m": "1.830",
  "40m": "7.020",
  "20m": "14.030",
  "15m": "21.030",
  "6m": "50.100",
  "2m": "144.100",
};

export const undoMerge: Operation = async (s) => {
  if (s.mergers.length === 0) return;
  const merger = s.draw(s.mergers);
  s.say(`undo merge ${merger.jobId}`);
  await s.takeBack(merger.jobId, true);
  s.mergers.splice(s.mergers.indexOf(merger), 1);
  for (const id of merger.ids) s.model.get(id).isHeld = false;
};

/** LoTW has a record exactly between two contacts. It waits until a person decides. */
export const leftover: Operation = async (s) => {
  const real = (one: RealContact): RealContact => ({
    ...one,
    at: one.at - (one.at % MINUTE),
    reportedBy: "files",
    minutesLateAtSecond: 0,
    isFixed: true,
  });
  const first = s.newContact(real);
  const second = s.model.add(soonAfter(s.realOf(first), s.model.real.length, 10));
  const pair = [first, second];
  await importRecords(
    s,
    pair,
    pair.map((one) => fileFields(s.realOf(one), "A", [])),
    "once",
  );
  const middle = soonAfter(s.realOf(first), s.model.real.length, 5);
  s.say(`first has a record between ${s.namesOf(pair)}`);
  const { store, clock } = s.program;
  const upload = store.upload({
    own: STATION,
    call: middle.call,
    band: middle.band,
    mode: middle.mode,
    at: middle.at,
    rxqso: clock(),
  });
  const log = await s.program.log();
  const job = await s.program.sync("first", {});
  const isThisOne = ({ record, resolution }: Leftover) =>
    record.CALL === middle.call && record.TIME_ON === timeOf(middle.at) && resolution === null;
  const open = (await s.program.leftovers(job.id)).filter(isThisOne);
  assertSame("The leftovers of a sync", open.length, 1);
  // It brought what had changed before, too.
  applyAll(s, "first", {}, job);
  if (job.stats.added === 0 && job.stats.updated === 0) {
    assertSame("A record that nobody can place changed the log", await s.program.log(), log);
  }
  for (const one of pair) one.isHeld = true;

  const before = await s.snapshot();
  const act = s.draw(["dismiss", "match", "new", "wait"] as const);
  s.say(`  and ${act}`);
  if (act === "dismiss") await s.program.dismiss(open[0]!.id);
  if (act === "dismiss" || act === "wait")
    return assertSame("The log with a leftover", await s.program.log(), before.log);
  const numbers = await s.numbers();
  const settled = await s.program.settle(
    act,
    act === "match" ? { id: open[0]!.id, qsoId: numbers.get(first.id) } : { id: open[0]!.id },
  );
  assertCompleted(settled);
  if (s.chance(0.4)) {
    await s.takeBackImmediately(settled.id, before, true);
    const [again] = (await s.program.leftovers(job.id)).filter(({ id }) => id === open[0]!.id);
    return assertSame("A leftover whose match was undone", again?.resolution, null);
  }
  const contact = act === "match" ? first : s.model.add(middle);
  contact.first.push({ jobId: settled.id, isConfirmed: upload.rxqsl !== null, hasDetails: false });
  contact.isHeld = true;
};

/** Imports two contacts three minutes apart. Each must get its own records. */
export const closePair: Operation = async (s) => {
  const real = (one: RealContact): RealContact => ({
    ...one,
    reportedBy: "files",
    minutesLateAtSecond: 0,
    isFixed: true,
  });
  const first = s.newContact(real);
  const second = s.model.add(soonAfter(s.realOf(first), s.model.real.length, 3));
  const pair = [first, second];
  await importRecords(
    s,
    pair,
    pair.map((one) => fileFields(s.realOf(one), s.draw(["A", "B"] as const), [])),
    "once",
  );
  for (const service of ["first", "second"] as const)
    for (const one of pair) if (s.chance(0.7)) uploadTo(s, service, one);
};
