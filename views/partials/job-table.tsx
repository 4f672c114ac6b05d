/** @jsxImportSource @kitajs/html */
import type { GainCounts, Gains } from "../../src/domain/jobs/gains.ts";
import { describeJob } from "../../src/domain/jobs/job-story.ts";
import { describeProgress, describeTrigger, nameJob } from "../../src/domain/jobs/job-words.ts";
import { hasChanges, isActive, isWorthRollingBack, type JobView } from "../../src/domain/jobs/sync-job.ts";
import { getAdvice } from "../job-words.ts";
import { capitalise, fromNow } from "../words.ts";
import { JobBadge } from "./badge.tsx";
import { Moment } from "./moment.tsx";
import { ACTIONS, Table } from "./table.tsx";
import { TEXTS } from "../texts/shared.ts";
import { JOB_TEXTS } from "../texts/jobs.ts";

const WORDS = JOB_TEXTS.table;

/** Lists show counts of what was new, the job's page shows names. */
export type ToldJob = JobView & { gains: Gains | GainCounts | null };

interface Props {
  jobs: readonly ToldJob[];
  now: number;
}

/** A table of jobs, newest first, with results and actions. */
export const JobTable = ({ jobs, now }: Props) => (
  <Table
    caption={TEXTS.tables.jobs}
    class="stack jobs"
    rows={jobs}
    row={({ id }) => ({ id: `job-${id}` })}
    columns={[
      { head: WORDS.state, class: "state", markup: (job) => <JobBadge job={job} /> },
      {
        head: WORDS.job,
        isName: true,
        class: "name",
        markup: (job) => (
          <>
            <a data-row="" href={`jobs/${job.id}`} safe>
              {nameJob(job)}
            </a>{" "}
            <small class="muted" safe>
              {job.source === "feed" ? "" : describeTrigger(job)}
            </small>
          </>
        ),
      },
      {
        head: WORDS.startedUtc,
        label: WORDS.started,
        class: "when",
        markup: ({ startedAt, createdAt }) => (
          <Moment at={startedAt ?? createdAt} title={fromNow(startedAt ?? createdAt, now)} />
        ),
      },
      {
        head: WORDS.result,
        class: "detail full story",
        markup: (job) => <Story job={job} />,
      },
      { ...ACTIONS, markup: (job) => <Actions job={job} /> },
    ]}
  />
);

/**
 * Jobs that started after the list was opened are announced next to it. Adding them would move rows that the user reads
 * or clicks.
 */
export const Newer = ({ count, href }: { count: number; href: string }) => (
  <span class="newer" role="status">
    {count !== 0 && (
      <a href={href} safe>
        {WORDS.newer(count)}
      </a>
    )}
  </span>
);

/** What happened, and what to do if it failed. */
export const Story = ({ job }: { job: ToldJob }) => {
  if (job.rollingBackSince !== null) {
    return <span class="warn-text">{WORDS.rollingBack}</span>;
  }
  if (job.stale) {
    return <span class="warn-text">{WORDS.stuck}</span>;
  }
  if (isActive(job)) {
    const { done = 0, total } = job.progress ?? {};
    return (
      <>
        <span safe>{capitalise(describeProgress(job))}</span>
        {total ? " " : ""}
        {total ? <progress value={done} max={total} aria-label={WORDS.progress}></progress> : ""}
      </>
    );
  }
  if (job.error) {
    const { words, inSettings } = getAdvice({ ...job, error: job.error });
    return (
      <>
        <span class={job.status === "failed" ? "bad-text" : "muted"} safe>
          {job.error.message}
        </span>
        {job.status === "failed" && (
          <>
            {" "}
            {inSettings ? (
              <a href="settings" safe>
                {words}
              </a>
            ) : (
              <span safe>{words}</span>
            )}
          </>
        )}
      </>
    );
  }
  return <span safe>{describeJob(job)}</span>;
};

/** Only what can be done, and changes something. */
const Actions = ({ job }: { job: JobView }) => {
  const name = WORDS.named(nameJob(job), job.id);
  if (isWorthRollingBack(job)) {
    return (
      <a class="button small-button" href={`jobs/${job.id}/rollback`} aria-label={WORDS.rollBackLabel(name)}>
        {WORDS.rollBack}
      </a>
    );
  }
  return job.actions.undo && hasChanges(job.stats) ? (
    <a class="button small-button" href={`jobs/${job.id}/undo`} aria-label={WORDS.undoLabel(name)}>
      {WORDS.undo}
    </a>
  ) : (
    ""
  );
};
