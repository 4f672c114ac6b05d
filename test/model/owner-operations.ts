// What the owner of a log does: files, a logging program, edits and repairs.
import { assertSame } from "./checks.ts";
import { MINUTE } from "../../src/kernel/clock.ts";
import { adifOf, coreOf, EXTRAS, extrasOf, fileFields, type Extra, type RealContact } from "./contacts.ts";
import { ownFields, type LogContact } from "./log-model.ts";
import type { Job } from "./program.ts";
import { syncForReturning, syncService } from "./service-operations.ts";
import { assertCompleted, count, type Operation, type PastJob, type Session } from "./session.ts";

const extrasFor = (s: Session): Extra[] => EXTRAS.filter((extra) => s.chance(extra === "QSL_RCVD" ? 0.2 : 0.5));

export const importFile: Operation = async (s) => {
  const program = s.draw(["A", "B"] as const);
  const chosen = s.some(6, (_, { reportedBy }) => reportedBy === "files");
  const records = chosen.map((one) => fileFields(s.realOf(one), program, extrasFor(s)));
  if (records.length > 0) await importRecords(s, chosen, records, s.draw(["once", "once", "undo", "again"] as const));
};

export const importEarlierFile: Operation = async (s) => {
  if (s.files.length === 0) return importFile(s);
  const { ids, records } = s.draw(s.files);
  const chosen = ids.map((id) => s.model.get(id));
  if (chosen.some(({ isHeld }) => isHeld)) return;
  await importRecords(s, chosen, records, "once");
};

export const importRecords = async (
  s: Session,
  chosen: readonly LogContact[],
  records: Record<string, string>[],
  then: "once" | "undo" | "again",
): Promise<Job> => {
  const text = adifOf(records);
  const before = await s.snapshot();
  const returning = chosen.filter((one) => one.isDeleted && !s.isThere(one));
  s.say(`import ${JSON.stringify(records)}`);
  const dry = s.chance(0.3) ? await s.program.import(text, true) : null;
  const job = await s.program.import(text);
  assertCompleted(job);
  const outcomes = chosen.map((one, index) => s.model.applyFile(s.model.get(one.id), job.id, records[index]!));
  const { added, updated, unchanged, unmatched, rejected } = job.stats;
  assertSame(
    `The counts of import ${job.id}`,
    { added, updated, unchanged, unmatched, rejected },
    {
      added: count(outcomes, "added"),
      updated: count(outcomes, "updated"),
      unchanged: count(outcomes, "unchanged"),
      unmatched: 0,
      rejected: 0,
    },
  );
  if (dry) assertSame("The dry run of an import", dry.stats, job.stats);

  if (then === "undo") {
    await s.takeBackImmediately(job.id, before, true);
    return job;
  }
  s.jobs.push({ id: job.id, kind: "file", deleted: [] });
  s.files.push({ ids: chosen.map(({ id }) => id), records });
  if (then === "again") {
    s.say("  and import it again");
    const log = await s.program.log();
    const again = await s.program.import(text);
    assertSame("The second import of a file", again.stats, { ...again.stats, added: 0, updated: 0 });
    assertSame("The second import of a file changed the log", await s.program.log(), log);
    for (const [index, { id }] of chosen.entries()) s.model.applyFile(s.model.get(id), again.id, records[index]!);
  }
  await syncForReturning(s, returning);
  return job;
};

