// Syncs of both services, and what changes there between them.
import type { Service } from "../../src/domain/jobs/source.ts";
import { STATION } from "../support/sync.ts";
import { assertSame } from "./checks.ts";
import { bookFields } from "./contacts.ts";
import type { LogContact } from "./log-model.ts";
import type { Job } from "./program.ts";
import { assertCompleted, count, type Operation, type Session } from "./session.ts";

/** Adds and changes records at a service. */
const changeAtService = (s: Session, service: Service): void => {
  for (let left = s.upTo(5); left > 0; left--) {
    const known = s.serviceRecords(service);
    const isOpen = ({ id }: LogContact) => !known.has(id);
    const change = s.draw(["record", "record", "confirmation"] as const);
    if (change === "record") for (const one of s.some(1, isOpen, 0.4)) uploadTo(s, service, one);
    else confirmAt(s, service);
  }
};

export const uploadTo = (s: Session, service: Service, contact: LogContact): void => {
  const real = s.realOf(contact);
  s.say(`  ${service} has ${s.nameOf(contact)}`);
  const { store, book, clock } = s.program;
  if (service === "first") {
    const { call, band, mode, at } = real;
    s.atFirst.set(real.id, store.upload({ own: STATION, call, band, mode, at, rxqso: clock() }));
  } else s.atSecond.set(real.id, store.addRecord(book, { modified: clock(), fields: bookFields(real) }));
};

const confirmAt = (s: Session, service: Service): void => {
  const { store, clock } = s.program;
  const isFree = (id: number) => !s.model.get(id).isHeld;
  if (service === "first") {
    const open = [...s.atFirst].filter(([id, { rxqsl }]) => rxqsl === null && isFree(id));
    if (open.length === 0) return;
    const [id, upload] = s.draw(open);
    const { entity, zone, states } = s.model.real[id]!;
    s.say(`  first confirms ${s.nameOf({ id })}`);
    const detail = { DXCC: String(entity), CQZ: String(zone), ...(states && { STATE: states.first }) };
    store.confirm(upload, { rxqsl: clock(), detail });
    return;
  }
  const known = [...s.atSecond].filter(([id]) => isFree(id));
  if (known.length === 0) return;
  const [id, record] = s.draw(known);
  const status = record.fields.APP_QRZLOG_STATUS === "C" ? "N" : "C";
  s.say(`  second says ${status} of ${s.nameOf({ id })}`);
  record.fields.APP_QRZLOG_STATUS = status;
  record.modified = clock();
};

interface SyncOrder {
  full?: boolean;
  since?: string;
  resurrect?: boolean;
}

/** Before all that the services have received. */
const LONG_AGO = "2020-01-01";

export const sync: Operation = async (s) => {
  const service = s.draw(["first", "second"] as const);
  const order = s.draw<SyncOrder>([{}, {}, { since: LONG_AGO }, { full: true }, { full: true, resurrect: true }]);
  s.say(`sync ${service} ${JSON.stringify(order)}`);
  changeAtService(s, service);
  await syncService(s, service, order);
  if (order.resurrect) await syncBoth(s, { full: true });
};

export const syncBoth = async (s: Session, order: SyncOrder): Promise<void> => {
  s.say(`  and sync both services ${JSON.stringify(order)}`);
  for (const service of ["first", "second"] as const) await syncService(s, service, order);
};

export const syncService = async (s: Session, service: Service, order: SyncOrder): Promise<void> => {
  const log = await s.program.log();
  const dry = s.chance(0.3) ? await s.program.sync(service, { ...order, dryRun: true }) : null;
  if (dry) assertSame("A dry run changed the log", await s.program.log(), log);
  const job = await s.program.sync(service, order);
  applyAll(s, service, order, job);
  if (dry) assertSame("The dry run of a sync", dry.stats, job.stats);
  if (s.chance(0.4)) {
    const after = await s.program.log();
    const again = await s.program.sync(service, order);
    assertSame("A repeated sync", again.stats, { ...again.stats, added: 0, updated: 0, newlyConfirmed: 0 });
    assertSame("A repeated sync changed the log", await s.program.log(), after);
  }
};

