// Sequences that the program once did wrong. Those of `faults.ts` it still does, and they run only when asked for.
import { STATION } from "../support/sync.ts";
import { assertSame } from "./checks.ts";
import { MINUTE, SECOND } from "../../src/kernel/clock.ts";
import { adifOf, fileFields, PAST_STATIONS, soonAfter } from "./contacts.ts";
import { importRecords } from "./owner-operations.ts";
import { FREQUENCIES, toTheSecond } from "./pair-operations.ts";
import type { Line } from "./program.ts";
import { breakOff } from "./service-operations.ts";
import { assertCompleted, type Operation } from "./session.ts";

/** The entity follows from the callsign and the date. */
export const pastCalls: Operation = async (s) => {
  const { at, ...station } = s.draw(PAST_STATIONS);
  const contact = s.newContact((one) => {
    const apart = at + one.id * 40 * MINUTE;
    return { ...one, ...station, at: apart, states: null, reportedBy: "files" };
  });
  const { DXCC: _, CQZ: __, ...fields } = fileFields(s.realOf(contact), "B", []);
  await importRecords(s, [contact], [fields], "once");
};

/** Two programs have another state of one contact, and their files are imported in turns. */
export const filesInTurns: Operation = async (s) => {
  const contact = s.newContact((one) => ({ ...one, states: { own: "WI", first: "WI", second: "IL" }, ...AMERICAN }));
  const real = s.realOf(contact);
  const first = fileFields(real, "A", ["NAME", "STATE"]);
  const second = { ...fileFields(real, "B", ["COMMENT", "STATE"]), STATE: real.states!.second };
  for (const fields of [first, second, first, second])
    await importRecords(s, [s.model.get(contact.id)], [fields], "once");
};

const AMERICAN = { call: "K9ZZ", entity: 291, zone: 4, prefix: "K9", isFixed: true, minutesLateAtSecond: 0 };

/** Two programs wrote one contact with other seconds; it is merged, deleted, and imported again. */
export const mergeThenDelete: Operation = async (s) => {
  const contact = s.newContact(toTheSecond);
  const real = s.realOf(contact);
  const records = [0, 30 * SECOND].map((later) => fileFields({ ...real, at: real.at + later }, "B", []));
  const others = new Set((await s.program.lines()).map(({ id }) => id));
  s.say(`import ${s.nameOf(contact)} from two files, half a minute apart; merge, delete, import again`);
  for (const fields of records) assertCompleted(await s.program.import(adifOf([fields])));
  const isThisOne = ({ id }: Pick<Line, "id">) => !others.has(id);
  const group = (await s.program.duplicates()).find(({ contacts }) => contacts.every(isThisOne));
  assertSame("The contacts of two files", group?.contacts.length, 2);
  assertCompleted(await s.program.merge(group!.contacts[0]!.id));
  await s.program.delete((await s.program.lines()).find(isThisOne)!.id);
  const job = await s.program.import(adifOf([records[0]!]));
  assertSame(
    "A contact that was merged, deleted and imported again",
    (await s.program.lines()).filter(isThisOne).length,
    1,
  );
  s.model.applyFile(contact, job.id, records[0]!);
};

/** A failed sync adds a contact that the owner typed too, an hour off. They are merged; then the sync is rolled back. */
export const mergeThenRollback: Operation = async (s) => {
  const contact = s.newContact(toTheSecond);
  const typed = s.model.add(soonAfter(s.realOf(contact), s.model.real.length, 60));
  const { call, at, band, mode, entity, zone } = s.realOf(typed);
  const freq = Number(FREQUENCIES[band]);
  const { store, clock } = s.program;
  s.say(`first has ${s.nameOf(contact)}; its sync fails, ${s.nameOf(typed)} is typed; merge, roll back`);
  const upload = { own: STATION, call, band, mode, at: s.realOf(contact).at, freq, rxqso: clock() };
  s.atFirst.set(contact.id, store.upload(upload));
  const recover = breakOff(s, "first", true);
  const job = await s.program.sync("first", {});
  recover();
  assertSame(`Job ${job.id}`, job.status, "failed");
  const { id } = await s.program.add({
    call,
    startedAt: at,
    band,
    mode,
    dxcc: entity,
    cqZone: zone,
    freqHz: freq * 1e6,
  });
  const group = (await s.program.duplicates()).find(({ contacts }) => contacts.some((one) => one.id === id));
  assertSame("A contact that is there twice", group?.contacts.length, 2);
  assertCompleted(await s.program.merge(group!.contacts[0]!.id));
  await s.takeBack(job.id, false);
  typed.isTypedIn = true;
};

/** A contact is deleted after two imports reported it. The second import is undone, then the deletion. */
export const takenBackWhileDeleted: Operation = async (s) => {
  const contact = s.newContact((one) => ({ ...one, reportedBy: "files", isFixed: true }));
  const get = () => s.model.get(contact.id);
  await importRecords(s, [get()], [fileFields(s.realOf(contact), "B", [])], "once");
  const second = await importRecords(s, [get()], [fileFields(s.realOf(contact), "B", ["NAME"])], "once");
  s.say("  delete it, undo the second import, undo the deletion");
  const id = await s.numberOf(contact);
  const deletion = await s.program.repair({ filter: { id: String(id) }, delete: true });
  assertCompleted(deletion);
  for (const job of [second, deletion]) await s.takeBack(job.id, true);
  s.model.undo(second.id);
  s.jobs.pop();
};

/** Two repairs set the QTH of a contact. The older one is undone first, then the newer one. */
export const olderUndoneFirst: Operation = async (s) => {
  const contact = s.newContact((one) => ({ ...one, reportedBy: "files", isFixed: true }));
  await importRecords(s, [contact], [fileFields(s.realOf(contact), "B", [])], "once");
  const filter = { id: String(await s.numberOf(contact)) };
  s.say("  repair its QTH twice, undo the older repair, then the newer one");
  const repairs = [];
  for (const qth of ["Oslo", "Bergen"]) repairs.push(await s.program.repair({ filter, set: { qth } }));
  for (const { id } of repairs) await s.takeBack(id, true);
};
