import { LABELS } from "../origins/labels.ts";
import { getEntityName } from "../radio/entity.ts";
import { getField, PLAIN_NAMES } from "../contact/fields.ts";
import { formatCount, formatNumber, megahertz, formatSize } from "../../kernel/number-text.ts";
import type { Places } from "./gains.ts";
import { formatExactMoment } from "../../kernel/time-text.ts";
import { isService, SERVICES } from "./source.ts";
import {
  JOB_STATUSES,
  type JobProgress,
  type JobStats,
  type JobStatus,
  type JobTrigger,
  type JobView,
} from "./sync-job.ts";

/** The state of a job in words. Programs get the names. */
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

/** How a job was started: by a program, or by a trigger. */
export const describeTrigger = ({ client, trigger }: Pick<JobView, "client" | "trigger">): string =>
  client ?? TRIGGER_WORDS[trigger];

/** What a job is, in words: a sync of a service, an import, what a program logged, or a bulk edit. */
export const nameJob = ({ source, client }: Pick<JobView, "source" | "client">): string => {
  if (isService(source)) return `${LABELS[source]} sync`;
  return source === "file" ? "Import" : source === "feed" ? `${client ?? "Program"} logging` : "Bulk edit";
};

/** What each count of a job counts. */
export const COUNT_WORDS: Record<keyof JobStats, string> = {
  fetched: "records",
  added: "added",
  updated: "changed",
  deleted: "deleted",
  unchanged: "already known",
  unmatched: "unmatched",
  rejected: "rejected",
  newlyConfirmed: "newly confirmed",
};

/** Unmatched and rejected records together. */
export const LEFT_OVER = "unresolved";

export const countLeftOver = ({ unmatched, rejected }: JobStats): number => unmatched + rejected;

/** All counts of a job in one line. */
export const describeCounts = (stats: JobStats): string => {
  const said = (name: keyof JobStats) => `${formatNumber(stats[name])} ${COUNT_WORDS[name]}`;
  const { deleted } = stats;
  const names = [
    "added",
    "updated",
    ...(deleted > 0 ? ["deleted" as const] : []),
    "unchanged",
    "unmatched",
    "rejected",
  ];
  const parts = (names as (keyof JobStats)[]).map(said).join(", ");
  return `${formatCount(stats.fetched, "record")}: ${parts}; ${said("newlyConfirmed")}.`;
};

/** What a running job has changed so far. */
export const describeChangesSoFar = ({ added, updated }: JobStats): string =>
  `${formatNumber(added)} ${COUNT_WORDS.added}, ${formatNumber(updated)} ${COUNT_WORDS.updated}`;

export const describeCountsSoFar = (stats: JobStats): string =>
  `${formatCount(stats.fetched, "record")}, ${describeChangesSoFar(stats)}`;

const PHASES: Record<string, string> = {
  downloading: "downloading",
  leftovers: "retrying unresolved records",
  matching: "matching",
  file: "reading the file",
  choosing: "selecting QSOs",
  repairing: "editing QSOs",
  done: "finishing",
};

/** The progress of a job. */
export const describeProgress = ({
  source,
  status,
  progress,
}: Pick<JobView, "source" | "status" | "progress">): string => {
  if (status === "pending") return "waiting in the queue";
  if (progress !== null) return describePhase(progress);
  return isService(source) ? "waiting for the service" : "starting";
};

export const describePhase = ({ phase, done, total }: JobProgress): string => {
  const words = PHASES[phase] ?? `applying ${phase}`;
  if (phase === "downloading") return `${words}, ${formatSize(done)} so far`;
  return total ? `${words}, ${formatNumber(done)} of ${formatNumber(total)}` : `${words}, ${formatNumber(done)}`;
};

