import { frequencyTyped } from "../radio/band.ts";
import { momentOf } from "../../kernel/time-text.ts";
import { fieldOf, fieldsThat, type FieldsThat } from "./fields.ts";
import type { QsoView } from "./qso-view.ts";

export type FieldName = FieldsThat<"form">;
export type Editable = Pick<QsoView, FieldName>;

const formOf = (name: FieldName) => fieldOf(name).form!;

/** What a person types of a contact, and how it is called there. */
export const FIELDS = fieldsThat("form")
  .toSorted((a, b) => formOf(a).place - formOf(b).place)
  .map((name) => [name, formOf(name).label] as const);

/** A column as a form shows it. */
export const fieldText = (qso: Editable, name: FieldName): string => {
  const value = qso[name];
  if (value === null || value === undefined) return "";
  if (name === "startedAt") return isMoment(value) ? momentOf(value) : "";
  return name === "freqHz" ? String(Number(value) / 1e6) : String(value);
};

/** What a form sends back may be anything. */
const isMoment = (value: unknown): value is number => Number.isInteger(value) && Math.abs(Number(value)) <= 8.64e15;

/** What the fields hold, for whoever saves them later and must overwrite nothing that came in between. */
export const heldBy = (qso: Editable): Editable =>
  Object.fromEntries(FIELDS.map(([name]) => [name, qso[name]])) as unknown as Editable;

/** A form holds every field; only those that differ from what was shown were typed. */
export const changedIn = (
  fields: Readonly<Record<string, string | undefined>>,
  shown: Editable | null,
): Record<string, unknown> => {
  const typed: Record<string, unknown> = {};
  for (const [name] of FIELDS) {
    const text = fields[name]?.trim();
    if (text === undefined || text === (shown ? fieldText(shown, name) : "")) continue;
    if (text === "") typed[name] = null;
    else typed[name] = name === "freqHz" ? (frequencyTyped(text) ?? text) : text;
  }
  return typed;
};
