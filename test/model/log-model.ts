import type { Fields } from "../../src/domain/contact/adif-record.ts";
import type { Service } from "../../src/domain/jobs/source.ts";
import { MINUTE } from "../../src/kernel/clock.ts";
import { minuteOf, type RealContact } from "./contacts.ts";

/** A record of a contact from a file or a feed. The newest one of a feed replaces the older ones of the feed. */
interface OwnRecord extends Source {
  fields: Fields;
  /** Jobs that gave the same record again. */
  alsoBy: Source[];
}

interface Source {
  jobId: number;
  kind: "file" | "feed";
}

/** What a person typed or a repair set. An empty text hides the field, null removes what was typed. */
interface TypedRow {
  jobId: number | null;
  fields: Record<string, string | null>;
}

/** What a service said of a contact in one job. */
interface Version {
  jobId: number;
  isConfirmed: boolean;
  /** LoTW sends the partner's details only in its answer about confirmations. */
  hasDetails: boolean;
  isOfFailedJob?: true;
}

/** Everything that was said of a contact. It is in the log while anybody has reported it. */
export interface LogContact {
  id: number;
  /** The job that added it; null if a person did, or if it is not in the log. */
  addedBy: number | null;
  isTypedIn: boolean;
  files: OwnRecord[];
  typed: TypedRow[];
  first: Version[];
  second: Version[];
  /** A person deleted it, so that no service brings it back. */
  isDeleted: boolean;
  /** What services said of it when it was deleted, and since. */
  formerly: Record<Service, Version[]>;
  /** Whether the logging program's name for it is unknown, known, or that of a deleted contact. */
  feedName: "free" | "bound" | "gone";
  /** It is merged, or a waiting record can mean it: no other operation uses it until that is over. */
  isHeld: boolean;
}

/** The columns of a contact that are compared. */
export interface Row {
  call: string;
  startedAt: number;
  band: string;
  mode: string;
  group: string;
  dxcc: number;
  cqZone: number;
  prefix: string;
  state: string | null;
  name: string | null;
  comment: string | null;
  qth: string | null;
  atFirst: boolean;
  atSecond: boolean;
  first: boolean;
  second: boolean;
  card: boolean;
}

/** A row, and what its confirmation by LoTW counts for in awards. */
export interface CountedRow extends Row {
  firstState: string | null;
  firstZone: number | null;
}

const NOTHING = (id: number): LogContact => ({
  id,
  addedBy: null,
  isTypedIn: false,
  files: [],
  typed: [],
  first: [],
  second: [],
  isDeleted: false,
  formerly: { first: [], second: [] },
  feedName: "free",
  isHeld: false,
});

/** The rules of the log in memory, written without looking at how the program stores anything. */
export class LogModel {
  readonly real: RealContact[] = [];
  #contacts: LogContact[] = [];

  add(real: RealContact): LogContact {
    const contact = NOTHING(real.id);
    this.real.push(real);
    this.#contacts.push(contact);
    return contact;
  }

  get all(): readonly LogContact[] {
    return this.#contacts;
  }

  get(id: number): LogContact {
    return this.#contacts[id]!;
  }

  realOf({ id }: { id: number }): RealContact {
    return this.real[id]!;
  }

  /** A copy of all contacts, for `restore`. */
  copy(): LogContact[] {
    return structuredClone(this.#contacts);
  }

  restore(copy: LogContact[], ids: readonly number[] = copy.map(({ id }) => id)): void {
    const wanted = structuredClone(copy);
    for (const id of ids) this.#contacts[id] = wanted[id]!;
  }

  isThere({ isTypedIn, files, first, second }: LogContact): boolean {
    return isTypedIn || files.length + first.length + second.length > 0;
  }

  get inLog(): LogContact[] {
    return this.#contacts.filter((contact) => this.isThere(contact));
  }

  /** Removes a contact with everything that was said of it. */
  remove(contact: LogContact): void {
    const { id, isDeleted, formerly, feedName } = contact;
    this.#contacts[id] = { ...NOTHING(id), isDeleted, formerly, feedName: feedName === "bound" ? "free" : feedName };
  }

  /** Removes a contact that a person deleted. */
  deleteByPerson(contact: LogContact): void {
    const { feedName, first, second } = contact;
    this.remove(contact);
    const formerly = { first: [...first], second: [...second] };
    Object.assign(this.get(contact.id), { isDeleted: true, formerly, feedName: feedName === "free" ? "free" : "gone" });
  }

  #isNew(contact: LogContact, jobId: number, restoreDeleted = () => {}): boolean {
    if (this.isThere(contact)) return false;
    restoreDeleted();
    contact.addedBy = jobId;
    return true;
  }

