import type { CallFacts } from "../domain/radio/call-facts.ts";
import { MINUTE, getMinute } from "../kernel/clock.ts";
import { derive, RULES_VERSION } from "../domain/contact/derive.ts";
import { AppError, type FieldProblem, invalidFields } from "../kernel/errors.ts";
import { isField, type FieldName } from "../domain/contact/fields.ts";
import { NO_LAYERS, sameLayers, type Layers } from "../domain/contact/layers.ts";
import { setTyped } from "../domain/origins/owner.ts";
import type { Derived, Qso } from "../domain/contact/qso.ts";
import { byService } from "../domain/jobs/source.ts";
import { changeLog } from "../storage/log/log-changes.ts";
import * as qsoChanges from "../storage/log/qso-changes.ts";
import * as qsos from "../storage/log/qsos.ts";
import * as tombstones from "../storage/log/tombstones.ts";
import { lockUser, type Unit } from "../storage/engine/unit.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import { readTyped, checkTuning, type TypedFields, type TypedQso } from "./fields.ts";
import { findLastDate } from "./moment.ts";

type Deps = Pick<World, "db" | "clock">;

/** Adds a typed contact. The own callsign is the user's, unless another is typed. */
export const addQso = async ({ db, clock }: Deps, userId: number, typed: TypedQso, facts: CallFacts): Promise<Qso> => {
  const now = clock();
  const { fields: said, problems } = readTyped(typed, now);
  const fields = said.TIME_ON ? { QSO_DATE: findLastDate(said.TIME_ON, now), ...said } : said;
  const wrong = [...problems, ...findMissing(fields, problems)];
  return db.write(function* () {
    yield* lockUser(userId);
    const { callsign } = yield* users.get(userId);
    const own = { STATION_CALLSIGN: callsign, ...fields };
    const { derived: typedAlone } = applyTyped(NO_LAYERS, own, wrong, facts);
    yield* assertNew(userId, typedAlone);
    const { layers, derived } = applyTyped(yield* loadLayersAtDeletion(userId, typedAlone), own, wrong, facts);
    const contact = { ...derived, ...layers, createdAt: now, updatedAt: now, rulesVersion: RULES_VERSION };
    const [id] = yield* changeLog(userId, { added: [contact] }, { cause: "hand", now });
    return { ...contact, id: id!, userId };
  });
};

/** What services said about this contact if it had been deleted before. It counts again. */
function* loadLayersAtDeletion(userId: number, typed: Derived): Unit<Layers> {
  const { call, startedAt, band, modeGroup, stationCallsign } = typed;
  const from = getMinute(startedAt) * MINUTE;
  const deleted = (yield* tombstones.findMeant(userId, { calls: [call], from, to: from + MINUTE - 1 })).filter(
    (one) =>
      one.mergedInto === null &&
      one.band === band &&
      (one.modeGroup ?? modeGroup) === modeGroup &&
      (one.stationCallsign ?? stationCallsign) === (stationCallsign ?? one.stationCallsign),
  );
  const id = deleted.at(-1)?.qsoId ?? null;
  if (id === null) return NO_LAYERS;
  return (yield* qsoChanges.loadServiceLayersAtDeletion([id])).get(id) ?? NO_LAYERS;
}

/**
 * Changes the typed values of a contact. Null removes one, so that other origins count again. `seen` holds the values
 * that were displayed: a field that changed since then is not overwritten.
 */
export const editQso = async (
  { db, clock }: Deps,
  userId: number,
  id: number,
  { seen, ...patch }: TypedQso,
  facts: CallFacts,
): Promise<Qso> => {
  const now = clock();
  const { fields, problems } = readTyped(patch, now);
  return db.write(function* () {
    yield* lockUser(userId);
    const qso = yield* qsos.get(userId, id);
    assertAsSeen(qso, seen, patch);
    const { layers, derived } = applyTyped(qsos.getLayers(qso), fields, problems, facts);
    assertNotLost(qso, derived);
    if (sameLayers(layers, qsos.getLayers(qso))) return qso;
    if (KEY.some((name) => derived[name] !== qso[name])) yield* assertNew(userId, derived, id);
    const edited = { ...qso, ...derived, ...layers, updatedAt: now, rulesVersion: RULES_VERSION };
    yield* changeLog(userId, { replaced: [{ id, before: qso, after: edited }] }, { cause: "hand", now });
    return edited;
  });
};

