/** @jsxImportSource @kitajs/html */
import { AUTO_SYNC_OFF, describeDoubt, PAUSE_WORDS, type ServiceSchedule } from "../../src/domain/jobs/auto-sync.ts";
import type { NewsSince } from "../../src/domain/jobs/gains.ts";
import type { Labels, Service } from "../../src/domain/jobs/source.ts";
import type { Statistics } from "../../src/domain/statistics/statistics.ts";
import { HOUR } from "../../src/kernel/clock.ts";
import { isActive } from "../../src/domain/jobs/sync-job.ts";
import { Done, Field, Form, type Outcome } from "../form.tsx";
import { capitalise, day, fromNow, grouped, listed, percent, utc, counted } from "../words.ts";
import { TEXTS } from "../texts.ts";
import { Badge } from "./badge.tsx";
import { JobTable, Newer, type ToldJob } from "./job-table.tsx";
import { reloads, WHEN_CHANGED } from "./live.tsx";
import { Figure } from "./figure.tsx";

export interface ServiceStanding {
  source: Service;
  label: string;
  configured: boolean;
  state: "ok" | "rejected" | "unknown" | "sealed_elsewhere";
  reason: string | null;
  warning: string | null;
  schedule: ServiceSchedule;
}

export interface BoardProps {
  statistics: Statistics;
  jobs: readonly ToldJob[];
  /** Jobs that started since the page was opened. */
  newer: readonly ToldJob[];
  active: number;
  services: readonly ServiceStanding[];
  news: NewsSince | null;
  /** What was new, by name. */
  brought: JSX.Element;
  labels: Labels;
  now: number;
  /** When the page was opened. Later news must not move what was already there. */
  openedAt: number;
  /** Whether the log was empty when the page was opened. */
  wasEmpty: boolean;
}

/** Polls while a job is active, otherwise updates on changes and when the window gets the focus. */
const buildTrigger = (active: number): string =>
  [...(active > 0 ? ["every 2s"] : []), WHEN_CHANGED, "focus from:window throttle:1s"].join(", ");

/** The part of the dashboard that changes during syncs. */
export const Board = ({
  statistics,
  jobs,
  newer,
  active,
  services,
  news,
  brought,
  labels,
  now,
  openedAt,
  wasEmpty,
  ...outcome
}: BoardProps & Outcome) => (
  <div
    id="board"
    class="board"
    {...reloads(
      `partials/board?openedAt=${openedAt}&wasEmpty=${wasEmpty}${jobs[0] ? `&upTo=${jobs[0].id}` : ""}`,
      buildTrigger(active),
    )}
  >
    {wasEmpty ? <FirstSteps isSetUp={services.some(({ configured }) => configured)} /> : ""}
    <Figures statistics={statistics} labels={labels} />
    <WhatIsNew news={news} brought={brought} now={now} />
    <JustLogged jobs={[...newer, ...jobs]} now={now} openedAt={openedAt} />
    <section class="card" aria-labelledby="services-title">
      <h2 id="services-title">Schedule</h2>
      <div class="services">
        {services.map((service) => (
          <ServiceRow
            service={service}
            isBusy={[...newer, ...jobs].some(({ source, status }) => source === service.source && isActive({ status }))}
            now={now}
            {...outcome}
          />
        ))}
      </div>
    </section>
    <section class="card" aria-labelledby="jobs-title">
      <div class="head">
        <h2 id="jobs-title">Latest jobs</h2>
        <Newer count={newer.length} href="./" />
        <a href="jobs">All jobs</a>
      </div>
      {jobs.length === 0 ? (
        <p class="empty">No jobs yet. Syncs and imports appear here.</p>
      ) : (
        <JobTable jobs={jobs} labels={labels} now={now} />
      )}
    </section>
  </div>
);

