import type { CallFacts } from "../../src/domain/radio/call-facts.ts";
import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import { NO_LAYERS, sameLayers, saySame, type Layers } from "../../src/domain/contact/layers.ts";
import { ORIGIN_OF } from "../../src/domain/origins/origins.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import { buildLayers, listRecords, getSlot } from "../../src/domain/contact/records.ts";
import { isService } from "../../src/domain/jobs/source.ts";
import type { SyncJob } from "../../src/domain/jobs/sync-job.ts";
import { removeTakenBack, type PastChange } from "../../src/domain/contact/taken-back.ts";
import * as jobRepeats from "../../src/storage/jobs/job-repeats.ts";
import * as qsoChanges from "../../src/storage/log/qso-changes.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import * as records from "../../src/storage/log/records.ts";
import type { Unit } from "../../src/storage/engine/unit.ts";

/** A reference implementation of rollback: undoes one change after the other, newest first. Writes nothing. */
export function* logAfterRollback(job: SyncJob, log: readonly Qso[], facts: CallFacts): Unit<Qso[]> {
  const left = new Map(log.map((qso) => [qso.id, qso]));
  const changes = (yield* qsoChanges.list(job.id, { afterId: 0, limit: 10_000 })).changes.reverse();
  if (job.source === "file") return yield* logWithoutFile(job, log, changes, facts);
  for (const { qsoId, before, after } of changes) {
    const qso = left.get(qsoId);
    if (!qso || !after) continue;
    if (before === null) {
      left.delete(qsoId);
      continue;
    }
    const names = { id: qsoId, userId: job.userId };
    if (sameLayers(qsos.getLayers(qso), qsos.getLayers(after!))) {
      left.set(qsoId, { ...qsoChanges.buildSnapshot(before, facts), ...names });
      continue;
    }
    const said = qsos.getLayers(qso);
    const own = isService(job.source) ? said.own : removeTakenBack(said, yield* pastOf(job, qsoId)).own;
    const layers = ORIGIN_OF[job.source].takeBack({ ...said, own }, before, after!);
    const restored = contactFrom(qso, layers, facts) ?? qsoChanges.buildSnapshot(before, facts);
    left.set(qsoId, { ...restored, ...names });
  }
  return [...left.values()];
}

const contactFrom = (qso: Qso, layers: Layers, facts: CallFacts): Qso | null => {
  const derived = derive(layers, facts);
  return derived && { ...qso, ...derived, ...layers, rulesVersion: RULES_VERSION };
};

/** The changes of a contact, with the job marked as rolled back. */
function* pastOf(job: SyncJob, qsoId: number): Unit<PastChange[]> {
  return (yield* qsoChanges.loadStories(job.id, [qsoId])).get(qsoId)!.all;
}

/** Removes the records of a file, unless another file gave them too. A contact is removed with its last file record. */
function* logWithoutFile(
  job: SyncJob,
  log: readonly Qso[],
  changes: readonly qsoChanges.Change[],
  facts: CallFacts,
): Unit<Qso[]> {
  const given = yield* records.listGivenBy(
    job.id,
    log.map(({ id }) => id),
  );
  const again = yield* jobRepeats.find(
    job.userId,
    job.id,
    given.map(({ id }) => id),
  );
  return log.flatMap((qso) => {
    const going = given.filter(({ id, qsoId }) => qsoId === qso.id && !again.has(id)).map(({ slot }) => slot);
    if (going.length === 0) return qso;
    const said = qsos.getLayers(qso);
    const kept = listRecords({ ...NO_LAYERS, own: said.own }).filter((named) => !going.includes(getSlot(named)));
    const { own } = buildLayers(kept);
    const change = changes.find(({ qsoId }) => qsoId === qso.id);
    if (change?.before === null && !kept.some(({ origin }) => origin === "file")) return [];
    const names = { id: qso.id, userId: job.userId };
    const layers = { ...said, own };
    const isAsBefore = change?.before && saySame(layers, qsos.getLayers(change.before));
    if (isAsBefore && saySame(said, qsos.getLayers(change.after!)))
      return { ...qsoChanges.buildSnapshot(change.before!, facts), ...names, own };
    return contactFrom(qso, layers, facts)!;
  });
}
