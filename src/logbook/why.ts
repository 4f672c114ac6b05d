import type { CallFacts } from "../domain/radio/call-facts.ts";
import { PLAIN_NAMES } from "../domain/contact/fields.ts";
import type { Qso } from "../domain/contact/qso.ts";
import { speakersOf } from "../domain/contact/why.ts";
import * as qsoChanges from "../storage/log/qso-changes.ts";
import type { Passage } from "../storage/log/qso-changes.ts";
import * as qsos from "../storage/log/qsos.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type { WhyDocument } from "./contract.ts";

/** What stands in each field of a contact, who says it, and the job or the day that brought it, where that is recorded. */
export const why = async (
  { db, callFacts }: Pick<World, "db" | "callFacts">,
  { id: userId }: LogCaller,
  qsoId: number,
): Promise<WhyDocument> => {
  const facts = await callFacts();
  return db.read(function* () {
    return yield* whyOf(yield* qsos.get(userId, qsoId), facts);
  });
};

/** The same of a contact that is known already. */
export function* whyOf(qso: Qso, facts: CallFacts): Unit<WhyDocument> {
  const history = yield* historyOf(qso, facts);
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

/** What happened to a contact, newest first, save by jobs that were taken back, and that they were. */
function* historyOf(qso: Qso, facts: CallFacts): Unit<Passage[]> {
  const history = yield* qsoChanges.historyOf(qso.id, facts);
  return history.filter(({ cause, status }) => cause !== "rollback" && status !== "cancelled");
}

/** The newest change that set the field to what it is. */
const brings = ({ before, after }: Passage, name: (typeof PLAIN_NAMES)[number], qso: Qso): boolean =>
  after !== null && after[name] === qso[name] && (before === null || before[name] !== after[name]);
