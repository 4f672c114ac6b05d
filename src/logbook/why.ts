import { PLAIN_NAMES } from "../domain/fields.ts";
import type { Qso } from "../domain/qso.ts";
import { speakersOf } from "../domain/why.ts";
import type { Source } from "../domain/source.ts";
import * as qsoChanges from "../storage/qso-changes.ts";
import * as qsoPasts from "../storage/qso-pasts.ts";
import * as qsos from "../storage/qsos.ts";
import type { Unit } from "../storage/unit.ts";
import type { World } from "../world.ts";
import type { Asker } from "./asker.ts";
import type { WhyDocument } from "./contract.ts";

/** What stands in each field of a contact, who says it, and the job or the day that brought it, where that is recorded. */
export const why = ({ db }: Pick<World, "db">, { id: userId }: Asker, qsoId: number): Promise<WhyDocument> =>
  db.read(function* () {
    return yield* whyOf(yield* qsos.get(userId, qsoId));
  });

/** The same of a contact that is known already. */
export function* whyOf(qso: Qso): Unit<WhyDocument> {
  const history = yield* historyOf(qso);
  const speakers = speakersOf(qso);
  const fields = PLAIN_NAMES.filter((name) => qso[name] !== null).map((name) => {
    const brought = history.find((change) => brings(change, name, qso));
    return {
      field: name,
      value: qso[name],
      by: speakers.get(name)!,
      jobId: brought?.jobId ?? null,
      source: brought?.source ?? null,
      at: brought?.at ?? null,
    };
  });
  return { fields, since: history.at(-1)?.at ?? null };
}

/** What set a field once: a job, or a person's hand. */
interface Passage {
  jobId: number | null;
  source: Source | null;
  at: number;
  before: Columns | null;
  after: Columns | null;
}

type Columns = NonNullable<qsoChanges.Passage["before"]>;

/** What happened to a contact, newest first, save by jobs that were taken back, and that they were. */
function* historyOf(qso: Qso): Unit<Passage[]> {
  const byJobs = yield* qsoChanges.historyOf(qso.id);
  const byOthers = yield* qsoPasts.listOf(qso.id, MOST_PASSAGES);
  const history: Passage[] = [];
  let after: Columns | null = qso;
  for (let [job, other] = [0, 0]; job < byJobs.length || other < byOthers.length;) {
    const change = byJobs[job];
    const past = byOthers[other];
    const isJobs = !past || (change !== undefined && change.id > past.afterChange);
    if (isJobs) job += 1;
    else other += 1;
    if (change && isJobs && change.status !== "cancelled") history.push({ ...change, at: change.createdAt });
    // What a person did is known by what was there next.
    if (past && !isJobs && past.cause === "hand") history.push({ jobId: null, source: null, ...past, after });
    after = isJobs ? change!.before : past!.before;
  }
  return history;
}

const MOST_PASSAGES = 500;

/** The newest change that set the field to what it is. */
const brings = ({ before, after }: Passage, name: (typeof PLAIN_NAMES)[number], qso: Qso): boolean =>
  after !== null && after[name] === qso[name] && (before === null || before[name] !== after[name]);
