import type { FilterParameter, QsoParameters } from "../../src/domain/qso-filter.ts";
import type { QsoView } from "../../src/domain/qso-view.ts";
import type { Statistics } from "../../src/domain/statistics.ts";
import type { TypedQso } from "../../src/logbook/fields.ts";

export interface QsoListDocument {
  qsos: QsoView[];
  total: number;
  nextCursor: string | null;
}

export type FilterParameters = Partial<Record<FilterParameter, string>>;

/** One user's log, here or on a server: the same questions, and the documents that the interface's routes give. */
export interface LogClient {
  qsos(parameters: QsoParameters): Promise<QsoListDocument>;
  qso(id: number): Promise<QsoView>;
  addQso(typed: TypedQso): Promise<QsoView>;
  editQso(id: number, patch: TypedQso): Promise<QsoView>;
  deleteQso(id: number): Promise<void>;
  /** ADIF in pieces, each made when it is asked for. */
  exportAdif(parameters: FilterParameters): AsyncIterable<string>;
  stats(station?: string): Promise<Statistics>;
}
