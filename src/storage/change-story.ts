import { listStored, packState, stateOf, unpackState, type Snapshot, type State, type StoredContact } from "./qsos.ts";
import { beforeBy, deltaOf, isDelta } from "./snapshot-delta.ts";
import { inList, many, updateMany, type Unit } from "./unit.ts";
import { packSnapshot } from "./qsos.ts";

/**
 * A change keeps what a contact was before, told by what it was after; and what it was after is what the next event of
 * that contact says it was before, or what the contact is. So nothing is kept twice. Where the next event goes, or the
 * contact becomes something else without an event, `settle` writes down what the change would lose.
 */
export interface Stored {
  id: number;
  qsoId: number;
  before: Uint8Array | null;
  after: Uint8Array;
}

/** What a change did to a contact; null stands for no contact. */
export interface Told {
  before: State | null;
  after: State | null;
}

/** Nothing is left of a contact that went. */
const GONE = new Uint8Array();
/** The next event knows. */
const AS_NEXT = Uint8Array.of(1);

export const isGone = (after: Uint8Array): boolean => after.length === 0;

const isAsNext = (after: Uint8Array): boolean => after.length === 1;

/** What is kept of a contact before a change. */
export const packBefore = (before: Snapshot, after: Snapshot | null): Uint8Array =>
  after === null ? packSnapshot(before) : deltaOf(stateOf(before), stateOf(after));

/** What is kept of it after the change. */
export const packAfter = (goes: boolean): Uint8Array => (goes ? GONE : AS_NEXT);

/** What these changes did. Whatever happened to their contacts later is looked at where one is told by it. */
export function* tell(changes: readonly Stored[]): Unit<(change: Stored) => Told> {
  const open = changes.filter(({ before, after }) => isAsNext(after) || (before !== null && isDelta(before)));
  const known = new Map<number, Told>();
  const stories = yield* storiesOf([...new Set(open.map(({ qsoId }) => qsoId))]);
  for (const { events } of stories.values()) {
    for (const event of events) if (event.jobId !== null) known.set(event.id, event);
  }
  return (change) => known.get(change.id) ?? standing(change, null);
}

interface Event extends Told {
  /** Each kind of event has its own ids. */
  id: number;
  /** Of a change; null of what happened otherwise. */
  jobId: number | null;
  isAsNext: boolean;
}

/** A contact as it is, or null where it went, and all that happened to it, newest first. */
export interface Story {
  now: StoredContact | null;
  events: Event[];
}

interface StoredChange extends Stored {
  jobId: number;
}

interface Past {
  id: number;
  qsoId: number;
  afterChange: number;
  before: Uint8Array | null;
}

export function* storiesOf(qsoIds: readonly number[]): Unit<Map<number, Story>> {
  if (qsoIds.length === 0) return new Map();
  const contacts = yield* listStored(qsoIds);
  const changes = yield* many<StoredChange>`
    SELECT id, job_id AS "jobId", qso_id AS "qsoId", before_data AS before, after_data AS after
    FROM qso_changes WHERE qso_id ${inList(qsoIds)} ORDER BY id DESC`;
  const pasts = yield* many<Past>`
    SELECT id, qso_id AS "qsoId", after_change AS "afterChange", before_data AS before
    FROM qso_pasts WHERE qso_id ${inList(qsoIds)} ORDER BY id DESC`;
  const [byJobs, byOthers] = [Map.groupBy(changes, contactIn), Map.groupBy(pasts, contactIn)];
  return new Map(
    qsoIds.map((id) => {
      const now = contacts.get(id) ?? null;
      return [id, { now, events: eventsOf(now?.state ?? null, byJobs.get(id) ?? [], byOthers.get(id) ?? []) }];
    }),
  );
}

const contactIn = ({ qsoId }: { qsoId: number }): number => qsoId;

function eventsOf(now: State | null, changes: readonly StoredChange[], pasts: readonly Past[]): Event[] {
  const events: Event[] = [];
  let state = now;
  for (let [job, other] = [0, 0]; job < changes.length || other < pasts.length;) {
    const change = changes[job];
    const past = pasts[other];
    if (change && !(past && past.afterChange >= change.id)) {
      job += 1;
      const told = standing(change, state);
      events.push({ id: change.id, jobId: change.jobId, isAsNext: isAsNext(change.after), ...told });
      state = told.before;
    } else {
      other += 1;
      const before = past!.before && unpackState(past!.before);
      events.push({ id: past!.id, jobId: null, isAsNext: false, before, after: state });
      state = before;
    }
  }
  return events;
}

/** What a change did to a contact that was next as it is given. */
const standing = ({ id, before, after }: Stored, next: State | null): Told => {
  const left = isAsNext(after) ? next : isGone(after) ? null : unpackState(after);
  if (before === null || !isDelta(before)) return { before: before && unpackState(before), after: left };
  if (left === null) throw new Error(`nothing says what change ${id} left`);
  return { before: beforeBy(before, left), after: left };
};

/** Events that go, of contacts. */
export interface Going {
  qsoIds: readonly number[];
  changes?: ReadonlySet<number>;
  pasts?: ReadonlySet<number>;
}

/** Writes down what changes would lose that stay where the event behind them goes. */
export function* settle({ qsoIds, changes = new Set(), pasts = new Set() }: Going): Unit<void> {
  const goes = ({ jobId, id }: Event) => (jobId === null ? pasts : changes).has(id);
  const losing: Event[] = [];
  for (const { events } of (yield* storiesOf(qsoIds)).values()) {
    for (const [at, event] of events.entries()) {
      const next = events[at - 1];
      if (event.isAsNext && next && goes(next) && !goes(event)) losing.push(event);
    }
  }
  yield* writeAfter(losing);
}

/** The same for contacts that become something else without anybody having said anything. */
export function* settleAsTheyAre(qsoIds: readonly number[]): Unit<void> {
  const newest = [...(yield* storiesOf(qsoIds)).values()].flatMap(({ events }) => events[0] ?? []);
  yield* writeAfter(newest.filter(({ isAsNext }) => isAsNext));
}

function* writeAfter(events: readonly Event[]): Unit<void> {
  const rows = events.map(({ id, after }) => ({ id, values: [packState(after!)], changed: [0] }));
  yield* updateMany("qso_changes", ["after_data"], rows);
}
