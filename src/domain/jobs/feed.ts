import type { Fields } from "../contact/adif-record.ts";
import { newPlaces, type Facts } from "./gains.ts";

/** What a program tells: a contact as it was made, one told otherwise, or one taken back. */
export interface Told {
  kind: "contact" | "edit" | "delete";
  /** What the program calls the contact, where it has a name for it; the same for as long as the contact lives. */
  name?: string;
  /** The contact as ADIF. An edit says all anew: a field with an empty value is taken back. */
  fields?: Fields;
}

/** What a program tells at once. */
export interface FeedWishes {
  /** The name of the program: each has one job a day. */
  client: string;
  told: Told[];
  dryRun?: boolean;
}

/** What became of it, in the same order; null is the job of a dry run. */
export interface FeedDocument {
  jobId: number | null;
  taken: Taken[];
}

/** A contact that a program told lately, with what it brought. */
export interface Fed extends Pick<Taken, "qsoId" | "call" | "startedAt" | "band" | "mode" | "entity" | "news"> {
  at: number;
}

const MAX_LATEST = 5;

/** The newest first. */
export const latestOf = (before: readonly Fed[] | null, taken: readonly Taken[], at: number): Fed[] => {
  const fresh = taken.flatMap((one) => {
    const { outcome, qsoId, call, startedAt, band, mode, entity, news } = one;
    return outcome === "added" ? [{ at, qsoId, call, startedAt, band, mode, entity, news }] : [];
  });
  return [...fresh.toReversed(), ...(before ?? [])].slice(0, MAX_LATEST);
};

export const FEED_OUTCOMES = ["added", "updated", "unchanged", "deleted", "unmatched", "rejected"] as const;
export type FeedOutcome = (typeof FEED_OUTCOMES)[number];

/** What became of it. */
export interface Taken {
  outcome: FeedOutcome;
  /** Why, where it is not what one would expect. */
  reason: string | null;
  qsoId: number | null;
  call: string | null;
  startedAt: number | null;
  band: string | null;
  mode: string | null;
  stationCallsign: string | null;
  /** The name of the entity. */
  entity: string | null;
  /** What it brought, as people say it: `new entity`, `new on 17m`, `new zone 14`. */
  news: string[];
}

const OUTCOME_WORDS: Record<FeedOutcome, string> = {
  added: "logged",
  updated: "updated",
  unchanged: "already in the log",
  deleted: "deleted",
  unmatched: "left over",
  rejected: "not logged",
};

/** One line for people: `K1ABC 20m FT8: logged, new entity`. */
export const takenInWords = ({ outcome, reason, call, band, mode, news }: Taken): string => {
  const what = [call ?? "a record", band, mode].filter(Boolean).join(" ");
  return `${what}: ${[OUTCOME_WORDS[outcome], ...(reason === null ? [] : [reason]), ...news].join(", ")}`;
};

/** What is new with these facts, as people say it. A new entity is new on its band too, and says so once. */
export const newsInWords = (fresh: Facts, band: string | null): string[] => {
  const { entities, slots, zones, states, grids } = newPlaces(fresh);
  return [
    ...(entities.length > 0 ? ["new entity"] : slots.length > 0 && band !== null ? [`new on ${band}`] : []),
    ...zones.map((zone) => `new zone ${zone}`),
    ...states.map((state) => `new state ${state}`),
    ...grids.map((grid) => `new square ${grid}`),
  ];
};
