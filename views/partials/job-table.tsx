/** @jsxImportSource @kitajs/html */
import type { GainCounts, Gains } from "../../src/domain/jobs/gains.ts";
import { describeJob } from "../../src/domain/jobs/job-story.ts";
import { describeProgress, describeTrigger } from "../../src/domain/jobs/job-words.ts";
import { isActive, type JobView } from "../../src/domain/jobs/sync-job.ts";
import { getAdvice } from "../job-words.ts";
import type { Labels } from "../../src/domain/jobs/source.ts";
import { capitalise, counted, duration, fromNow, utc } from "../words.ts";
import { JobBadge } from "./badge.tsx";
import { ActionsHeading } from "./actions-heading.tsx";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts.ts";

const COLUMNS = 5;

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
        <th scope="col">State</th>
        <th scope="col">Source</th>
        <th scope="col">Started (UTC)</th>
        <th scope="col" class="took">
          Took
        </th>
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
  const took = job.durationMs ?? (isActive(job) && job.startedAt !== null ? Math.max(0, now - job.startedAt) : null);
  return (
    <>
      <tr id={`job-${job.id}`} class="has-story">
        <td>
          <JobBadge job={job} labels={labels} />
        </td>
        <th scope="row" class="nowrap">
          <span safe>{labels[job.source]}</span>{" "}
          <small class="muted" safe>
            {describeTrigger(job)}
          </small>
        </th>
        <td class="when" data-label="Started">
          <time datetime={new Date(startedAt).toISOString()} title={fromNow(startedAt, now)} safe>
            {utc(startedAt)}
          </time>
        </td>
        <td class="took nowrap" data-label="Took" safe>
          {took === null ? "–" : duration(took)}
        </td>
        <td class="actions">
          <Actions job={job} />
        </td>
      </tr>
      <tr class="story" id={`job-${job.id}-story`}>
        <td class="detail" colspan={COLUMNS}>
          <Story job={job} labels={labels} />
        </td>
      </tr>
    </>
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

const Actions = ({ job }: { job: JobView }) => (
  <>
    <a class="button small-button" data-row="" href={`jobs/${job.id}`} aria-label={`Changes of job ${job.id}`}>
      Changes
    </a>{" "}
    {job.actions.rollback ? (
      <a class="button small-button danger" href={`jobs/${job.id}/rollback`} aria-label={`Roll back job ${job.id}`}>
        Roll back…
      </a>
    ) : job.actions.undo ? (
      <a class="button small-button" href={`jobs/${job.id}/undo`} aria-label={`Undo import ${job.id}`}>
        Undo…
      </a>
    ) : (
      ""
    )}
  </>
);
