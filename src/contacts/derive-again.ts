import type { CallFacts } from "../domain/radio/call-facts.ts";
import { derive, RULES_VERSION } from "../domain/contact/derive.ts";
import type { Derived, Qso } from "../domain/contact/qso.ts";
import { withCallFacts } from "../callsign/facts.ts";
import { defineWork } from "../storage/engine/database.ts";
import { changeLog } from "../storage/log/log-changes.ts";
import * as qsos from "../storage/log/qsos.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";

export interface Rederived {
  checked: number;
  changed: number;
}

interface Options {
  /** Only this user's contacts. */
  userId?: number;
  onProgress?: (done: Rederived) => void;
  /** Stops between two slices; what was derived stays. */
  signal?: AbortSignal;
}

const BATCH_SIZE = 500;
/** Smaller in the background, because others may want to write. */
const ROWS_A_SLICE = 100;
const IDS_PER_SCAN = 2_000;

/**
 * Derives every contact again whose rules or country file have changed. Layers and the time of the last change stay,
 * because no origin said anything new.
 */
export const deriveAgain = async (
  { db, turn }: Pick<World, "db" | "turn">,
  facts: CallFacts,
  { userId, onProgress = () => {}, signal }: Options = {},
): Promise<Rederived> => {
  const done: Rederived = { checked: 0, changed: 0 };
  for (let after = 0; ;) {
    signal?.throwIfAborted();
    const slice = await db.write(() => deriveSlice(qsos.listOfAll(after, BATCH_SIZE, userId), facts));
    if (slice.last === null) return done;
    after = slice.last;
    done.checked += slice.checked;
    done.changed += slice.changed;
    onProgress(done);
    await turn();
  }
};

/**
 * In the background after an update, derives contacts that an older version derived. Scans the whole table in short
 * steps at each start, because no index contains the rules version.
 */
export const deriveOutdated = async (
  { db, turn, config, log }: Pick<World, "turn" | "config" | "log"> & { db: Pick<World["db"], "read" | "inWorker"> },
  signal: AbortSignal,
): Promise<void> => {
  const done: Rederived = { checked: 0, changed: 0 };
  const last = await db.read(qsos.getLastId);
  for (let after = 0; after < last && !signal.aborted; after += IDS_PER_SCAN) {
    const outdated = await db.read(() => qsos.listOutdated(RULES_VERSION, after, after + IDS_PER_SCAN));
    for (let start = 0; start < outdated.length && !signal.aborted; start += ROWS_A_SLICE) {
      const order = { ids: outdated.slice(start, start + ROWS_A_SLICE), dataDir: config.dataDir };
      const slice = await db.inWorker(deriveWork, order, { userId: null });
      done.checked += slice.checked;
      done.changed += slice.changed;
    }
    await turn();
  }
  if (done.checked > 0) log.info(signal.aborted ? "derive.interrupted" : "derive.done", { ...done });
};

interface DeriveOrder {
  ids: readonly number[];
  dataDir: string;
}

export const deriveWork = defineWork(
  "contacts.derive",
  "write",
  ({ ids }: DeriveOrder, facts: CallFacts) => deriveSlice(qsos.listByIds(ids), facts),
  withCallFacts,
);

function* deriveSlice(listed: Unit<Qso[]>, facts: CallFacts): Unit<Rederived & { last: number | null }> {
  const found = yield* listed;
  const changed: (qsos.Replacement & { userId: number })[] = [];
  const marked: number[] = [];
  for (const qso of found) {
    const derived = derive(qsos.getLayers(qso), facts);
    if (derived === null) continue;
    const isChanged = !isSame(qso, derived);
    if (!isChanged && qso.rulesVersion === RULES_VERSION) continue;
    const before = qsos.toSnapshot(qso);
    const after = { ...before, ...derived, rulesVersion: RULES_VERSION };
    if (isChanged) changed.push({ id: qso.id, before, after, userId: qso.userId });
    else marked.push(qso.id);
  }
  yield* qsos.markDerived(marked, RULES_VERSION);
  for (const [owner, replaced] of Map.groupBy(changed, ({ userId }) => userId)) {
    yield* changeLog(owner, { replaced }, "nobody");
  }
  return { checked: found.length, changed: changed.length, last: found.at(-1)?.id ?? null };
}

const isSame = (qso: Qso, derived: Derived): boolean =>
  (Object.keys(derived) as (keyof Derived)[]).every((name) => Object.is(qso[name] ?? null, derived[name] ?? null));

/** The number of contacts of one user or all. */
export const countContacts = ({ db }: Pick<World, "db">, userId?: number): Promise<number> =>
  db.read(() => qsos.count(userId));
