/** @jsxImportSource @kitajs/html */
import { getField, listFieldsWith, type FieldName } from "../../src/domain/contact/fields.ts";
import { SERVICES, type Labels } from "../../src/domain/jobs/source.ts";
import { Choice, Field, Form, type Outcome } from "../form.tsx";
import { RepairPreview, type ShownPreview } from "../partials/repair-preview.tsx";
import { counted } from "../words.ts";

export interface RepairProps {
  total: number;
  /** The filters as a query and in words. */
  filterQuery: string;
  filterWords: string;
  labels: Labels;
  /** The submitted values. */
  values: Record<string, string>;
  /** The preview, if requested. */
  preview: ShownPreview | null;
}

const labelOf = (name: FieldName): string => getField(name).form?.label ?? getField(name).label ?? name;

/** Times and frequencies are shifted, not set. */
const FIELDS_TO_SET = [
  ["", "nothing"],
  ...listFieldsWith("form")
    .filter((name) => name !== "startedAt" && name !== "freqHz")
    .map((name) => [name, labelOf(name)] as const),
  ["operator", "Operator"],
  ["ownGrid", "Own grid square"],
] as readonly (readonly [string, string])[];

const NEEDED = ["call", "band", "mode"];
const FIELDS_TO_CLEAR = FIELDS_TO_SET.filter(([name]) => !NEEDED.includes(name));

const FT = [
  ["", "as they are"],
  ["swap", "FT8 and FT4 change places"],
  ["service", "as a service says"],
] as const;

const WHAT = [
  ["edit", "change them as said above"],
  ["delete", "delete them"],
] as const;

/** Changes many contacts: the form, and the preview. */
export const Repair = ({
  total,
  filterQuery,
  filterWords,
  labels,
  values,
  preview,
  problem,
}: RepairProps & Outcome) => (
  <section class="card middle" id="repair-section">
    <h1>Repair QSOs</h1>
    <p role="status">
      <b safe>{counted(total, "QSO")}</b> <span safe>{filterWords}</span>
    </p>
    <Form form="repair" action={`repair${filterQuery}`} problem={problem}>
      <div class="row">
        <Choice form="repair" name="field" label="Set" options={FIELDS_TO_SET} value={values.field ?? ""} />
        <Field form="repair" name="value" label="to" value={values.value} problem={problem} />
        <Choice form="repair" name="clear" label="Clear" options={FIELDS_TO_CLEAR} value={values.clear ?? ""} />
      </div>
      <div class="row">
        <Field
          form="repair"
          name="shiftMinutes"
          label="Move the time by (minutes)"
          value={values.shiftMinutes}
          help="60 moves it an hour later, -60 an hour earlier."
          problem={problem}
        />
        <Choice
          form="repair"
          name="byFrequency"
          label="Where band and frequency differ"
          options={[
            ["", "leave them"],
            ["true", "believe the frequency"],
          ]}
          value={values.byFrequency ?? ""}
        />
        <Choice form="repair" name="ftModes" label="FT8 and FT4" options={FT} value={values.ftModes ?? ""} />
      </div>
      <div class="row">
        <Choice
          form="repair"
          name="what"
          label="What to do"
          options={[...WHAT, ...SERVICES.map((service) => [service, `take out what ${labels[service]} said`] as const)]}
          value={values.what ?? "edit"}
        />
        <Field
          form="repair"
          name="ofJob"
          label="Of the account of sync"
          value={values.ofJob}
          help="Its number: only what that account brought is taken out."
          problem={problem}
        />
      </div>
      <div class="buttons">
        <button class={preview ? "" : "primary"} name="go" value="preview" id="repair-preview">
          Show what would change
        </button>
        {preview && preview.changed + preview.deleted > 0 ? (
          <button class="danger" name="go" value="repair" id="repair-go">
            Repair
          </button>
        ) : (
          ""
        )}
        <a class="button quiet" href={`log${filterQuery}`}>
          Leave them as they are
        </a>
      </div>
    </Form>
    {preview ? <RepairPreview preview={preview} labels={labels} /> : ""}
  </section>
);
