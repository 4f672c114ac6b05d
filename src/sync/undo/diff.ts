import { ORIGINS } from "../../domain/contact/layers.ts";
import type { Snapshot } from "../../storage/log/qsos.ts";

export interface FieldDiff {
  field: string;
  before: unknown;
  after: unknown;
}

/** Not shown as columns: bookkeeping, and the layers, which are compared field by field. */
const UNSPOKEN = new Set<string>(["createdAt", "updatedAt", "rulesVersion", ...ORIGINS]);

/** Whether the diff shows the column. */
export const isSpoken = (field: string): boolean => !UNSPOKEN.has(field);

/** Lists what a change did to a contact, field by field. Null stands for no contact. */
export const diffOf = (before: Snapshot | null, after: Snapshot | null): FieldDiff[] => {
  if (after !== null) return told(before, after);
  return before === null
    ? []
    : told(null, before).map(({ field, after: lost }) => ({ field, before: lost, after: null }));
};

const told = (before: Snapshot | null, after: Snapshot): FieldDiff[] => {
  const columns = Object.keys(after).filter(isSpoken);
  return [
    ...columns.flatMap((field) => differing(field, valueAt(before, field), valueAt(after, field))),
    ...ORIGINS.flatMap((layer) => layerDiff(layer, flattened(before?.[layer] ?? null), flattened(after[layer]))),
  ];
};

const valueAt = (snapshot: Snapshot | null, field: string): unknown =>
  (snapshot as Record<string, unknown> | null)?.[field] ?? null;

const differing = (field: string, before: unknown, after: unknown): FieldDiff[] =>
  before === after || (before === null && after === false) ? [] : [{ field, before, after }];

const layerDiff = (layer: string, before: Map<string, string>, after: Map<string, string>): FieldDiff[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((name) =>
    differing(`${layer}.${name}`, before.get(name) ?? null, after.get(name) ?? null),
  );

/** The values of a layer by their path. */
const flattened = (layer: unknown, path = ""): Map<string, string> => {
  if (layer === null || typeof layer !== "object") return new Map();
  return new Map(
    Object.entries(layer).flatMap(([name, value]): [string, string][] => {
      if (name === "parts") return [];
      const place = name === "fields" ? path : path === "" ? name : `${path}.${name}`;
      if (typeof value !== "object") return [[place, String(value)]];
      return [...flattened(value, place)];
    }),
  );
};
