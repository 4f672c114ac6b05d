import { MINUTE } from "../../kernel/clock.ts";
import { DUPLICATE_KINDS, type DuplicateGroup, type DuplicateKind } from "../../domain/jobs/duplicates.ts";
import { isAt, type Qso } from "../../domain/contact/qso.ts";
import { SERVICES } from "../../domain/jobs/source.ts";
import { definePreview } from "../../storage/engine/database.ts";
import * as qsos from "../../storage/log/qsos.ts";
import { tellProgress, type Unit } from "../../storage/engine/unit.ts";
import { MAX_TIME_APART, areTwoContacts, findDuplicateReasons } from "./rules.ts";

const BATCH_SIZE = 5_000;

/** Finds every duplicate group of a log, in callsign order. */
function* findAll({ userId }: { userId: number }): Unit<DuplicateGroup[]> {
  const groups: DuplicateGroup[] = [];
  const total = yield* qsos.count(userId);
  let read = 0;
  for (let after: qsos.Place | null = null; ;) {
    const rows: qsos.Place[] = yield* qsos.listPlaces(userId, after, BATCH_SIZE);
    const isLast = rows.length < BATCH_SIZE;
    const last = rows.at(-1);
    // The contacts of a callsign are compared together.
    const whole = isLast || rows[0]!.call === last!.call ? rows : rows.filter(({ call }) => call !== last!.call);
    groups.push(...(yield* findGroups(whole)));
    if (isLast) return groups;
    after = getPlace(whole.at(-1)!);
    read += whole.length;
    yield* tellProgress(Math.min(1, read / total));
  }
}

export const findDuplicatesWork = definePreview("duplicates.find", findAll);

function* findGroups(places: readonly qsos.Place[]): Unit<DuplicateGroup[]> {
  const pairs = findPairs(yield* qsos.listRough(listNeighbours(places)));
  const ids = [...new Set(pairs.flatMap(({ a, b }) => [a.id, b.id]))];
  const known = new Map((yield* qsos.listByIds(ids)).map((qso) => [qso.id, qso]));
  const sure = pairs.filter(({ a, b }) => !areTwoContacts(known.get(a.id)!, known.get(b.id)!));
  return buildGroups(sure, known);
}

const getPlace = ({ call, startedAt, id }: qsos.Place): qsos.Place => ({ call, startedAt, id });

/** The contacts that have another one with the same callsign near in time. Only they can be duplicates. */
const listNeighbours = (places: readonly qsos.Place[]): number[] =>
  places.flatMap((place, at) => (areNear(places[at - 1], place) || areNear(place, places[at + 1]) ? place.id : []));

const areNear = (a: qsos.Place | undefined, b: qsos.Place | undefined): boolean =>
  a !== undefined && b !== undefined && a.call === b.call && b.startedAt - a.startedAt <= MAX_TIME_APART;

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
