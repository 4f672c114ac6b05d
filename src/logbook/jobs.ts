import { parseWord } from "../kernel/errors.ts";
import { isInChapter, type Chapter } from "../domain/jobs/job-story.ts";
import type { BroughtLayers, Layers, ServiceLayer } from "../domain/contact/layers.ts";
import { SERVICES, SOURCES, type Service } from "../domain/jobs/source.ts";
import { isActive, toJobView, JOB_STATUSES, createNoLeftoverError } from "../domain/jobs/sync-job.ts";
import { toNamedContact, type NamedContact } from "../domain/contact/named-contact.ts";
import * as qsos from "../storage/log/qsos.ts";
import * as leftovers from "../storage/log/leftovers.ts";
import { limitOf, pageOf, readNumbers, writeCursor } from "../storage/engine/page-cursor.ts";
import * as qsoChanges from "../storage/log/qso-changes.ts";
import type { Snapshot } from "../storage/log/qsos.ts";
import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as workers from "../storage/jobs/workers.ts";
import { deriveCandidates } from "../sync/match/leftover-candidates.ts";
import { computeDiff } from "../sync/undo/diff.ts";
import { isDead, failJobsOfDeadWorkers } from "../sync/job/worker.ts";
import type { World } from "../world.ts";
import type { CallFacts } from "../domain/radio/call-facts.ts";
import type { LogCaller } from "./caller.ts";
import type {
  ChangeParameters,
  ChangedContact,
  ChangeView,
  ChangesDocument,
  JobDocument,
  JobListDocument,
  JobParameters,
  JobStory,
  LeftoversDocument,
  LeftoverParameters,
} from "./contract.ts";

type Deps = Pick<World, "db" | "clock" | "log">;

const JOBS_A_PAGE = 20;
const ROWS_A_PAGE = 50;

/** A page of the user's jobs, newest first, and the number of active ones. */
export const listJobs = async (
  deps: Deps,
  { owner: { id } }: LogCaller,
  asked: JobParameters,
): Promise<JobListDocument> => {
  const { db, clock } = deps;
  const limit = limitOf(asked.limit, JOBS_A_PAGE);
  const source = oneOf("source", SOURCES, asked.source);
  const statuses = asked.status?.split(",").map((word) => oneOf("status", JOB_STATUSES, word.trim())!);
  const question = ["jobs", source, statuses];
  const [createdAt, jobId] = asked.cursor === undefined ? [] : readNumbers(question, asked.cursor, 2);
  const before = createdAt === undefined || jobId === undefined ? undefined : { createdAt, id: jobId };
  const look = () =>
    db.read(function* () {
      const found = yield* syncJobs.list({ userId: id, source, statuses, before, limit: limit + 1 });
      return { found, active: yield* syncJobs.countActive(id) };
    });
  const looked = await readSettled(deps, look, ({ active }) => active > 0);
  const { rows, nextCursor } = pageOf(looked.found, limit, question, (job) => [job.createdAt, job.id]);
  return { jobs: rows.map((job) => toJobView(job, clock())), active: looked.active, nextCursor };
};

const oneOf = <T extends string>(path: string, words: readonly T[], given: string | undefined): T | undefined =>
  given === undefined ? undefined : parseWord(path, path, words, given);

/**
 * Reads jobs. If one looks active, jobs of dead processes are ended first and the read is repeated, so that every page
 * and program sees the same.
 */
export const readSettled = async <Looked>(
  deps: Deps,
  look: () => Promise<Looked>,
  hasActive: (looked: Looked) => boolean,
): Promise<Looked> => {
  const looked = await look();
  if (!hasActive(looked)) return looked;
  const now = deps.clock();
  const known = await deps.db.read(() => workers.list(now));
  const isSettled = known.some(isDead) && (await failJobsOfDeadWorkers(deps)).length > 0;
  return isSettled ? look() : looked;
};

export const job = async (deps: Deps, { owner: { id } }: LogCaller, jobId: number): Promise<JobDocument> => {
  const found = await readSettled(deps, () => deps.db.read(() => syncJobs.get(id, jobId)), isActive);
  return { job: toJobView(found, deps.clock()) };
};

/** A page of a job's changes, field by field. */
export const listChanges = async (
  { db, callFacts }: Pick<World, "db" | "callFacts">,
  { owner: { id } }: LogCaller,
  jobId: number,
  asked: ChangeParameters,
): Promise<ChangesDocument> => {
  const facts = await callFacts();
  return db.read(function* () {
    yield* syncJobs.get(id, jobId);
    return yield* loadChanges(jobId, asked, facts);
  });
};

/** Of the records before and after. A page is built on the main thread. */
const MAX_CHANGES_BYTES = 1_000_000;

/** The maximum number of changes that are scanned for one page of a chapter. */
const MAX_SCANNED = 1_000;

function* loadChanges(jobId: number, { kind, ...asked }: ChangeParameters, facts: CallFacts): Unit<ChangesDocument> {
  const limit = limitOf(asked.limit, ROWS_A_PAGE);
  const question = kind === undefined ? ["changes", jobId] : ["changes", jobId, kind];
  const changes: ChangeView[] = [];
  let after = asked.cursor === undefined ? 0 : readNumbers(question, asked.cursor, 1)[0]!;
  let room = MAX_CHANGES_BYTES;
  for (let looked = 0; ;) {
    const most = limit - changes.length + 1;
    if (room <= 0) return { changes, nextCursor: writeCursor(question, [after]) };
    const page = yield* qsoChanges.list(jobId, { afterId: after, limit: most, maxBytes: room });
    room -= page.bytes;
    for (const row of page.changes) {
      if (changes.length === limit || looked === MAX_SCANNED) {
        return { changes, nextCursor: writeCursor(question, [after]) };
      }
      looked += 1;
      after = row.id;
      const change = toChangeView(row, facts);
      if (kind === undefined || isInChapter(kind, change)) changes.push(change);
    }
    if (page.isCut) return { changes, nextCursor: writeCursor(question, [after]) };
    if (page.changes.length < most) return { changes, nextCursor: null };
  }
}