/** In an update of the board, the charts replace those on the page. */
export const LogAtAGlance = ({ charts, isAnew = false }: { charts: JSX.Element; isAnew?: boolean }) => (
  <div id="charts" class="board" hx-swap-oob={isAnew ? "outerMorph" : undefined}>
    {charts as "safe"}
  </div>
);

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
      <h2 id="lately-title">Just logged</h2>
      <ul class="plain" id="lately">
        {latest.map(({ qsoId, call, band, mode, entity, news, client, at }) => (
          <li id={`logged-${qsoId}`} data-say={TEXTS.states.logged([call, band, mode, entity, ...news])}>
            <a class="call" href={`log/${qsoId}`} safe>
              {call ?? ""}
            </a>{" "}
            {news.length > 0 ? (
              <b class="good-text" safe>
                {news.join(", ")}
              </b>
            ) : (
              ""
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

const FirstSteps = ({ isSetUp }: { isSetUp: boolean }) => (
  <section class="card" aria-labelledby="first-steps">
    <h2 id="first-steps">First steps</h2>
    <p>
      {isSetUp ? (
        <>Sync a service below. The first sync downloads everything, which takes minutes for a large log. Or</>
      ) : (
        <>
          Set up <a href="settings">a service</a> and sync, or
        </>
      )}{" "}
      <a href="log/import">import an ADIF file</a>. You can see what every sync changed, and undo one that failed.
    </p>
  </section>
);

const Figures = ({ statistics, labels }: Pick<BoardProps, "statistics" | "labels">) => {
  const { total, entities, bands, modes, callsigns, confirmation, firstQsoAt, lastQsoAt } = statistics;
  return (
    <dl class="figures">
      <Figure name="QSOs" value={grouped(total)} />
      <Figure name="confirmed" value={percent(confirmation.any, total)} note={grouped(confirmation.any)} />
      <Figure name={`by ${labels.first}`} value={grouped(confirmation.first)} />
      <Figure name={`by ${labels.second}`} value={grouped(confirmation.second)} />
      {confirmation.card > 0 ? <Figure name="by card" value={grouped(confirmation.card)} /> : ""}
      <Figure name="entities" value={grouped(entities)} />
      <Figure name="callsigns" value={grouped(callsigns)} />
      <Figure name="bands · modes" value={`${bands} · ${modes}`} />
      <Figure
        name="first to last"
        value={firstQsoAt === null || lastQsoAt === null ? "–" : formatYears(firstQsoAt, lastQsoAt)}
      />
    </dl>
  );
};

const formatYears = (first: number, last: number): string => {
  const [from, to] = [day(first).slice(0, 4), day(last).slice(0, 4)];
  return from === to ? from : `${from}–${to.slice(2)}`;
};

const WhatIsNew = ({ news, brought: gains, now }: Pick<BoardProps, "news" | "brought" | "now">) => {
  if (news === null || news.jobs + news.failed === 0) return "";
  const brought = [
    ...(news.added > 0 ? [counted(news.added, "new QSO")] : []),
    ...(news.confirmed > 0 ? [counted(news.confirmed, "new confirmation")] : []),
    ...(news.updated > 0 ? [`${counted(news.updated, "updated QSO")}`] : []),
  ];
  const done = `${counted(news.jobs, "job")}: ${brought.length > 0 ? listed(brought) : "nothing new"}.`;
  return (
    <section class="note" aria-label="New">
      <b>Since your last visit</b>{" "}
      <span class="muted" safe>
        ({fromNow(news.since, now)})
      </span>
      : {news.jobs > 0 ? <span safe>{done}</span> : ""}{" "}
      {news.failed > 0 ? (
        <span class="bad-text" safe>
          {counted(news.failed, "job") + " failed."}
        </span>
      ) : (
        ""
      )}
      {gains as "safe"}
    </section>
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
        <Form form={form} action={`sync/${source}`} section="board" problem={problem} label={`Sync ${label}`}>
          <Done words={done === source && !isBusy ? "Started." : undefined} />
          {warning === null ? "" : <StrangeBook form={form} warning={warning} />}
          <div class="buttons">
            {/* A disabled button would lose the focus. */}
            <button class="primary" id={`${form}-now`} aria-disabled={isBusy ? "true" : undefined}>
              {isBusy ? "Syncing…" : "Sync now"}
            </button>
          </div>
          <details id={`${form}-more`}>
            <summary id={`${form}-summary`}>More</summary>
            <div class="more">
              <label class="check" for={`${form}-full`}>
                <input type="checkbox" id={`${form}-full`} name="full" value="on" />
                Download everything again
              </label>
              <Field form={form} name="since" label="Or only changes since" type="date" problem={problem} />
              <label class="check" for={`${form}-dry`}>
                <input type="checkbox" id={`${form}-dry`} name="dryRun" value="on" />
                Preview only (dry run)
              </label>
            </div>
          </details>
        </Form>
      ) : (
        <p>
          <a class="button" href={`settings#service-${source}`}>
            Set up
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
    <label class="check" for={`${form}-confirm`}>
      <input type="checkbox" id={`${form}-confirm`} name="confirm" value="on" />
      Download it into this log anyway
    </label>
  </>
);

export const Standing = ({
  service: { configured, state, reason },
}: {
  service: Pick<ServiceStanding, "configured" | "state" | "reason">;
}) => {
  if (!configured) return <Badge kind="idle" words="not set up" />;
  if (state === "ok") return <Badge kind="good" words="connected" />;
  if (state === "unknown") return <Badge kind="idle" words="not tested yet" />;
  return (
    <>
      <Badge kind="bad" words={state === "rejected" ? "rejected" : "enter again"} />{" "}
      {reason ? (
        <span class="bad-text small detail" safe>
          {reason}
        </span>
      ) : (
        ""
      )}
    </>
  );
};

/** The next and the last sync of a service. */
export const SyncTimes = ({ schedule, now }: { schedule: ServiceSchedule; now: number }) => (
  <p>
    <Upcoming schedule={schedule} now={now} />
    <br />
    {describeDoubt(schedule, now) === null ? (
      ""
    ) : (
      <>
        <span class="warn-text" safe>
          {describeDoubt(schedule, now)!}
        </span>
        <br />
      </>
    )}
    <span class="muted last-sync">
      Last sync:{" "}
      <span safe>
        {schedule.lastSyncAt === null
          ? "never"
          : `${utc(schedule.lastSyncAt)} UTC, ${fromNow(schedule.lastSyncAt, now)}`}
      </span>
    </span>
  </p>
);

const Upcoming = ({ schedule, now }: { schedule: ServiceSchedule; now: number }) => {
  const { enabled, intervalHours, nextSyncAt, paused } = schedule;
  if (!enabled) return <span class="muted" safe>{`${capitalise(AUTO_SYNC_OFF)}.`}</span>;
  if (paused !== null) {
    const tone = paused === "credentials" ? "bad-text" : "warn-text";
    return <span class={tone} safe>{`${capitalise(PAUSE_WORDS[paused])}.`}</span>;
  }
  if (nextSyncAt === null) return <span class="muted">Not scheduled.</span>;
  return (
    <span>
      Next sync:{" "}
      {nextSyncAt <= now ? (
        <>
          due now, every <span safe>{counted(intervalHours, "hour")}</span>
        </>
      ) : (
        <>
          <time datetime={new Date(nextSyncAt).toISOString()} safe>
            {utc(nextSyncAt)}
          </time>{" "}
          UTC, every <span safe>{`${counted(intervalHours, "hour")}, ${fromNow(nextSyncAt, now)}`}</span>
        </>
      )}
    </span>
  );
};
