/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { describeRepair } from "../../src/domain/jobs/repair-words.ts";
import { nameUndo } from "./rollback.tsx";
import { describeJob, NOTHING_IN, STORY_PARTS, type Chapter, type StoryPart } from "../../src/domain/jobs/job-story.ts";
import {
  COUNT_WORDS,
  countLeftOver,
  describeLeftRecord,
  describeTrigger,
  LEFT_OVER,
  nameJob,
} from "../../src/domain/jobs/job-words.ts";
import {
  hasChanges,
  isActive,
  isUnderWay,
  isWorthRollingBack,
  RESOLUTION_WORDS,
  type JobDetail,
  type JobView,
  type Resolution,
} from "../../src/domain/jobs/sync-job.ts";
import { describeContact as inWords, type NamedContact } from "../../src/domain/contact/named-contact.ts";
import { Done, Form, type Outcome } from "../form.tsx";
import { isService } from "../../src/domain/jobs/source.ts";
import { JobBadge } from "../partials/badge.tsx";
import { ChangeTable, type ShownChange } from "../partials/contacts/change.tsx";
import { Story } from "../partials/job-table.tsx";
import { GainsList } from "../partials/gains.tsx";
import { More } from "../partials/pager.tsx";
import { reloads } from "../partials/live.tsx";
import { duration, grouped, utc } from "../words.ts";
import { Figure } from "../partials/figure.tsx";
import { Lead } from "../partials/lead.tsx";
import { Tabs } from "../partials/choices.tsx";
import { ACTIONS, Table } from "../partials/table.tsx";
import { JOB_TEXTS } from "../texts/jobs.ts";
import { CallLink } from "../partials/contacts/call-link.tsx";

const WORDS = JOB_TEXTS.job;

export interface ShownLeftover {
  id: number;
  kind: "unmatched" | "rejected";
  reason: string;
  record: Readonly<Record<string, string>>;
  candidates: readonly number[];
  resolution: Resolution | null;
  actions: { dismiss: boolean };
}

