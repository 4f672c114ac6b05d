/** Reasons why two contacts of a log are duplicates. */
export const DUPLICATE_KINDS = ["twice", "seconds", "overlap", "hours", "ownCall", "modeName", "band"] as const;
export type DuplicateKind = (typeof DUPLICATE_KINDS)[number];

export const DUPLICATE_WORDS: Record<DuplicateKind, string> = {
  twice: "the same contact from two programs",
  seconds: "the time to the minute and to the second",
  overlap: "one begins before the other has ended",
  hours: "the same second, whole hours apart: one is in local time",
  ownCall: "the own callsign is missing in one of them",
  modeName: "the mode is named otherwise",
  band: "the band is missing in one of them",
};

export interface DuplicateGroup {
  /** The most significant reason. */
  kind: DuplicateKind;
  why: readonly DuplicateKind[];
  /** The contact that the others are merged into comes first. */
  ids: readonly number[];
}
