import { DAY, HOUR, MINUTE } from "../../src/domain/clock.ts";
import type { Service, Source } from "../../src/domain/source.ts";
import { utc } from "../table.ts";

export type Labels = Record<Service, string>;

export const sourceName = (source: Source, labels: Labels): string => (source === "file" ? "File" : labels[source]);

/** Never rounded up to a whole that is none. */
export const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.floor((100 * part) / whole)} %`;

export const bar = (share: number, width: number): string => {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width);
  return "█".repeat(filled) + "░".repeat(width - filled);
};

export const day = (at: number): string => utc(at).slice(0, 10);

/** How long it is until then, as a person says it. */
export const untilThen = (at: number, now: number): string => {
  const left = at - now;
  if (left <= 0) return "due now";
  if (left < HOUR) return `in ${Math.max(1, Math.round(left / MINUTE))} min`;
  if (left < 2 * DAY) return `in ${Math.floor(left / HOUR)} h ${Math.round((left % HOUR) / MINUTE)} min`;
  return `in ${Math.round(left / DAY)} days`;
};
