import type { Fields } from "./adif-record.ts";
import type { Layers, NamedRecord } from "./layers.ts";
import { withKeyOf } from "./origins/owner.ts";
import { withMains } from "./origins/file.ts";
import { isFiled, layersFrom, recordsIn, slotOf } from "./records.ts";

/** A change of a contact; null stands for no contact. */
export interface PastChange {
  before: Layers | null;
  after: Layers | null;
  /** Whether its job was taken back. */
  isTakenBack: boolean;
  isRollback: boolean;
}

/** A field of the owner's with its type, or a whole record of a service, also one that a file brought: what one change sets and another replaces. */
type Value =
  { name: Pick<NamedRecord, "origin" | "key" | "isLinked">; field: string; text: string; type?: string } | NamedRecord;

type Values = ReadonlyMap<string, Value>;

const PROGRAM = "program";

const valuesIn = (layers: Layers | null): Values => {
  const values = new Map<string, Value>();
  for (const named of layers ? recordsIn(layers) : []) {
    const slot = slotOf(named);
    const { record, ...name } = named;
    if (named.origin !== "own" && !isFiled(named)) {
      values.set(slot, named);
      continue;
    }
    for (const [field, text] of Object.entries(record.fields)) {
      values.set(`${slot} ${field}`, { name, field, text, type: record.types?.[field] });
    }
    if (record.program !== undefined) values.set(`${slot} ${PROGRAM}`, { name, field: PROGRAM, text: record.program });
  }
  return values;
};

const layersOf = (values: Iterable<Value>): Layers => {
  const services: NamedRecord[] = [];
  const owners = new Map<string, NamedRecord & { record: { fields: Fields; types?: Fields } }>();
  for (const value of values) {
    if ("record" in value) {
      services.push(value);
      continue;
    }
    const { name, field, text, type } = value;
    const known = owners.get(slotOf(name)) ?? { ...name, record: { fields: {} } };
    owners.set(slotOf(name), known);
    if (field === PROGRAM) known.record.program = text;
    else known.record.fields[field] = text;
    if (type !== undefined) known.record.types = { ...known.record.types, [field]: type };
  }
  const said = [...owners.values()].filter(({ record }) => Object.keys(record.fields).length > 0);
  const layers = layersFrom([...said, ...services]);
  const brought = withMains(layers.own?.brought);
  return brought ? { ...layers, own: { ...layers.own, brought } } : layers;
};

/**
 * A contact without what jobs said that were taken back. Each value that such a job set is again what it was before; where
 * another such job had set that, what it was before that one, and so on. `earlier` are the changes up to now, newest first.
 */
export const withoutTakenBack = (now: Layers, earlier: readonly PastChange[]): Layers => {
  if (!earlier.some(({ isTakenBack }) => isTakenBack)) return now;
  // A contact that went and came back is as it was: neither set anything.
  const changes = earlier
    .filter(({ after, isRollback }) => after !== null && !isRollback)
    .map(({ before, after, isTakenBack }) => ({ before: valuesIn(before), after: valuesIn(after), isTakenBack }));
  const present = valuesIn(now);
  const names = new Set(present.keys());
  for (const { before, isTakenBack } of changes) if (isTakenBack) for (const name of before.keys()) names.add(name);
  let isSame = true;
  const left = [...names].flatMap((name) => {
    let value = present.get(name);
    for (const { before, after, isTakenBack } of changes) {
      const [was, became] = [before.get(name), after.get(name)];
      if (Bun.deepEquals(was, became) || !Bun.deepEquals(became, value)) continue;
      if (!isTakenBack) break;
      value = was;
      isSame = false;
    }
    return value ?? [];
  });
  if (isSame) return now;
  const layers = layersOf(left);
  return { ...layers, own: withKeyOf(now.own, layers.own) };
};
