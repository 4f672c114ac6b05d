import { assertRoundTrip } from "./checks.ts";
import {
  filesInTurns,
  mergeThenDelete,
  mergeThenRollback,
  olderUndoneFirst,
  pastCalls,
  takenBackWhileDeleted,
} from "./scenarios.ts";
import type { Fault } from "./faults.ts";
import { undoIn, withoutSync, type LogContact } from "./log-model.ts";
import {
  add,
  deleteByRepair,
  edit,
  feed,
  importEarlierFile,
  importFile,
  remove,
  setOrClear,
  shift,
  takeOut,
} from "./owner-operations.ts";
import { closePair, leftover, merge, undoMerge } from "./pair-operations.ts";
import { failingSync, sync, syncBoth } from "./service-operations.ts";
import { type Operation, type PastJob, type Session } from "./session.ts";

const takeBackEarlier: Operation = async (s) => {
  const able = s.jobs.filter((job) => canTakeBack(s, job));
  if (able.length === 0) return;
  const job = s.draw(able);
  const { id, kind, deleted } = job;
  s.jobs.splice(s.jobs.indexOf(job), 1);
  s.say(`take ${kind} job ${id} back`);
  const isSync = kind === "first" || kind === "second";
  await s.takeBack(id, !isSync);
  if (isSync) s.model.rollBack(id, kind);
  else s.model.undo(id);
  for (const other of s.jobs) {
    other.deleted = other.deleted.filter((contact) => {
      if (!isSync) return !undoIn(contact, id);
      withoutSync(contact, id, kind);
      return contact.addedBy !== id;
    });
  }
  const returning = deleted.filter(({ addedBy }) => addedBy !== id);
  if (returning.length === 0) return;
  for (const contact of returning) s.model.restore(s.model.copy().with(contact.id, contact), [contact.id]);
  // Syncs ignored what the services said while it was deleted.
  await syncBoth(s, { full: true });
};

const canTakeBack = (s: Session, { id, deleted }: PastJob): boolean => {
  if (deleted.some((contact) => s.isThere(s.model.get(contact.id)) || s.model.get(contact.id).isHeld)) return false;
  const inDeleted = s.jobs.flatMap((other) => other.deleted).filter(({ addedBy }) => addedBy !== id);
  return [...s.model.all, ...inDeleted].every((contact) => {
    const { addedBy, isHeld } = contact;
    const said = recordsIn(contact);
    if (addedBy !== id && !said.some(({ jobId }) => jobId === id)) return true;
    return !(isHeld || (addedBy === id && s.realOf(contact).isFixed));
  });
};

const recordsIn = ({ files, typed, first, second }: LogContact) => [...files, ...typed, ...first, ...second];

const roundTrip: Operation = async (s) => {
  s.say("export everything and import it elsewhere");
  await assertRoundTrip(s.program, s.rows());
};

/** What happens, and how often. */
export const OPERATIONS: readonly (readonly [name: string, weight: number, run: Operation])[] = [
  ["import", 16, importFile],
  ["import earlier file", 4, importEarlierFile],
  ["feed", 10, feed],
  ["sync", 20, sync],
  ["failing sync", 10, failingSync],
  ["take back", 8, takeBackEarlier],
  ["edit", 8, edit],
  ["add", 4, add],
  ["delete", 5, remove],
  ["set or clear", 5, setOrClear],
  ["delete by repair", 3, deleteByRepair],
  ["take out", 2, takeOut],
  ["shift", 2, shift],
  ["merge", 2, merge],
  ["undo merge", 2, undoMerge],
  ["leftover", 2, leftover],
  ["close pair", 2, closePair],
  ["round trip", 1, roundTrip],
  ["files in turns", 1, filesInTurns],
  ["merge, then delete", 1, mergeThenDelete],
  ["merge, then roll back", 1, mergeThenRollback],
  ["taken back while deleted", 1, takenBackWhileDeleted],
  ["older undone first", 1, olderUndoneFirst],
];

/** What happens often when a fault is looked for. The last one happens in every run. */
export const FAULT_OPERATIONS: Partial<Record<Fault, Operation>> = {
  pastCalls,
};
