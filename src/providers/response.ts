import type { AdifOptions, AdifProblem } from "../adif/reader.ts";
import { readAdif } from "../adif/reader.ts";
import type { AdifRecord } from "../domain/contact/adif-record.ts";
import type { ProviderDeps, Rejection } from "../domain/jobs/provider.ts";
import { assertGoing } from "./http.ts";
import type { Spool } from "./spool.ts";

const BATCH_SIZE = 500;
const MAX_REJECTED = 1000;

interface Stretch {
  from?: number;
  to?: number;
  options: AdifOptions;
  accepts?: (record: AdifRecord) => boolean;
}

/** The records of a spooled response, in batches of 500. */
export async function* readRecords(
  deps: Pick<ProviderDeps, "turn">,
  spool: Spool,
  { from, to, options, accepts = () => true }: Stretch,
  signal: AbortSignal,
): AsyncGenerator<AdifRecord[]> {
  let batch: AdifRecord[] = [];
  assertGoing(signal);
  for await (const { records } of readAdif(readPieces(deps, spool, from, to), options)) {
    for (const record of records) {
      if (accepts(record)) batch.push(record);
      if (batch.length < BATCH_SIZE) continue;
      yield batch;
      assertGoing(signal);
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Collects what a parser could not read. A problem that loses no record is only logged. */
export class ReadProblems {
  readonly rejected: Rejection[] = [];
  readonly #rules = new Map<string, number>();

  add({ rule, message, excerpt }: AdifProblem): void {
    this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1);
    if (rule === "too_large" && this.rejected.length < MAX_REJECTED) this.rejected.push({ reason: message, excerpt });
  }

  log(log: ProviderDeps["log"], service: string): void {
    if (this.#rules.size > 0) log?.("provider.problems", { service, problems: Object.fromEntries(this.#rules) });
  }
}

/** Yields to the event loop after each block. */
async function* readPieces(
  { turn }: Pick<ProviderDeps, "turn">,
  spool: Spool,
  from?: number,
  to?: number,
): AsyncGenerator<Uint8Array> {
  for (const block of spool.read(from, to)) {
    yield block;
    await turn();
  }
}
