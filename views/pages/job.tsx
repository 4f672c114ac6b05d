/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { describeRepair } from "../../src/domain/jobs/repair-words.ts";
import { UNDO_WORDS } from "./rollback.tsx";
import {
  NOTHING_IN,
  describePart,
  STORY_PARTS,
  type Chapter,
  type StoryPart,
} from "../../src/domain/jobs/job-story.ts";
import { COUNT_WORDS, describeLeftRecord, describeTrigger } from "../../src/domain/jobs/job-words.ts";
import {
  isActive,
  isUnderWay,
  RESOLUTION_WORDS,
  type JobDetail,
  type JobView,
  type Resolution,
} from "../../src/domain/jobs/sync-job.ts";
import { describeContact as inWords, type NamedContact } from "../../src/domain/contact/named-contact.ts";
import { Form, type Outcome } from "../form.tsx";
import { isService, type Labels } from "../../src/domain/jobs/source.ts";
import { JobBadge } from "../partials/badge.tsx";
import { Change, type ShownChange } from "../partials/change.tsx";
import { Story } from "../partials/job-table.tsx";
import { GainsList } from "../partials/gains.tsx";
import { reloads } from "../partials/live.tsx";
import { duration, grouped, utc } from "../words.ts";
import { Caption } from "../partials/caption.tsx";
import { TEXTS } from "../texts.ts";

export interface ShownLeftover {
  id: number;
  kind: "unmatched" | "rejected";
  reason: string;
  record: Readonly<Record<string, string>>;
  candidates: readonly number[];
  resolution: Resolution | null;
  actions: { dismiss: boolean };
}

export interface JobProps {
  job: JobDetail;
  labels: Labels;
  changes: readonly ShownChange[];
  leftovers: readonly ShownLeftover[];
  /** The contacts that the record could mean. */
  candidates: readonly NamedContact[];
  nextChanges: string | null;
  nextLeftovers: string | null;
  /** The tab and page as a query. */
  here: string;
  tab: StoryPart;
  takenBack: string | undefined;
}

/** Everything that changes while the job runs is polled until it ends. */
export const Job = (props: JobProps & Outcome) => {
  const { job, labels, takenBack, tab, here } = props;
  const polls = isUnderWay(job) ? { ...reloads(`jobs/${job.id}${here}`, "every 2s"), "hx-select": "#job-story" } : {};
  return (
    <>
      <div class="head">
        <h1>
          Job <span safe>{String(job.id)}</span>
        </h1>
        <a href="jobs">All jobs</a>
      </div>
      {takenBack ? (
        <p class="done" data-say="" safe>
          {takenBack}
        </p>
      ) : (
        ""
      )}
      <div id="job-story" class="board" {...polls}>
        <Summary job={job} labels={labels} />
        <nav class="tabs" aria-label="Changes">
          {STORY_PARTS.map((one) => (
            <a href={`jobs/${job.id}?tab=${one.part}`} aria-current={one.part === tab ? "page" : undefined} safe>
              {describePart(one, job.stats)}
            </a>
          ))}
        </nav>
        {tab === "left" ? <LeftOver {...props} /> : <Changes {...props} tab={tab} />}
      </div>
    </>
  );
};

const Changes = ({ job, changes, labels, tab, nextChanges }: JobProps & { tab: Chapter }) => (
  <section class="card" id="changes" aria-label={STORY_PARTS.find(({ part }) => part === tab)!.name}>
    {changes.length === 0 ? (
      <p class="empty">{nextChanges === null ? describeEmpty(job, tab) : "No match on this page. Keep looking?"}</p>
    ) : (
      changes.map((change) => <Change change={change} labels={labels} />)
    )}
    <More next={nextChanges} words={changes.length === 0 ? "Keep looking" : "More"} />
  </section>
);

const LeftOver = ({ job, leftovers, candidates, nextLeftovers, here, done, problem }: JobProps & Outcome) => (
  <section class="card" id="leftovers" aria-label="Unresolved records">
    {leftovers.length === 0 && done !== "dismissed" ? (
      <p class="empty" safe>
        {NOTHING_IN.left}
      </p>
    ) : (
      <>
        <p class="help">
          qsolog could not place these records. It retries them with every sync. Decide yourself, or dismiss them.
          {isService(job.source) ? (
            <>
              {" "}
              <a href="reconcile?class=leftovers">Show all</a>
            </>
          ) : (
            ""
          )}
        </p>
        <Form form="settle" action={`jobs/${job.id}/settle${here}`} problem={problem} />
        <Form form="dismiss" action={`jobs/${job.id}/dismiss${here}`} problem={problem} section="leftovers">
          {done === "dismissed" ? (
            <p class="done" data-say="">
              Record dismissed.
            </p>
          ) : (
            ""
          )}
          <Leftovers leftovers={leftovers} candidates={candidates} />
        </Form>
        <More next={nextLeftovers} words="More" />
      </>
    )}
  </section>
);

const COUNTS = [
  "fetched",
  "added",
  "updated",
  "deleted",
  "newlyConfirmed",
  "unchanged",
  "unmatched",
  "rejected",
] as const;

