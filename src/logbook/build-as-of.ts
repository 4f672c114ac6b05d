import { rmSync } from "node:fs";
import { Awards } from "../awards/book.ts";
import type { CallFacts } from "../domain/radio/call-facts.ts";
import type { OnProgress } from "../kernel/progress.ts";
import type { Qso } from "../domain/contact/qso.ts";
import { LogCache } from "../storage/log/log-cache.ts";
import { reportParts } from "../storage/log/large-log.ts";
import { migrate } from "../storage/engine/migrate.ts";
import * as qsoChanges from "../storage/log/qso-changes.ts";
import * as qsos from "../storage/log/qsos.ts";
import type { LayersThen } from "../storage/log/records.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as users from "../storage/people/users.ts";
import { prepareSpool, createSpoolPath } from "../sync/source/spool.ts";
import type { World } from "../world.ts";

/** Answers the same questions as the current log. */
export interface PastDeps extends Pick<World, "db" | "cache" | "clock" | "ticks"> {
  awards: Awards;
}

export interface PastLog {
  deps: PastDeps;
  close(): Promise<void>;
}

export type Building = Pick<
  World,
  "db" | "clock" | "ticks" | "sleep" | "config" | "random" | "callFacts" | "openBeside"
>;

const BATCH_SIZE = 200;
/** With this many contacts the query planner needs statistics. */
const WORTH_ANALYZING = 20_000;
/** A pause between two slices in which other work can run. */
const PAUSE_MS = 1;

/**
 * Builds the log as of a time in a separate database. Each contact is as the oldest change after that time says it was
 * before; a contact without later changes is as it is now. It is derived with today's rules, like all others.
 */
export const buildPastLog = async (
  deps: Building,
  userId: number,
  at: number,
  onProgress?: OnProgress,
): Promise<PastLog> => {
  const { db, clock, ticks, sleep, openBeside } = deps;
  const tell = await reportParts(db, userId, { onProgress });
  const facts = await deps.callFacts();
  const file = createSpoolPath(deps);
  prepareSpool(file);
  const past = await openBeside(file);
  const close = async () => {
    await past.close();
    for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
  };
  try {
    await migrate(past, clock());
    await past.write(() => users.addPast(userId));
    const seen = new Set<number>();
    let kept = 0;
    const keep = async (contacts: readonly Qso[]) => {
      kept += contacts.length;
      // Statistics are computed on demand, because most callers ask one question.
      if (contacts.length > 0) await past.write(() => qsos.restoreMany(userId, contacts, { jobId: null, now: at }));
      await sleep(PAUSE_MS);
    };
    // A contact that is removed or restored in the meantime is in at least one of these lists.
    const gone = await db.read(() => qsoChanges.listGone(userId, at));
    for (let afterId = 0; ;) {
      const { last, contacts, ids } = await db.read(() => readSlice({ userId, at, afterId }, facts));
      for (const id of ids) seen.add(id);
      await keep(contacts);
      tell(ids.length);
      if (last === null) break;
      afterId = last;
    }
    gone.push(...(await db.read(() => qsoChanges.listGone(userId, at))));
    const left = [...new Set(gone)].filter((id) => !seen.has(id));
    for (let start = 0; start < left.length; start += BATCH_SIZE) {
      const ids = left.slice(start, start + BATCH_SIZE);
      const known = await db.read(() => qsoChanges.findAt(ids, at));
      await keep([...known].flatMap(([id, said]) => (said ? [toContact({ id, userId }, said, facts)] : [])));
    }
    if (kept >= WORTH_ANALYZING) await past.analyze();
  } catch (error) {
    await close();
    throw error;
  }
  const own = { db: past, cache: new LogCache({ db: past, clock }), clock, ticks };
  return { deps: { ...own, awards: new Awards(own) }, close };
};

interface Order {
  userId: number;
  at: number;
  afterId: number;
}

interface Slice {
  /** All contacts that were scanned. */
  ids: number[];
  contacts: Qso[];
  last: number | null;
}

/** The next contacts of the log as of that time. */
function* readSlice({ userId, at, afterId }: Order, facts: CallFacts): Unit<Slice> {
  const found = yield* qsos.listOfAll(afterId, BATCH_SIZE, userId);
  const ids = found.map(({ id }) => id);
  const changed = yield* qsoChanges.findAt(ids, at);
  const contacts = found.flatMap((qso) => {
    const before = changed.get(qso.id);
    if (before === undefined) return [qso];
    return before === null ? [] : [toContact(qso, before, facts)];
  });
  return { ids, contacts, last: ids.at(-1) ?? null };
}

const toContact = ({ id, userId }: Pick<Qso, "id" | "userId">, said: LayersThen, facts: CallFacts): Qso => ({
  ...qsoChanges.buildSnapshot(said, facts),
  id,
  userId,
});