/** The names of the kinds of places, singular and plural. */
export const PLACE_WORDS: Record<keyof Places, readonly [one: string, many: string]> = {
  entities: ["entity", "entities"],
  bands: ["band", "bands"],
  states: ["state", "states"],
  zones: ["zone", "zones"],
  grids: ["grid square", "grid squares"],
};

export const describeState = ({
  status,
  stale,
  rollingBackSince,
}: Pick<JobView, "status" | "stale" | "rollingBackSince">): string => {
  if (rollingBackSince !== null) return "being rolled back";
  return stale ? "stuck" : STATE_WORDS[status];
};

/** Parses a status by name or label, ignoring case; null if unknown. */
export const readStatus = (text: string): JobStatus | null => {
  const word = text.trim().toLowerCase().replace("-", " ");
  return JOB_STATUSES.find((status) => word === status || word === STATE_WORDS[status]) ?? null;
};

/** Signs shown next to the word for a change. */
export const CHANGE_SIGNS = { added: "+", updated: "~", deleted: "-" } as const;

/** The contact of a change: its new state, or its last state if it was deleted. */
export const getContact = <Contact>({ before, after }: { before: Contact | null; after: Contact | null }): Contact =>
  (after ?? before)!;

/** The label within a sentence: `Grid square` is not a proper name, `QTH` is. */
const getLabel = (field: string): string | undefined => {
  const name = PLAIN_NAMES.find((one) => one === field);
  const { label, form } = name === undefined ? {} : getField(name);
  const words = label ?? form?.label;
  return words === undefined || /^[A-Z]+\b/.test(words) ? words : words[0]!.toLowerCase() + words.slice(1);
};

/** The label of a path such as `freqHz`, `first.qso.BAND`, `firstConfirmedAt` or `own`. */
export const describeField = (field: string): string => {
  const label = getLabel(field);
  if (label !== undefined) return label;
  const names: Record<string, string> = { ...LABELS, own: "Your values" };
  const [origin = "", ...path] = field.split(".");
  if (Object.hasOwn(names, origin)) {
    const name = (path.length > 1 && /^[a-z]+$/.test(path[0]!) ? path.slice(1) : path).join(".");
    return name === "" ? names[origin]! : `${names[origin]}: ${name}`;
  }
  const service = SERVICES.find((one) => field.startsWith(one) && /^[A-Z]/.test(field.slice(one.length)));
  const rest = service && field.slice(service.length);
  if (rest === "Id") return `record (${LABELS[service!]})`;
  const words = (rest ?? field).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return service ? `${words} (${LABELS[service]})` : words;
};

/** The largest time that a Date can hold. */
const MAX_DATE_MS = 8.64e15;

/** The value of a field before or after a change, in words. */
export const describeValue = (field: string, value: unknown): string => {
  if (value === null || value === undefined) return "nothing";
  if (field === "dxcc") return getEntityName(Number(value));
  if (field === "freqHz") return megahertz(Number(value));
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && field.endsWith("At") && Math.abs(value) <= MAX_DATE_MS)
    return formatExactMoment(value);
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
};

/** Summarises an unmatched record, or the readable part of it. */
export const describeLeftRecord = (record: Readonly<Record<string, string>>): string => {
  const { CALL = "?", QSO_DATE, TIME_ON, BAND, MODE, APP_QSOLOG_EXCERPT } = record;
  const date = QSO_DATE?.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
  const time = TIME_ON?.replace(/^(\d\d)(\d\d)(\d\d)?$/, (_, hour, minute, second) =>
    [hour, minute, second].filter(Boolean).join(":"),
  );
  return APP_QSOLOG_EXCERPT ?? [CALL, date, time, BAND, MODE].filter(Boolean).join(" ");
};

/** Why an unmatched record was not decided, by the number of contacts that it could mean. */
export const describeUndecided = (candidates: number): string =>
  candidates === 0
    ? "no QSO matches it any more"
    : candidates === 1
      ? "the matching QSO may belong to another record"
      : `matches ${candidates} QSOs equally well`;