  /** What services said about a deleted contact counts again when it is restored. */
  restoreDeleted(contact: LogContact): void {
    if (this.isThere(contact) || !contact.isDeleted) return;
    for (const service of ["first", "second"] as const) {
      contact[service] = contact.formerly[service].filter(({ isOfFailedJob }) => !isOfFailedJob);
    }
  }

  /** Adds a record of a file to a contact. A record that was there before says nothing new. */
  applyFile(contact: LogContact, jobId: number, fields: Fields): "added" | "updated" | "unchanged" {
    const isNew = this.#isNew(contact, jobId, () => this.restoreDeleted(contact));
    const before = ownFields(contact);
    const isKnown = contact.files.some((record) => isSame(record.fields, fields));
    if (!isKnown) contact.files.push({ jobId, kind: "file", fields, alsoBy: [] });
    for (const record of speaking(contact)) {
      if (isKnown && isSame(record.fields, fields)) record.alsoBy.push({ jobId, kind: "file" });
    }
    if (isNew) return "added";
    return isSame(ownFields(contact), before) ? "unchanged" : "updated";
  }

  /** Adds what a logging program says of a contact. An empty text takes back what the program said before. */
  applyFeed(contact: LogContact, jobId: number, fields: Fields): "added" | "updated" | "unchanged" {
    if (contact.feedName === "gone") return "unchanged";
    const isNew = this.#isNew(contact, jobId, () => this.restoreDeleted(contact));
    const before = ownFields(contact);
    const known = contact.files.findLast(({ kind }) => kind === "feed");
    const said = Object.entries({ ...known?.fields, ...fields }).filter(([, value]) => value !== "");
    const next = Object.fromEntries(said);
    contact.feedName = "bound";
    if (known && isSame(next, known.fields)) known.alsoBy.push({ jobId, kind: "feed" });
    else contact.files.push({ jobId, kind: "feed", fields: next, alsoBy: [] });
    if (isNew) return "added";
    return isSame(ownFields(contact), before) ? "unchanged" : "updated";
  }

  /** Adds a record of a service, unless a person deleted the contact. */
  applyService(
    contact: LogContact,
    service: Service,
    version: Version,
    { resurrects = false, always = false } = {},
  ): "added" | "updated" | "unchanged" {
    if (!this.isThere(contact) && contact.isDeleted && !resurrects) {
      contact.formerly[service].push(version);
      return "unchanged";
    }
    const isNew = this.#isNew(contact, version.jobId, () => this.restoreDeleted(contact));
    const known = contact[service].at(-1);
    const isSame = known?.isConfirmed === version.isConfirmed && known.hasDetails === version.hasDetails;
    if (isSame && !always && !isNew) return "unchanged";
    contact[service].push(version);
    return isNew ? "added" : "updated";
  }

  /** Undoes an import, a feed or a repair. */
  undo(jobId: number): void {
    for (const contact of this.all) if (undoIn(contact, jobId)) this.remove(contact);
  }

  /**
   * Rolls a sync back. The contacts that it added go, whoever else reported them: the next syncs add them again. In
   * other contacts the service's record becomes what it was before the job. What later syncs of the service changed
   * there goes too, and its next sync brings it again.
   */
  rollBack(jobId: number, service: Service): void {
    for (const contact of this.all) {
      if (contact.addedBy === jobId) this.remove(contact);
      contact.formerly[service] = contact.formerly[service].filter((version) => version.jobId !== jobId);
      withoutSync(contact, jobId, service);
    }
  }

