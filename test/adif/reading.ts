import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import {
  type AdifHeader,
  type AdifOptions,
  type AdifProblem,
  AdifReader,
  type AdifSeen,
  type RecordPlace,
} from "../../src/adif/reader.ts";

export interface Reading {
  header: AdifHeader | null;
  records: AdifRecord[];
  places: RecordPlace[];
  problems: AdifProblem[];
  seen: AdifSeen;
}

/** Reads a whole log at once, or in pieces of `step` bytes. */
export function read(log: string | Uint8Array, options: AdifOptions = {}, step = Number.MAX_SAFE_INTEGER): Reading {
  const bytes = typeof log === "string" ? Buffer.from(log) : log;
  const reading: Omit<Reading, "seen"> = { header: null, records: [], places: [], problems: [] };
  const reader = new AdifReader(
    {
      onHeader: (header) => (reading.header = header),
      onRecord: (record, place) => {
        reading.records.push(record);
        reading.places.push(place);
      },
      onProblem: (problem) => reading.problems.push(problem),
    },
    options,
  );
  for (let at = 0; at < bytes.length; at += step) reader.write(bytes.subarray(at, at + step));
  reader.end();
  return { ...reading, seen: reader.seen };
}

export function rules({ problems }: Reading): string[] {
  return problems.map((problem) => problem.rule);
}

/** For comparing: an excerpt shows only what has arrived by then. */
export function withoutExcerpts(reading: Reading): object {
  return { ...reading, problems: reading.problems.map(({ rule, offset, message }) => ({ rule, offset, message })) };
}
