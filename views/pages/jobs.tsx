/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../src/domain/origins/labels.ts";
import { Live, reloads, WHEN_CHANGED } from "../partials/live.tsx";
import { STATE_WORDS } from "../../src/domain/jobs/job-words.ts";
import { isUnderWay } from "../../src/domain/jobs/sync-job.ts";
import { JobTable, Newer, type ToldJob } from "../partials/job-table.tsx";
import { More } from "../partials/pager.tsx";
import { Choice } from "../form.tsx";
import { JOB_TEXTS } from "../texts/jobs.ts";

const WORDS = JOB_TEXTS.list;

interface JobsProps {
  jobs: readonly ToldJob[];
  /** The number of jobs that started since the page was opened. */
  newer: number;
  active: number;
  filter: { source?: string; status?: string };
  /** The query of this page and of the next one. */
  here: string;
  next: string | null;
  now: number;
}

const STATES = [["", WORDS.any] as const, ...Object.entries(STATE_WORDS)];

const polled = (here: string, upTo: number | undefined): string =>
  upTo === undefined ? `jobs${here}` : `jobs${here}${here === "" ? "?" : "&"}upTo=${upTo}`;

export const Jobs = ({ jobs, newer, active, filter, here, next, now }: JobsProps) => {
  const isFiltered = Boolean(filter.source || filter.status);
  return (
    <>
      <h1>{WORDS.title}</h1>
      <Live />
      <section
        class="card"
        id="job-list"
        aria-label={WORDS.title}
        {...reloads(
          polled(here, jobs[0]?.id),
          active > 0 || jobs.some(isUnderWay)
            ? `every 2s, ${WHEN_CHANGED}, focus from:window throttle:1s`
            : `${WHEN_CHANGED}, focus from:window throttle:1s`,
        )}
        hx-select="#job-list"
      >
        {(jobs.length !== 0 || isFiltered) && (
          <form class="row" method="get" action="jobs" aria-label={WORDS.filter}>
            <Choice
              form="filter"
              name="source"
              label={WORDS.source}
              options={[["", "any"], ...Object.entries(LABELS)]}
              value={filter.source ?? ""}
            />
            <Choice form="filter" name="status" label={WORDS.state} options={STATES} value={filter.status ?? ""} />
            <button id="filter-go">{WORDS.show}</button>
            <Newer count={newer} href={`jobs${here}`} />
          </form>
        )}
        {jobs.length === 0 ? (
          <p class="empty">{isFiltered ? WORDS.noMatch : WORDS.none}</p>
        ) : (
          <JobTable jobs={jobs} now={now} />
        )}
        <More href={next && `jobs${next}`} words={WORDS.older} />
      </section>
    </>
  );
};
