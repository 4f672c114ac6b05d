import { LABELS } from "../origins/labels.ts";
import { formatCount, formatNumber } from "../../kernel/number-text.ts";
import { describeField } from "./job-words.ts";
import { formatUtc } from "../../kernel/time-text.ts";
import type { Qso } from "../contact/qso.ts";
import { isService, SERVICES, type Source } from "./source.ts";

/** A later completed job that loses changes with the rollback. */
export interface LaterJob {
  jobId: number;
  source: Source;
  /** Contacts of that job that are removed, and those that return to a state before it. */
  deleted: number;
  restored: number;
  /** Contacts that it newly confirmed and that are no longer confirmed, or removed. */
  confirmations: number;
}

/** An active job that is stopped for the rollback. */
export interface StoppedJob {
  jobId: number;
  source: Source;
}

/** A contact in a preview. */
export interface PreviewedContact {
  qsoId: number;
  call: string;
  startedAt: number;
  band: string | null;
  mode: string | null;
}

export const toPreviewed = ({
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

/** What distinguishes it from other contacts with the same callsign. */
export const describePreviewed = ({ startedAt, band, mode }: PreviewedContact): string =>
  [`${formatUtc(startedAt)} UTC`, band, mode].filter(Boolean).join(" · ");

/** In display order. */
const OUTCOMES = {
  deleted: "Deleted",
  restored: "Restored",
  stays: "Keeps later changes",
} as const;

/** The first contacts that are removed, restored, or keep a later value. */
export type PreviewedContacts = Record<keyof typeof OUTCOMES, readonly PreviewedContact[]>;

interface Previewed {
  deleted: number;
  restored: number;
  staying: number;
  contacts: PreviewedContacts;
}

/** The contacts of a rollback, grouped by what happens to them. */
export const groupRollbackContacts = ({ deleted, restored, staying, contacts }: Previewed) => {
  const totals = { deleted, restored, stays: staying };
  return Object.entries(OUTCOMES).flatMap(([name, title]) => {
    const fate = name as keyof typeof OUTCOMES;
    return contacts[fate].length === 0 ? [] : [{ title, total: totals[fate], contacts: contacts[fate] }];
  });
};

type RollbackCounts = Record<"deleted" | "restored" | "kept", number>;

/** What a rollback changed. */
export const describeRollback = ({ deleted, restored, kept }: RollbackCounts): string =>
  [
    ...(deleted + restored === 0 ? ["no QSOs changed"] : []),
    ...(deleted > 0 ? [`${formatCount(deleted, "QSO")} deleted`] : []),
    ...(restored > 0 ? [`${formatCount(restored, "QSO")} restored`] : []),
    ...(kept > 0 ? [`${formatCount(kept, "value")} kept`] : []),
  ].join(", ");

/** What a rollback would change. */
export const describeRollbackPreview = ({ deleted, restored, kept }: RollbackCounts): string =>
  deleted + restored === 0
    ? "No QSOs would change."
    : `This would change: ${describeRollback({ deleted, restored, kept })}.`;

interface Kept extends Pick<PreviewedContact, "qsoId" | "call"> {
  field: string;
  reason: string;
}

const CALLS_NAMED = 3;

/**
 * What stays although its job is rolled back, or is removed although another job brought it too. One line per reason.
 */
export const describeKept = (
  { kept, keptTotal }: { kept: readonly Kept[]; keptTotal: number },
  maxLines: number,
): string[] => {
  const whole = ({ field }: Kept) => {
    if (!isWhole(field)) return null;
    return field === "own" ? describeField(field) : `${describeField(field)} record`;
  };
  const alike = Map.groupBy(kept, (one) => JSON.stringify([whole(one), one.reason]));
  const lines = [...alike.values()].map((all) => {
    const named = listCalls(new Map(all.map(({ qsoId, call }) => [qsoId, call])));
    const what = whole(all[0]!);
    return `${what === null ? named : `${what} for ${named}`}: ${all[0]!.reason}`;
  });
  const more = lines.length - maxLines;
  const shown = more > 0 ? [...lines.slice(0, maxLines), `… and ${formatNumber(more)} more`] : lines;
  const unnamed = keptTotal - kept.length;
  return unnamed > 0 ? [...shown, `… and ${formatCount(unnamed, "more value")}`] : shown;
};

/** Whether it stands for everything an origin said, not for one field. */
export const isWhole = (field: string): boolean => field === "own" || SERVICES.some((service) => service === field);

/** Each call is listed once, so there can be more contacts than calls. */
const listCalls = (calls: ReadonlyMap<number, string>): string => {
  const named = [...new Set(calls.values())].slice(0, CALLS_NAMED);
  const rest = [...calls.values()].filter((call) => !named.includes(call)).length;
  return `${named.join(", ")}${rest > 0 ? ` and ${formatCount(rest, "QSO")} more` : ""}`;
};

/** What other jobs lose in a rollback, one line each, and how it comes back. */
export const describeOthers = ({
  later,
  stopped,
}: {
  later: readonly LaterJob[];
  stopped: readonly StoppedJob[];
}): string[] => [
  ...stopped.map(({ jobId, source }) => `This also stops job ${jobId} (${LABELS[source]}), which has not finished.`),
  ...later.map((job) => describeLoss(job)),
  ...(later.some(({ source }) => isService(source))
    ? ["The next sync restores everything the service still has."]
    : []),
  ...later.flatMap(({ jobId, source }) =>
    source === "file" ? [`To restore them, import the file of job ${jobId} again.`] : [],
  ),
];

const describeLoss = ({ jobId, source, deleted, restored, confirmations }: LaterJob): string => {
  const losses = [
    ...(deleted > 0 ? [formatCount(deleted, "QSO")] : []),
    ...(restored > 0 ? [formatCount(restored, "update")] : []),
    ...(confirmations > 0 ? [formatCount(confirmations, "confirmation")] : []),
  ];
  return `Job ${jobId} (${LABELS[source]}), which ran later, loses ${losses.join(", ")}.`;
};
