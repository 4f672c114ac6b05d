/** @jsxImportSource @kitajs/html */
import { STATE_WORDS } from "../../src/domain/jobs/job-words.ts";
import type { JobStatus } from "../../src/domain/jobs/sync-job.ts";
import { sizeInWords, counted, fromNow, grouped, utc } from "../words.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { Figure } from "../partials/figure.tsx";

export interface OverviewProps {
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
  now: number;
}

const STATES = ["running", "pending", "failed", "completed", "cancelled"] as const;

export const Overview = ({ now, ...of }: OverviewProps) => (
  <AdminFrame tab="admin">
    <dl class="figures">
      <Figure name="users" value={grouped(of.users)} note={`${counted(of.administrators, "administrator")}`} />
      <Figure name="seen in 24 hours" value={grouped(of.active24h)} />
      <Figure name="seen in 30 days" value={grouped(of.active30d)} />
      <Figure name="QSOs" value={grouped(of.qsos)} />
      <Figure name="database" value={sizeInWords(of.databaseBytes)} />
    </dl>
    <div class="columns">
      <section class="card" aria-labelledby="jobs-title">
        <h2 id="jobs-title">Jobs</h2>
        <dl class="figures">
          {STATES.filter((state) => of.jobs[state] > 0).map((state) => (
            <Figure name={STATE_WORDS[state]} value={grouped(of.jobs[state])} />
          ))}
        </dl>
        <p>
          <a href="admin/users?filter=failing">Users with failing syncs</a>
        </p>
      </section>
      <section class="card" aria-labelledby="server-title">
        <h2 id="server-title">Server</h2>
        <dl class="facts">
          <dt>Version</dt>
          <dd safe>{of.version}</dd>
          <dt>Running since</dt>
          <dd safe>{`${utc(of.startedAt)} UTC, ${fromNow(of.startedAt, now)}`}</dd>
          <dt>Scheduler</dt>
          <dd>{of.scheduler.running ? "running" : <span class="bad-text">stopped</span>}</dd>
          <dt>Last run</dt>
          <dd safe>
            {of.scheduler.lastTickAt === null
              ? "none yet"
              : `${utc(of.scheduler.lastTickAt)} UTC, ${fromNow(of.scheduler.lastTickAt, now)}`}
          </dd>
          <dt>Database</dt>
          <dd class="mono" safe>
            {of.location}
          </dd>
          <dt>Country file</dt>
          <dd safe>{`released ${of.countryFile}`}</dd>
        </dl>
      </section>
    </div>
  </AdminFrame>
);
