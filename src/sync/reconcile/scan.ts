import { isAt, type Qso } from "../../domain/contact/qso.ts";
import { CONTACT_CLASSES, type ContactClass } from "../../domain/jobs/reconcile.ts";
import { SERVICES, type Service } from "../../domain/jobs/source.ts";
import { definePreview } from "../../storage/engine/database.ts";
import * as qsos from "../../storage/log/qsos.ts";
import { tellProgress, type Unit } from "../../storage/engine/unit.ts";
import { compareContact, type Compared } from "./classify.ts";

export type ClassCounts = Record<ContactClass, number>;

const createCounts = (): ClassCounts => Object.fromEntries(CONTACT_CLASSES.map((name) => [name, 0])) as ClassCounts;

export interface ReconciledContact
  extends
    Pick<Qso, "id" | "call" | "startedAt" | "band" | "mode" | "submode" | "stationCallsign">,
    Omit<Compared, "classes"> {
  at: Service[];
}

/** Contacts per read. On PostgreSQL other requests wait while they are compared. */
const BATCH_SIZE = 250;

/** Compares the contacts of a log after an id with what the services say, until `visit` returns false. */
function* compareAll(userId: number, afterId: number, visit: (qso: Qso, compared: Compared) => boolean): Unit<void> {
  const total = yield* qsos.count(userId);
  let read = 0;
  for (let last = afterId; ;) {
    const found = yield* qsos.listOfAll(last, BATCH_SIZE, userId);
    for (const qso of found) if (!visit(qso, compareContact(qso))) return;
    if (found.length < BATCH_SIZE) return;
    last = found.at(-1)!.id;
    read += found.length;
    yield* tellProgress(Math.min(1, read / total));
  }
}

/** The number of contacts in each class. */
function* countClasses({ userId }: { userId: number }): Unit<ClassCounts> {
  const counts = createCounts();
  yield* compareAll(userId, 0, (_, { classes }) => {
    for (const name of classes) counts[name] += 1;
    return true;
  });
  return counts;
}

interface ListOrder {
  userId: number;
  afterId: number;
  name: ContactClass;
  most: number;
}

/** The next contacts of a class. */
function* listClass({ userId, afterId, name, most }: ListOrder): Unit<ReconciledContact[]> {
  const contacts: ReconciledContact[] = [];
  yield* compareAll(userId, afterId, (qso, { classes, ...rest }) => {
    if (classes.includes(name)) contacts.push(toContactView(qso, rest));
    return contacts.length < most;
  });
  return contacts;
}

export const countClassesWork = definePreview("reconcile.count", countClasses);
export const listClassWork = definePreview("reconcile.list", listClass);

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