/** A logging program sends contacts as they are made, and corrects or deletes some of them. */
export const feed: Operation = async (s) => {
  const before = await s.snapshot();
  const chosen = s.some(4, (_, { reportedBy }) => reportedBy === "feed", 0.7);
  if (chosen.length === 0) return;
  const deleted: LogContact[] = [];
  const returning = chosen.filter((one) => one.isDeleted && !s.isThere(one) && one.feedName === "free");
  const plans = chosen.map((one) => {
    const isKnown = one.feedName === "bound" && s.isThere(one);
    const canGo = s.realOf(one).minutesLateAtSecond === 0 && !s.realOf(one).isFixed;
    const kinds = ["contact", "edit", "edit", canGo ? "delete" : "edit"] as const;
    const kind = isKnown ? s.draw(kinds) : "contact";
    const extras = extrasOf(s.realOf(one), extrasFor(s));
    const edited = kind === "edit" ? { COMMENT: s.newText("edited"), ...(s.chance(0.3) && { NAME: "" }) } : {};
    return { one, kind, fields: { ...coreOf(s.realOf(one)), ...extras, ...edited } };
  });
  const messages = plans.map(({ one, kind, fields }) => ({
    kind,
    name: `n1mm ${one.id}`,
    ...(kind !== "delete" && { fields }),
  }));
  s.say(`feed ${JSON.stringify(messages)}`);
  const dry = s.chance(0.3) ? await s.program.feed(messages, true) : null;
  const { jobId, taken } = await s.program.feed(messages);
  const outcomes = plans.map(({ one, kind, fields }) => {
    const contact = s.model.get(one.id);
    if (kind !== "delete") return s.model.applyFeed(contact, jobId, fields);
    // The program can send it again under the same name.
    deleted.push({ ...structuredClone(contact), feedName: "free" });
    s.model.deleteByPerson(contact);
    s.model.get(one.id).feedName = "free";
    return "deleted";
  });
  assertSame(
    "What became of what was fed",
    taken.map(({ outcome }) => outcome),
    outcomes,
  );
  if (dry) {
    assertSame(
      "The dry run of a feed",
      dry.taken.map(({ outcome }) => outcome),
      outcomes,
    );
  }
  const isNewJob = !s.jobs.some(({ id }) => id === jobId);
  if (isNewJob && s.chance(0.25)) {
    await s.takeBackImmediately(jobId, before, true);
    // Names stay known, except those of deleted contacts and of contacts that went.
    for (const { one, kind } of plans) {
      const contact = s.model.get(one.id);
      if (contact.feedName !== "gone") contact.feedName = s.isThere(contact) && kind !== "delete" ? "bound" : "free";
    }
    return;
  }
  const known = s.jobs.find(({ id }) => id === jobId);
  if (known) known.deleted.push(...deleted);
  else s.jobs.push({ id: jobId, kind: "feed", deleted });
  await syncForReturning(s, returning);
};

const FIELDS = { NAME: "name", COMMENT: "comment", QTH: "qth" } as const;

export const edit: Operation = async (s) => {
  const contact = s.one(s.isThere);
  if (!contact) return;
  const name = s.draw(["NAME", "COMMENT", "QTH"] as const);
  const value = s.chance(0.25) ? null : s.newText("typed");
  s.say(`edit ${s.nameOf(contact)}: ${name} = ${value}`);
  await s.program.edit(await s.numberOf(contact), { [FIELDS[name]]: value });
  contact.typed.push({ jobId: null, fields: { [name]: value } });
};

export const add: Operation = async (s) => {
  const [contact] = s.some(1, (one, { minutesLateAtSecond }) => !s.isThere(one) && minutesLateAtSecond === 0, 0.8);
  if (!contact) return;
  const { call, at, band, mode, entity, zone } = s.realOf(contact);
  s.say(`add ${s.nameOf(contact)} by hand`);
  await s.program.add({ call, startedAt: at, band, mode, dxcc: entity, cqZone: zone });
  s.model.restoreDeleted(contact);
  contact.isTypedIn = true;
  contact.addedBy = null;
  await syncForReturning(s, contact.isDeleted ? [contact] : []);
};

export const remove: Operation = async (s) => {
  const contact = s.one(
    (one, { isFixed, minutesLateAtSecond }) => s.isThere(one) && !isFixed && minutesLateAtSecond === 0,
  );
  if (!contact) return;
  s.say(`delete ${s.nameOf(contact)}`);
  await s.program.delete(await s.numberOf(contact));
  s.model.deleteByPerson(contact);
};

/** Chooses some contacts, and the filter that names them. */
const chosenFor = async (s: Session, is: (one: LogContact, real: RealContact) => boolean) => {
  const chosen = s.some(4, (one, real) => s.isThere(one) && is(one, real), 0);
  const numbers = await s.numbers();
  return { chosen, filter: { id: chosen.map(({ id }) => numbers.get(id)).join(",") } };
};

const repaired = async (s: Session, order: object, contacts: number): Promise<Job> => {
  const before = await s.program.log();
  const preview = await s.program.repairPreview(order);
  assertSame("A preview of a repair changed the log", await s.program.log(), before);
  const job = await s.program.repair(order);
  assertCompleted(job);
  const { updated, deleted } = job.stats;
  assertSame(
    `The preview of repair ${job.id}`,
    { updated: preview.changed, deleted: preview.deleted },
    { updated, deleted },
  );
  assertSame(`The contacts of repair ${job.id}`, updated! + deleted!, contacts);
  return job;
};

