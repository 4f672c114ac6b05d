import type { FieldProblem } from "../kernel/errors.ts";
import { isFieldName } from "../domain/contact/field-name.ts";
import { getField, FIELDS, isField } from "../domain/contact/fields.ts";
import { parseTypedFrequency } from "../domain/radio/band.ts";
import { readTyped, checkTuning, type TypedQso } from "./fields.ts";

/** By ADIF name; an empty text clears the field. */
type Said = Record<string, string | null>;

const OWN_GRID = "MY_GRIDSQUARE";

/** A contact needs these, or could not be matched any more. */
const NEEDED = ["call", "startedAt", "band", "mode"];

/** Reads the fields to set and to clear on many contacts, with all problems. */
export const readRepairFields = (
  set: Readonly<Record<string, unknown>>,
  clear: readonly string[],
  now: number,
): { fields: Said; problems: FieldProblem[] } => {
  const { ownGrid, ...rest } = set;
  const { fields, problems } = readTyped(readTypedFields(rest), now);
  const all: FieldProblem[] = [...problems];
  if (ownGrid !== undefined) {
    const grid = FIELDS.gridsquare.typed.read(String(ownGrid).trim());
    if (grid === null) all.push({ path: "ownGrid", message: `${JSON.stringify(ownGrid)} is not a grid square.` });
    else fields[OWN_GRID] = grid;
  }
  for (const name of clear) {
    const names = getAdifNames(name);
    if (typeof names === "string") all.push({ path: "clear", message: names });
    else for (const one of names) fields[one] = "";
  }
  const said = Object.fromEntries(Object.entries(fields).filter(([, value]) => value)) as Record<string, string>;
  return { fields, problems: [...all, ...checkTuning(said)] };
};

/** Fields without a name of our own use the ADIF name. A frequency can be text in megahertz. */
const readTypedFields = (set: Readonly<Record<string, unknown>>): TypedQso => {
  const typed: TypedQso = {};
  const extra: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(set)) {
    if (name === "freqHz" && typeof value === "string") typed.freqHz = parseTypedFrequency(value) ?? value;
    else if (isField(name)) typed[name] = value;
    else extra[name] = value;
  }
  return Object.keys(extra).length > 0 ? { ...typed, extra } : typed;
};

/** The ADIF names of a field, or why it cannot be cleared. */
const getAdifNames = (name: string): readonly string[] | string => {
  if (NEEDED.includes(name)) return `You cannot clear ${name}: every contact needs it.`;
  if (name === "ownGrid") return [OWN_GRID];
  if (!isField(name)) return isFieldName(name) ? [name] : `There is no field ${JSON.stringify(name)}.`;
  const { adif = [], typed } = getField(name);
  return typed === undefined ? `There is no field ${JSON.stringify(name)} that you can clear.` : adif;
};
