import { DUPLICATE_KINDS, type DuplicateGroup, type DuplicateKind } from "../domain/jobs/duplicates.ts";
import { AppError, parseWord } from "../kernel/errors.ts";
import type { Qso } from "../domain/contact/qso.ts";
import type { Repair } from "../domain/jobs/repair.ts";
import { limitOf, pageOf, readNumbers } from "../storage/engine/page-cursor.ts";
import { readWholeLog } from "../storage/log/large-log.ts";
import * as qsos from "../storage/log/qsos.ts";
import { findDuplicatesWork } from "../sync/duplicates/find.ts";
import type { JobRunner } from "../sync/job/runner.ts";
import type { RepairPreview } from "../sync/repair/preview.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type {
  DuplicateContact,
  DuplicateParameters,
  DuplicatesDocument,
  Hearing,
  JobDocument,
  MergeRequest,
} from "./contract.ts";
import { beginRepair, previewOf } from "./repairs.ts";

const GROUPS_A_PAGE = 50;

type Deps = Pick<World, "db" | "cache">;

const loadGroups = ({ db, cache }: Deps, caller: LogCaller): Promise<readonly DuplicateGroup[]> =>
  cache.getOrCompute(
    caller.owner.id,
    "duplicates",
    async (waiting) =>
      (await readWholeLog(db, findDuplicatesWork, { userId: caller.owner.id }, waiting)).sort(
        (a, b) => getPlace(a) - getPlace(b),
      ),
    caller,
  );

/** Groups are sorted by their oldest contact. */
const getPlace = ({ ids }: DuplicateGroup): number => Math.min(...ids);

/** A page of duplicate groups, and the number of each kind. */
export const listDuplicates = async (
  deps: Deps,
  caller: LogCaller,
  asked: DuplicateParameters,
): Promise<DuplicatesDocument> => {
  const kind = parseKind(asked.kind);
  const limit = limitOf(asked.limit, GROUPS_A_PAGE);
  const question = ["duplicates", kind];
  const after = asked.cursor === undefined ? 0 : readNumbers(question, asked.cursor, 1)[0]!;
  const all = await loadGroups(deps, caller);
  const wanted = kind === undefined ? all : all.filter((group) => group.kind === kind);
  const rest = wanted.filter((group) => getPlace(group) > after).slice(0, limit + 1);
  const { rows, nextCursor } = pageOf(rest, limit, question, (group) => [getPlace(group)]);
  const found = await deps.db.read(() => qsos.listColumnsByIds(rows.flatMap(({ ids }) => ids)));
  const known = new Map(found.map((qso) => [qso.id, qso]));
  return {
    groups: rows.map(({ ids, ...group }) => ({
      kind: group.kind,
      why: group.why,
      contacts: ids.flatMap((id) => known.get(id) ?? []).map(toContactView),
    })),
    kinds: Object.fromEntries(
      DUPLICATE_KINDS.map((one) => [one, all.filter((group) => group.kind === one).length]),
    ) as Record<DuplicateKind, number>,
    total: wanted.length,
    nextCursor,
  };
};

const toContactView = (qso: Qso): DuplicateContact => ({
  id: qso.id,
  call: qso.call,
  startedAt: qso.startedAt,
  endedAt: qso.endedAt,
  band: qso.band,
  mode: qso.mode,
  submode: qso.submode,
  stationCallsign: qso.stationCallsign,
  firstConfirmed: qso.firstConfirmed,
  secondConfirmed: qso.secondConfirmed,
  cardConfirmed: qso.cardConfirmed,
});

const parseKind = (text: string | undefined): DuplicateKind | undefined =>
  text === undefined ? undefined : parseWord("kind", "kind of duplicate", DUPLICATE_KINDS, text);

export const previewMerge = async (
  deps: Deps & Pick<World, "clock" | "config" | "limits">,
  caller: LogCaller,
  request: MergeRequest,
): Promise<{ preview: RepairPreview }> => previewOf(deps, caller, await mergeOf(deps, caller, request));

/** Merges duplicate contacts with a bulk edit job. */
export const merge = async (
  deps: World & Deps & { runner: JobRunner },
  caller: LogCaller,
  request: MergeRequest,
  hearing: Hearing = {},
): Promise<JobDocument> => beginRepair(deps, caller, await mergeOf(deps, caller, request), hearing);

const mergeOf = async (deps: Deps, caller: LogCaller, { kind: word, qsoId }: MergeRequest): Promise<Repair> => {
  const kind = parseKind(word);
  if ((kind === undefined) === (qsoId === undefined)) {
    throw new AppError("invalid", "Choose a kind of duplicates, or one QSO of a group.");
  }
  const all = await loadGroups(deps, caller);
  const groups = all.filter((group) => (qsoId === undefined ? group.kind === kind : group.ids.includes(qsoId)));
  if (qsoId !== undefined && groups.length === 0) {
    throw new AppError("not_found", `QSO ${qsoId} has no duplicate.`);
  }
  const pairs = groups.flatMap(({ ids: [kept, ...others] }) => others.map((id): [number, number] => [kept!, id]));
  return { choice: { pairs }, change: { kind: "merge", rules: kind === undefined ? null : [kind] } };
};
