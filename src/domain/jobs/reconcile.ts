import { LABELS } from "../origins/labels.ts";
import type { AwardId } from "../awards/award.ts";
import { getEntityName } from "../radio/entity.ts";
import { formatExactMoment } from "../../kernel/time-text.ts";
import { SERVICE_ORIGINS } from "../origins/services.ts";
import { byService, SERVICES, type Service } from "./source.ts";

type NotAt = `notAt${Capitalize<Service>}`;
export const NOT_AT = byService((service) => `notAt${service[0]!.toUpperCase()}${service.slice(1)}` as NotAt);

/** The results of comparing a log with the services. A contact can be in several classes and is in at least one. */
export const CONTACT_CLASSES = ["everywhere", ...Object.values(NOT_AT), "differs", "fileOnly", "otherCall"] as const;
export type ContactClass = (typeof CONTACT_CLASSES)[number];

/** Records that a service has and the log does not. */
const MISSING_CLASSES = ["deleted", "leftovers"] as const;

export const RECONCILE_CLASSES = [...CONTACT_CLASSES, ...MISSING_CLASSES] as const;
export type ReconcileClass = (typeof RECONCILE_CLASSES)[number];

export const COMPARED = ["band", "mode", "time", "grid", "state", "zone", "entity"] as const;
export type ComparedField = (typeof COMPARED)[number];

/** A field for which an origin has another value. */
export interface Difference extends Record<Service, string | number | null> {
  field: ComparedField;
  here: string | number | null;
  /** The awards that use the field, and whose value counts for them. */
  counts: { awards: readonly AwardId[]; by: "own" | "first"; value: string | number | null } | null;
}

/** What can be done with an unmatched record. */
export const SETTLEMENTS = ["match", "new", "dismiss"] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/** The title of a class and what to do about it. */
export const describeClass = (name: ReconcileClass): ClassWords => {
  const missingAt = SERVICES.find((service) => NOT_AT[service] === name);
  return missingAt
    ? { title: `not on ${LABELS[missingAt]}`, advice: SERVICE_ORIGINS[missingAt].uploadAdvice }
    : OTHER_CLASSES[name as Exclude<ReconcileClass, NotAt>];
};

interface ClassWords {
  title: string;
  advice: string;
}

const OTHER_CLASSES: Record<Exclude<ReconcileClass, NotAt>, ClassWords> = {
  everywhere: {
    title: `on ${SERVICES.map((service) => LABELS[service]).join(" and ")}, no differences`,
    advice: "Nothing to do.",
  },
  differs: {
    title: "details differ",
    advice: "Edit the wrong one, here or at the service.",
  },
  fileOnly: { title: "confirmed only by a file", advice: "Run a full sync to ask the service itself." },
  otherCall: {
    title: "different station callsign",
    advice: "Edit the wrong callsign, here or at the service.",
  },
  deleted: {
    title: "deleted here, still on the service",
    advice: "Delete them at the service too, or undo the deletion here.",
  },
  leftovers: {
    title: "unresolved, needs your decision",
    advice: "Match each record with a QSO, add it as new, or dismiss it.",
  },
};

interface Compared {
  differences: readonly Difference[];
  /** Services whose confirmation is known only from a file. */
  fileOnly: readonly Service[];
  /** For each service the own callsign under which it has the contact, if it differs. */
  otherCall: Record<Service, string | null>;
}

/** Everything that the comparison found about a contact, one line each. */
export const describeFindings = ({ differences, fileOnly, otherCall }: Compared): string[] => [
  ...differences.map((difference) => describeDifference(difference)),
  ...fileOnly.map((service) => `${LABELS[service]} confirmation only from a file`),
  ...SERVICES.flatMap((service) =>
    otherCall[service] === null ? [] : [`on ${LABELS[service]} as ${otherCall[service]}`],
  ),
];

const FIELD_WORDS: Record<ComparedField, string> = {
  band: "band",
  mode: "mode",
  time: "time",
  grid: "grid square",
  state: "state",
  zone: "CQ zone",
  entity: "entity",
};

/** The values of a field, and whose value counts for which awards. */
export const describeDifference = ({ field, here, counts, ...said }: Difference): string => {
  const shown = (value: string | number | null) => {
    if (value === null) return "none";
    if (field === "time") return formatExactMoment(Number(value));
    return field === "entity" ? getEntityName(Number(value)) : String(value);
  };
  const others = SERVICES.flatMap((service) =>
    said[service] === null ? [] : [`${LABELS[service]} ${shown(said[service])}`],
  );
  const used = counts?.by === "first" ? LABELS.first : "yours";
  const worth = counts ? `; ${counts.awards[0]!.toUpperCase()} uses ${used}` : "";
  return `${FIELD_WORDS[field]}: yours ${shown(here)}, ${others.join(", ")}${worth}`;
};
