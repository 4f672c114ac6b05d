import { inList, many, run, type Unit } from "./unit.ts";

export interface Worker {
  id: string;
  host: string;
  pid: number;
  beatAt: number;
  /** Null for the worker of an older program. */
  place?: string | null;
  born?: string | null;
}

/** A worker shows that it is alive; one that is new, or was given up for dead meanwhile, is there again. */
export function* beat({ id, host, pid, beatAt, place, born }: Worker): Unit<void> {
  yield* run`INSERT INTO workers (id, host, pid, started_at, beat_at, place, born)
             VALUES (${id}, ${host}, ${pid}, ${beatAt}, ${beatAt}, ${place ?? null}, ${born ?? null})
             ON CONFLICT (id) DO UPDATE SET beat_at = ${beatAt}`;
}

export function* list(): Unit<Worker[]> {
  return yield* many<Worker>`SELECT id, host, pid, beat_at AS "beatAt", place, born FROM workers`;
}

export function* remove(ids: readonly string[]): Unit<void> {
  yield* run`DELETE FROM workers WHERE id ${inList(ids)}`;
}
