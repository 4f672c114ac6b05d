import { counted, grouped } from "../../kernel/number-text.ts";
import { fieldInWords } from "./job-words.ts";
import { utc } from "../../kernel/time-text.ts";
import type { Qso } from "../contact/qso.ts";
import { isService, SERVICES, type Labels, type Source } from "./source.ts";

/** A later job that completed, and what of it goes as well. */
export interface LaterJob {
  jobId: number;
  source: Source;
  /** The contacts it had changed that go, and those that go back to before it too. */
  deleted: number;
  restored: number;
  /** The contacts that it newly confirmed and that are confirmed no longer, or gone. */
  confirmations: number;
}

/** A job that runs or waits beside a rollback, and is stopped. */
export interface StoppedJob {
  jobId: number;
  source: Source;
}

/** A contact as a preview names it. */
export interface PreviewedContact {
  qsoId: number;
  call: string;
  startedAt: number;
  band: string | null;
  mode: string | null;
}

export const previewed = ({
  id,
  call,
  startedAt,
  band,
  mode,
  submode,
}: Pick<Qso, "id" | "call" | "startedAt" | "band" | "mode" | "submode">): PreviewedContact => ({
  qsoId: id,
  call,
  startedAt,
  band,
  mode: submode ?? mode,
});

/** What tells it from others of the same callsign. */
export const previewedInWords = ({ startedAt, band, mode }: PreviewedContact): string =>
  [`${utc(startedAt)} UTC`, band, mode].filter(Boolean).join(" · ");

/** What can become of a contact, in the order in which it is told. */
const FATES = {
  deleted: "Deleted",
  restored: "Restored",
  stays: "Keeps what was said later",
} as const;

/** Which contacts go, come back to what they were, and keep something that was said later; the first of each. */
export type PreviewedContacts = Record<keyof typeof FATES, readonly PreviewedContact[]>;

interface Previewed {
  deleted: number;
  restored: number;
  staying: number;
  contacts: PreviewedContacts;
}

/** The contacts that a rollback is about, under what becomes of them. */
export const fatesInWords = ({ deleted, restored, staying, contacts }: Previewed) => {
  const totals = { deleted, restored, stays: staying };
  return Object.entries(FATES).flatMap(([name, title]) => {
    const fate = name as keyof typeof FATES;
    return contacts[fate].length === 0 ? [] : [{ title, total: totals[fate], contacts: contacts[fate] }];
  });
};

interface Kept extends Pick<PreviewedContact, "qsoId" | "call"> {
  field: string;
  reason: string;
}

const CALLS_NAMED = 3;

/** What stays although its job is rolled back, or goes although another job brought it: a line for each reason. */
export const keptInWords = (
  { kept, keptTotal }: { kept: readonly Kept[]; keptTotal: number },
  labels: Labels,
  maxLines: number,
): string[] => {
  const whole = ({ field }: Kept) => (isWhole(field) ? fieldInWords(field, labels) : null);
  const alike = Map.groupBy(kept, (one) => JSON.stringify([whole(one), one.reason]));
  const lines = [...alike.values()].map((all) => {
    const named = contactsNamed(new Map(all.map(({ qsoId, call }) => [qsoId, call])));
    const what = whole(all[0]!);
    return `${what === null ? named : `${what} of ${named}`}: ${all[0]!.reason}`;
  });
  const more = lines.length - maxLines;
  const shown = more > 0 ? [...lines.slice(0, maxLines), `… and ${grouped(more)} more`] : lines;
  const unnamed = keptTotal - kept.length;
  return unnamed > 0 ? [...shown, `${counted(unnamed, "value")} more, not named here`] : shown;
};

/** All that somebody said of a contact, rather than one field of it. */
export const isWhole = (field: string): boolean => field === "own" || SERVICES.some((service) => service === field);

/** Calls are said once: more contacts than calls are counted. */
const contactsNamed = (calls: ReadonlyMap<number, string>): string => {
  const named = [...new Set(calls.values())].slice(0, CALLS_NAMED);
  const rest = [...calls.values()].filter((call) => !named.includes(call)).length;
  return `${named.join(", ")}${rest > 0 ? ` and ${counted(rest, "QSO")} more` : ""}`;
};

/** What a rollback takes of other jobs, a line for each, and how that comes back. */
export const othersInWords = (
  { later, stopped }: { later: readonly LaterJob[]; stopped: readonly StoppedJob[] },
  labels: Labels,
): string[] => [
  ...later.map((job) => lossInWords(job, labels)),
  ...(later.some(({ source }) => isService(source)) ? ["The next sync brings back what the service still has."] : []),
  ...later.flatMap(({ jobId, source }) => (source === "file" ? [`Import the file of job ${jobId} again.`] : [])),
  ...stopped.map(({ jobId, source }) => `Job ${jobId} (${labels[source]}) is under way and is stopped.`),
];

const lossInWords = ({ jobId, source, deleted, restored, confirmations }: LaterJob, labels: Labels): string => {
  const losses = [
    ...(deleted > 0 ? [counted(deleted, "QSO")] : []),
    ...(restored > 0 ? [counted(restored, "update")] : []),
    ...(confirmations > 0 ? [counted(confirmations, "confirmation")] : []),
  ];
  return `Job ${jobId} (${labels[source]}), completed later, loses ${losses.join(", ")}.`;
};
