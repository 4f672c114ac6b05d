import { parseTypedFrequency } from "../radio/band.ts";
import { formatTypedMoment } from "../../kernel/time-text.ts";
import { getField, listFieldsWith, type FieldsThat } from "./fields.ts";
import type { QsoView } from "./qso-view.ts";

export type FormField = FieldsThat<"form">;
export type Editable = Pick<QsoView, FormField>;

const getForm = (name: FormField) => getField(name).form!;

/** The fields of the form with their labels. */
export const FORM_FIELDS = listFieldsWith("form")
  .toSorted((a, b) => getForm(a).place - getForm(b).place)
  .map((name) => [name, getForm(name).label] as const);

export const isSeldomTyped = (name: FormField): boolean => getForm(name).isSeldom === true;

/** The value of a column as the form shows it. */
export const formatField = (qso: Editable, name: FormField): string => {
  const value = qso[name];
  if (value === null || value === undefined) return "";
  if (name === "startedAt") return isMoment(value) ? formatTypedMoment(value) : "";
  return name === "freqHz" ? String(Number(value) / 1e6) : String(value);
};

/** A form can submit anything. */
const isMoment = (value: unknown): value is number => Number.isInteger(value) && Math.abs(Number(value)) <= 8.64e15;

/** The values that were shown, so that a later save does not overwrite changes made in between. */
export const getFormValues = (qso: Editable): Editable =>
  Object.fromEntries(FORM_FIELDS.map(([name]) => [name, qso[name]])) as unknown as Editable;

/** A form submits every field. Only values that differ from what was shown were typed. */
export const findChanges = (
  fields: Readonly<Record<string, string | undefined>>,
  shown: Editable | null,
): Record<string, unknown> => {
  const typed: Record<string, unknown> = {};
  for (const [name] of FORM_FIELDS) {
    const text = fields[name]?.trim();
    if (text === undefined || text === (shown ? formatField(shown, name) : "")) continue;
    if (text === "") typed[name] = null;
    else typed[name] = name === "freqHz" ? (parseTypedFrequency(text) ?? text) : text;
  }
  return typed;
};