interface JobProps {
  job: JobDetail;
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

/** What a job is, and when it started. */
export const titleJob = (job: JobView): string => WORDS.title(nameJob(job), utc(job.startedAt ?? job.createdAt));

/** Everything that changes while the job runs is polled until it ends. */
export const Job = (props: JobProps & Outcome) => {
  const { job, takenBack, tab, here } = props;
  const polls = isUnderWay(job) ? { ...reloads(`jobs/${job.id}${here}`, "every 2s"), "hx-select": "#job-story" } : {};
  return (
    <>
      <div class="head">
        <h1>
          <span safe>{titleJob(job)}</span>{" "}
          <small class="muted" safe>
            {`#${job.id}`}
          </small>
        </h1>
        <a href="jobs">{WORDS.all}</a>
      </div>
      {takenBack !== undefined && (
        <p class="done" data-say="" tabindex="-1" safe>
          {takenBack}
        </p>
      )}
      <div id="job-story" class="board" {...polls}>
        <Verdict job={job} />
        <Summary job={job} />
        <Tabs
          label={WORDS.changes}
          choices={STORY_PARTS.map(({ part, name, of }) => ({
            words: name,
            count: grouped(of(job.stats)),
            href: `jobs/${job.id}?tab=${part}`,
            isHere: part === tab,
          }))}
        />
        {tab === "left" ? <LeftOver {...props} /> : <Changes {...props} tab={tab} />}
      </div>
    </>
  );
};

/** What happened, in one sentence, and what can be done about it. */
const Verdict = ({ job }: Pick<JobProps, "job">) => {
  const { status, stale, error } = job;
  const name = nameJob(job);
  const action = <WayBack job={job} />;
  if (status === "completed") return <Lead kind="good" title={describeJob(job)} action={action} />;
  if (status === "cancelled") {
    return (
      <Lead kind="info" title={WORDS.rolledBack(name)} action={action}>
        <p>{WORDS.rolledBackNote}</p>
      </Lead>
    );
  }
  const isFailed = status === "failed" && error !== null;
  const title = isFailed ? WORDS.failed(name) : stale ? WORDS.stuck(name) : WORDS.running(name);
  return (
    <Lead kind={isFailed ? "bad" : stale ? "wait" : "info"} title={title} action={action}>
      <p class="story-line">
        <Story job={job} />
      </p>
    </Lead>
  );
};

const Changes = ({ job, changes, tab, nextChanges }: JobProps & { tab: Chapter }) => (
  <section class="card" id="changes" aria-labelledby="changes-title">
    <h2 id="changes-title" class="hidden" safe>
      {STORY_PARTS.find(({ part }) => part === tab)!.name}
    </h2>
    {changes.length === 0 ? (
      <p class="empty">{nextChanges === null ? describeEmpty(job, tab) : WORDS.noMatchHere}</p>
    ) : (
      <ChangeTable changes={changes} />
    )}
    <More href={nextChanges} words={changes.length === 0 ? WORDS.keepLooking : WORDS.more} />
  </section>
);

const LeftOver = ({ job, leftovers, candidates, nextLeftovers, here, done, problem }: JobProps & Outcome) => (
  <section class="card" id="leftovers" aria-label={WORDS.unresolved}>
    {leftovers.length === 0 && done !== "dismissed" ? (
      <p class="empty" safe>
        {NOTHING_IN.left}
      </p>
    ) : (
      <>
        <p class="help">
          {WORDS.aboutUnresolved}
          {isService(job.source) && (
            <>
              {" "}
              <a href="reconcile?class=leftovers">{WORDS.showAll}</a>
            </>
          )}
        </p>
        <Form form="settle" action={`jobs/${job.id}/settle${here}`} problem={problem} />
        <Form form="dismiss" action={`jobs/${job.id}/dismiss${here}`} problem={problem} section="leftovers">
          <Done words={done === "dismissed" ? WORDS.dismissed : undefined} />
          <Leftovers leftovers={leftovers} candidates={candidates} />
        </Form>
        <More href={nextLeftovers} words={WORDS.more} />
      </>
    )}
  </section>
);

/** The records of a job and what became of them. The parts add up to the first number. */
const listParts = ({ stats, reasons, source }: JobDetail): (readonly [count: number, words: string])[] => {
  const known = [
    ...(reasons.repeated > 0
      ? [`${grouped(reasons.repeated)} ${source === "file" ? WORDS.repeatedInFile : WORDS.sentTwice}`]
      : []),
    ...(reasons.deleted > 0 ? [WORDS.deletedByYou(reasons.deleted)] : []),
  ].join(", ");
  return (
    [
      [stats.added, WORDS.new],
      [stats.updated, COUNT_WORDS.updated],
      [stats.deleted, COUNT_WORDS.deleted],
      [stats.unchanged, known === "" ? COUNT_WORDS.unchanged : `${COUNT_WORDS.unchanged} (${known})`],
      [countLeftOver(stats), LEFT_OVER],
    ] as const
  ).filter(([count]) => count > 0);
};

const Summary = ({ job }: Pick<JobProps, "job">) => {
  const { stats } = job;
  const parts = listParts(job);
  const times = [
    describeTrigger(job),
    WORDS.requested(utc(job.createdAt)),
    ...(job.finishedAt === null ? [] : [WORDS.finished(utc(job.finishedAt))]),
    ...(job.durationMs === null ? [] : [WORDS.took(duration(job.durationMs))]),
    ...(job.rolledBackAt === null ? [] : [WORDS.rolledBackAt(utc(job.rolledBackAt))]),
  ];
  return (
    <section class="card" id="job-summary" aria-label={WORDS.summary}>
      {parts.length !== 0 && (
        <dl class="figures equation">
          <Figure name={stats.fetched === 1 ? WORDS.record : WORDS.records} value={grouped(stats.fetched)} />
          {parts.map(([count, words]) => (
            <Figure name={words} value={grouped(count)} />
          ))}
        </dl>
      )}
      {stats.newlyConfirmed !== 0 && <p safe>{WORDS.newlyConfirmed(stats.newlyConfirmed)}</p>}
      {job.repair !== null && <p safe>{describeRepair(job.repair.change)}</p>}
      <GainsList gains={job.gains === null ? [] : [job.gains]} />
      <p class="muted">
        <JobBadge job={job} />{" "}
        {times.map((words, at) => (
          <>
            <span class="nowrap" safe>
              {at === times.length - 1 ? words : `${words},`}
            </span>{" "}
          </>
        ))}
      </p>
    </section>
  );
};

const describeEmpty = (job: JobDetail, tab: Chapter): string => {
  const { dryRun, prunedAt, status } = job;
  if (status === "pending" || status === "running") return WORDS.noChangesYet;
  if (prunedAt !== null) return WORDS.pruned;
  if (dryRun) return WORDS.dryRun;
  return NOTHING_IN[tab];
};

/** What can be done. A rollback or undo is offered if it would change something. */
const WayBack = ({ job }: { job: JobView }) => {
  const changes = job.stats.added + job.stats.updated + job.stats.deleted;
  return (
    <div class="buttons">
      {job.status === "failed" && isService(job.source) && (
        <form method="post" action={`sync/${job.source}`}>
          <button class="primary" id="sync-again">
            {WORDS.syncAgain}
          </button>
        </form>
      )}
      {isWorthRollingBack(job) && (
        <a class="button danger" href={`jobs/${job.id}/rollback`} safe>
          {changes === 0 ? WORDS.rollBack : WORDS.rollBackChanges(changes)}
        </a>
      )}
      {job.actions.undo && hasChanges(job.stats) && (
        <a class="button" href={`jobs/${job.id}/undo`} safe>
          {`${nameUndo(job)}…`}
        </a>
      )}
      {job.status === "completed" && job.prunedAt !== null && !isService(job.source) && (
        <p class="muted" safe>
          {job.actions.undoReason ?? ""}
        </p>
      )}
      {isActive(job) && (
        <form method="post" action={`jobs/${job.id}/stop`}>
          <button id="job-stop">{WORDS.stop}</button>
        </form>
      )}
    </div>
  );
};

const Leftovers = ({ leftovers, candidates }: Pick<JobProps, "leftovers" | "candidates">) => (
  <Table
    caption={WORDS.unresolved}
    class="stack"
    rows={leftovers}
    columns={[
      { head: WORDS.kind, text: ({ kind }) => COUNT_WORDS[kind] },
      {
        head: WORDS.recordHead,
        isName: true,
        class: "full detail mono",
        text: ({ record }) => describeLeftRecord(record),
      },
      {
        head: WORDS.why,
        class: "full detail",
        markup: (leftover) => (
          <>
            <span safe>{leftover.reason}</span>
            {candidates
              .filter(({ id }) => leftover.candidates.includes(id))
              .map((contact) => (
                <Candidate leftover={leftover} contact={contact} />
              ))}
          </>
        ),
      },
      { ...ACTIONS, markup: (leftover) => <LeftoverActions {...leftover} /> },
    ]}
  />
);

const Candidate = ({ leftover, contact }: { leftover: ShownLeftover; contact: NamedContact }) => (
  <p>
    <CallLink id={contact.id} call={contact.call} />{" "}
    <span class="muted" safe>
      {inWords(contact)}
    </span>{" "}
    {leftover.actions.dismiss && (
      <Settle
        leftover={leftover.id}
        act={`match-${contact.id}`}
        says={WORDS.matchLabel(contact.call, inWords(contact), describeLeftRecord(leftover.record))}
      >
        {WORDS.match}
      </Settle>
    )}
  </p>
);

const LeftoverActions = ({ id, kind, record, resolution, actions }: ShownLeftover) =>
  actions.dismiss ? (
    <>
      {kind === "unmatched" && (
        <Settle leftover={id} act="new" says={WORDS.addLabel(describeLeftRecord(record))}>
          {WORDS.add}
        </Settle>
      )}{" "}
      <button
        class="quiet small-button"
        name="leftover"
        value={String(id)}
        aria-label={WORDS.dismissLabel(describeLeftRecord(record))}
      >
        {WORDS.dismiss}
      </button>
    </>
  ) : (
    <span class="muted" safe>
      {resolution === null || resolution === "dry_run" ? "" : RESOLUTION_WORDS[resolution]}
    </span>
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
