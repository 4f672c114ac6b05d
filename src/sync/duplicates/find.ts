import { MINUTE } from "../../kernel/clock.ts";
import { DUPLICATE_KINDS, type DuplicateGroup, type DuplicateKind } from "../../domain/jobs/duplicates.ts";
import { isAt, type Qso } from "../../domain/contact/qso.ts";
import { SERVICES } from "../../domain/jobs/source.ts";
import { defineWork, type Database } from "../../storage/engine/database.ts";
import { reportParts } from "../../storage/log/large-log.ts";
import * as qsos from "../../storage/log/qsos.ts";
import type { Waiting } from "../../storage/engine/reader-threads.ts";
import type { Unit } from "../../storage/engine/unit.ts";
import { MAX_TIME_APART, areTwoContacts, findDuplicateReasons } from "./rules.ts";

const BATCH_SIZE = 5_000;

interface Order {
  userId: number;
  after: qsos.Place | null;
}

interface Part {
  groups: DuplicateGroup[];
  /** How many contacts were scanned. */
  rows: number;
  /** Where the next part starts, or null after the last part. */
  after: qsos.Place | null;
}

/** Finds the duplicate groups among the next callsigns of a log, in callsign order. */
function* findPart({ userId, after }: Order): Unit<Part> {
  const rows = yield* qsos.listPlaces(userId, after, BATCH_SIZE);
  const isLast = rows.length < BATCH_SIZE;
  const last = rows.at(-1);
  const whole = isLast || rows[0]!.call === last!.call ? rows : rows.filter(({ call }) => call !== last!.call);
  const pairs = findPairs(yield* qsos.listRough(listNeighbours(whole)));
  const ids = [...new Set(pairs.flatMap(({ a, b }) => [a.id, b.id]))];
  const known = new Map((yield* qsos.listByIds(ids)).map((qso) => [qso.id, qso]));
  const sure = pairs.filter(({ a, b }) => !areTwoContacts(known.get(a.id)!, known.get(b.id)!));
  const next = whole.at(-1);
  return { groups: buildGroups(sure, known), rows: whole.length, after: isLast || !next ? null : getPlace(next) };
}

export const findPartWork = defineWork("duplicates.part", "read", findPart);

const getPlace = ({ call, startedAt, id }: qsos.Place): qsos.Place => ({ call, startedAt, id });

/** The contacts that have another one with the same callsign near in time. Only they can be duplicates. */
const listNeighbours = (places: readonly qsos.Place[]): number[] =>
  places.flatMap((place, at) => (areNear(places[at - 1], place) || areNear(place, places[at + 1]) ? place.id : []));

const areNear = (a: qsos.Place | undefined, b: qsos.Place | undefined): boolean =>
  a !== undefined && b !== undefined && a.call === b.call && b.startedAt - a.startedAt <= MAX_TIME_APART;

/**
 * Finds every duplicate group of a log. Each part runs in a reading thread, in its own transaction, so a large log
 * blocks nobody.
 */
export const findDuplicates = async (
  db: Database,
  userId: number,
  waiting: Waiting = {},
): Promise<DuplicateGroup[]> => {
  const groups: DuplicateGroup[] = [];
  const tell = await reportParts(db, userId, waiting);
  for (let after: qsos.Place | null = null; ;) {
    const part: Part = await db.inWorker(findPartWork, { userId, after }, { userId, signal: waiting.signal });
    tell(part.rows);
    groups.push(...part.groups);
    if (part.after === null) return groups;
    after = part.after;
  }
};

interface Pair {
  a: qsos.Rough;
  b: qsos.Rough;
  why: DuplicateKind[];
}

/** Expects the rows sorted by callsign and time. */
const findPairs = (rows: readonly qsos.Rough[]): Pair[] => {
  const pairs: Pair[] = [];
  for (let at = 0; at < rows.length; at++) {
    const a = rows[at]!;
    for (let next = at + 1; next < rows.length; next++) {
      const b = rows[next]!;
      if (!areNear(a, b)) break;
      const why = findDuplicateReasons(a, b);
      if (why) pairs.push({ a, b, why });
    }
  }
  return pairs;
};

/**
 * Joins pairs that share a contact into groups. A group with two contacts that cannot be the same is dropped, because
 * nobody can tell which ones belong together.
 */
const buildGroups = (pairs: readonly Pair[], known: ReadonlyMap<number, Qso>): DuplicateGroup[] => {
  const leader = new Map<number, number>();
  const findLeader = (id: number): number => {
    const next = leader.get(id) ?? id;
    return next === id ? id : findLeader(next);
  };
  for (const { a, b } of pairs) leader.set(findLeader(b.id), findLeader(a.id));
  const byLeader = Map.groupBy(pairs, ({ a }) => findLeader(a.id));
  return [...byLeader.values()].flatMap((group) => {
    const members = [...new Set(group.flatMap(({ a, b }) => [a.id, b.id]))].map((id) => known.get(id)!);
    if (!areAllOne(members)) return [];
    const why = DUPLICATE_KINDS.filter((kind) => group.some((pair) => pair.why.includes(kind)));
    return [{ kind: why.at(-1)!, why, ids: members.sort(compareScores).map(({ id }) => id) }];
  });
};

const areAllOne = (members: readonly Qso[]): boolean => {
  const inOrder = members.toSorted((a, b) => a.startedAt - b.startedAt || a.id - b.id);
  return inOrder.every((a, at) =>
    inOrder.slice(at + 1).every((b) => findDuplicateReasons(a, b) !== null && !areTwoContacts(a, b)),
  );
};

/** Sorts confirmed contacts first, then those that a service knows, then those with more fields. */
const compareScores = (a: Qso, b: Qso): number => scoreContact(b) - scoreContact(a) || a.id - b.id;

const scoreContact = (qso: Qso): number =>
  10_000 * (Number(qso.firstConfirmed) + Number(qso.secondConfirmed) + Number(qso.cardConfirmed)) +
  1_000 * SERVICES.filter((service) => isAt(qso, service)).length +
  100 * (Number(qso.stationCallsign !== null) + Number(qso.band !== null) + Number(qso.mode !== null)) +
  50 * (Number(qso.submode !== null) + Number(qso.startedAt % MINUTE !== 0)) +
  Object.keys(qso.own?.file?.fields ?? {}).length;
