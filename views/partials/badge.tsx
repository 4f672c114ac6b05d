/** @jsxImportSource @kitajs/html */
import { describeState } from "../../src/domain/jobs/job-words.ts";
import type { JobView } from "../../src/domain/jobs/sync-job.ts";

type Kind = "good" | "warn" | "bad" | "busy" | "idle";

/** A state with a sign and a word; colour only repeats it. */
export const Badge = ({ kind, sign, words }: { kind: Kind; sign: string; words: string }) => (
  <span class={`badge ${kind}`} data-sign={sign} safe>
    {words}
  </span>
);

const STATES: Record<JobView["status"], readonly [Kind, string]> = {
  pending: ["idle", "…"],
  running: ["busy", "●"],
  completed: ["good", "✓"],
  failed: ["bad", "✕"],
  cancelled: ["idle", "↶"],
};

/** Announces each change of a job's state to screen readers. */
export const JobBadge = ({
  job,
}: {
  job: Pick<JobView, "id" | "status" | "stale" | "dryRun" | "rollingBackSince">;
}) => {
  const needsCare = job.stale || job.rollingBackSince !== null;
  const [kind, sign] = needsCare ? (["warn", "!"] as const) : STATES[job.status];
  return (
    <span id={`job-${job.id}-state`} aria-live="polite">
      <Badge kind={kind} sign={sign} words={describeState(job)} />
      {job.dryRun ? <small class="muted"> dry run</small> : ""}
    </span>
  );
};
