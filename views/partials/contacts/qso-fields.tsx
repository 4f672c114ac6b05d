/** @jsxImportSource @kitajs/html */
import { BANDS } from "../../../src/domain/radio/band.ts";
import { MAX_TEXT_LENGTH } from "../../../src/domain/contact/field-texts.ts";
import { getField } from "../../../src/domain/contact/fields.ts";
import {
  FORM_FIELDS,
  formatField,
  getFormValues,
  type Editable,
  isSeldomTyped,
} from "../../../src/domain/contact/qso-form.ts";
import { Field, type Problem } from "../../form.tsx";
import { LOG_TEXTS as WORDS } from "../../texts/log.ts";
import { listed } from "../../words.ts";

interface Props {
  form: string;
  qso?: Editable;
  problem?: Problem | undefined;
}

/** The form also submits the original values, so that saving does not overwrite later changes. */
export const QsoFields = ({ form, qso, problem }: Props) => {
  const usual = FORM_FIELDS.filter(([name]) => !isSeldomTyped(name));
  const seldom = FORM_FIELDS.filter(([name]) => isSeldomTyped(name));
  const isRefused = problem?.form === form && seldom.some(([name]) => Object.hasOwn(problem.fields, name));
  return (
    <>
      {qso !== undefined && <input type="hidden" name="seen" value={JSON.stringify(getFormValues(qso))} />}
      <Fields form={form} qso={qso} problem={problem} fields={usual} />
      <details class="wide" open={isRefused}>
        <summary safe>{WORDS.moreFields(listed(seldom.map(([, label]) => label)))}</summary>
        <Fields form={form} qso={qso} problem={problem} fields={seldom} />
      </details>
    </>
  );
};

const Fields = ({ form, qso, problem, fields }: Props & { fields: typeof FORM_FIELDS }) => (
  <div class="fields">
    {fields.map(([name, label]) => (
      <Field
        form={form}
        name={name}
        label={label}
        value={qso && formatField(qso, name)}
        placeholder={getField(name).placeholder ?? ""}
        maxlength={MAX_TEXT_LENGTH}
        problem={problem}
      />
    ))}
  </div>
);

export const BAND_CHOICES: readonly (readonly [string, string])[] = [
  ["", WORDS.any],
  ...BANDS.map(({ name }) => [name, name] as const),
];
