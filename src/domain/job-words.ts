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

export const stateInWords = ({
  status,
  stale,
  rollingBackSince,
}: Pick<JobView, "status" | "stale" | "rollingBackSince">): string => {
  if (rollingBackSince !== null) return "being rolled back";
  return stale ? "stale" : STATE_WORDS[status];
};

/** A state by its name or its word, in any case; null for another text. */
export const readStatus = (text: string): JobStatus | null => {
  const word = text.trim().toLowerCase().replace("-", " ");
  return JOB_STATUSES.find((status) => word === status || word === STATE_WORDS[status]) ?? null;
};

/** `first.qso.BAND`, `firstConfirmedAt` and `own` as people say it. */
export const fieldInWords = (field: string, labels: Labels): string => {
  const names: Record<string, string> = { ...labels, own: "Your log" };
  const [origin = "", ...path] = field.split(".");
  if (Object.hasOwn(names, origin)) {
    const name = (path.length > 1 && /^[a-z]+$/.test(path[0]!) ? path.slice(1) : path).join(".");
    return name === "" ? names[origin]! : `${names[origin]}: ${name}`;
  }
  const service = SERVICES.find((one) => field.startsWith(one) && /^[A-Z]/.test(field.slice(one.length)));
  const rest = service && field.slice(service.length);
  const words = (rest ?? field).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return service ? `${words} (${labels[service]})` : words;
};
