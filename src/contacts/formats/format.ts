import type { UserDef } from "../../domain/contact/adif-record.ts";
import type { QsoFilter } from "../../domain/contact/qso-filter.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import type { Surveyed } from "../../storage/log/qso-list.ts";

/** What a file is about. */
export interface ExportContext {
  createdAt: number;
  programVersion: string;
  userDefs: readonly UserDef[];
  filter: QsoFilter;
  /** The columns that were chosen, in order; null for the usual ones. */
  columns: readonly string[] | null;
  /** The callsign of whoever exports, where it is known. */
  callsign: string | null;
  /** On what and by whom the contacts were made, where the form looks ahead. */
  survey: readonly Surveyed[];
}

/** A form in which contacts go out, piece by piece. */
export interface Format {
  type: string;
  extension: string;
  /** Whether its head tells of all the rows behind it. */
  looksAhead?: boolean;
  /** Refuses what the form cannot hold, before anything is written. */
  assertFits?(context: ExportContext): void;
  head(context: ExportContext): string;
  row(qso: Qso, context: ExportContext): string;
  tail(context: ExportContext): string;
}
