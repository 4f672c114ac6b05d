import { SECOND } from "../kernel/clock.ts";

/** `2026-07-31 23:31:22`, LoTW's format. */
export function formatStamp(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
}

/** Parses `2026-07-31 23:31:22` or `2026-07-31T23:31:22Z` to whole seconds. */
export function readStamp(text: string): number {
  const at = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`);
  return Math.trunc(at / SECOND) * SECOND;
}

export function readCompactDate(text: string): number {
  return Date.parse(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}T00:00:00Z`);
}

/** Parses `2026-07-31` or `2026-07-31 23:31:22`; null for anything else. */
export function readDate(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/.test(text)) return null;
  const at = Date.parse(`${text.slice(0, 10)}T${text.slice(11) || "00:00:00"}Z`);
  return Number.isNaN(at) || !formatStamp(at).startsWith(text) ? null : at;
}
