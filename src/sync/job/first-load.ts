import { ID_COLUMN, type Qso } from "../../domain/qso.ts";
import { SERVICES } from "../../domain/source.ts";
import * as qsos from "../../storage/qsos.ts";
import * as tombstones from "../../storage/tombstones.ts";
import type { Unit } from "../../storage/unit.ts";
import * as users from "../../storage/users.ts";
import type { Incoming } from "../match/incoming.ts";
import { TOLERANCE } from "../match/match.ts";

/** Four megabytes, of which a million contacts take a fifth. */
const WORDS = 2 ** 20;
/** The stretch of time that is looked through around a record lies in two of these at most. */
const SPAN = 2 * TOLERANCE;

/**
 * What a job has written into a log where nothing was and nothing had been. A record that means none of it means nothing,
 * and need not be looked up: a fifth of the work of a first sync. It says now and then that a record may mean something
 * where it means nothing, and never the other way round.
 */
export class FirstLoad {
  /** Of the log, with nothing in it but what was noted. */
  version: number;
  /** Null until something is noted: most syncs of an empty log find nothing. */
  #bits: Uint32Array | null = null;

  constructor(version: number) {
    this.version = version;
  }

  note(keys: readonly number[]): void {
    const bits = (this.#bits ??= new Uint32Array(WORDS));
    for (const key of keys) {
      for (const bit of placesOf(key)) bits[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  mayMean({ key, ids }: Pick<Incoming, "key" | "ids">): boolean {
    const last = Math.floor((key.at + TOLERANCE) / SPAN);
    for (let span = Math.floor((key.at - TOLERANCE) / SPAN); span <= last; span++) {
      if (this.#has(hashed(key.call, span))) return true;
    }
    return SERVICES.some((service) => ids[service] !== null && this.#has(hashed(ids[service], service.length)));
  }

  #has(key: number): boolean {
    const bits = this.#bits;
    return bits !== null && placesOf(key).every((bit) => (bits[bit >>> 5]! & (1 << (bit & 31))) !== 0);
  }
}

/** Null where something is or was in the log. */
export function* firstLoadOf(userId: number): Unit<FirstLoad | null> {
  if ((yield* qsos.isAny(userId)) || (yield* tombstones.isAny(userId))) return null;
  return new FirstLoad(yield* users.logVersion(userId));
}

/** What a contact may be found by. */
export const keysOf = (qso: Qso): number[] => {
  const keys = [hashed(qso.call, Math.floor(qso.startedAt / SPAN))];
  for (const service of SERVICES) {
    const id = qso[ID_COLUMN[service]];
    if (id !== null) keys.push(hashed(id, service.length));
  }
  return keys;
};

/** FNV-1a of a text and a number. */
const hashed = (text: string, number: number): number => {
  let hash = 0x811c9dc5 ^ number;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
};

const placesOf = (key: number): readonly [number, number] => {
  const mixed = Math.imul(key ^ (key >>> 15), 0x2c1b3c6d);
  const other = Math.imul(mixed ^ (mixed >>> 13), 0x297a2d39);
  return [mixed >>> 7, other >>> 7];
};
