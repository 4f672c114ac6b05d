import { ORIGINS } from "../../domain/contact/layers.ts";
import type { Snapshot } from "../../storage/log/qsos.ts";

export interface FieldDiff {
  field: string;
  before: unknown;
  after: unknown;
}

/** Not shown as columns: bookkeeping, and the layers, which are compared field by field. */
const HIDDEN_FIELDS = new Set<string>(["createdAt", "updatedAt", "rulesVersion", ...ORIGINS]);

/** Whether the diff shows the column. */
export const isShownField = (field: string): boolean => !HIDDEN_FIELDS.has(field);

/** Lists what a change did to a contact, field by field. Null stands for no contact. */
export const computeDiff = (before: Snapshot | null, after: Snapshot | null): FieldDiff[] => {
  const columns = Object.keys(after ?? before ?? {}).filter(isShownField);
  return [
    ...columns.flatMap((field) => compareField(field, getValue(before, field), getValue(after, field))),
    ...ORIGINS.flatMap((layer) => compareLayer(layer, flattenLayer(before?.[layer]), flattenLayer(after?.[layer]))),
  ];
};

const getValue = (snapshot: Snapshot | null, field: string): unknown =>
  (snapshot as Record<string, unknown> | null)?.[field] ?? null;

const compareField = (field: string, before: unknown, after: unknown): FieldDiff[] =>
  before === after || (isNothing(before) && isNothing(after)) ? [] : [{ field, before, after }];

const isNothing = (value: unknown): boolean => value === null || value === false;

const compareLayer = (layer: string, before: Map<string, string>, after: Map<string, string>): FieldDiff[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((name) =>
    compareField(`${layer}.${name}`, before.get(name) ?? null, after.get(name) ?? null),
  );

/** The values of a layer by their path. */
const flattenLayer = (layer: unknown, path = ""): Map<string, string> => {
  if (!layer || typeof layer !== "object") return new Map();
  return new Map(
    Object.entries(layer).flatMap(([name, value]): [string, string][] => {
      if (name === "parts") return [];
      const place = name === "fields" || name === "record" ? path : path === "" ? name : `${path}.${name}`;
      if (typeof value !== "object") return [[place, String(value)]];
      return [...flattenLayer(value, place)];
    }),
  );
};