export const setOrClear: Operation = async (s) => {
  const before = await s.snapshot();
  const sets = s.chance(0.6);
  const { chosen, filter } = await chosenFor(s, (one) => sets || s.model.rowOf(one).comment !== null);
  if (chosen.length === 0) return;
  const value = s.newText("repaired");
  const order = sets ? { filter, set: { qth: value } } : { filter, clear: ["COMMENT"] };
  s.say(`repair ${sets ? `QTH = ${value}` : "clear COMMENT"} of ${s.namesOf(chosen)}`);
  const job = await repaired(s, order, chosen.length);
  for (const one of chosen) one.typed.push({ jobId: job.id, fields: sets ? { QTH: value } : { COMMENT: "" } });
  if (s.chance(0.3)) return s.takeBackImmediately(job.id, before, true);
  s.jobs.push({ id: job.id, kind: "repair", deleted: [] });
};

export const deleteByRepair: Operation = async (s) => {
  const before = await s.snapshot();
  const { chosen, filter } = await chosenFor(s, (_, real) => !real.isFixed && real.minutesLateAtSecond === 0);
  if (chosen.length === 0) return;
  s.say(`repair: delete ${s.namesOf(chosen)}`);
  const job = await repaired(s, { filter, delete: true }, chosen.length);
  const deleted = structuredClone(chosen);
  for (const one of chosen) s.model.deleteByPerson(one);
  if (s.chance(0.4)) return s.takeBackImmediately(job.id, before, true);
  s.jobs.push({ id: job.id, kind: "repair", deleted });
};

/** Removes everything that a service said of some contacts. The next download brings it again. */
export const takeOut: Operation = async (s) => {
  const before = await s.snapshot();
  const service = s.draw(["first", "second"] as const);
  const { chosen, filter } = await chosenFor(s, (one) => one[service].length > 0);
  if (chosen.length === 0) return;
  s.say(`repair: take ${service} out of ${s.namesOf(chosen)}`);
  const job = await repaired(s, { filter, takeOut: service }, chosen.length);
  for (const one of chosen) {
    one[service] = [];
    if (!s.isThere(one)) s.model.remove(one);
  }
  const gone = chosen.filter(({ id }) => !s.isThere(s.model.get(id)));
  if (s.chance(0.5)) {
    await s.takeBackImmediately(job.id, before, true);
    // The program has forgotten what a logging program called them.
    for (const { id, feedName } of gone) s.model.get(id).feedName = feedName === "bound" ? "free" : feedName;
    return;
  }
  // Rolling back an earlier sync would also remove what the next download brings again.
  const isOf = ({ id }: PastJob) =>
    chosen.some((one) => before.model[one.id]![service].some(({ jobId }) => jobId === id));
  for (const job of s.jobs.filter(isOf)) s.jobs.splice(s.jobs.indexOf(job), 1);
  await syncService(s, service, {});
};

/** Moves contacts by an hour, as in a log kept in local time, and takes that back. */
export const shift: Operation = async (s) => {
  const before = await s.snapshot();
  const { chosen, filter } = await chosenFor(s, (one) => one.files.length > 0);
  if (chosen.length === 0) return;
  s.say(`repair: ${s.namesOf(chosen)} an hour later`);
  const starts = await startsOf(s);
  const job = await repaired(s, { filter, shiftMinutes: 60 }, chosen.length);
  const numbers = filter.id.split(",").map(Number);
  const expected = new Map(starts);
  for (const id of numbers) expected.set(id, starts.get(id)! + 60 * MINUTE);
  assertSame("The times after a repair", [...(await startsOf(s))], [...expected]);
  s.say("  and import the same records again");
  const log = await s.program.log();
  const again = await s.program.import(adifOf(chosen.map((one) => ownFields(one))));
  assertSame("A known file adds to a corrected log", await s.program.log(), log);
  await s.takeBackImmediately(job.id, before, true);
  for (const { id } of chosen) s.model.applyFile(s.model.get(id), again.id, ownFields(s.model.get(id)));
};

const startsOf = async (s: Session): Promise<Map<number, number>> =>
  new Map((await s.program.lines()).map(({ id, startedAt }) => [id, startedAt] as const).sort(([a], [b]) => a - b));
