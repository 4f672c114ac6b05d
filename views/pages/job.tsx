/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { repairInWords } from "../../src/domain/repair-words.ts";
import { UNDO_WORDS } from "./rollback.tsx";
import { COUNT_WORDS, leftRecord, LEFT_OVER, TRIGGER_WORDS } from "../../src/domain/job-words.ts";
import {
  isUnderWay,
  RESOLUTION_WORDS,
  type JobDetail,
  type JobView,
  type Resolution,
} from "../../src/domain/sync-job.ts";
import { Form, type Outcome } from "../form.tsx";
import type { Labels } from "../../src/domain/source.ts";
import { JobBadge } from "../partials/badge.tsx";
import { Change, type ShownChange } from "../partials/change.tsx";
import { Story } from "../partials/job-table.tsx";
import { GainsList } from "../partials/gains.tsx";
import { duration, grouped, utc } from "../words.ts";

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
  nextChanges: string | null;
  nextLeftovers: string | null;
  /** Which part of the lists is shown, as a query. */
  here: string;
  takenBack: string | undefined;
}

/** The first few updates are seen at once. */
const OPENED = 3;

export const Job = ({
  job,
  labels,
  changes,
  leftovers,
  nextChanges,
  nextLeftovers,
  here,
  takenBack,
  done,
  problem,
}: JobProps & Outcome) => (
  <>
    <div class="head">
      <h1>
        Job <span safe>{String(job.id)}</span>
      </h1>
      <a href="jobs">All jobs</a>
    </div>
    {takenBack ? (
      <p class="done" role="status" safe>
        {takenBack}
      </p>
    ) : (
      ""
    )}
    <Summary job={job} labels={labels} />
    <section class="card" id="changes" aria-labelledby="changes-title">
      <h2 id="changes-title">What it changed</h2>
      {changes.length === 0 ? (
        <p class="empty" safe>
          {nothingIn(job)}
        </p>
      ) : (
        changes.map((change, index) => <Change change={change} labels={labels} isOpen={index < OPENED} />)
      )}
      <More next={nextChanges} words="More changes" />
    </section>
    {leftovers.length === 0 ? (
      ""
    ) : (
      <section class="card" id="leftovers" aria-labelledby="leftovers-title">
        <h2 id="leftovers-title">What is {LEFT_OVER}</h2>
        <p class="help">
          Records that could not be matched or read. They are kept, and each later sync tries them again, until you
          dismiss them.
        </p>
        <Form form="dismiss" action={`jobs/${job.id}/dismiss${here}`} problem={problem} section="leftovers">
          {done === "dismissed" ? (
            <p class="done" role="status">
              The record is dismissed: it is not offered again.
            </p>
          ) : (
            ""
          )}
          <Leftovers leftovers={leftovers} />
        </Form>
        <More next={nextLeftovers} words="More leftovers" />
      </section>
    )}
  </>
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

/** While the job is under way its figures are asked for again; afterwards not. */
const Summary = ({ job, labels }: Pick<JobProps, "job" | "labels">) => {
  const { stats, reasons } = job;
  const polls = isUnderWay(job)
    ? {
        "hx-get": `jobs/${job.id}`,
        "hx-trigger": "every 2s",
        "hx-target": "this",
        "hx-select": "#job-summary",
        "hx-swap": "outerMorph",
      }
    : {};
  const known = [
    ...(reasons.repeated > 0
      ? [`${grouped(reasons.repeated)} ${job.source === "file" ? "repeated in the file" : "sent more than once"}`]
      : []),
    ...(reasons.deleted > 0 ? [`${grouped(reasons.deleted)} deleted by you`] : []),
  ].join(", ");
  return (
    <section class="card" id="job-summary" aria-label="Summary" {...polls}>
      <p>
        <JobBadge job={job} /> <b safe>{labels[job.source]}</b>{" "}
        <span class="muted" safe>
          {TRIGGER_WORDS[job.trigger]}
        </span>
      </p>
      <p class="detail">
        <Story job={job} />
      </p>
      {job.repair ? <p safe>{repairInWords(job.repair.change, labels)}</p> : ""}
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

const nothingIn = ({ dryRun, prunedAt }: JobView): string => {
  if (prunedAt !== null) return "Its change records were removed to save space.";
  return dryRun ? "A dry run changes nothing." : "Nothing.";
};

/** The button, or why there is none. */
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
    <p class="muted" safe>
      {job.actions.undoReason ?? ""}
    </p>
  );
};

const Leftovers = ({ leftovers }: { leftovers: readonly ShownLeftover[] }) => (
  <table class="stack">
    <thead>
      <tr>
        <th scope="col">Kind</th>
        <th scope="col">Record</th>
        <th scope="col">Why</th>
        <th scope="col">
          <span class="hidden">Dismiss</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {leftovers.map(({ id, kind, reason, record, candidates, resolution, actions }) => (
        <tr>
          <td safe>{COUNT_WORDS[kind]}</td>
          <td class="full detail mono" safe>
            {leftRecord(record)}
          </td>
          <td class="full detail">
            <span safe>{reason}</span>
            {candidates
              .filter((qsoId) => qsoId > 0)
              .map((qsoId, index) => (
                <>
                  {index === 0 ? ": " : ", "}
                  <a href={`log/${qsoId}`}>QSO {qsoId}</a>
                </>
              ))}
          </td>
          <td class="actions">
            {actions.dismiss ? (
              <button
                class="quiet small-button"
                name="leftover"
                value={String(id)}
                aria-label={`Dismiss ${leftRecord(record)}`}
              >
                Dismiss
              </button>
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
