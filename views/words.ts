import { DAY, HOUR, hoursAndMinutes, MINUTE, SECOND } from "../src/domain/clock.ts";
import { counted } from "../src/domain/figures.ts";

export { counted, grouped, percent } from "../src/domain/figures.ts";

/** A moment as people read it; the words around it say UTC. */
export const utc = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");

export const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const duration = (ms: number): string => {
  if (ms < 100) return "< 0.1 s";
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < 100 * SECOND) return `${Math.round(ms / SECOND)} s`;
  if (ms < 100 * MINUTE) return `${Math.round(ms / MINUTE)} min`;
  return hoursAndMinutes(ms);
};

/** How far away a moment is, roughly. */
const span = (ms: number): string => {
  if (ms < 2 * HOUR) return counted(Math.round(ms / MINUTE), "minute");
  if (ms < 2 * DAY) return counted(Math.round(ms / HOUR), "hour");
  return counted(Math.round(ms / DAY), "day");
};

export const fromNow = (at: number, now: number): string => {
  if (Math.abs(at - now) < MINUTE) return at > now ? "in a moment" : "just now";
  return at > now ? `in ${span(at - now)}` : `${span(now - at)} ago`;
};

export const bytes = (count: number): string => {
  if (count < 1_000_000) return `${Math.ceil(count / 1000)} kB`;
  return `${(count / 1_000_000).toFixed(count < 10_000_000 ? 1 : 0)} MB`;
};

/** As people say it: one, two and three. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
