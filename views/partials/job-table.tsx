/** @jsxImportSource @kitajs/html */
import type { GainCounts, Gains } from "../../src/domain/jobs/gains.ts";
import { describeJob } from "../../src/domain/jobs/job-story.ts";
import { describeProgress, describeTrigger, nameJob } from "../../src/domain/jobs/job-words.ts";
import { hasChanges, isActive, isWorthRollingBack, type JobView } from "../../src/domain/jobs/sync-job.ts";
import { getAdvice } from "../job-words.ts";
import type { Labels } from "../../src/domain/jobs/source.ts";
import { capitalise, counted, fromNow, utc } from "../words.ts";
import { JobBadge } from "./badge.tsx";
import { ActionsHeading } from "./actions-heading.tsx";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";

/** Lists show counts of what was new, the job's page shows names. */
export type ToldJob = JobView & { gains: Gains | GainCounts | null };

interface Props {
  jobs: readonly ToldJob[];
  labels: Labels;
  now: number;
}

/** A table of jobs, newest first, with results and actions. */
export const JobTable = ({ jobs, labels, now }: Props) => (
  <table class="stack jobs">
    <Caption words={TEXTS.tables.jobs} />
    <thead>
      <tr>
        <th scope="col" class="state">
          State
        </th>
        <th scope="col" class="name">
          Job
        </th>
        <th scope="col" class="when">
          Started (UTC)
        </th>
        <th scope="col">Result</th>
        <ActionsHeading />
      </tr>
    </thead>
    <tbody>
      {jobs.map((job) => (
        <Row job={job} labels={labels} now={now} />
      ))}
    </tbody>
  </table>
);

/**
 * Jobs that started after the list was opened are announced next to it. Adding them would move rows that the user reads
 * or clicks.
 */
export const Newer = ({ count, href }: { count: number; href: string }) => (
  <span class="newer" role="status">
    {count === 0 ? (
      ""
    ) : (
      <a href={href} safe>
        {counted(count, "newer job")}
      </a>
    )}
  </span>
);

const Row = ({ job, labels, now }: { job: ToldJob; labels: Labels; now: number }) => {
  const startedAt = job.startedAt ?? job.createdAt;
  return (
    <tr id={`job-${job.id}`}>
      <td class="state">
        <JobBadge job={job} labels={labels} />
      </td>
      <th scope="row" class="name">
        <a data-row="" href={`jobs/${job.id}`} safe>
          {nameJob(job, labels)}
        </a>{" "}
        <small class="muted" safe>
          {job.source === "feed" ? "" : describeTrigger(job)}
        </small>
      </th>
      <td class="when" data-label="Started">
        <time datetime={new Date(startedAt).toISOString()} title={fromNow(startedAt, now)} safe>
          {utc(startedAt)}
        </time>
      </td>
      <td class="detail full story" id={`job-${job.id}-story`}>
        <Story job={job} labels={labels} />
      </td>
      <td class="actions">
        <Actions job={job} labels={labels} />
      </td>
    </tr>
  );
};

/** What happened, and what to do if it failed. */
export const Story = ({ job, labels }: { job: ToldJob; labels: Labels }) => {
  if (job.rollingBackSince !== null) {
    return <span class="warn-text">Being rolled back. Syncs and imports can start when this has finished.</span>;
  }
  if (job.stale) {
    return <span class="warn-text">Stuck for over an hour. Roll it back?</span>;
  }
  if (isActive(job)) {
    const { done = 0, total } = job.progress ?? {};
    return (
      <>
        <span safe>{capitalise(describeProgress(job))}</span>
        {total ? " " : ""}
        {total ? <progress value={done} max={total} aria-label="Progress"></progress> : ""}
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
        {job.status !== "failed" ? (
          ""
        ) : (
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
  return <span safe>{describeJob(job, labels)}</span>;
};

/** Only what can be done, and changes something. */
const Actions = ({ job, labels }: { job: JobView; labels: Labels }) => {
  const name = `${nameJob(job, labels)}, job ${job.id}`;
  if (isWorthRollingBack(job)) {
    return (
      <a class="button small-button" href={`jobs/${job.id}/rollback`} aria-label={`Roll back… ${name}`}>
        Roll back…
      </a>
    );
  }
  return job.actions.undo && hasChanges(job.stats) ? (
    <a class="button small-button" href={`jobs/${job.id}/undo`} aria-label={`Undo… ${name}`}>
      Undo…
    </a>
  ) : (
    ""
  );
};
