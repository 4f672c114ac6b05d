/** @jsxImportSource @kitajs/html */
import { STATE_WORDS } from "../../src/domain/jobs/job-words.ts";
import type { JobStatus } from "../../src/domain/jobs/sync-job.ts";
import { sizeInWords, fromNow, grouped, utc } from "../words.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { Figure } from "../partials/figure.tsx";
import { ADMIN_TEXTS } from "../texts/admin.ts";

const WORDS = ADMIN_TEXTS.overview;

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
      <Figure name={WORDS.users} value={grouped(of.users)} note={WORDS.administrators(of.administrators)} />
      <Figure name={WORDS.seenToday} value={grouped(of.active24h)} />
      <Figure name={WORDS.seenThisMonth} value={grouped(of.active30d)} />
      <Figure name={WORDS.qsos} value={grouped(of.qsos)} />
      <Figure name={WORDS.databaseFigure} value={sizeInWords(of.databaseBytes)} />
    </dl>
    <div class="columns">
      <section class="card" aria-labelledby="jobs-title">
        <h2 id="jobs-title">{WORDS.jobs}</h2>
        <dl class="figures">
          {STATES.filter((state) => of.jobs[state] > 0).map((state) => (
            <Figure name={STATE_WORDS[state]} value={grouped(of.jobs[state])} />
          ))}
        </dl>
        <p>
          <a href="admin/users?filter=failing">{WORDS.failing}</a>
        </p>
      </section>
      <section class="card" aria-labelledby="server-title">
        <h2 id="server-title">{WORDS.server}</h2>
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
      </section>
    </div>
  </AdminFrame>
);
