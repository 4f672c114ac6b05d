import { PLAIN_NAMES } from "../domain/fields.ts";
import type { Qso } from "../domain/qso.ts";
import { speakersOf } from "../domain/why.ts";
import * as qsoChanges from "../storage/qso-changes.ts";
import * as qsos from "../storage/qsos.ts";
import type { World } from "../world.ts";
import type { Asker } from "./asker.ts";
import type { WhyDocument } from "./contract.ts";

/** What stands in each field of a contact, who says it, and the job that brought it, where its records are kept. */
export const why = ({ db }: Pick<World, "db">, { id: userId }: Asker, qsoId: number): Promise<WhyDocument> =>
  db.read(function* () {
    const qso = yield* qsos.get(userId, qsoId);
    const history = yield* qsoChanges.historyOf(qsoId);
    const speakers = speakersOf(qso);
    const fields = PLAIN_NAMES.filter((name) => qso[name] !== null).map((name) => {
      const brought = history.find((change) => brings(change, name, qso));
      return {
        field: name,
        value: qso[name],
        by: speakers.get(name)!,
        jobId: brought?.jobId ?? null,
        source: brought?.source ?? null,
        at: brought?.createdAt ?? null,
      };
    });
    return { fields, since: history.at(-1)?.createdAt ?? null };
  });

/** The newest change that set the field to what it is. One that was typed by hand since is told of by none. */
const brings = ({ before, after }: qsoChanges.Passage, name: (typeof PLAIN_NAMES)[number], qso: Qso): boolean =>
  after !== null && after[name] === qso[name] && (before === null || before[name] !== after[name]);
