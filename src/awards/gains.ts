import { withCallFacts } from "../callsign/facts.ts";
import { byWitness, type Witness } from "../domain/awards/award.ts";
import { encodeConfirmedAs } from "../domain/contact/confirmed.ts";
import { computeConfirmedBy } from "../domain/origins/bits.ts";
import { MODE_WITNESS } from "../domain/origins/origins.ts";
import type { CallFacts } from "../domain/radio/call-facts.ts";
import { derive } from "../domain/contact/derive.ts";
import { addPlaceFacts, addSquareFacts, toGains, type Facts, type Gains } from "../domain/jobs/gains.ts";
import type { PlaceTally, SquareTally } from "../domain/awards/award-tally.ts";
import type { Derived } from "../domain/contact/qso.ts";
import { places, squares, type ContactFilter } from "../storage/log/awards.ts";
import { defineWork } from "../storage/engine/database.ts";
import * as qsoChanges from "../storage/log/qso-changes.ts";
import { isLarge } from "../storage/log/large-log.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";

/** More changes than this are read in a reader thread. */
const MANY_CHANGES = 1_000;
const AT_ONCE = 500;

interface JobOfUser {
  jobId: number;
  userId: number;
  dataDir: string;
}

/** What a job added, computed without blocking the event loop, even for a large job. */
export const gainsOfJob = async (
  { db, callFacts, config }: Pick<World, "db" | "callFacts" | "config">,
  jobId: number,
  userId: number,
): Promise<Gains> => {
  const facts = await callFacts();
  const small = await db.read(function* () {
    const isSmall = !(yield* qsoChanges.isMoreThan(jobId, MANY_CHANGES)) && !(yield* isLarge(userId));
    return isSmall ? yield* gainsOf(jobId, userId, facts) : null;
  });
  return small ?? db.inWorker(gainsWork, { jobId, userId, dataDir: config.dataDir }, { userId, isNeverRefused: true });
};

export const gainsWork = defineWork(
  "gains.ofJob",
  "read",
  ({ jobId, userId }: JobOfUser, facts: CallFacts) => gainsOf(jobId, userId, facts),
  withCallFacts,
);

/** What the job's contacts count for now, without what other contacts count for and what they counted for before. */
export function* gainsOf(jobId: number, userId: number, callFacts: CallFacts): Unit<Gains> {
  if (!(yield* qsoChanges.isMoreThan(jobId, 0))) return toGains([]);
  const candidates = yield* factsOf(userId, { job: { id: jobId, touched: true } });
  for (const fact of yield* factsOf(userId, { job: { id: jobId, touched: false } })) candidates.delete(fact);
  if (candidates.size > 0) yield* withoutFormer(candidates, jobId, callFacts);
  return toGains(candidates);
}

function* factsOf(userId: number, filter: ContactFilter): Unit<Facts> {
  const facts: Facts = new Set();
  addPlaceFacts(facts, yield* places(userId, { ...filter, flagsOnly: true }));
  addSquareFacts(facts, yield* squares(userId, { ...filter, flagsOnly: true }));
  return facts;
}

/** Removes what the contacts counted for before the job first changed them. */
function* withoutFormer(candidates: Facts, jobId: number, callFacts: CallFacts): Unit<void> {
  for (let last = 0; candidates.size > 0;) {
    const changes = yield* qsoChanges.listFirstUpdates(jobId, last, AT_ONCE);
    if (changes.length === 0) return;
    last = changes.at(-1)!;
    const said = [...(yield* qsoChanges.loadLayersBefore(changes)).values()];
    const columns = said.flatMap((before) => (before ? derive(before, callFacts)! : []));
    const telling = hasWorked(candidates) ? columns : columns.filter(isConfirmed);
    const former = telling.map((qso) => tallyOf(qso));
    const facts: Facts = new Set();
    addPlaceFacts(facts, former);
    addSquareFacts(facts, former);
    for (const fact of facts) candidates.delete(fact);
  }
}

const hasWorked = (facts: Facts): boolean => [...facts].some((name) => name.startsWith("worked "));

/** Most contacts that a job changes were not confirmed before, so they can be skipped. */
const isConfirmed = (qso: Derived): boolean => computeConfirmedBy(qso) !== 0;

/** One contact in the form in which awards count groups of contacts. */
export const tallyOf = (qso: Derived, twoWay = false): PlaceTally & SquareTally => ({
  ...qso,
  confirmedAs: encodeConfirmedAs(qso),
  ...byWitness((witness) => Number(qso[`${witness}Confirmed`] && (!twoWay || hasSeenModes(qso, witness)))),
});

const hasSeenModes = ({ twoWay }: Derived, witness: Witness): boolean => witness !== MODE_WITNESS || twoWay === true;
