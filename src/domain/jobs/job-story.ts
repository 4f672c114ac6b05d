import { LABELS } from "../origins/labels.ts";
import { formatCount, formatNumber } from "../../kernel/number-text.ts";
import { joinSome, joinWords } from "../../kernel/text.ts";
import { getEntityName } from "../radio/entity.ts";
import { describeField, LEFT_OVER, countLeftOver, PLACE_WORDS, describeValue } from "./job-words.ts";
import type { Gains, GainCounts } from "./gains.ts";
import { SERVICES } from "./source.ts";
import type { JobStats, JobView } from "./sync-job.ts";

/** The parts into which the changes of a job are divided. */
export const CHAPTERS = ["new", "confirmed", "changed"] as const;
export type Chapter = (typeof CHAPTERS)[number];

/** The chapters, and the records that the job left unmatched. */
export type StoryPart = Chapter | "left";

/** New, changed and unresolved records, and those already known, add up to all records. Confirmed ones are among them. */
export const STORY_PARTS: readonly { part: StoryPart; name: string; of: (stats: JobStats) => number }[] = [
  { part: "new", name: "New", of: ({ added }) => added },
  { part: "changed", name: "Changed", of: ({ updated, deleted }) => updated + deleted },
  { part: "confirmed", name: "Confirmed", of: ({ newlyConfirmed }) => newlyConfirmed },
  { part: "left", name: "Unresolved", of: countLeftOver },
];

/** The name of a part with its size. */
export const describePart = ({ name, of }: (typeof STORY_PARTS)[number], stats: JobStats): string =>
  `${name} ${formatNumber(of(stats))}`;

/** One confirmation among so many changes is not worth looking for. */
const MANY_CHANGES = 100;

/** The part to show first: one that is not empty, with something on its first page. */
export const findFirstPart = (stats: JobStats): StoryPart => {
  const isRarelyConfirmed = stats.newlyConfirmed * MANY_CHANGES < stats.added + stats.updated;
  const order: StoryPart[] = isRarelyConfirmed
    ? ["new", "changed", "confirmed", "left"]
    : ["confirmed", "new", "changed", "left"];
  return order.find((wanted) => STORY_PARTS.some(({ part, of }) => part === wanted && of(stats) !== 0)) ?? "new";
};

export const NOTHING_IN: Record<StoryPart, string> = {
  new: "No new QSOs.",
  confirmed: "No new confirmations.",
  changed: "No changed QSOs.",
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
  if (chapter === "confirmed") return listNewConfirmers(change).length > 0;
  return (chapter === "new") === (change.kind === "added");
};

/** The fields of a change that mean something to people, and are not said by its confirmations. */
export const listPlainFields = ({ diff }: Told): Told["diff"] => diff.filter(({ field }) => isPlain(field));

/** Columns that mean something to people. */
const isPlain = (field: string): boolean =>
  !/[.]|Id$|^(award|first|second|card|own|year|prefix|twoWay|modeGroup)/.test(field);

const MAX_FIELDS = 4;

/** What happened to a contact besides its fields: it is new, who confirms it, and which service has it now. */
export const listOutcomes = (change: Told): string[] => {
  if (change.kind === "deleted") return ["deleted"];
  const confirming = listNewConfirmers(change);
  const witnesses = confirming.map((one) => (one === "card" ? "card" : LABELS[one as "first"]));
  // A service that confirms a contact also has it.
  const heard = SERVICES.filter(
    (service) =>
      !confirming.includes(service) &&
      change.diff.some(({ field, before, after }) => field === `${service}Id` && before === null && after !== null),
  );
  return [
    ...(change.kind === "added" ? ["new"] : []),
    ...(witnesses.length > 0 ? [`confirmed by ${joinWords(witnesses)}`] : []),
    ...(change.kind === "added" || heard.length === 0 ? [] : [`now on ${joinWords(heard.map((one) => LABELS[one]))}`]),
  ];
};

/** The first changed fields, and how many more there are. */
const listFieldChanges = (change: Told): string[] => {
  const facts = change.kind === "updated" ? listPlainFields(change) : [];
  return [
    ...facts.slice(0, MAX_FIELDS).map(({ field, before, after }) => {
      const name = describeField(field);
      return before === null
        ? `${name} ${describeValue(field, after)}`
        : `${name} ${describeValue(field, before)} → ${describeValue(field, after)}`;
    }),
    ...(facts.length > MAX_FIELDS ? [`${facts.length - MAX_FIELDS} more`] : []),
  ];
};

/** Describes a change in one line: its outcome, and which fields changed. */
export const describeChange = (change: Told): string =>
  [...listOutcomes(change), ...listFieldChanges(change)].join("; ") || "more details";

type Summed = Pick<JobView, "source" | "client" | "status" | "stats" | "dryRun"> & { gains: Gains | GainCounts | null };

const MAX_NAMES = 3;

/** Summarises a job in one sentence, including new entities. */
export const describeJob = ({ source, client, stats, gains, dryRun, status }: Summed): string => {
  const { added, updated, deleted, newlyConfirmed } = stats;
  const left = countLeftOver(stats);
  const changes = added + updated + deleted;
  const done = [
    ...(added > 0 ? [`added ${formatNumber(added)}`] : []),
    ...(updated > 0 ? [`changed ${formatNumber(updated)}`] : []),
    ...(deleted > 0 ? [`deleted ${formatNumber(deleted)}`] : []),
  ];
  const wouldHave = dryRun ? "would have " : "";
  const who = client ?? LABELS[source];
  const told = done.length > 0 ? `${who} ${wouldHave}${joinWords(done)}` : `${who} changed nothing`;
  const fresh = status === "completed" && gains ? describeNewPlaces(gains) : null;
  const over = left > 0 ? `${formatCount(left, "record", "records")} ${LEFT_OVER}` : null;
  const confirmed =
    newlyConfirmed === 0
      ? null
      : newlyConfirmed === changes
        ? "all newly confirmed"
        : `${formatNumber(newlyConfirmed)} newly confirmed`;
  return `${[told, confirmed, fresh, over].filter(Boolean).join("; ")}.`;
};

const describeNewPlaces = ({ worked }: Gains | GainCounts): string | null => {
  const { entities } = worked;
  if (typeof entities === "number")
    return entities > 0 ? `${formatCount(entities, ...PLACE_WORDS.entities)} new` : null;
  if (entities.length === 0) return null;
  return `${joinSome(entities.map(getEntityName), MAX_NAMES)} ${entities.length === 1 ? "is" : "are"} new`;
};
