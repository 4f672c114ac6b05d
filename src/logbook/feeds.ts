/**
 * Contacts as programs log them. `feed` takes entries from one program for one log and returns the result of each.
 *
 * - When the promise resolves, everything is committed. When it rejects, a part may be committed: send all of it again.
 *   Sending the same text twice changes nothing, even after a crash, from another program, or a day later.
 * - An entry is handled like a record in a file: it is matched, merged or added, and its change is recorded. Everything
 *   a program sends on one day (UTC) belongs to one job, which is always completed and keeps counting. Undoing the job
 *   undoes all of it, and the next contact starts a new job.
 * - A program that has an id for a contact (N1MM's ID) sends it with each entry about it, and edits and deletions find
 *   the contact by it. An edit with an unknown id adds a contact, a deletion with an unknown id does nothing. A deletion
 *   without an id finds the contact by its fields.
 * - A contact that the user deleted stays deleted. `unmatched` and `rejected` records are stored with the job for the
 *   user to check.
 * - The only errors are `invalid` (the request is wrong; sending it again is useless) and `unavailable` (the database
 *   is locked, or a job of the log is being rolled back: retry).
 */
import { MAX_FIELDS } from "../domain/contact/record-size.ts";
import type { Fields } from "../domain/contact/adif-record.ts";
import { invalidField } from "../kernel/errors.ts";
import type { FeedDocument, FeedRequest, Told } from "../domain/jobs/feed.ts";
import { parseFieldName } from "../domain/contact/field-name.ts";
import { redactShapes } from "../kernel/redact.ts";
import { stripToOneLine } from "../kernel/control-characters.ts";
import { mapYielding } from "../kernel/yield-to-event-loop.ts";
import type { Feeds } from "../sync/feed/feeds.ts";
import type { World } from "../world.ts";
import { getTrigger, type LogCaller } from "./caller.ts";

export type FeedDesk = { feeds: Feeds } & Pick<World, "ticks" | "turn">;

export const feed = async (
  deps: FeedDesk,
  caller: LogCaller,
  { client, told, dryRun }: FeedRequest,
): Promise<FeedDocument> => {
  const order = { userId: caller.owner.id, client: parseClient(client), trigger: getTrigger(caller), dryRun };
  const { jobId, taken } = await deps.feeds.take({ ...order, told: await mapYielding(deps, told, parseTold) });
  return { jobId, taken };
};

const MAX_NAME_LENGTH = 64;

const parseClient = (text: string): string => {
  const name = redactShapes(stripToOneLine(text)).trim();
  if (name !== "" && name.length <= MAX_NAME_LENGTH) return name;
  throw invalidField("client", `The name of a program must have 1 to ${MAX_NAME_LENGTH} characters.`);
};

const parseTold = ({ kind, name, fields }: Told, at: number): Told => {
  if (kind === "delete" ? name === undefined && !fields : !fields) {
    throw invalidField(
      `told.${at}`,
      kind === "delete" ? "Name the contact to delete." : "Send the contact as ADIF fields.",
    );
  }
  return {
    kind,
    name: name === undefined || name === "" ? undefined : name,
    fields: fields && checkFieldNames(fields, at),
  };
};

/** Checks the field names. A record with more fields than the reader accepts could not be imported again. */
const checkFieldNames = (fields: Fields, at: number): Fields => {
  if (Object.keys(fields).length > MAX_FIELDS)
    throw invalidField(`told.${at}.fields`, `A record can have at most ${MAX_FIELDS} fields.`);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const known = parseFieldName(name);
      if (known === null)
        throw invalidField(
          `told.${at}.fields`,
          `${JSON.stringify(name.slice(0, MAX_NAME_LENGTH))} is not a valid field name.`,
        );
      return [known, value];
    }),
  );
};
