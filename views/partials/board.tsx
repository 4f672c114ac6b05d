/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { isService } from "../../src/domain/jobs/source.ts";
import type { Statistics } from "../../src/domain/statistics/statistics.ts";
import { HOUR } from "../../src/kernel/clock.ts";
import { isActive, isWorthRollingBack } from "../../src/domain/jobs/sync-job.ts";
import { nameJob } from "../../src/domain/jobs/job-words.ts";
import { Check, Done, Field, Form, LogFileField, type Outcome } from "../form.tsx";
import { day, fromNow, grouped, listed, percent, utc } from "../words.ts";
import { TEXTS } from "../texts/shared.ts";
import { getAdvice } from "../job-words.ts";
import { Badge } from "./badge.tsx";
import { Icon } from "./icon.tsx";
import { ConnectForm, type SetService } from "./settings/service-settings.tsx";
import { Standing, SyncTimes, type ServiceStanding } from "./settings/service-standing.tsx";
import { JobTable, Newer, type ToldJob } from "./job-table.tsx";
import { reloads, WHEN_CHANGED } from "./live.tsx";
import { Figure } from "./figure.tsx";
import { DASHBOARD_TEXTS } from "../texts/dashboard.ts";
import { ToDo, type Decision } from "./to-do.tsx";
import { Card } from "./card.tsx";
import { CallLink } from "./contacts/call-link.tsx";

const WORDS = DASHBOARD_TEXTS.board;

export interface BoardProps extends Outcome {
  statistics: Statistics;
  jobs: readonly ToldJob[];
  /** Jobs that started since the page was opened. */
  newer: readonly ToldJob[];
  active: number;
  services: readonly SetService[];
  /** False while an administrator acts as the user. */
  mayConnect: boolean;
  now: number;
  /** When the page was opened. Later news must not move what was already there. */
  openedAt: number;
  /** Whether the log was empty when the page was opened. */
  wasEmpty: boolean;
}

/** Polls while a job is active, otherwise updates on changes and when the window gets the focus. */
const buildTrigger = (active: number): string =>
  [...(active > 0 ? ["every 2s"] : []), WHEN_CHANGED, "focus from:window throttle:1s"].join(", ");

/** The jobs and the services. It polls while a job is active, and its answer brings the other parts too. */
export const Board = (props: BoardProps) => {
  const { jobs, newer, active, services, openedAt, wasEmpty } = props;
  const hasSome =
    !wasEmpty ||
    jobs.length + newer.length > 0 ||
    services.some(({ configured, schedule }) => configured || schedule.enabled);
  return (
    <div
      id="board"
      class="board"
      {...reloads(
        `partials/board?openedAt=${openedAt}&wasEmpty=${wasEmpty}${jobs[0] ? `&upTo=${jobs[0].id}` : ""}`,
        buildTrigger(active),
      )}
    >
      {hasSome && <Jobs {...props} />}
      {hasSome && <Syncs {...props} />}
    </div>
  );
};

/**
 * What needs a decision, what to do first, and the log in one line. What was there when the page was opened stays in its
 * place.
 */
export const Now = ({ isAnew = false, ...props }: BoardProps & { isAnew?: boolean }) => (
  <div id="now" class="board" hx-swap-oob={isAnew ? "outerMorph" : undefined}>
    <ToDo decisions={listDecisions(props)} />
    {props.wasEmpty && <FirstDay {...props} />}
    {props.statistics.total !== 0 && <Figures statistics={props.statistics} />}
    <JustLogged {...props} />
  </div>
);

const Jobs = ({ jobs, newer, now }: BoardProps) => (
  <Card
    name="jobs"
    title={WORDS.lastJobs}
    beside={
      <>
        <Newer count={newer.length} href="./" />
        <a href="jobs">{WORDS.allJobs}</a>
      </>
    }
  >
    {jobs.length === 0 ? <p class="empty">{WORDS.noJobs}</p> : <JobTable jobs={jobs} now={now} />}
  </Card>
);

const Syncs = ({ services, jobs, newer, now, problem, done }: BoardProps) => (
  <Card name="services" title={WORDS.upcoming} beside={<a href="settings">{WORDS.changeSchedule}</a>}>
    <div class="services">
      {services.map((service) => (
        <ServiceRow
          service={service}
          isBusy={[...newer, ...jobs].some(({ source, status }) => source === service.source && isActive({ status }))}
          now={now}
          problem={problem}
          done={done}
        />
      ))}
    </div>
  </Card>
);

const listDecisions = ({ services, jobs, openedAt }: BoardProps): Decision[] => [
  ...services.filter((service) => service.configured && isRefused(service)).map(describeRefused),
  ...findUnsettled(jobs, services, openedAt).map((job) => describeUnsettled(job)),
];

