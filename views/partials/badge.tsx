/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../src/domain/origins/labels.ts";
import { describeJob } from "../../src/domain/jobs/job-story.ts";
import { describeState } from "../../src/domain/jobs/job-words.ts";
import { isActive, type JobView } from "../../src/domain/jobs/sync-job.ts";
import { TEXTS } from "../texts/shared.ts";
import { Icon, type IconName } from "./icon.tsx";

export type BadgeKind = "good" | "warn" | "bad" | "busy" | "idle" | "new" | "slot";

const ICONS: Record<BadgeKind, IconName | null> = {
  good: "check",
  warn: "warning",
  bad: "cross",
  busy: "sync",
  idle: null,
  new: "star",
  slot: null,
};

interface BadgeProps {
  kind: BadgeKind;
  words: string;
  icon?: IconName | null;
}

/** A state with a sign and a word; colour only repeats it. */
export const Badge = ({ kind, words, icon = ICONS[kind] }: BadgeProps) => (
  <span class={`badge ${kind}`}>
    {icon !== null && <Icon name={icon} />}
    <span safe>{words}</span>
  </span>
);

const STATES: Record<JobView["status"], readonly [BadgeKind, IconName?]> = {
  pending: ["idle", "clock"],
  running: ["busy"],
  completed: ["good"],
  failed: ["bad"],
  cancelled: ["idle", "undo"],
};

interface JobBadgeProps {
  job: Parameters<typeof describeJob>[0] & Pick<JobView, "id" | "stale" | "error" | "rollingBackSince">;
}

/** The state of a job. A change of it is announced as a sentence. */
export const JobBadge = ({ job }: JobBadgeProps) => {
  const [kind, icon] = job.stale || job.rollingBackSince !== null ? (["warn"] as const) : STATES[job.status];
  const story = isActive(job) ? "" : (job.error?.message ?? describeJob(job));
  const words = describeState(job);
  return (
    <span id={`job-${job.id}-state`} data-say={TEXTS.states.jobNow(LABELS[job.source], words, story)}>
      <Badge kind={kind} words={words} {...(icon ? { icon } : {})} />
      {job.dryRun && <small class="muted" safe>{` ${TEXTS.states.dryRun}`}</small>}
    </span>
  );
};
