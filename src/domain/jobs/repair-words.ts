import { formatCount, formatNumber } from "../../kernel/number-text.ts";
import { FIELD_NAMES, getField } from "../contact/fields.ts";
import { HOUR, MINUTE } from "../../kernel/clock.ts";
import type { Settlement } from "./reconcile.ts";
import type { RepairChange, RepairCounts } from "./repair.ts";
import type { Labels } from "./source.ts";

const LABEL_OF: ReadonlyMap<string, string> = new Map(
  FIELD_NAMES.flatMap((name) => {
    const { adif = [], label = name, form } = getField(name);
    return adif.map((one): [string, string] => [one, (form?.label ?? label).toLowerCase()]);
  }),
);

const nameOf = (adif: string): string => (adif === "MY_GRIDSQUARE" ? "own grid" : (LABEL_OF.get(adif) ?? adif));

/** Describes a repair. */
export const describeRepair = (change: RepairChange, labels: Labels): string => {
  switch (change.kind) {
    case "delete":
      return "Deletes the QSOs.";
    case "takeOut":
      return `Takes out everything that ${labels[change.service]} said.`;
    case "merge":
      return "Merges QSOs that are the same contact.";
    case "settle":
      return SETTLED[change.act];
    case "edit":
      return editInWords(change);
  }
};

const SETTLED: Record<Settlement, string> = {
  match: "Gives records that were left over their QSOs.",
  new: "Adds QSOs for records that were left over.",
  dismiss: "Dismisses records that were left over.",
};

const editInWords = ({ fields, shiftMs, byFrequency, ftModes }: Extract<RepairChange, { kind: "edit" }>): string => {
  const entries = Object.entries(fields);
  const set = entries.filter(([, value]) => value).map(([name, value]) => `${nameOf(name)} = ${value}`);
  const cleared = entries.filter(([, value]) => value === "").map(([name]) => nameOf(name));
  const parts = [
    ...(set.length > 0 ? [`sets ${set.join(", ")}`] : []),
    ...(cleared.length > 0 ? [`clears ${cleared.join(", ")}`] : []),
    ...(shiftMs ? [`moves the time by ${describeShift(shiftMs)}`] : []),
    ...(byFrequency ? ["takes the band from the frequency"] : []),
    ...(ftModes === "swap" ? ["changes FT8 into FT4 and FT4 into FT8"] : []),
    ...(ftModes === "service" ? ["takes FT8 or FT4 from what a service says"] : []),
  ];
  const words = parts.join(", ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
};

const describeShift = (ms: number): string => {
  const size = Math.abs(ms);
  const hours = Math.floor(size / HOUR);
  const minutes = Math.round((size % HOUR) / MINUTE);
  return `${ms < 0 ? "-" : "+"}${hours}:${String(minutes).padStart(2, "0")} h`;
};

/** The counts of a repair preview, one line each. */
export const describeRepairCounts = ({ chosen, changed, deleted, unchanged, refused }: RepairCounts): string[] => [
  `${formatCount(chosen, "QSO")} chosen: ${formatNumber(changed)} to change, ${formatNumber(deleted)} to delete, ` +
    `${formatNumber(unchanged)} as they should be.`,
  ...refused.map(({ reason, contacts }) => `${formatCount(contacts, "QSO")} left alone: ${reason}.`),
];