/** A completed sync brings everything that the service has and the log does not, whatever it asked for. */
export const applyAll = (s: Session, service: Service, order: SyncOrder, job: Job): void => {
  assertCompleted(job);
  const confirmedIn = () => s.model.inLog.filter((one) => s.model.rowOf(one)[service]).map(({ id }) => id);
  const before = new Set(confirmedIn());
  const outcomes = [...s.serviceRecords(service).keys()].flatMap((id) => {
    const contact = s.model.get(id);
    if (contact.isHeld) return [];
    const isConfirmed = isConfirmedAt(s, service, id);
    const version = { jobId: job.id, isConfirmed, hasDetails: isConfirmed };
    return [s.model.applyService(contact, service, version, { resurrects: order.resurrect })];
  });
  const { added, newlyConfirmed } = job.stats;
  const confirmed = confirmedIn().filter((id) => !before.has(id));
  assertSame(
    `The counts of the ${service} sync ${job.id}`,
    { added, newlyConfirmed },
    { added: count(outcomes, "added"), newlyConfirmed: confirmed.length },
  );
};

const isConfirmedAt = (s: Session, service: Service, id: number): boolean =>
  service === "first" ? s.atFirst.get(id)!.rxqsl !== null : s.atSecond.get(id)!.fields.APP_QRZLOG_STATUS === "C";

/** How a download fails: at its beginning, or after a part of it was written. */
const FAULTS_OF_FIRST = [
  { kind: "busy" },
  { kind: "status", status: 500 },
  { kind: "maintenance" },
  { kind: "dropEof" },
  { kind: "truncate", at: 100 },
  { kind: "reset", at: 100 },
] as const;
const FAULTS_OF_SECOND = [
  { kind: "status", status: 502 },
  { kind: "maintenance" },
  { kind: "truncate", at: 60 },
  { kind: "reset", at: 10 },
] as const;

export const failingSync: Operation = async (s) => {
  const service = s.draw(["first", "second"] as const);
  const order = s.draw<SyncOrder>([{}, {}, { full: true }]);
  const isLate = s.chance(0.75);
  const before = await s.snapshot();
  s.say(`sync ${service} ${JSON.stringify(order)}, which fails ${isLate ? "after its first part" : "at once"}`);
  changeAtService(s, service);
  const recover = breakOff(s, service, isLate);
  const job = await s.program.sync(service, order);
  recover();
  // A book of one page has no second one that could fail.
  if (job.status === "completed" && isLate && service === "second") return applyAll(s, service, order, job);
  assertSame(`Job ${job.id}`, job.status, "failed");
  const changes = await s.program.changes(job.id);
  const lines = new Map((await s.program.lines()).map((line) => [line.id, line]));
  const changed = new Map(changes.map(({ qsoId }) => [qsoId, s.contactOf(lines.get(qsoId)!)!]));
  s.say(`  and has changed ${s.namesOf([...changed.values()])}`);
  for (const contact of changed.values()) {
    if (contact.isHeld) continue;
    const isConfirmed = isConfirmedAt(s, service, contact.id);
    const had = contact[service].at(-1);
    const hasDetails = service === "second" ? isConfirmed : (had?.hasDetails ?? false);
    const version = { jobId: job.id, isConfirmed: isConfirmed || (service === "first" && hasDetails), hasDetails };
    s.model.applyService(contact, service, { ...version, isOfFailedJob: true }, { always: true });
  }
  if (s.chance(0.5)) return s.takeBackImmediately(job.id, before, false);
  s.jobs.push({ id: job.id, kind: service, deleted: [] });
};

/** The first service is asked for contacts, then for confirmations; the second for its book, then page by page. */
export const breakOff = (s: Session, service: Service, isLate: boolean): (() => void) => {
  const times = Number.POSITIVE_INFINITY;
  const { first, second } = s.program.services;
  if (service === "first") {
    const fault = s.draw(FAULTS_OF_FIRST);
    s.say(`  ${JSON.stringify(fault)}`);
    return first.fail({ ...fault, times, when: ({ params }) => (params.get("qso_qsl") === "yes") === isLate });
  }
  const fault = s.draw(FAULTS_OF_SECOND);
  s.say(`  ${JSON.stringify(fault)}`);
  const isPage = (option: string | null) => /AFTERLOGID:[1-9]/.test(option ?? "");
  return second.fail({ ...fault, times, when: ({ params }) => !isLate || isPage(params.get("OPTION")) });
};

/** What the services said of a deleted contact counts again with the next syncs at the latest. */
export const syncForReturning = async (s: Session, contacts: readonly LogContact[]): Promise<void> => {
  if (contacts.length > 0) await syncBoth(s, {});
};
