import type { FilterParameter } from "../contact/qso-filter.ts";
import type { Settlement } from "./reconcile.ts";
import type { Service } from "./source.ts";

/** An edit of many contacts. */
export interface EditRepair {
  kind: "edit";
  /** By ADIF name. An empty text clears the field; null removes what the user typed earlier. */
  fields: Record<string, string | null>;
  /** Shifts start and end by this time. */
  shiftMs?: number;
  /** Where band and frequency contradict each other or are swapped, the frequency wins. */
  byFrequency?: boolean;
  /** Swaps FT8 and FT4, or follows what a service says. */
  ftModes?: FtModes;
}

export const FT_MODES = ["swap", "service"] as const;
export type FtModes = (typeof FT_MODES)[number];

export const REPAIR_KINDS = ["edit", "delete", "takeOut", "merge", "settle"] as const;

export type RepairChange =
  | EditRepair
  | { kind: "delete" }
  /** Removes the records of one service, and contacts that nobody else knows. */
  | { kind: "takeOut"; service: Service }
  /** Merges duplicate contacts. */
  | { kind: "merge"; rules: readonly string[] | null }
  /** Matches unmatched records with contacts, adds them, or dismisses them. */
  | { kind: "settle"; act: Settlement };

/**
 * Contacts by log filters, pairs whose second contact is merged into the first, or unmatched records, each with the
 * contact it means, if any.
 */
export type RepairChoice =
  | {
      filter: Partial<Record<FilterParameter, string>>;
      /** Only contacts whose record of the service was last brought by one of these jobs. */
      broughtBy?: readonly number[];
    }
  | { pairs: readonly [number, number][] }
  | { leftovers: readonly [leftoverId: number, qsoId: number | null][] };

export interface Repair {
  choice: RepairChoice;
  change: RepairChange;
}

/** What a bulk edit would do. */
export interface RepairCounts {
  chosen: number;
  changed: number;
  deleted: number;
  unchanged: number;
  /** Contacts that stay unchanged because the bulk edit makes no sense for them. */
  refused: { reason: string; contacts: number }[];
}
