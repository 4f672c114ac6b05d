import type { Fields } from "./adif-record.ts";
import type { Layers, NamedRecord } from "./layers.ts";
import { restoreMains } from "../origins/file.ts";
import { sortByPlace, isFiled, buildLayers, listRecords, getSlot } from "./records.ts";

/** A change of a contact; null stands for no contact. */
export interface PastChange {
  before: Layers | null;
  after: Layers | null;
  /** Whether its job was rolled back. */
  isTakenBack: boolean;
  isRollback: boolean;
}

/** The unit of undo: a typed field, or a whole record of another origin. */
type Value = { field: string; text: string } | NamedRecord;

type Values = ReadonlyMap<string, Value>;

const listValues = (layers: Layers | null): Values => {
  const values = new Map<string, Value>();
  for (const named of layers ? listRecords(layers) : []) {
    const slot = getSlot(named);
    if (named.origin !== "own") values.set(slot, named);
    else
      for (const [field, text] of Object.entries(named.record.fields)) values.set(`${slot} ${field}`, { field, text });
  }
  return values;
};

const toLayers = (values: readonly Value[]): Layers => {
  const typed: Fields = {};
  const records: NamedRecord[] = [];
  for (const value of values) {
    if ("record" in value) records.push(value);
    else typed[value.field] = value.text;
  }
  if (Object.keys(typed).length > 0)
    records.push({ origin: "own", key: "typed", isLinked: false, record: { fields: typed } });
  const layers = buildLayers(sortByPlace(records));
  const brought = restoreMains(layers.own?.brought);
  return brought ? { ...layers, own: { ...layers.own, brought } } : layers;
};

const isOfFile = (value: Value | undefined): boolean => value !== undefined && "record" in value && isFiled(value);

/** The file records that a change removed because a program corrected them. */
export const listReplaced = ({ before, after }: Pick<PastChange, "before" | "after">): string[] => {
  const left = listValues(after);
  return [...listValues(before)].flatMap(([name, value]) => (isOfFile(value) && !left.has(name) ? name : []));
};

interface Step {
  before: Values;
  after: Values;
  isTakenBack: boolean;
}

/** Whether a remaining change corrected what this one added. `steps` are sorted newest first. */
const isCorrected = (step: Step, steps: readonly Step[]): boolean => {
  const brought = [...step.after].flatMap(([name, value]) => (isOfFile(value) && !step.before.has(name) ? name : []));
  return steps
    .slice(0, steps.indexOf(step))
    .filter(({ before, after }) => brought.some((name) => before.has(name) && !after.has(name)))
    .some((later) => !later.isTakenBack || isCorrected(later, steps));
};

/**
 * A contact without the jobs that were rolled back, except for records in slots that other jobs filled too. Each value
 * that such a job set returns to the value before it; if another rolled-back job had set that one, to the value before
 * that, and so on. `earlier` are the changes up to now, newest first.
 */
export const removeTakenBack = (
  now: Layers,
  earlier: readonly PastChange[],
  givenAgain: ReadonlySet<string> = new Set(),
): Layers => {
  if (!earlier.some(({ isTakenBack }) => isTakenBack)) return now;
  // A contact that was deleted and restored is unchanged, so neither change set anything.
  const steps = earlier
    .filter(({ after, isRollback }) => after !== null && !isRollback)
    .map(({ before, after, isTakenBack }) => ({ before: listValues(before), after: listValues(after), isTakenBack }));
  const present = listValues(now);
  const names = new Set(present.keys());
  for (const { before, isTakenBack } of steps) if (isTakenBack) for (const name of before.keys()) names.add(name);
  let isSame = true;
  const left = [...names].flatMap((name) => {
    let value = present.get(name);
    if (givenAgain.has(name)) return value ?? [];
    for (const step of steps) {
      const [was, became] = [step.before.get(name), step.after.get(name)];
      if (Bun.deepEquals(was, became) || !Bun.deepEquals(became, value)) continue;
      if (!step.isTakenBack) break;
      if (isOfFile(was) && isCorrected(step, steps)) continue;
      value = was;
      isSame = false;
    }
    return value ?? [];
  });
  return isSame ? now : toLayers(left);
};
