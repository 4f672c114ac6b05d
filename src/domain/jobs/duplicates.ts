/** Reasons why two contacts of a log are duplicates. */
export const DUPLICATE_KINDS = ["twice", "seconds", "overlap", "hours", "ownCall", "modeName", "band"] as const;
export type DuplicateKind = (typeof DUPLICATE_KINDS)[number];

export const DUPLICATE_WORDS: Record<DuplicateKind, string> = {
  twice: "logged twice within a minute",
  seconds: "logged once with seconds and once without",
  overlap: "overlapping times",
  hours: "whole hours apart: one is in local time",
  ownCall: "one without a station callsign",
  modeName: "different names for the same mode",
  band: "one without a band",
};

export interface DuplicateGroup {
  /** The most significant reason. */
  kind: DuplicateKind;
  why: readonly DuplicateKind[];
  /** The contact that the others are merged into comes first. */
  ids: readonly number[];
}
