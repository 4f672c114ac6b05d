import { addQso, deleteQso, editQso } from "../contacts/edit.ts";
import { exportLog, formatOf } from "../contacts/export.ts";
import type { TypedQso } from "../contacts/fields.ts";
import { MINUTE } from "../kernel/clock.ts";
import type { NeedRequest } from "../domain/awards/need.ts";
import { AppError } from "../kernel/errors.ts";
import { parseFilter, parseListing, type QsoListing } from "../domain/contact/qso-filter.ts";
import { toQsoView, type QsoView } from "../domain/contact/qso-view.ts";
import { readLog } from "../storage/log/large-log.ts";
import { listWorked, type WorkedCall } from "../storage/log/call-history.ts";
import * as qsoChanges from "../storage/log/qso-changes.ts";
import * as qsoList from "../storage/log/qso-list.ts";
import * as qsos from "../storage/log/qsos.ts";
import { listSilentStations } from "../storage/log/statistics.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type { PaletteSource } from "./command-palette.ts";
import type {
  CallSlot,
  ContactStory,
  ExportParameters,
  ListParameters,
  OfPast,
  PastParameters,
  QsoListDocument,
} from "./contract.ts";
import { readAsOf, exportAsOf, type PastLogs } from "./as-of.ts";
import { loadWhy } from "./why.ts";

type Deps = Pick<World, "db" | "clock" | "callFacts">;
type Reading = Pick<World, "db" | "cache" | "clock">;

/** A page of the log, filtered and sorted, and the total number of contacts. */
export const listContacts = async (
  deps: Reading & { pasts: PastLogs },
  caller: LogCaller,
  { asOf, ...asked }: ListParameters,
): Promise<QsoListDocument> => {
  const listing = parseListing(asked);
  return readAsOf(deps, caller, asOf, (then) => pageOfContacts(then, caller, listing));
};

const pageOfContacts = async (
  { db, cache }: Reading,
  caller: LogCaller,
  listing: QsoListing,
): Promise<QsoListDocument> => {
  const { id } = caller.owner;
  const { station } = listing.filter;
  qsoList.assertCursor(listing);
  const question = `total ${JSON.stringify(Object.entries(listing.filter).sort())}`;
  const known = (await cache.find<qsoList.VersionedTotal>(id, question)) ?? null;
  const asked = { userId: id, listing, known };
  const { qsos: found, total, version, ...cursors } = await readLog(db, qsoList.pageWork, asked, caller);
  cache.put(id, question, version, { version, total });
  const silent = total === 0 && station ? await db.read(() => listSilentStations(id, station)) : [];
  return { qsos: found.map(toQsoView), total, ...cursors, ...(silent.length > 0 ? { withoutContacts: silent } : {}) };
};

/** A contact with what each origin said about it, now or at the end of a day. */
export const contact = (
  deps: Pick<World, "db" | "clock"> & { pasts: PastLogs },
  caller: LogCaller,
  qsoId: number,
  { asOf }: PastParameters = {},
): Promise<QsoView & OfPast> =>
  readAsOf(deps, caller, asOf, async ({ db }) => toQsoView(await db.read(() => qsos.get(caller.owner.id, qsoId))));

const MAX_CHANGES = 20;
const MAX_OTHERS = 5;

/** A contact with the jobs that changed it and the newest other contacts with its callsign. */
export const contactStory = async (
  { db, callFacts }: Deps,
  { owner: { id } }: LogCaller,
  qsoId: number,
): Promise<ContactStory> => {
  const facts = await callFacts();
  return db.read(function* () {
    const qso = yield* qsos.get(id, qsoId);
    const { filter, sort } = parseListing({ call: qso.call });
    const alike = yield* qsoList.list(id, { filter, sort, limit: MAX_OTHERS + 1 });
    return {
      qso: toQsoView(qso),
      history: yield* qsoChanges.listTouches(qsoId, MAX_CHANGES),
      why: yield* loadWhy(qso, facts),
      others: alike.qsos
        .filter((other) => other.id !== qsoId)
        .slice(0, MAX_OTHERS)
        .map(toQsoView),
      othersTotal: (yield* qsoList.count(id, filter)) - 1,
      slots: (yield* listWorked(id, [qso.call])).flatMap(toSlot),
    };
  });
};

