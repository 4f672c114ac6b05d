import { isService } from "../domain/jobs/source.ts";
import * as pruning from "../storage/jobs/pruning.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";

export interface Pruned {
  /** The number of jobs whose change records were removed. */
  jobs: number;
  changes: number;
  /** The number of leftovers of dry runs that were removed. */
  leftovers: number;
  /** The size of the removed records, without indexes. */
  bytes: number;
  /** The number of old jobs whose records are needed to roll back another one. */
  kept: number;
}

interface Options {
  olderThanMs: number;
  dryRun?: boolean;
  onProgress?: (soFar: Pruned) => void;
  signal?: AbortSignal;
}

const BATCH_SIZE = 500;
/** A pause between two slices in which others can write. */
const PAUSE_MS = 2;

/** Removes change records of old jobs that nobody needs any more. If it is interrupted, the next run continues. */
export const prune = async (
  { db, clock, sleep }: Pick<World, "db" | "clock" | "sleep">,
  { olderThanMs, dryRun = false, onProgress = () => {}, signal }: Options,
): Promise<Pruned> => {
  const now = clock();
  const { going: old, kept } = await db.read(() => chooseJobs(now - olderThanMs));
  const done: Pruned = { jobs: 0, changes: 0, leftovers: 0, bytes: 0, kept };
  const count = (kind: "changes" | "leftovers", { rows, bytes }: pruning.Removed) => {
    done[kind] += rows;
    done.bytes += bytes;
    onProgress(done);
  };
  // From here on none of them can be undone, whatever is still stored.
  const ids = old.map(({ id }) => id);
  const marked = new Set(dryRun ? ids : await db.write(() => pruning.mark(ids, now)));
  const going = old.filter(({ id }) => marked.has(id));
  const removeAll = async (kind: "changes" | "leftovers", slice: () => Unit<pruning.Removed>) => {
    for (;;) {
      signal?.throwIfAborted();
      const removed = await db.write(slice);
      count(kind, removed);
      if (removed.rows < BATCH_SIZE) return;
      await sleep(PAUSE_MS);
    }
  };
  for (const { id, dryRun: wasDryRun } of going) {
    done.jobs += 1;
    if (dryRun) {
      count("changes", await db.read(() => pruning.measureChanges(id)));
      if (wasDryRun) count("leftovers", await db.read(() => pruning.measureLeftovers(id)));
      continue;
    }
    await removeAll("changes", () => pruning.removeChanges(id, BATCH_SIZE));
    if (wasDryRun) await removeAll("leftovers", () => pruning.removeLeftovers(id, BATCH_SIZE));
    await sleep(PAUSE_MS);
  }
  const before = now - olderThanMs;
  if (dryRun) count("changes", await db.read(() => pruning.measurePasts(before)));
  else await removeAll("changes", () => pruning.removePasts(before, BATCH_SIZE));
  return done;
};

/**
 * Chooses the old jobs to prune. A job is kept if it changed a contact after a job that can still be rolled back,
 * because that rollback moves the cursors back to the start of that job. An old import that is kept for this reason can
 * be undone itself and so keeps others. A job that was rolled back after one of these is kept too, so that its value
 * does not return.
 */
function* chooseJobs(before: number): Unit<{ going: pruning.OldJob[]; kept: number }> {
  const old = yield* pruning.listOld(before);
  const isGoing = new Set(old.map(({ id }) => id));
  let reversible = (yield* pruning.listReversible()).filter((id) => !isGoing.has(id));
  while (reversible.length > 0) {
    for (const id of yield* pruning.listTakenBackBefore(reversible)) isGoing.delete(id);
    const needed = new Set(yield* pruning.listBuiltOn(reversible));
    const kept = old.filter(({ id, status }) => isGoing.has(id) && needed.has(id) && status === "completed");
    for (const { id } of kept) isGoing.delete(id);
    reversible = kept.filter(({ source }) => !isService(source)).map(({ id }) => id);
  }
  return { going: old.filter(({ id }) => isGoing.has(id)), kept: old.length - isGoing.size };
}
