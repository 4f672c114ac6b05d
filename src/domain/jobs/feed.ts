import type { Fields } from "../contact/adif-record.ts";
import { listNewPlaces, type Facts } from "./gains.ts";

/** One entry from a program: a contact it logged, corrected or deleted. */
export interface Told {
  kind: "contact" | "edit" | "delete";
  /** The program's id of the contact, if it has one. It stays the same for the life of the contact. */
  name?: string;
  /** The contact as ADIF. An edit contains all fields; an empty value clears a field. */
  fields?: Fields;
}

/** The entries that a program sends in one request. */
export interface FeedRequest {
  /** The name of the program. Each program has one job a day. */
  client: string;
  told: readonly Told[];
  dryRun?: boolean;
}

/** The results in the order of the entries. A dry run has no job id. */
export interface FeedDocument {
  jobId: number | null;
  taken: Taken[];
}

/** A contact that a program logged recently, with what was new about it. */
export interface Fed extends Pick<Taken, "qsoId" | "call" | "startedAt" | "band" | "mode" | "entity" | "news"> {
  at: number;
}

const MAX_LATEST = 5;

/** Newest first. */
export const pickLatest = (before: readonly Fed[] | null, taken: readonly Taken[], at: number): Fed[] => {
  const fresh = taken.flatMap((one) => {
    const { outcome, qsoId, call, startedAt, band, mode, entity, news } = one;
    return outcome === "added" ? [{ at, qsoId, call, startedAt, band, mode, entity, news }] : [];
  });
  return [...fresh.toReversed(), ...(before ?? [])].slice(0, MAX_LATEST);
};

export const FEED_OUTCOMES = ["added", "updated", "unchanged", "deleted", "unmatched", "rejected"] as const;
export type FeedOutcome = (typeof FEED_OUTCOMES)[number];

/** The result of one entry. */
export interface Taken {
  outcome: FeedOutcome;
  /** The reason for an unusual result. */
  reason: string | null;
  qsoId: number | null;
  call: string | null;
  startedAt: number | null;
  band: string | null;
  mode: string | null;
  stationCallsign: string | null;
  /** The name of the entity. */
  entity: string | null;
  /** What was new, in words: `new entity`, `new on 17m`, `new zone 14`. */
  news: string[];
}

const OUTCOME_WORDS: Record<FeedOutcome, string> = {
  added: "logged",
  updated: "updated",
  unchanged: "already in the log",
  deleted: "deleted",
  unmatched: "unresolved",
  rejected: "not logged",
};

/** One line for people: `K1ABC 20m FT8: logged, new entity`. */
export const describeTaken = ({ outcome, reason, call, band, mode, news }: Taken): string => {
  const what = [call ?? "a record", band, mode].filter(Boolean).join(" ");
  return `${what}: ${[OUTCOME_WORDS[outcome], ...(reason === null ? [] : [reason]), ...news].join(", ")}`;
};

/** Describes what is new. A new entity is also new on its band, but is mentioned once. */
export const describeNews = (fresh: Facts, band: string | null): string[] => {
  const { entities, slots, zones, states, grids } = listNewPlaces(fresh);
  return [
    ...(entities.length > 0 ? ["new entity"] : slots.length > 0 && band !== null ? [`new on ${band}`] : []),
    ...zones.map((zone) => `new zone ${zone}`),
    ...states.map((state) => `new state ${state}`),
    ...grids.map((grid) => `new square ${grid}`),
  ];
};
