import { describeField, describeValue } from "./job-words.ts";
import { formatUtc } from "../../kernel/time-text.ts";

const NAMES_SHOWN = 8;

export interface Difference {
  gained: readonly string[];
  lost: readonly string[];
}

/** The slots that an award gains and loses. */
export interface AwardChange {
  label: string;
  worked: Difference;
  confirmed: Difference;
}

/** One line for worked and one for confirmed. */
export const describeAward = ({ label, worked, confirmed }: AwardChange): string[] => [
  ...describeAwardChange(`${label} worked`, worked),
  ...describeAwardChange(`${label} confirmed`, confirmed),
];

const describeAwardChange = (what: string, { gained, lost }: Difference): string[] => {
  const parts = [
    ...(gained.length > 0 ? [`+${listed(gained)}`] : []),
    ...(lost.length > 0 ? [`-${listed(lost)}`] : []),
  ];
  return parts.length === 0 ? [] : [`${what}: ${parts.join("; ")}`];
};

const listed = (names: readonly string[]): string => {
  const more = names.length - NAMES_SHOWN;
  return `${names.length} (${names.slice(0, NAMES_SHOWN).join(", ")}${more > 0 ? `, and ${more} more` : ""})`;
};

export interface Changed {
  qsoId: number;
  call: string;
  startedAt: number;
  kind: "updated" | "deleted";
  diff: readonly { field: string; before: unknown; after: unknown }[];
}

/** A typed field repeats what its column says, so it is shown only if no column changed. */
export const listShownFields = ({ diff }: Pick<Changed, "diff">): Changed["diff"] =>
  diff.filter(({ field }) => !field.includes(".") || diff.every((other) => other.field.includes(".")));

/** One contact that a bulk edit would change. */
export const describeExample = ({ qsoId, call, startedAt, kind, diff }: Changed): string => {
  const name = `QSO ${qsoId} ${call} ${formatUtc(startedAt)}`;
  if (kind === "deleted") return `${name}: deleted`;
  if (diff.length === 0) return `${name}: merged with the other QSO`;
  const words = listShownFields({ diff }).map(
    ({ field, before, after }) =>
      `${describeField(field)} ${describeValue(field, before)} → ${describeValue(field, after)}`,
  );
  return `${name}: ${words.join(", ")}`;
};
