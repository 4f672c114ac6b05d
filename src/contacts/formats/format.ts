import type { UserDef } from "../../domain/contact/adif-record.ts";
import type { QsoFilter } from "../../domain/contact/qso-filter.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import type { Surveyed } from "../../storage/log/qso-list.ts";

/** What an export is about. */
export interface ExportContext {
  createdAt: number;
  programVersion: string;
  userDefs: readonly UserDef[];
  filter: QsoFilter;
  /** The chosen columns in order; null for the default. */
  columns: readonly string[] | null;
  /** The callsign of the user, if known. */
  callsign: string | null;
  /** Band and operator values of all contacts, for formats with `looksAhead`. */
  survey: readonly Surveyed[];
}

/** An export format that is written chunk by chunk. */
export interface Format {
  type: string;
  extension: string;
  /** Whether its header summarises all rows. */
  looksAhead?: boolean;
  /** Throws for contacts that the format cannot represent, before anything is written. */
  assertFits?(context: ExportContext): void;
  head(context: ExportContext): string;
  row(qso: Qso, context: ExportContext): string;
  tail(context: ExportContext): string;
}
