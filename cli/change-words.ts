import { utc } from "./table.ts";

/** The value of a field before or after a change. */
export const valueInWords = (field: string, value: unknown): string => {
  if (value === null || value === undefined) return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && field.endsWith("At")) return moment(value);
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
};

/** Services tell apart by seconds what looks the same by the minute. */
const moment = (at: number): string => {
  const seconds = new Date(at).toISOString().slice(16, 19);
  return seconds === ":00" ? utc(at) : utc(at) + seconds;
};
