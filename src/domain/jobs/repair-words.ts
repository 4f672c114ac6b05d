import { LABELS } from "../origins/labels.ts";
import { formatCount } from "../../kernel/number-text.ts";
import { FIELD_NAMES, getField } from "../contact/fields.ts";
import { HOUR, MINUTE } from "../../kernel/clock.ts";
import type { Settlement } from "./reconcile.ts";
import type { RepairChange, RepairCounts } from "./repair.ts";

const LABEL_OF: ReadonlyMap<string, string> = new Map(
  FIELD_NAMES.flatMap((name) => {
    const { adif = [], label = name, form } = getField(name);
    return adif.map((one): [string, string] => [one, (form?.label ?? label).toLowerCase()]);
  }),
);

const nameOf = (adif: string): string => (adif === "MY_GRIDSQUARE" ? "your grid square" : (LABEL_OF.get(adif) ?? adif));

/** Describes a bulk edit. */
export const describeRepair = (change: RepairChange): string => {
  switch (change.kind) {
    case "delete":
      return "Deletes the QSOs.";
    case "takeOut":
      return `Removes everything that came from ${LABELS[change.service]}.`;
    case "merge":
      return "Merges QSOs that are the same contact.";
    case "settle":
      return SETTLED[change.act];
    case "edit":
      return editInWords(change);
  }
};

const SETTLED: Record<Settlement, string> = {
  match: "Matches unresolved records with QSOs.",
  new: "Adds unresolved records as new QSOs.",
  dismiss: "Dismisses unresolved records.",
};

const editInWords = ({ fields, shiftMs, byFrequency, ftModes }: Extract<RepairChange, { kind: "edit" }>): string => {
  const entries = Object.entries(fields);
  const set = entries.filter(([, value]) => value).map(([name, value]) => `${nameOf(name)} = ${value}`);
  const cleared = entries.filter(([, value]) => value === "").map(([name]) => nameOf(name));
  const parts = [
    ...(set.length > 0 ? [`sets ${set.join(", ")}`] : []),
    ...(cleared.length > 0 ? [`clears ${cleared.join(", ")}`] : []),
    ...(shiftMs ? [`moves the time by ${describeShift(shiftMs)}`] : []),
    ...(byFrequency ? ["sets the band from the frequency"] : []),
    ...(ftModes === "swap" ? ["changes FT8 to FT4 and FT4 to FT8"] : []),
    ...(ftModes === "service" ? ["sets FT8 or FT4 as a service has it"] : []),
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

/** The effect of a bulk edit, a line for each kind. */
export const describeRepairCounts = ({ chosen, changed, deleted, unchanged, refused }: RepairCounts): string[] => [
  ...(changed > 0 || (deleted === 0 && chosen === 0) ? [`${formatCount(changed, "contact")} will change.`] : []),
  ...(deleted > 0 ? [`${formatCount(deleted, "contact")} will be deleted.`] : []),
  ...(unchanged > 0 ? [`${formatCount(unchanged, "contact")} ${unchanged === 1 ? "needs" : "need"} no change.`] : []),
  ...refused.map(({ reason, contacts }) => `${formatCount(contacts, "contact")} cannot be changed: ${reason}.`),
];
