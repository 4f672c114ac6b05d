/** @jsxImportSource @kitajs/html */
import { AUTO_SYNC_OFF, describeDoubt, PAUSE_WORDS, type ServiceSchedule } from "../../../src/domain/jobs/auto-sync.ts";
import type { Service } from "../../../src/domain/jobs/source.ts";
import { capitalise, counted, fromNow, utc } from "../../words.ts";
import { Badge } from "../badge.tsx";
import { SETTINGS_TEXTS } from "../../texts/settings.ts";

const WORDS = SETTINGS_TEXTS.standing;

export interface ServiceStanding {
  source: Service;
  label: string;
  configured: boolean;
  state: "ok" | "rejected" | "unknown" | "sealed_elsewhere";
  reason: string | null;
  warning: string | null;
  schedule: ServiceSchedule;
}

export const Standing = ({
  service: { configured, state, reason },
}: {
  service: Pick<ServiceStanding, "configured" | "state" | "reason">;
}) => {
  if (!configured) return <Badge kind="idle" words={WORDS.notSetUp} />;
  if (state === "ok") return <Badge kind="good" words={WORDS.connected} />;
  if (state === "unknown") return <Badge kind="idle" words={WORDS.notTestedYet} />;
  return (
    <>
      <Badge kind="bad" words={state === "rejected" ? WORDS.rejected : WORDS.enterAgain} />{" "}
      {reason !== null && (
        <span class="bad-text small detail" safe>
          {reason}
        </span>
      )}
    </>
  );
};

/** The next and the last sync of a service. */
export const SyncTimes = ({ schedule, now }: { schedule: ServiceSchedule; now: number }) => (
  <p>
    <Upcoming schedule={schedule} now={now} />
    <br />
    {describeDoubt(schedule, now) !== null && (
      <>
        <span class="warn-text" safe>
          {describeDoubt(schedule, now)!}
        </span>
        <br />
      </>
    )}
    <span class="muted last-sync">
      {WORDS.lastSync}{" "}
      <span safe>
        {schedule.lastSyncAt === null
          ? WORDS.never
          : WORDS.lastSyncAt(utc(schedule.lastSyncAt), fromNow(schedule.lastSyncAt, now))}
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
  if (nextSyncAt === null) return <span class="muted">{WORDS.notScheduled}</span>;
  return (
    <span>
      {WORDS.nextSync}{" "}
      {nextSyncAt <= now ? (
        <>
          {WORDS.dueEvery} <span safe>{counted(intervalHours, "hour")}</span>
        </>
      ) : (
        <>
          <time datetime={new Date(nextSyncAt).toISOString()} safe>
            {utc(nextSyncAt)}
          </time>{" "}
          {WORDS.utcEvery} <span safe>{`${counted(intervalHours, "hour")}, ${fromNow(nextSyncAt, now)}`}</span>
        </>
      )}
    </span>
  );
};
