import { isAt, type Qso } from "../../domain/contact/qso.ts";
import { CONTACT_CLASSES, type ContactClass } from "../../domain/jobs/reconcile.ts";
import { SERVICES, type Service } from "../../domain/jobs/source.ts";
import { defineWork } from "../../storage/engine/database.ts";
import * as qsos from "../../storage/log/qsos.ts";
import type { Unit } from "../../storage/engine/unit.ts";
import { compareContact, type Compared } from "./classify.ts";

export type ClassCounts = Record<ContactClass, number>;

export const createCounts = (): ClassCounts =>
  Object.fromEntries(CONTACT_CLASSES.map((name) => [name, 0])) as ClassCounts;

export interface ReconciledContact
  extends
    Pick<Qso, "id" | "call" | "startedAt" | "band" | "mode" | "submode" | "stationCallsign">,
    Omit<Compared, "classes"> {
  at: Service[];
}

interface Order {
  userId: number;
  afterId: number;
  /** How many contacts were scanned. */
  rows: number;
  /** Return at most this many contacts of this class. */
  wanted?: { name: ContactClass; most: number } | undefined;
}

export interface Part {
  counts: ClassCounts;
  contacts: ReconciledContact[];
  /** The last contact that was scanned, or null after the end. */
  lastId: number | null;
}

/** Compares the next contacts of a log with what the services say. */
function* reconcilePart({ userId, afterId, rows, wanted }: Order): Unit<Part> {
  const found = yield* qsos.listOfAll(afterId, rows, userId);
  const counts = createCounts();
  const contacts: ReconciledContact[] = [];
  for (const qso of found) {
    const { classes, ...rest } = compareContact(qso);
    for (const name of classes) counts[name] += 1;
    if (!wanted || !classes.includes(wanted.name)) continue;
    contacts.push(toContactView(qso, rest));
    if (contacts.length === wanted.most) return { counts, contacts, lastId: qso.id };
  }
  return { counts, contacts, lastId: found.at(-1)?.id ?? null };
}

export const reconcileWork = defineWork("reconcile.part", "read", reconcilePart);

const toContactView = (qso: Qso, rest: Omit<Compared, "classes">): ReconciledContact => ({
  id: qso.id,
  call: qso.call,
  startedAt: qso.startedAt,
  band: qso.band,
  mode: qso.mode,
  submode: qso.submode,
  stationCallsign: qso.stationCallsign,
  at: SERVICES.filter((service) => isAt(qso, service)),
  ...rest,
});