/** Deletes a contact and prevents services from adding it again. */
export const deleteQso = async ({ db, clock }: Deps, userId: number, id: number): Promise<Qso> => {
  const now = clock();
  return db.write(function* () {
    yield* lockUser(userId);
    const qso = yield* qsos.get(userId, id);
    yield* tombstones.add([{ qso }], now);
    yield* changeLog(userId, { removed: [qso] }, { cause: "hand", now });
    return qso;
  });
};

const quote = (value: unknown): string => (value === null ? "empty" : JSON.stringify(value));

const assertAsSeen = (qso: Qso, seen: unknown, patch: TypedQso): void => {
  if (seen === undefined) return;
  if (seen === null || typeof seen !== "object") {
    throw invalidFields([{ path: "seen", message: "seen must be an object with the previous value of each field." }]);
  }
  const changed = Object.entries(seen).filter(([name, value]) => {
    return Object.hasOwn(patch, name) && isField(name) && qso[name] !== value;
  });
  if (changed.length === 0) return;
  const fields = changed.map(([path, value]) => {
    const now = quote(qso[path as FieldName]);
    return { path, message: `It was ${quote(value)} when you opened this page and is now ${now}.` };
  });
  const message = "This contact has changed since you opened it. Compare both versions, then save again.";
  throw new AppError("conflict", message, { rule: "changed_meanwhile", fields });
};

const applyTyped = (
  before: Layers,
  fields: TypedFields,
  problems: readonly FieldProblem[],
  facts: CallFacts,
): { layers: Layers; derived: Derived } => {
  const layers = setTyped(before, fields);
  const all = [...problems, ...checkTuning(layers.own?.typed ?? {})];
  if (all.length > 0) throw invalidFields(all);
  const derived = derive(layers, facts);
  if (!derived) throw invalidFields([unsaid(fields.CALL === null ? "call" : "startedAt")]);
  return { layers, derived };
};

const unsaid = (path: string): FieldProblem => ({
  path,
  message: `You cannot clear ${path}: no service or file has another value for it.`,
});

/** Without band and mode, no record of a service would match the contact any more. */
const assertNotLost = (before: Derived, after: Derived): void => {
  const lost = (["band", "mode"] as const).filter((name) => before[name] !== null && after[name] === null);
  if (lost.length > 0) throw invalidFields(lost.map(unsaid));
};

/** Required fields of a new contact, except those that are reported as invalid anyway. */
const findMissing = (fields: TypedFields, problems: readonly FieldProblem[]): FieldProblem[] => {
  const needed = [
    { path: "call", isGiven: Boolean(fields.CALL), message: "Enter the callsign." },
    { path: "startedAt", isGiven: Boolean(fields.QSO_DATE), message: "Enter the start time (UTC)." },
    { path: "band", isGiven: Boolean(fields.BAND), message: "Enter the band or the frequency." },
    { path: "mode", isGiven: Boolean(fields.MODE), message: "Enter the mode." },
  ];
  const isWrong = (path: string) => problems.some((problem) => listRelated(path).includes(problem.path));
  return needed
    .filter(({ path, isGiven }) => !isGiven && !isWrong(path))
    .map(({ path, message }) => ({ path, message }));
};

const listRelated = (path: string): string[] =>
  path === "band" ? ["band", "freqHz"] : path === "mode" ? ["mode", "submode"] : [path];

/** The fields by which a user would recognise the contact. */
const KEY = ["call", "startedAt", "band", "mode", "submode", "stationCallsign", "satName"] as const;

/** Adding the same contact twice is a mistake, and records of services would then fit both. */
function* assertNew(userId: number, derived: Derived, exceptId?: number): Unit<void> {
  const { call, startedAt } = derived;
  const wanted = { ids: byService(() => []), timeRanges: [{ call, from: startedAt, to: startedAt }] };
  const near = yield* qsos.findCandidates(userId, wanted);
  const twin = near.find((qso) => qso.id !== exceptId && KEY.every((name) => qso[name] === derived[name]));
  if (!twin) return;
  throw new AppError("conflict", `This contact is already in your log as QSO ${twin.id}.`, {
    rule: "duplicate_qso",
  });
}
