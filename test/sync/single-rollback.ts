import type { CallFacts } from "../../src/domain/call-facts.ts";
import { derive, RULES_VERSION } from "../../src/domain/derive.ts";
import { sameLayers } from "../../src/domain/layers.ts";
import { ORIGIN_OF } from "../../src/domain/origins/origins.ts";
import type { Qso } from "../../src/domain/qso.ts";
import { isService } from "../../src/domain/source.ts";
import type { SyncJob } from "../../src/domain/sync-job.ts";
import { withoutTakenBack, type PastChange } from "../../src/domain/taken-back.ts";
import * as jobRepeats from "../../src/storage/job-repeats.ts";
import * as qsoChanges from "../../src/storage/qso-changes.ts";
import * as qsos from "../../src/storage/qsos.ts";
import type { Unit } from "../../src/storage/unit.ts";

/**
 * The log as it is after a rollback, told in the plainest way: one change after the other, the newest first, each on what
 * the one before has left. Nothing is written.
 */
export function* logAfterRollback(job: SyncJob, log: readonly Qso[], facts: CallFacts): Unit<Qso[]> {
  const left = new Map(log.map((qso) => [qso.id, qso]));
  const changes = (yield* qsoChanges.list(job.id, 0, 10_000)).reverse();
  const stays = job.source === "file" ? yield* toldByOthers(job, changes, facts) : new Set<number>();
  for (const { qsoId, before, after } of changes) {
    const qso = left.get(qsoId);
    if (!qso || !after || stays.has(qsoId)) continue;
    if (before === null) {
      left.delete(qsoId);
      continue;
    }
    const names = { id: qsoId, userId: job.userId };
    if (sameLayers(qsos.layersOf(qso), qsos.layersOf(after!))) {
      left.set(qsoId, { ...qsoChanges.snapshotFrom(before, facts), ...names });
      continue;
    }
    const said = qsos.layersOf(qso);
    const own = isService(job.source) ? said.own : withoutTakenBack(said, yield* pastOf(job, qsoId)).own;
    const layers = ORIGIN_OF[job.source].takeBack({ ...said, own }, before, after!);
    const derived = derive(layers, facts);
    const restored = derived
      ? { ...qso, ...derived, ...layers, rulesVersion: RULES_VERSION }
      : qsoChanges.snapshotFrom(before, facts);
    left.set(qsoId, { ...restored, ...names });
  }
  return [...left.values()];
}

/** What happened to a contact, with the job as taken back. */
function* pastOf(job: SyncJob, qsoId: number): Unit<PastChange[]> {
  return (yield* qsoChanges.storiesOf(job.id, [qsoId])).get(qsoId)!.all;
}

/** The contacts that another import told as a whole, or of which it told anything where this one added them. */
function* toldByOthers(job: SyncJob, changes: readonly qsoChanges.Change[], facts: CallFacts): Unit<Set<number>> {
  const ids = [...new Set(changes.map(({ qsoId }) => qsoId))];
  const repeats = yield* jobRepeats.find(
    job.userId,
    job.id,
    new Map(ids.map((id) => [id, changes.findLast(({ qsoId }) => qsoId === id)!.id])),
  );
  const others = new Map<number, qsoChanges.Passage[]>();
  for (const id of ids) {
    const told = yield* qsoChanges.historyOf(id, facts);
    others.set(
      id,
      told.filter(({ jobId, status }) => jobId !== job.id && status !== "cancelled"),
    );
  }
  return new Set(
    ids.filter((id) => {
      const { id: first, before } = changes.findLast(({ qsoId }) => qsoId === id)!;
      if (repeats.get(id)?.isWhole) return true;
      const later = others.get(id)!.some(({ source, id: own }) => source === "file" && own > first);
      return before === null && (repeats.has(id) || later);
    }),
  );
}
