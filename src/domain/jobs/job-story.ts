import { formatCount, formatNumber } from "../../kernel/number-text.ts";
import { joinWords } from "./gain-words.ts";
import { getEntityName } from "../radio/entity.ts";
import { describeField, LEFT_OVER, countLeftOver, PLACE_WORDS, describeValue } from "./job-words.ts";
import type { Gains, GainCounts } from "./gains.ts";
import { isService, SERVICES, type Labels } from "./source.ts";
import type { JobStats, JobView } from "./sync-job.ts";

/** The parts into which the changes of a job are divided. */
export const CHAPTERS = ["new", "confirmed", "changed"] as const;
export type Chapter = (typeof CHAPTERS)[number];

/** The chapters, and the records that the job left unmatched. */
export type StoryPart = Chapter | "left";

/**
 * Changes other than confirmations. Null if the counts do not say it, because added contacts can be among the newly
 * confirmed ones.
 */
const countOtherChanges = ({ added, updated, deleted, newlyConfirmed }: JobStats): number | null =>
  added === 0 || newlyConfirmed === 0 || updated === 0 ? Math.max(0, updated - newlyConfirmed) + deleted : null;

export const STORY_PARTS: readonly { part: StoryPart; name: string; of: (stats: JobStats) => number | null }[] = [
  { part: "new", name: "New", of: ({ added }) => added },
  { part: "confirmed", name: "Confirmed", of: ({ newlyConfirmed }) => newlyConfirmed },
  { part: "changed", name: "Changed", of: countOtherChanges },
  { part: "left", name: "Unresolved", of: countLeftOver },
];

/** Whether the size of every part is known. */
export const isCounted = (stats: JobStats): boolean => STORY_PARTS.every(({ of }) => of(stats) !== null);

/**
 * The name of a part with its size. Either all parts show their size or none, because one without would look broken.
 */
export const describePart = ({ name, of }: (typeof STORY_PARTS)[number], stats: JobStats): string =>
  isCounted(stats) ? `${name} ${formatNumber(of(stats) ?? 0)}` : name;

/** The first part that is not empty. */
export const findFirstPart = (stats: JobStats): StoryPart =>
  (["confirmed", "new", "changed", "left"] as const).find((wanted) =>
    STORY_PARTS.some(({ part, of }) => part === wanted && of(stats) !== 0),
  ) ?? "new";

export const NOTHING_IN: Record<StoryPart, string> = {
  new: "No new QSOs.",
  confirmed: "No new confirmations.",
  changed: "No other changes.",
  left: "No unresolved records.",
};

interface Told {
  kind: "added" | "updated" | "deleted";
  diff: readonly { field: string; before: unknown; after: unknown }[];
}

/** The witnesses whose confirmation a change brought. */
const listNewConfirmers = ({ diff }: Told): string[] =>
  [...SERVICES, "card" as const].filter((witness) =>
    diff.some(({ field, after }) => field === `${witness}Confirmed` && after === true),
  );

/** Whether a chapter contains a change. A change can be in two chapters. */
export const isInChapter = (chapter: Chapter, change: Told): boolean => {
  const isConfirmed = listNewConfirmers(change).length > 0;
  if (chapter === "confirmed") return isConfirmed;
  return chapter === "new" ? change.kind === "added" : change.kind !== "added" && !isConfirmed;
};

/** Columns that mean something to people. */
const isPlain = (field: string): boolean =>
  !/[.]|Id$|^(award|first|second|card|own|year|prefix|twoWay|modeGroup)/.test(field);

const MAX_FIELDS = 4;

/** Not shown if a sign already says it. */
export const JUST_NEW = "new";

/** Describes a change: who confirms the contact, which service has it now, and which fields changed. */
export const describeChange = (change: Told, labels: Labels): string => {
  if (change.kind === "deleted") return "deleted";
  const confirming = listNewConfirmers(change);
  const witnesses = confirming.map((one) => (one === "card" ? "card" : labels[one as "first"]));
  // A service that confirms a contact also has it.
  const heard = SERVICES.filter(
    (service) =>
      !confirming.includes(service) &&
      change.diff.some(({ field, before, after }) => field === `${service}Id` && before === null && after !== null),
  );
  const facts = change.kind === "added" ? [] : change.diff.filter(({ field }) => isPlain(field));
  const parts = [
    ...(witnesses.length > 0 ? [`confirmed by ${joinWords(witnesses)}`] : []),
    ...(change.kind === "added" || heard.length === 0 ? [] : [`now on ${joinWords(heard.map((one) => labels[one]))}`]),
    ...facts.slice(0, MAX_FIELDS).map(({ field, before, after }) => {
      const name = describeField(field, labels);
      return before === null
        ? `${name} ${describeValue(field, after)}`
        : `${name} ${describeValue(field, before)} → ${describeValue(field, after)}`;
    }),
    ...(facts.length > MAX_FIELDS ? [`${facts.length - MAX_FIELDS} more`] : []),
  ];
  if (parts.length > 0) return parts.join("; ");
  return change.kind === "added" ? JUST_NEW : "more details";
};

type Summed = Pick<JobView, "source" | "status" | "stats" | "dryRun"> & { gains: Gains | GainCounts | null };

const MAX_NAMES = 3;

/** Summarises a job in one sentence, including new entities. */
export const describeJob = ({ source, stats, gains, dryRun, status }: Summed, labels: Labels): string => {
  const { added, updated, deleted, newlyConfirmed } = stats;
  const left = countLeftOver(stats);
  const done = [
    ...(newlyConfirmed > 0
      ? [
          isService(source)
            ? `confirmed ${formatNumber(newlyConfirmed)}`
            : `brought ${formatCount(newlyConfirmed, "confirmation")}`,
        ]
      : []),
    ...(added > 0 ? [`added ${formatNumber(added)}`] : []),
    ...(updated > 0 ? [`updated ${formatNumber(updated)}`] : []),
    ...(deleted > 0 ? [`deleted ${formatNumber(deleted)}`] : []),
  ];
  const wouldHave = dryRun ? "would have " : "";
  const told =
    done.length > 0 ? `${labels[source]} ${wouldHave}${joinWords(done)}` : `${labels[source]} changed nothing`;
  const fresh = status === "completed" && gains ? describeNewPlaces(gains) : null;
  const over = left > 0 ? `${formatCount(left, "record", "records")} ${LEFT_OVER}` : null;
  return `${[told, fresh, over].filter(Boolean).join("; ")}.`;
};

const describeNewPlaces = ({ worked }: Gains | GainCounts): string | null => {
  const { entities } = worked;
  if (typeof entities === "number")
    return entities > 0 ? `${formatCount(entities, ...PLACE_WORDS.entities)} new` : null;
  if (entities.length === 0) return null;
  const names = entities.slice(0, MAX_NAMES).map((number) => getEntityName(number));
  const all = entities.length > MAX_NAMES ? [...names, `${entities.length - MAX_NAMES} more`] : names;
  return `${joinWords(all)} ${entities.length === 1 ? "is" : "are"} new`;
};
