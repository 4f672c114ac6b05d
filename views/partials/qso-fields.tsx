/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { BANDS } from "../../src/domain/band.ts";
import { LONGEST_TEXT } from "../../src/domain/field-texts.ts";
import { fieldOf, fieldsThat, type FieldsThat } from "../../src/domain/fields.ts";
import type { QsoView } from "../../src/domain/qso-view.ts";
import { Field, type Problem } from "../form.tsx";

export type FieldName = FieldsThat<"form">;
export type Editable = Pick<QsoView, FieldName>;

const formOf = (name: FieldName) => fieldOf(name).form!;

/** What is typed of a contact on a page, and how it is called there. */
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

/** Seconds are shown where there are any. */
export const momentOf = (at: number): string =>
  new Date(at)
    .toISOString()
    .slice(0, at % 60_000 === 0 ? 16 : 19)
    .replace("T", " ");

const heldBy = (qso: Editable): Editable =>
  Object.fromEntries(FIELDS.map(([name]) => [name, qso[name]])) as unknown as Editable;

interface Props {
  form: string;
  qso?: Editable;
  problem?: Problem | undefined;
}

/** What the fields held when the form was opened goes along, so that saving overwrites nothing that came in between. */
export const QsoFields = ({ form, qso, problem }: Props) => (
  <div class="fields">
    {qso ? <input type="hidden" name="seen" value={JSON.stringify(heldBy(qso))} /> : ""}
    {FIELDS.map(([name, label]) => (
      <Field
        form={form}
        name={name}
        label={label}
        value={qso && fieldText(qso, name)}
        placeholder={fieldOf(name).placeholder ?? ""}
        maxlength={LONGEST_TEXT}
        problem={problem}
      />
    ))}
  </div>
);

export const BAND_CHOICES: readonly (readonly [string, string])[] = [
  ["", "any"],
  ...BANDS.map(({ name }) => [name, name] as const),
];
