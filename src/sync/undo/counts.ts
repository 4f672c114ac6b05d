import type { Layers } from "../../domain/contact/layers.ts";
import type { ConfirmedColumn } from "../../domain/origins/origin.ts";
import { getConfirmations, ORIGIN_OF } from "../../domain/origins/origins.ts";
import type { LaterJob } from "../../domain/jobs/rollback-words.ts";
import type { Service } from "../../domain/jobs/source.ts";
import type { OthersChange } from "../../storage/log/qso-changes.ts";
import type { ContactPlan } from "./plan.ts";

export interface RollbackCounts {
  deleted: number;
  restored: number;
  /** How many values of others are kept. */
  kept: number;
  /** Later completed jobs that lose changes with this rollback. */
  later: LaterJob[];
}

export const NO_COUNTS: RollbackCounts = Object.freeze({ deleted: 0, restored: 0, kept: 0, later: [] });

export const addCounts = (soFar: RollbackCounts, plans: readonly ContactPlan[]): RollbackCounts => {
  const gone = plans.filter(({ left }) => left === null).length;
  const staying = plans.filter(({ stays }) => stays).length;
  const later = new Map(soFar.later.map((job) => [job.jobId, { ...job }]));
  for (const plan of plans) {
    const completed = plan.takenFromOthers.filter(({ status }) => status === "completed");
    for (const [jobId, changes] of Map.groupBy(completed, (change) => change.jobId)) {
      const { source } = changes[0]!;
      const job = later.get(jobId) ?? { jobId, source, deleted: 0, restored: 0, confirmations: 0 };
      job[plan.left === null ? "deleted" : "restored"] += 1;
      if (changes.some((change) => isUnconfirmed(change, plan))) job.confirmations += 1;
      later.set(jobId, job);
    }
  }
  return {
    deleted: soFar.deleted + gone,
    restored: soFar.restored + plans.length - gone - staying,
    kept: soFar.kept + plans.reduce((sum, { kept }) => sum + kept.length, 0),
    later: [...later.values()].sort((a, b) => a.jobId - b.jobId),
  };
};

const isUnconfirmed = ({ source, before, after }: OthersChange, { qso, left }: ContactPlan): boolean =>
  ORIGIN_OF[source].confirms.some(
    (name) => confirms(after, name) && !confirms(before, name) && qso?.[name] === true && left?.[name] !== true,
  );

const confirms = (said: Layers | null, name: ConfirmedColumn): boolean =>
  said !== null && getConfirmations(said)[name.slice(0, -"Confirmed".length) as Service | "card"].confirmed;
