/**
 * Contacts as programs make them. `feed` takes what one program tells of one log and says what became of each of it.
 *
 * - All of it is committed when the promise resolves. When it rejects, a part may be: tell all of it again. The same
 *   words twice change nothing, also after a crash, from another program, or a day later.
 * - A record goes the way of one in a file: it is matched, merged or added, and its change is kept. All that a program
 *   tells on a day (UTC) belongs to one job, which is completed at every moment and counts on; undoing it takes all of
 *   it back, and the next contact begins a new one.
 * - A program that has a name for a contact (N1MM's ID) gives it with each word about it: an edit or a deletion finds the
 *   contact by it. An edit of an unknown name is a new contact, a deletion of one changes nothing. A deletion without a
 *   name finds the contact that its fields mean.
 * - What a person deleted stays deleted. `unmatched` and `rejected` are kept with the job for a person to look at.
 * - Refused are only `invalid` (a wrong order; to tell it again is useless) and `unavailable` (the database is locked, or
 *   a job of the log is being rolled back: tell it again).
 */
import { MOST_FIELDS } from "../adif/reader.ts";
import type { Fields } from "../domain/contact/adif-record.ts";
import { AppError } from "../kernel/errors.ts";
import type { FeedDocument, FeedWishes, Told } from "../domain/jobs/feed.ts";
import { fieldName } from "../domain/contact/field-name.ts";
import { stripToOneLine } from "../kernel/control-characters.ts";
import { mapYielding } from "../kernel/yield-to-event-loop.ts";
import type { Feeds } from "../sync/feed/feeds.ts";
import type { World } from "../world.ts";
import { triggerOf, type LogCaller } from "./caller.ts";

export type FeedDesk = { feeds: Feeds } & Pick<World, "ticks" | "turn">;

export const feed = async (
  desk: FeedDesk,
  asker: LogCaller,
  { client, told, dryRun }: FeedWishes,
): Promise<FeedDocument> => {
  const order = { userId: asker.id, client: clientIn(client), trigger: triggerOf(asker), dryRun };
  const { jobId, taken } = await desk.feeds.take({ ...order, told: await mapYielding(desk, told, toldIn) });
  return { jobId, taken };
};

const MAX_NAME_LENGTH = 64;

const clientIn = (text: string): string => {
  const name = stripToOneLine(text).trim();
  if (name !== "" && name.length <= MAX_NAME_LENGTH) return name;
  throw invalid("client", `The name of a program has 1 to ${MAX_NAME_LENGTH} letters.`);
};

const toldIn = ({ kind, name, fields }: Told, at: number): Told => {
  if (kind === "delete" ? name === undefined && !fields : !fields) {
    throw invalid(
      `told.${at}`,
      kind === "delete" ? "Say which contact to delete." : "Say the contact, as ADIF fields.",
    );
  }
  return { kind, name: name === undefined || name === "" ? undefined : name, fields: fields && namedIn(fields, at) };
};

/** Under names that a log can have. More fields than a reader takes would make a record that nobody reads again. */
const namedIn = (fields: Fields, at: number): Fields => {
  if (Object.keys(fields).length > MOST_FIELDS)
    throw invalid(`told.${at}.fields`, `A record may have ${MOST_FIELDS} fields at most.`);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const known = fieldName(name);
      if (known === null)
        throw invalid(`told.${at}.fields`, `${JSON.stringify(name.slice(0, MAX_NAME_LENGTH))} is no name of a field.`);
      return [known, value];
    }),
  );
};

const invalid = (path: string, message: string): AppError =>
  new AppError("invalid", message, { fields: [{ path, message }] });
