import { STATE_WORDS } from "../../domain/jobs/job-words.ts";
import { LABELS } from "../../domain/origins/labels.ts";
import { isStale } from "../../domain/jobs/sync-job.ts";
import { formatCount } from "../../kernel/number-text.ts";
import * as health from "../../storage/engine/health.ts";
import * as workers from "../../storage/jobs/workers.ts";
import { isDead } from "../../sync/job/worker.ts";
import type { World } from "../../world.ts";
import { formatMoment } from "../../kernel/time-text.ts";
import { createFindings, listSome, type Finding } from "../diagnostic.ts";

/** Checks for jobs without a worker, and for the remains of failed ones. */
export const checkJobs = async ({ db, clock }: Pick<World, "db" | "clock">): Promise<Finding[]> => {
  const say = createFindings("jobs");
  const now = clock();
  const [active, failed, known, rollingBack] = await db.read(function* () {
    return [
      yield* health.activeJobs(),
      yield* health.failedWithChanges(),
      yield* workers.list(now),
      yield* health.rollingBack(),
    ] as const;
  });
  const dead = known.filter(isDead);
  const isLeft = ({ status, workerId }: health.ActiveJob) =>
    dead.some(({ id }) => id === workerId) || (workerId === null && status === "running");
  const findings: Finding[] = [];
  for (const job of active) {
    const what = `Job ${job.id} of ${job.username} (${LABELS[job.source]}), ${STATE_WORDS[job.status]} since ${formatMoment(job.createdAt)},`;
    if (isLeft(job)) findings.push(say.warn(`${what} has lost the program that ran it.`, `qsolog rollback ${job.id}`));
    else if (isStale(job, now)) findings.push(say.warn(`${what} is stuck.`, `qsolog rollback ${job.id}`));
  }
  for (const { id, host, pid, beatAt } of dead) {
    if (active.some(({ workerId }) => workerId === id)) continue;
    const words = `A program that ran jobs is gone: process ${pid} on ${host}, last seen ${formatMoment(beatAt)}.`;
    findings.push(say.note(words, "qsolog serve   (cleans up; every sync does too)"));
  }
  for (const { id, username, since } of rollingBack) {
    const words = `Job ${id} of ${username} has been rolling back since ${formatMoment(since)}.`;
    findings.push(say.note(words, "qsolog serve   (continues it; every sync does too)"));
  }
  if (failed.length > 0) {
    const words = `${formatCount(failed.length, "failed job")} left changes in the logs: ${listSome(failed)}.`;
    findings.push(say.note(words, `qsolog rollback ${failed[0]} --dry-run`));
  }
  return findings.length > 0 ? findings : [say.ok(`${formatCount(active.length, "job")} running, none of them stuck.`)];
};
