import { inList, many, run, type Unit } from "./unit.ts";

export interface Worker {
  id: string;
  host: string;
  pid: number;
  beatAt: number;
}

export function* add(worker: Worker): Unit<void> {
  yield* run`INSERT INTO workers (id, host, pid, started_at, beat_at)
             VALUES (${worker.id}, ${worker.host}, ${worker.pid}, ${worker.beatAt}, ${worker.beatAt})`;
}

/** False where the worker was given up for dead meanwhile. */
export function* beat(id: string, now: number): Unit<boolean> {
  return (yield* run`UPDATE workers SET beat_at = ${now} WHERE id = ${id}`) > 0;
}

export function* list(): Unit<Worker[]> {
  return yield* many<Worker>`SELECT id, host, pid, beat_at AS "beatAt" FROM workers`;
}

export function* remove(ids: readonly string[]): Unit<void> {
  yield* run`DELETE FROM workers WHERE id ${inList(ids)}`;
}
