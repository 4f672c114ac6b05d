import { SERVICES, type Labels } from "./source.ts";
import type { JobStatus, JobTrigger, JobView } from "./sync-job.ts";

/** A job's state as people read it, wherever they do. Programs get the names. */
export const STATE_WORDS: Record<JobStatus, string> = {
  pending: "pending",
  running: "running",
  completed: "completed",
  failed: "failed",
  cancelled: "rolled back",
};

export const TRIGGER_WORDS: Record<JobTrigger, string> = {
  manual: "manual",
  auto: "scheduled",
  cli: "command line",
};

export const JOB_STATUSES = Object.keys(STATE_WORDS) as JobStatus[];

export const stateInWords = ({ status, stale }: Pick<JobView, "status" | "stale">): string =>
  stale ? "stale" : STATE_WORDS[status];

/** A state by its name or its word, in any case; null for another text. */
export const readStatus = (text: string): JobStatus | null => {
  const word = text.trim().toLowerCase().replace("-", " ");
  return JOB_STATUSES.find((status) => word === status || word === STATE_WORDS[status]) ?? null;
};

/** `first.qso.BAND`, `firstConfirmedAt` and `own` as people say it. */
export const fieldInWords = (field: string, labels: Labels): string => {
  const names: Record<string, string> = { ...labels, own: "Your log" };
  const [origin, ...parts] = field.split(".");
  if (Object.hasOwn(names, origin!) && origin !== "file") {
    const name = parts.at(-1);
    return name === undefined
      ? names[origin!]!
      : `${names[origin!]}: ${parts.length > 1 ? parts.slice(1).join(".") : name}`;
  }
  const service = SERVICES.find((one) => field.startsWith(one) && /^[A-Z]/.test(field.slice(one.length)));
  const rest = service === undefined ? field : field.slice(service.length);
  const words = rest.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return service === undefined ? words : `${words} (${labels[service]})`;
};
