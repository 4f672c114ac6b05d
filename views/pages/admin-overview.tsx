/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../src/domain/origins/labels.ts";
import { STATE_WORDS } from "../../src/domain/jobs/job-words.ts";
import type { JobStatus } from "../../src/domain/jobs/sync-job.ts";
import type { Service } from "../../src/domain/jobs/source.ts";
import { sizeInWords, fromNow, grouped, utc } from "../words.ts";
import { Table } from "../partials/table.tsx";
import { ToDo, type Decision } from "../partials/to-do.tsx";
import type { ShownUser } from "./admin-users.tsx";
import { AdminFrame } from "./admin-frame.tsx";
import { Figure } from "../partials/figure.tsx";
import { ADMIN_TEXTS } from "../texts/admin.ts";
import { Card } from "../partials/card.tsx";

const WORDS = ADMIN_TEXTS.overview;

interface OverviewProps {
  users: number;
  administrators: number;
  active24h: number;
  active30d: number;
  qsos: number;
  jobs: Record<JobStatus, number>;
  databaseBytes: number;
  location: string;
  scheduler: { running: boolean; lastTickAt: number | null };
  countryFile: string;
  version: string;
  startedAt: number;
  /** The first of the users who cannot sync, and how many there are. */
  failing: { users: readonly ShownUser[]; total: number };
  /** Soonest first. */
  upcoming: readonly UpcomingSync[];
  now: number;
}

interface UpcomingSync {
  userId: number;
  username: string;
  source: Service;
  nextSyncAt: number;
  intervalHours: number;
}

const STATES = ["running", "pending", "failed", "completed", "cancelled"] as const;

const describeFailing = ({ id, username, pausedServices, lastJobStatus }: ShownUser): Decision => {
  const reasons = pausedServices.map(({ source, reason }) =>
    reason === "credentials" ? WORDS.rejected(LABELS[source]) : WORDS.unconnected(LABELS[source]),
  );
  const failure = lastJobStatus === "failed" ? WORDS.lastJobFailed : WORDS.lastSyncsFailed;
  return {
    kind: reasons.length > 0 ? "bad" : "wait",
    title: reasons.length > 0 ? WORDS.cannotSync(username) : WORDS.hasFailingSyncs(username),
    reason: reasons.length > 0 ? reasons.join(" ") : failure,
    actions: (
      <a class="button small-button" href={`admin/users/${id}`} aria-label={WORDS.openUserLabel(username)}>
        {WORDS.openUser}
      </a>
    ),
  };
};

const describeOthers = (count: number): Decision => ({
  kind: "wait",
  title: WORDS.moreFailing(count),
  reason: "",
  actions: (
    <a class="button small-button" href="admin/users?filter=failing">
      {WORDS.showAll}
    </a>
  ),
});

const UpcomingSyncs = ({ upcoming, now }: Pick<OverviewProps, "upcoming" | "now">) => (
  <Card name="upcoming" title={WORDS.upcoming}>
    {upcoming.length === 0 ? (
      <p class="empty">{WORDS.noneScheduled}</p>
    ) : (
      <Table
        caption={WORDS.upcoming}
        rows={upcoming}
        columns={[
          {
            head: WORDS.user,
            isName: true,
            markup: ({ userId, username }) => (
              <a href={`admin/users/${userId}`} safe>
                {username}
              </a>
            ),
          },
          { head: WORDS.service, text: ({ source }) => LABELS[source] },
          {
            head: WORDS.nextSync,
            markup: ({ nextSyncAt }) => (
              <time datetime={new Date(nextSyncAt).toISOString()} title={`${utc(nextSyncAt)} UTC`} safe>
                {nextSyncAt <= now ? WORDS.dueNow : fromNow(nextSyncAt, now)}
              </time>
            ),
          },
          { head: WORDS.interval, text: ({ intervalHours }) => WORDS.every(intervalHours) },
        ]}
      />
    )}
  </Card>
);

export const Overview = ({ now, failing, upcoming, ...of }: OverviewProps) => (
  <AdminFrame tab="admin">
    <ToDo
      decisions={[
        ...failing.users.map((user) => describeFailing(user)),
        ...(failing.total > failing.users.length ? [describeOthers(failing.total - failing.users.length)] : []),
      ]}
    />
    <dl class="figures">
      <Figure name={WORDS.users(of.users, of.administrators)} value={grouped(of.users)} />
      <Figure name={WORDS.seenToday} value={grouped(of.active24h)} />
      <Figure name={WORDS.seenThisMonth} value={grouped(of.active30d)} />
      <Figure name={WORDS.qsos} value={grouped(of.qsos)} />
      <Figure name={WORDS.databaseFigure} value={sizeInWords(of.databaseBytes)} />
    </dl>
    <div class="columns">
      <UpcomingSyncs upcoming={upcoming} now={now} />
      <Card name="jobs" title={WORDS.jobs}>
        <dl class="figures">
          {STATES.filter((state) => of.jobs[state] > 0).map((state) => (
            <Figure name={STATE_WORDS[state]} value={grouped(of.jobs[state])} />
          ))}
        </dl>
        <p>
          <a href="admin/users?filter=failing">{WORDS.failing}</a>
        </p>
      </Card>
      <Card name="server" title={WORDS.server}>
        <dl class="facts">
          <dt>{WORDS.version}</dt>
          <dd safe>{of.version}</dd>
          <dt>{WORDS.runningSince}</dt>
          <dd safe>{WORDS.sinceAt(utc(of.startedAt), fromNow(of.startedAt, now))}</dd>
          <dt>{WORDS.scheduler}</dt>
          <dd>{of.scheduler.running ? WORDS.running : <span class="bad-text">{WORDS.stopped}</span>}</dd>
          <dt>{WORDS.lastRun}</dt>
          <dd safe>
            {of.scheduler.lastTickAt === null
              ? WORDS.noneYet
              : WORDS.lastRunAt(utc(of.scheduler.lastTickAt), fromNow(of.scheduler.lastTickAt, now))}
          </dd>
          <dt>{WORDS.database}</dt>
          <dd class="mono" safe>
            {of.location}
          </dd>
          <dt>{WORDS.countryFile}</dt>
          <dd safe>{WORDS.released(of.countryFile)}</dd>
        </dl>
        <p>
          <a href="admin/actions?action=impersonate">{WORDS.acted}</a>
        </p>
      </Card>
    </div>
  </AdminFrame>
);
