import { AppError } from "../src/kernel/errors.ts";
import { FIELDS, FIELD_NAMES, listFieldsWith } from "../src/domain/contact/fields.ts";
import type { MergeRequest, RepairRequest } from "../src/logbook/contract.ts";
import type { BulkChange } from "./bulk-change.ts";
import { parseService } from "./words.ts";

export const toRepairChange = (request: RepairRequest): BulkChange => ({
  name: "Bulk edit",
  verb: request.delete ? "delete" : "change",
  question: request.delete ? "Delete these QSOs?" : "Change these QSOs?",
  preview: (log) => log.previewRepair(request),
  start: (log) => log.startRepair(request),
});

export const toMergeChange = (request: MergeRequest): BulkChange => ({
  name: "Merge",
  verb: "merge",
  question: "Merge these QSOs?",
  preview: (log) => log.previewMerge(request),
  start: (log) => log.startMerge(request),
});

/** Accepts the option names of `qso edit` without dashes, the API's names, and ADIF's. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...FIELD_NAMES.map((name): [string, string] => [name.toLowerCase(), name]),
  ...listFieldsWith("option").map((name): [string, string] => [/^--([\w-]+)/.exec(FIELDS[name].option[0])![1]!, name]),
  ["own-grid", "ownGrid"],
]);

export const parseFieldName = (text: string): string =>
  NAMES.get(text.trim().toLowerCase()) ?? text.trim().toUpperCase();

export const nameAndValue = (text: string): [string, string] => {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1) {
    throw new AppError("invalid", `${JSON.stringify(text)} is not NAME=VALUE.`);
  }
  return [parseFieldName(text.slice(0, at)), text.slice(at + 1)];
};

export const parseMinutes = (text: string): number => {
  const parts = /^([+-]?)(\d{1,4}):([0-5]\d)$/.exec(text.trim());
  if (!parts) throw new AppError("invalid", `${JSON.stringify(text)} is not a time shift such as -1:00.`);
  return (parts[1] === "-" ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3]));
};

/** Parses a change such as `station=YU1NEW; -grid; shift=-1:00`. */
export const parseChange = (line: string): Omit<RepairRequest, "filter"> => {
  const request: Omit<RepairRequest, "filter"> & { set: Record<string, unknown>; clear: string[] } = {
    set: {},
    clear: [],
  };
  for (const part of line.split(";").map((text) => text.trim())) {
    if (part === "") continue;
    if (part === "delete") request.delete = true;
    else if (part === "by-frequency") request.byFrequency = true;
    else if (part.startsWith("-")) request.clear.push(parseFieldName(part.slice(1)));
    else if (part.startsWith("shift=")) request.shiftMinutes = parseMinutes(part.slice("shift=".length));
    else if (part.startsWith("ft=")) request.ftModes = part.slice("ft=".length);
    else if (part.startsWith("take-out=")) request.takeOut = parseService(part.slice("take-out=".length));
    else if (/^of-job=\d{1,15}$/.test(part)) request.ofJob = Number(part.slice("of-job=".length));
    else {
      const [name, value] = nameAndValue(part);
      request.set[name] = value;
    }
  }
  return request;
};