  rows(): CountedRow[] {
    return this.inLog.map((contact) => this.rowOf(contact));
  }

  rowOf(contact: LogContact): CountedRow {
    const real = this.realOf(contact);
    const own = ownFields(contact);
    const typed = typedFields(contact);
    const [first, second] = [contact.first.at(-1), contact.second.at(-1)];
    const say = (name: string, ...others: (string | null | undefined | false)[]): string | null => {
      const said = typed[name];
      if (said !== undefined) return said === "" ? null : said;
      return own[name] ?? ([...others].find(Boolean) as string | undefined) ?? null;
    };
    const detailed = first?.hasDetails === true;
    return {
      call: real.call,
      startedAt: this.#startOf(contact),
      band: real.band,
      mode: real.mode,
      group: real.group,
      dxcc: real.entity,
      cqZone: real.zone,
      prefix: real.prefix,
      state: say("STATE", detailed && real.states?.first, second && real.states?.second),
      name: say("NAME"),
      comment: say("COMMENT"),
      qth: say("QTH"),
      atFirst: first !== undefined,
      atSecond: second !== undefined,
      first: first?.isConfirmed ?? false,
      second: second?.isConfirmed ?? false,
      card: own.QSL_RCVD === "Y",
      firstState: detailed ? (real.states?.first ?? null) : null,
      firstZone: detailed ? real.zone : null,
    };
  }

  /** The time of the owner counts first, then that of LoTW, which has seconds. */
  #startOf(contact: LogContact): number {
    const { at, minutesLateAtSecond } = this.realOf(contact);
    if (contact.isTypedIn) return at;
    const times = contact.files.map(({ fields }) => fields.TIME_ON!.length);
    if (times.length > 0) return times.includes(6) ? at : minuteOf(at);
    return contact.first.length > 0 ? at : minuteOf(at) + minutesLateAtSecond * MINUTE;
  }
}

/**
 * Removes what a job of the owner said of a contact, except records that another job gave too. Returns whether the contact
 * goes: the job had added it, and no other file or feed has it.
 */
export const undoIn = (contact: LogContact, jobId: number): boolean => {
  for (const record of contact.files) {
    record.alsoBy = record.alsoBy.filter((other) => other.jobId !== jobId).sort((a, b) => a.jobId - b.jobId);
    if (record.jobId === jobId && record.alsoBy.length > 0) Object.assign(record, record.alsoBy[0]);
  }
  contact.files = contact.files.filter((record) => record.jobId !== jobId);
  contact.typed = contact.typed.filter((row) => row.jobId !== jobId);
  if (contact.addedBy !== jobId) return false;
  contact.addedBy = contact.files[0]?.jobId ?? null;
  return contact.files.length === 0;
};

/** Removes what a sync said of a contact, and what later syncs of the service said. */
export const withoutSync = (contact: LogContact, jobId: number, service: Service): void => {
  const since = contact[service].findIndex((version) => version.jobId === jobId);
  if (since >= 0) contact[service].splice(since);
};

const isSame = (a: Fields, b: Fields): boolean => Bun.deepEquals(a, b);

/** The records of files, and the newest one of the feed. */
const speaking = ({ files }: LogContact): OwnRecord[] => {
  const newest = files.findLast(({ kind }) => kind === "feed");
  return files.filter((record) => record.kind === "file" || record === newest);
};

/** What files and feeds say of a contact together. Earlier records fill what later ones leave out. */
export const ownFields = (contact: LogContact): Fields =>
  speaking(contact).reduce<Fields>((known, { fields }) => {
    const isLessExact = (known.TIME_ON?.length ?? 0) > (fields.TIME_ON?.length ?? 0);
    return { ...known, ...fields, ...(isLessExact && { TIME_ON: known.TIME_ON! }) };
  }, {});

export const typedFields = ({ typed }: LogContact): Fields => {
  const fields: Fields = {};
  for (const row of typed) {
    for (const [name, value] of Object.entries(row.fields)) {
      if (value === null) delete fields[name];
      else fields[name] = value;
    }
  }
  return fields;
};
