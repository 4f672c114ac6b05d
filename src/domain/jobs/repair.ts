import type { FilterParameter } from "../contact/qso-filter.ts";
import type { Settlement } from "./reconcile.ts";
import type { Service } from "./source.ts";

/** What a person says of contacts, many at once. */
export interface EditRepair {
  kind: "edit";
  /** By the names of ADIF. An empty text says that there is nothing to say; null takes back what was typed. */
  fields: Record<string, string | null>;
  /** Moves start and end. */
  shiftMs?: number;
  /** Where band and frequency contradict each other, or stand in each other's place, the frequency is right. */
  byFrequency?: boolean;
  /** FT8 and FT4 change places, or follow what a service says. */
  ftModes?: FtModes;
}

export const FT_MODES = ["swap", "service"] as const;
export type FtModes = (typeof FT_MODES)[number];

export const REPAIR_KINDS = ["edit", "delete", "takeOut", "merge", "settle"] as const;

/** What a repair does to each of its contacts. */
export type RepairChange =
  | EditRepair
  | { kind: "delete" }
  /** What one service said goes; a contact that nobody else knows goes with it. */
  | { kind: "takeOut"; service: Service }
  /** Contacts that are one become one. */
  | { kind: "merge"; rules: readonly string[] | null }
  /** Records left over find their contact, become new ones, or need none. */
  | { kind: "settle"; act: Settlement };

/**
 * By the words of the log's filters, by pairs of which the second is merged into the first, or by records left over, each
 * with the contact it means, if any.
 */
export type RepairChoice =
  | {
      filter: Partial<Record<FilterParameter, string>>;
      /** Of these only those whose words of a service one of these jobs brought last. */
      broughtBy?: readonly number[];
    }
  | { pairs: readonly [number, number][] }
  | { leftovers: readonly [leftoverId: number, qsoId: number | null][] };

/** Which contacts, and what becomes of them. */
export interface Repair {
  choice: RepairChoice;
  change: RepairChange;
}

/** What a repair would do. */
export interface RepairCounts {
  chosen: number;
  changed: number;
  deleted: number;
  unchanged: number;
  /** Contacts that stay as they are because the change makes no sense for them. */
  refused: { reason: string; contacts: number }[];
}
