/** @jsxImportSource @kitajs/html */
import { AUTO_SYNC_OFF, describeDoubt, PAUSE_WORDS, type ServiceSchedule } from "../../src/domain/jobs/auto-sync.ts";
import type { Service } from "../../src/domain/jobs/source.ts";
import { capitalise, counted, fromNow, utc } from "../words.ts";
import { Badge } from "./badge.tsx";

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