const Summary = ({ job, labels }: Pick<JobProps, "job" | "labels">) => {
  const { stats, reasons } = job;
  const known = [
    ...(reasons.repeated > 0
      ? [`${grouped(reasons.repeated)} ${job.source === "file" ? "repeated in the file" : "sent more than once"}`]
      : []),
    ...(reasons.deleted > 0 ? [`${grouped(reasons.deleted)} deleted by you`] : []),
  ].join(", ");
  return (
    <section class="card" id="job-summary" aria-label="Summary">
      <p>
        <JobBadge job={job} labels={labels} /> <b safe>{labels[job.source]}</b>{" "}
        <span class="muted" safe>
          {describeTrigger(job)}
        </span>
      </p>
      <p class="detail story-line">
        <Story job={job} labels={labels} />
      </p>
      {job.repair ? <p safe>{describeRepair(job.repair.change, labels)}</p> : ""}
      <dl class="figures">
        {COUNTS.filter((name) => name !== "deleted" || stats.deleted > 0).map((name) => (
          <Figure
            name={COUNT_WORDS[name] + (name === "unchanged" && known !== "" ? ` (${known})` : "")}
            value={stats[name]}
          />
        ))}
      </dl>
      <GainsList gains={job.gains === null ? [] : [job.gains]} />
      <dl class="facts">
        <dt>Requested</dt>
        <dd safe>{`${utc(job.createdAt)} UTC`}</dd>
        {job.finishedAt === null ? (
          ""
        ) : (
          <>
            <dt>Finished</dt>
            <dd safe>
              {`${utc(job.finishedAt)} UTC${job.durationMs === null ? "" : `, took ${duration(job.durationMs)}`}`}
            </dd>
          </>
        )}
        {job.rolledBackAt === null ? (
          ""
        ) : (
          <>
            <dt>Rolled back</dt>
            <dd safe>{`${utc(job.rolledBackAt)} UTC`}</dd>
          </>
        )}
      </dl>
      <WayBack job={job} />
    </section>
  );
};

const Figure = ({ name, value }: { name: string; value: number }) => (
  <div>
    <dt safe>{name}</dt>
    <dd safe>{grouped(value)}</dd>
  </div>
);

const describeEmpty = (job: JobDetail, tab: Chapter): string => {
  const { dryRun, prunedAt, status } = job;
  if (status === "pending" || status === "running") return "No changes yet.";
  if (prunedAt !== null) return "The change records of this job were removed to save space.";
  if (dryRun) return "A dry run changes nothing.";
  return NOTHING_IN[tab];
};

/** The rollback button, or why there is none. */
const WayBack = ({ job }: { job: JobView }) => {
  if (job.actions.rollback) {
    return (
      <p>
        <a class="button danger" href={`jobs/${job.id}/rollback`}>
          Roll back…
        </a>
      </p>
    );
  }
  if (job.actions.undo) {
    return (
      <p>
        <a class="button" href={`jobs/${job.id}/undo`} safe>
          {`${UNDO_WORDS[job.source]}…`}
        </a>
      </p>
    );
  }
  return (
    <>
      {job.status === "completed" && job.prunedAt !== null && !isService(job.source) ? (
        <p class="muted" safe>
          {job.actions.undoReason ?? ""}
        </p>
      ) : (
        ""
      )}
      {isActive(job) ? (
        <form method="post" action={`jobs/${job.id}/stop`}>
          <button id="job-stop">Stop</button>
        </form>
      ) : (
        ""
      )}
    </>
  );
};

const Leftovers = ({ leftovers, candidates: known }: Pick<JobProps, "leftovers" | "candidates">) => (
  <table class="stack">
    <Caption words={TEXTS.tables.unresolved} />
    <thead>
      <tr>
        <th scope="col">Kind</th>
        <th scope="col">Record</th>
        <th scope="col">Why</th>
        <th scope="col">
          <span class="hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {leftovers.map(({ id, kind, reason, record, candidates, resolution, actions }) => (
        <tr>
          <td safe>{COUNT_WORDS[kind]}</td>
          <th scope="row" class="full detail mono" safe>
            {describeLeftRecord(record)}
          </th>
          <td class="full detail">
            <span safe>{reason}</span>
            {known
              .filter((contact) => candidates.includes(contact.id))
              .map((contact) => (
                <p>
                  <a class="call" href={`log/${contact.id}`} safe>
                    {contact.call}
                  </a>{" "}
                  <span class="muted" safe>
                    {inWords(contact)}
                  </span>{" "}
                  {actions.dismiss ? (
                    <Settle
                      leftover={id}
                      act={`match-${contact.id}`}
                      says={`Match with ${contact.call} ${inWords(contact)}: ${describeLeftRecord(record)}`}
                    >
                      Match
                    </Settle>
                  ) : (
                    ""
                  )}
                </p>
              ))}
          </td>
          <td class="actions">
            {actions.dismiss ? (
              <>
                {kind === "unmatched" ? (
                  <Settle leftover={id} act="new" says={`Add as new QSO: ${describeLeftRecord(record)}`}>
                    Add as new QSO
                  </Settle>
                ) : (
                  ""
                )}{" "}
                <button
                  class="quiet small-button"
                  name="leftover"
                  value={String(id)}
                  aria-label={`Dismiss ${describeLeftRecord(record)}`}
                >
                  Dismiss
                </button>
              </>
            ) : (
              <span class="muted" safe>
                {resolution === null || resolution === "dry_run" ? "" : RESOLUTION_WORDS[resolution]}
              </span>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Settling starts a job and dismissing does not, so the button belongs to a form of its own. */
const Settle = ({
  leftover,
  act,
  says,
  children,
}: PropsWithChildren<{ leftover: number; act: string; says: string }>) => (
  <button class="small-button" form="settle" name="settle" value={`${leftover} ${act}`} aria-label={says}>
    {children as "safe"}
  </button>
);

const More = ({ next, words }: { next: string | null; words: string }) =>
  next === null ? (
    ""
  ) : (
    <p>
      <a class="button" href={next} safe>
        {words}
      </a>
    </p>
  );