const toChangeView = ({ id, qsoId, kind, ...said }: qsoChanges.SeenChange, facts: CallFacts): ChangeView => {
  const before = said.before && qsoChanges.buildSnapshot(said.before, facts);
  const after = said.after && qsoChanges.buildSnapshot(said.after, facts);
  const diff = computeDiff(before, after);
  return { id, qsoId, kind, before: before && toChangedContact(before), after: after && toChangedContact(after), diff };
};

const toChangedContact = (snapshot: Snapshot): ChangedContact => {
  const { own } = snapshot;
  const shown = { ...snapshot, ...flattenServices(snapshot) };
  return own?.brought ? { ...shown, own: { ...own, brought: flattenServices(own.brought) } } : shown;
};

const flattenServices = (layers: BroughtLayers | Layers): Partial<Record<Service, object | null>> =>
  Object.fromEntries(
    SERVICES.flatMap((service) => {
      const layer = layers[service];
      return layer === undefined ? [] : [[service, layer && flattenLayer(layer)]];
    }),
  );

/** The contract does not name the question if a service has only one. */
const flattenLayer = ({ twins, record, ...answers }: ServiceLayer): object => {
  const others = Object.entries(twins ?? {}).map(([id, twin]) => [id, flattenLayer(twin)]);
  return { ...(record ?? answers), ...(twins && { twins: Object.fromEntries(others) }) };
};

/** A page of the records that a job could not match or read. */
export const listLeftovers = async (
  { db, callFacts }: Pick<World, "db" | "callFacts">,
  { owner: { id } }: LogCaller,
  jobId: number,
  asked: LeftoverParameters,
): Promise<LeftoversDocument> => {
  const facts = await callFacts();
  return db.read(function* () {
    yield* syncJobs.get(id, jobId);
    return yield* loadLeftovers(id, jobId, asked, facts);
  });
};

function* loadLeftovers(
  userId: number,
  jobId: number,
  { kind, ...asked }: LeftoverParameters,
  facts: CallFacts,
): Unit<LeftoversDocument> {
  const limit = limitOf(asked.limit, ROWS_A_PAGE);
  const question = ["leftovers", jobId, kind];
  const afterId = asked.cursor === undefined ? 0 : readNumbers(question, asked.cursor, 1)[0]!;
  const { rows, hasMore } = yield* leftovers.list(jobId, { kind, afterId, limit });
  const nextCursor = hasMore ? writeCursor(question, [rows.at(-1)!.id]) : null;
  return {
    leftovers: (yield* deriveCandidates(userId, rows, facts)).map((one) => ({
      id: one.id,
      kind: one.kind,
      reason: one.reason,
      record: one.record.fields,
      candidates: one.candidates,
      resolvedAt: one.resolvedAt,
      resolution: one.resolution,
      actions: { dismiss: one.resolvedAt === null },
    })),
    nextCursor,
  };
}

/** A job with pages of its changes and leftovers, from one state of the database. */
export const jobStory = async (
  deps: Deps & Pick<World, "callFacts">,
  { owner: { id } }: LogCaller,
  jobId: number,
  cursors: { changes?: string; leftovers?: string; kind?: Chapter },
): Promise<JobStory> => {
  const facts = await deps.callFacts();
  const look = () =>
    deps.db.read(function* () {
      const found = yield* syncJobs.get(id, jobId);
      const changes = yield* loadChanges(jobId, { cursor: cursors.changes, kind: cursors.kind }, facts);
      const left = yield* loadLeftovers(id, jobId, { cursor: cursors.leftovers }, facts);
      const ids = left.leftovers.flatMap(({ candidates }) => candidates);
      return { found, changes, leftovers: left, candidates: [...(yield* loadNamedContacts(id, ids)).values()] };
    });
  const { found, ...lists } = await readSettled(deps, look, (looked) => isActive(looked.found));
  return { job: toJobView(found, deps.clock()), ...lists };
};

/** Dismisses a leftover, so that it is not offered again. */
export const dismissLeftover = async (
  { db, clock }: Deps,
  { owner: { id, username } }: LogCaller,
  leftoverId: number,
): Promise<void> => {
  const now = clock();
  if (!(await db.write(() => leftovers.dismiss(id, leftoverId, now))))
    throw createNoLeftoverError(username, leftoverId);
};

/** The user of a job, for the operator. */
export const getOwnerOfJob = async ({ db }: Pick<World, "db">, jobId: number): Promise<number> =>
  (await db.read(() => syncJobs.getOfAnyUser(jobId))).userId;

/** The identifying fields of contacts by id, without contacts that are gone. */
export function* loadNamedContacts(userId: number, ids: readonly number[]): Unit<Map<number, NamedContact>> {
  const found = yield* qsos.listColumnsByIds(ids);
  return new Map(found.filter((qso) => qso.userId === userId).map((qso) => [qso.id, toNamedContact(qso)]));
}
