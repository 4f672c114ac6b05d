import { AppError, parseWord } from "../kernel/errors.ts";
import {
  RECONCILE_CLASSES,
  SETTLEMENTS,
  type ContactClass,
  type ReconcileClass,
  type Settlement,
} from "../domain/jobs/reconcile.ts";
import { isService, SERVICES } from "../domain/jobs/source.ts";
import { createNoLeftoverError } from "../domain/jobs/sync-job.ts";
import { readWholeLog } from "../storage/log/large-log.ts";
import * as leftovers from "../storage/log/leftovers.ts";
import { limitOf, pageOf, readNumbers, writeCursor } from "../storage/engine/page-cursor.ts";
import type { Waiting } from "../storage/engine/reader-threads.ts";
import * as tombstones from "../storage/log/tombstones.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { JobRunner } from "../sync/job/runner.ts";
import { countClassesWork, listClassWork, type ClassCounts } from "../sync/reconcile/scan.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type { JobDocument, ReconcileDocument, ReconcileParameters, SettleRequest } from "./contract.ts";
import { loadNamedContacts } from "./jobs.ts";
import { beginRepair } from "./repairs.ts";

type Deps = Pick<World, "db" | "cache">;
const ROWS_A_PAGE = 50;

/** The number of contacts in each class. */
const countClasses = ({ db, cache }: Deps, caller: LogCaller): Promise<ClassCounts> => {
  const userId = caller.owner.id;
  const count = (waiting: Waiting) => readWholeLog(db, countClassesWork, { userId }, waiting);
  return cache.getOrCompute(userId, "reconcile", count, caller);
};

/** Compares a log with both services: the number in each class, and a page of one class. */
export const reconcile = async (
  deps: Deps,
  caller: LogCaller,
  asked: ReconcileParameters,
): Promise<ReconcileDocument> => {
  const { id: userId } = caller.owner;
  const name = parseClass(asked.class);
  const limit = limitOf(asked.limit, ROWS_A_PAGE);
  const question = ["reconcile", name];
  const after = asked.cursor === undefined ? 0 : readNumbers(question, asked.cursor, 1)[0]!;
  const contacts = await countClasses(deps, caller);
  const missing = await deps.db.read(function* () {
    return { deleted: yield* tombstones.countThere(userId), leftovers: yield* leftovers.countOfServices(userId) };
  });
  const document = { counts: { ...contacts, ...missing }, contacts: [], deleted: [], leftovers: [], nextCursor: null };
  if (name === undefined) return document;
  if (name === "deleted")
    return { ...document, ...(await deps.db.read(() => loadDeleted(userId, after, limit, question))) };
  if (name === "leftovers") {
    return { ...document, ...(await deps.db.read(() => loadWaiting(userId, after, limit, question))) };
  }
  // Nothing is read that the count rules out: to find no more contacts takes the whole log.
  const most = after === 0 ? Math.min(limit + 1, contacts[name]) : limit + 1;
  if (most === 0) return document;
  return { ...document, ...(await loadContacts(deps, caller, name, { after, limit, question }, most)) };
};

/** The number of received records that match no contact. */
export const countUnresolved = ({ db }: Pick<World, "db">, { owner: { id } }: LogCaller): Promise<number> =>
  db.read(() => leftovers.countOfServices(id));

const parseClass = (text: string | undefined): ReconcileClass | undefined =>
  text === undefined ? undefined : parseWord("class", "class", RECONCILE_CLASSES, text);

interface Page {
  after: number;
  limit: number;
  question: unknown;
}

const loadContacts = async (
  { db }: Deps,
  caller: LogCaller,
  name: ContactClass,
  { after, limit, question }: Page,
  most: number,
): Promise<Pick<ReconcileDocument, "contacts" | "nextCursor">> => {
  const order = { userId: caller.owner.id, afterId: after, name, most };
  const found = await readWholeLog(db, listClassWork, order, caller);
  const rows = found.slice(0, limit);
  const nextCursor = found.length > limit ? writeCursor(question, [rows.at(-1)!.id]) : null;
  return { contacts: rows, nextCursor };
};

function* loadDeleted(
  userId: number,
  after: number,
  limit: number,
  question: unknown,
): Unit<Pick<ReconcileDocument, "deleted" | "nextCursor">> {
  const found = yield* tombstones.listThere(userId, after, limit + 1);
  const { rows, nextCursor } = pageOf(found, limit, question, ({ id }) => [id]);
  return {
    deleted: rows.map((tombstone) => ({
      id: tombstone.id,
      call: tombstone.call,
      startedAt: tombstone.startedAt,
      band: tombstone.band,
      at: SERVICES.filter((service) => tombstone[`${service}Id`] !== null),
    })),
    nextCursor,
  };
}

function* loadWaiting(
  userId: number,
  after: number,
  limit: number,
  question: unknown,
): Unit<Pick<ReconcileDocument, "leftovers" | "nextCursor">> {
  const { rows, hasMore } = yield* leftovers.listOfServices(userId, after, limit);
  const nextCursor = hasMore ? writeCursor(question, [rows.at(-1)!.id]) : null;
  const own = yield* loadNamedContacts(
    userId,
    rows.flatMap((one) => one.candidates),
  );
  return {
    leftovers: rows.flatMap(({ id, jobId, source, kind, reason, record, candidates: ids }) =>
      isService(source)
        ? [
            {
              id,
              jobId,
              source,
              kind,
              reason,
              record: record.fields,
              candidates: ids.flatMap((one) => own.get(one) ?? []),
            },
          ]
        : [],
    ),
    nextCursor,
  };
}

const assertWaiting = async (
  { db }: Pick<World, "db">,
  { owner: { id, username } }: LogCaller,
  named: SettleRequest["leftovers"],
): Promise<void> => {
  const ids = named.map((one) => one.id);
  const waiting = new Set((await db.read(() => leftovers.listWaiting(id, ids))).map((one) => one.id));
  const missing = ids.find((one) => !waiting.has(one));
  if (missing !== undefined) throw createNoLeftoverError(username, missing);
};

/** Settles leftovers with a job: each matches a contact, becomes a new one, or is dismissed. */
export const settle = async (
  deps: World & { runner: JobRunner },
  caller: LogCaller,
  { act: word, leftovers: named }: SettleRequest,
): Promise<JobDocument> => {
  const act = SETTLEMENTS.find((one): one is Settlement => one === word);
  const isWhole = named.length > 0 && named.every(({ qsoId }) => (qsoId !== undefined) === (act === "match"));
  if (act === undefined || !isWhole) {
    throw new AppError("invalid", "Each record needs an action: match (with a QSO), new or dismiss.", {
      fields: [{ path: "act", message: `use ${SETTLEMENTS.join(", ")}` }],
    });
  }
  await assertWaiting(deps, caller, named);
  const choice = { leftovers: named.map(({ id, qsoId = null }): [number, number | null] => [id, qsoId]) };
  return beginRepair(deps, caller, { choice, change: { kind: "settle", act } });
};

/** The same for one leftover, with the value of a page's button: `match-12` includes the contact. */
export const settleAsSaid = (
  deps: World & { runner: JobRunner },
  caller: LogCaller,
  id: number,
  said: string,
): Promise<JobDocument> => {
  const [, qsoId] = /^match-(\d{1,15})$/.exec(said) ?? [];
  const request =
    qsoId === undefined
      ? { act: said, leftovers: [{ id }] }
      : { act: "match", leftovers: [{ id, qsoId: Number(qsoId) }] };
  return settle(deps, caller, request);
};