const toSlot = ({ band, mode, submode, confirmed }: WorkedCall): CallSlot[] =>
  band === null || mode === null
    ? []
    : [{ band, mode: submode ?? mode, state: confirmed > 0 ? "confirmed" : "worked" }];

/** Contacts edited meanwhile come first in this list, so it is longer than one. */
const MAX_RECENT = 50;

/** The last contact that the user typed, which can be undone. */
function* findLastTyped(userId: number): Unit<number | null> {
  const { sort } = parseListing({ sort: "-updatedAt" });
  const { qsos: recent } = yield* qsoList.list(userId, { filter: {}, sort, limit: MAX_RECENT });
  const typed = recent.filter(({ own }) => own?.typed && !own.file);
  return typed.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)[0]?.id ?? null;
}

/** Whether no contact was typed after this one. */
export const canTakeBack = async ({ db }: Deps, caller: LogCaller, qsoId: number): Promise<boolean> =>
  (await db.read(() => findLastTyped(caller.owner.id))) === qsoId;

/** Undoes adding the last contact that was typed. */
export const takeBackContact = async (world: Deps, caller: LogCaller, qsoId: number): Promise<void> => {
  await world.db.read(() => qsos.get(caller.owner.id, qsoId));
  if (!(await canTakeBack(world, caller, qsoId))) {
    throw new AppError("conflict", "You can only undo the contact you logged last. Delete this one on its page.");
  }
  await deleteContact(world, caller, qsoId);
};

/** Logging the same contact twice within this time is probably a mistake. */
const SAME_CONTACT = 10 * MINUTE;

/** The newest contact with this callsign, on this band and in this mode, if it was made a moment ago. */
export const findJustLogged = async (
  { db, clock }: Deps,
  { owner: { id } }: LogCaller,
  { call, band, mode }: NeedRequest,
): Promise<QsoView | null> => {
  if (band === undefined || mode === undefined) return null;
  const from = String(clock() - SAME_CONTACT);
  const { filter, sort } = parseListing({ call, band, mode, from });
  const { qsos: found } = await db.read(() => qsoList.list(id, { filter, sort, limit: 1 }));
  return found[0] ? toQsoView(found[0]) : null;
};

export const addContact = async (world: Deps, { owner: { id } }: LogCaller, typed: TypedQso): Promise<QsoView> =>
  toQsoView(await addQso(world, id, typed, await world.callFacts()));

export const editContact = async (
  world: Deps,
  { owner: { id } }: LogCaller,
  qsoId: number,
  patch: TypedQso,
): Promise<QsoView> => toQsoView(await editQso(world, id, qsoId, patch, await world.callFacts()));

export const deleteContact = async (world: Deps, { owner: { id } }: LogCaller, qsoId: number): Promise<void> =>
  void (await deleteQso(world, id, qsoId));

export interface Export {
  /** Chunks, created on demand. */
  pieces: AsyncGenerator<string, void, void>;
  type: string;
  extension: string;
}

/** Exports the matching contacts as a file in chunks. Invalid requests throw immediately. */
export const exportContacts = async (
  deps: Pick<World, "db" | "clock" | "ticks" | "turn" | "limits"> & { pasts: PastLogs },
  caller: LogCaller,
  { format, columns, asOf, ...asked }: ExportParameters & PastParameters,
): Promise<Export> => {
  deps.limits.count("export", caller.owner.id);
  const { type, extension } = formatOf(format);
  const filter = parseFilter(asked);
  const pieces = await exportAsOf(deps, caller, asOf, (of) =>
    exportLog(deps, caller.owner.id, filter, { format, columns }, of),
  );
  return { pieces, type, extension };
};

/** Where the palette of the pages looks for callsigns. */
export const createPaletteSource = (deps: Parameters<typeof listContacts>[0], caller: LogCaller): PaletteSource => ({
  contacts: (parameters) => listContacts(deps, caller, parameters),
  async countCalls(calls) {
    const worked = await deps.db.read(() => listWorked(caller.owner.id, calls));
    return calls.map((call) => {
      const ofCall = worked.filter((one) => one.call === call);
      return {
        call,
        contacts: ofCall.reduce((sum, { contacts }) => sum + contacts, 0),
        lastAt: Math.max(...ofCall.map(({ lastAt }) => lastAt)),
      };
    });
  },
});
