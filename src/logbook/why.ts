import type { CallFacts } from "../domain/radio/call-facts.ts";
import { PLAIN_NAMES } from "../domain/contact/fields.ts";
import type { Qso } from "../domain/contact/qso.ts";
import { findSpeakers } from "../domain/contact/why.ts";
import * as qsoChanges from "../storage/log/qso-changes.ts";
import type { HistoryEntry } from "../storage/log/qso-changes.ts";
import * as qsos from "../storage/log/qsos.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type { WhyDocument } from "./contract.ts";

/** The value of each field of a contact, its origin, and the job or day that brought it, if recorded. */
export const why = async (
  { db, callFacts }: Pick<World, "db" | "callFacts">,
  { owner: { id: userId } }: LogCaller,
  qsoId: number,
): Promise<WhyDocument> => {
  const facts = await callFacts();
  return db.read(function* () {
    return yield* loadWhy(yield* qsos.get(userId, qsoId), facts);
  });
};

/** The same for a contact that is already loaded. */
export function* loadWhy(qso: Qso, facts: CallFacts): Unit<WhyDocument> {
  const history = yield* loadHistory(qso, facts);
  const speakers = findSpeakers(qso);
  const fields = PLAIN_NAMES.filter((name) => qso[name] !== null).map((name) => {
    const brought = history.find((change) => hasBrought(change, name, qso));
    return {
      field: name,
      value: qso[name],
      by: speakers.get(name)!,
      jobId: brought?.jobId ?? null,
      source: brought?.source ?? null,
      at: brought?.at ?? null,
    };
  });
  const entityRule = speakers.get("dxcc") === "derived" ? facts.explain(qso.call, qso.startedAt) : null;
  return { fields, entityRule, since: history.at(-1)?.at ?? null };
}

/** The changes of a contact, newest first, without rolled back jobs and their rollbacks. */
function* loadHistory(qso: Qso, facts: CallFacts): Unit<HistoryEntry[]> {
  const history = yield* qsoChanges.listHistory(qso.id, facts);
  return history.filter(({ cause, status }) => cause !== "rollback" && status !== "cancelled");
}

/** Whether the change set the field to its current value. */
const hasBrought = ({ before, after }: HistoryEntry, name: (typeof PLAIN_NAMES)[number], qso: Qso): boolean =>
  after !== null && after[name] === qso[name] && (before === null || before[name] !== after[name]);