const isRefused = ({ state }: ServiceStanding): boolean => state === "rejected" || state === "sealed_elsewhere";

const describeRefused = ({ source, label, state, reason }: ServiceStanding): Decision => ({
  kind: "bad",
  title: state === "rejected" ? WORDS.rejected(label) : WORDS.enterAgain(label),
  reason: WORDS.paused(reason ?? "").trim(),
  actions: (
    <a class="button small-button" href={`settings#service-${source}`} safe>
      {WORDS.enter(label)}
    </a>
  ),
});

/** Jobs that are stuck, and the last job of each source if it failed, as they were when the page was opened. */
const findUnsettled = (jobs: readonly ToldJob[], services: readonly ServiceStanding[], openedAt: number): ToldJob[] =>
  jobs.filter((job, index) => {
    if (job.stale) return true;
    if (job.status !== "failed" || (job.finishedAt ?? 0) > openedAt) return false;
    if (services.some((service) => service.source === job.source && isRefused(service))) return false;
    return !jobs.slice(0, index).some(({ source }) => source === job.source);
  });

const describeUnsettled = (job: ToldJob): Decision => {
  const { id, source, stale, error, createdAt } = job;
  const name = nameJob(job);
  const rollback = isWorthRollingBack(job) ? (
    <a class="button small-button" href={`jobs/${id}/rollback`} aria-label={WORDS.rollBackLabel(name)}>
      {WORDS.rollBack}
    </a>
  ) : (
    ""
  );
  if (stale || error === null) {
    const reason = WORDS.blocks(utc(createdAt));
    return { kind: "wait", title: WORDS.stuck(name), reason, actions: rollback };
  }
  const again = isService(source) ? (
    <form method="post" action={`sync/${source}`} class="inline">
      <button class="small-button primary" id={`again-${id}`}>
        {WORDS.syncAgain}
      </button>
    </form>
  ) : source === "file" ? (
    <a class="button small-button" href="log/import">
      {WORDS.importAgain}
    </a>
  ) : (
    ""
  );
  return {
    kind: "bad",
    title: WORDS.failed(name),
    reason: `${error.message} ${getAdvice({ ...job, error }).words}`,
    actions: (
      <>
        {again} {rollback}
      </>
    ),
  };
};

const RECENT_MS = 12 * HOUR;
const MAX_RECENT = 5;

/**
 * The last contacts that programs sent, with what was new. If there were none when the page was opened, they appear
 * over the page.
 */
