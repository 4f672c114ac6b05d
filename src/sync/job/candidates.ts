import { ID_COLUMN, type Qso } from "../../domain/contact/qso.ts";
import { listParts } from "../../domain/origins/owner.ts";
import { getFiledKey } from "../../domain/contact/records.ts";
import { byService, isService, SERVICES } from "../../domain/jobs/source.ts";
import * as qsos from "../../storage/log/qsos.ts";
import type { Scratch } from "../../storage/jobs/scratch.ts";
import type { Unit } from "../../storage/engine/unit.ts";
import type { Incoming } from "../match/incoming.ts";
import { TOLERANCE } from "../match/match.ts";

/** The contacts that the records of one batch could mean, updated while the batch changes them. */
export class CandidateIndex {
  readonly #byId = new Map<number, Qso>();
  readonly #byCall = new Map<string, Set<number>>();
  readonly #byExternalId = new Map<string, Set<number>>();
  readonly #byFiled = new Map<string, Set<number>>();

  put(qso: Qso): void {
    this.#byId.set(qso.id, qso);
    getOrCreate(this.#byCall, qso.call).add(qso.id);
    for (const service of SERVICES) {
      const id = qso[ID_COLUMN[service]];
      if (id !== null) getOrCreate(this.#byExternalId, `${service} ${id}`).add(qso.id);
    }
    for (const { record } of listParts(qso.own?.file)) {
      const filedAs = getFiledKey(record);
      if (filedAs !== null) getOrCreate(this.#byFiled, filedAs).add(qso.id);
    }
  }

  /** Sorted by id, so that the order of a download does not change the result. */
  findCandidates({ key, ids, ...incoming }: Incoming): Qso[] {
    const found = new Set(this.#byCall.get(key.call));
    for (const id of this.#byFiled.get(readFiledKey(incoming) ?? "") ?? []) found.add(id);
    for (const service of SERVICES) {
      if (ids[service] === null) continue;
      for (const id of this.#byExternalId.get(`${service} ${ids[service]}`) ?? []) found.add(id);
    }
    return [...found].sort(compareAge).map((id) => this.#byId.get(id)!);
  }

  has(id: number): boolean {
    return this.#byId.has(id);
  }

  get(id: number): Qso {
    return this.#byId.get(id)!;
  }

  list(): Qso[] {
    return [...this.#byId.values()];
  }
}

const getOrCreate = (map: Map<string, Set<number>>, key: string): Set<number> => {
  const known = map.get(key);
  if (known) return known;
  const made = new Set<number>();
  map.set(key, made);
  return made;
};

/** Contacts added by the batch have negative ids until they are written; they are the youngest. */
const compareAge = (a: number, b: number): number => (a > 0 === b > 0 ? Math.abs(a) - Math.abs(b) : b - a);

/** Loads the contacts that the records of a batch could mean. `overlay` holds what a dry run has changed so far. */
export function* loadCandidates(
  userId: number,
  records: readonly Incoming[],
  overlay: Pick<Scratch, "find" | "findAdded"> | null,
): Unit<Qso[]> {
  if (records.length === 0) return [];
  const wanted = {
    ids: byService((service) => listGiven(records.map(({ ids }) => ids[service]))),
    filedAs: listGiven(records.map(readFiledKey)),
    timeRanges: buildTimeRanges(records),
  };
  const found = yield* qsos.findCandidates(userId, wanted);
  return [...found.map((qso) => overlay?.find(qso.id) ?? qso), ...(overlay?.findAdded(wanted) ?? [])];
}

export function* loadCandidateIndex(
  userId: number,
  records: readonly Incoming[],
  overlay: Pick<Scratch, "find" | "findAdded"> | null,
): Unit<CandidateIndex> {
  const index = new CandidateIndex();
  for (const qso of yield* loadCandidates(userId, records, overlay)) index.put(qso);
  return index;
}

const readFiledKey = ({ source, record }: Pick<Incoming, "source" | "record">): string | null =>
  isService(source) ? null : getFiledKey(record);

const listGiven = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))];

/** The time ranges in which the records look for contacts, merged into as few as possible for each callsign. */
export const buildTimeRanges = (records: readonly Incoming[]): qsos.TimeRange[] => {
  const timeRanges: qsos.TimeRange[] = [];
  for (const [call, ofCall] of Map.groupBy(records, ({ key }) => key.call)) {
    let last: qsos.TimeRange | null = null;
    for (const { key } of ofCall.sort((a, b) => a.key.at - b.key.at)) {
      const [from, to] = [key.at - TOLERANCE, key.at + TOLERANCE];
      if (last !== null && from <= last.to) last.to = to;
      else timeRanges.push((last = { call, from, to }));
    }
  }
  return timeRanges;
};