const JustLogged = ({ jobs, now, openedAt }: Pick<BoardProps, "jobs" | "now" | "openedAt">) => {
  const latest = jobs
    .filter(({ status }) => status === "completed")
    .flatMap(({ client, latest }) => (latest ?? []).map((one) => ({ ...one, client })))
    .filter(({ at }) => now - at < RECENT_MS)
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_RECENT);
  if (latest.length === 0) return "";
  return (
    <section class={latest.every(({ at }) => at >= openedAt) ? "card afloat" : "card"} aria-labelledby="lately-title">
      <h2 id="lately-title">{WORDS.justLogged}</h2>
      <ul class="plain" id="lately">
        {latest.map(({ qsoId, call, band, mode, entity, news, client, at }) => (
          <li id={`logged-${qsoId}`} data-say={TEXTS.states.logged([call, band, mode, entity, ...news])}>
            <CallLink id={qsoId!} call={call ?? ""} />{" "}
            {news.length > 0 && (
              <b class="good-text" safe>
                {news.join(", ")}
              </b>
            )}{" "}
            <span safe>{[band, mode, entity].filter(Boolean).join(" · ")}</span>{" "}
            <span class="muted" safe>
              {`${client}, ${fromNow(at, now)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** What to do first. A step that is done becomes one line, but not by itself while somebody fills in the next one. */
const FirstDay = ({ services, mayConnect, problem }: BoardProps) => {
  const connected = services.filter(
    (service) => service.configured && !isRefused(service) && problem?.form !== `connect-${service.source}`,
  );
  const scheduled = connected.filter(({ schedule }) => schedule.enabled);
  return (
    <section aria-labelledby="first-day" class="first-day">
      <h2 id="first-day">{WORDS.firstSteps}</h2>
      <p class="muted">{WORDS.aboutSteps}</p>
      <ol class="steps">
        <Step title={WORDS.importTitle} done={null}>
          <p class="help">{WORDS.importHelp}</p>
          <form id="import" method="post" action="log/import" enctype="multipart/form-data" class="drop">
            <Icon name="plus" />
            <LogFileField label={WORDS.drop} />
            <button class="primary">{WORDS.import}</button>
          </form>
          <p>
            {WORDS.or} <a href="log/add">{WORDS.logByHand}</a>.
          </p>
        </Step>
        <Step
          title={WORDS.connectAll(listed(services.map(({ label }) => label)))}
          done={
            connected.length === services.length
              ? WORDS.connectedAll(listed(connected.map(({ label }) => label)))
              : null
          }
        >
          <p class="help">{WORDS.connectHelp}</p>
          {mayConnect ? (
            <div class="columns">
              {services.map((service) =>
                connected.includes(service) ? (
                  <p>
                    <b safe>{service.label}</b> <Badge kind="good" words={WORDS.connected} />
                  </p>
                ) : (
                  <div>
                    <h4 safe>{service.label}</h4>
                    <ConnectForm service={service} action={`connect/${service.source}`} problem={problem} />
                  </div>
                ),
              )}
            </div>
          ) : (
            <p>{WORDS.onlyUser}</p>
          )}
        </Step>
        <Step
          title={WORDS.scheduleTitle}
          done={
            scheduled.length === 0
              ? null
              : scheduled.map(({ label, schedule }) => WORDS.syncsEvery(label, schedule.intervalHours)).join(", ")
          }
        >
          <p class="help">
            {WORDS.scheduleHelp} <a href="settings">{WORDS.changeTheSchedule}</a>
          </p>
        </Step>
      </ol>
    </section>
  );
};

const Step = ({ title, done, children }: PropsWithChildren<{ title: string; done: string | null }>) => (
  <li class={done === null ? "card" : "card is-done"}>
    <h3 safe>{title}</h3>
    {done === null ? (children as "safe") : <Badge kind="good" words={done} />}
  </li>
);

/** The log in one line, without what is not there. */
const Figures = ({ statistics }: Pick<BoardProps, "statistics">) => {
  const { total, entities, callsigns, confirmation, firstQsoAt, byYear, lastQsoAt } = statistics;
  const lastYear = lastQsoAt === null ? "" : day(lastQsoAt).slice(0, 4);
  const ofYear = byYear.find(({ year }) => String(year) === lastYear)?.total ?? 0;
  const figures = [
    [grouped(ofYear), WORDS.inYear(lastYear), ofYear],
    [percent(confirmation.any, total), WORDS.confirmed(confirmation.any), confirmation.any],
    [grouped(entities), WORDS.dxccEntities, entities],
    [grouped(callsigns), WORDS.callsigns, callsigns],
  ] as const;
  return (
    <dl class="figures">
      <Figure name={WORDS.qsosSince(total, firstQsoAt === null ? "" : day(firstQsoAt))} value={grouped(total)} isHero />
      {figures.map(([value, name, count]) => (count === 0 ? "" : <Figure name={name} value={value} />))}
    </dl>
  );
};

interface RowProps extends Outcome {
  service: ServiceStanding;
  isBusy: boolean;
  now: number;
}

const ServiceRow = ({ service, isBusy, now, problem, done }: RowProps) => {
  const { source, label, configured, schedule, warning } = service;
  const form = `sync-${source}`;
  return (
    <article class="service" aria-label={label}>
      <div class="service-state">
        <h3 safe>{label}</h3>
        <Standing service={service} />
      </div>
      <SyncTimes schedule={schedule} now={now} />
      {configured ? (
        <Form form={form} action={`sync/${source}`} section="board" problem={problem} label={WORDS.sync(label)}>
          <Done words={done === source && !isBusy ? WORDS.started : undefined} />
          {warning !== null && <StrangeBook form={form} warning={warning} />}
          <div class="buttons">
            {/* A disabled button would lose the focus. */}
            <button id={`${form}-now`} aria-disabled={isBusy ? "true" : undefined}>
              {isBusy ? WORDS.syncing : WORDS.syncNow}
            </button>
          </div>
          <details id={`${form}-more`}>
            <summary id={`${form}-summary`}>{WORDS.more}</summary>
            <div class="more">
              <Check form={form} name="full" label={WORDS.full} />
              <Field form={form} name="since" label={WORDS.since} type="date" problem={problem} />
              <Check form={form} name="dryRun" label={WORDS.dryRun} />
            </div>
          </details>
        </Form>
      ) : (
        <p>
          <a class="button" href={`settings#service-${source}`} aria-label={WORDS.connect(label)}>
            {WORDS.connectShort}
          </a>
        </p>
      )}
    </article>
  );
};

/** Asks for confirmation before the first download of another callsign's logbook. */
const StrangeBook = ({ form, warning }: { form: string; warning: string }) => (
  <>
    <p class="warn-text" safe>
      {warning}
    </p>
    <Check form={form} name="confirm" label={WORDS.confirmBook} />
  </>
);
