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
  ["", "no field"],
  ...listFieldsWith("form")
    .filter((name) => name !== "startedAt" && name !== "freqHz")
    .map((name) => [name, labelOf(name)] as const),
  ["operator", "Operator"],
  ["ownGrid", "Your grid square"],
] as readonly (readonly [string, string])[];

const NEEDED = ["call", "band", "mode"];
const FIELDS_TO_CLEAR = FIELDS_TO_SET.filter(([name]) => !NEEDED.includes(name));

const FT = [
  ["", "no change"],
  ["swap", "swap FT8 and FT4"],
  ["service", "use what a service has"],
] as const;

const WHAT = [
  ["edit", "make the changes above"],
  ["delete", "delete the contacts"],
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
    <h1>Bulk edit</h1>
    <p role="status">
      <b safe>{counted(total, "QSO")}</b> <span safe>{filterWords}</span>
    </p>
    <Form form="repair" action={`repair${filterQuery}`} problem={problem}>
      <div class="row">
        <Choice form="repair" name="field" label="Set field" options={FIELDS_TO_SET} value={values.field ?? ""} />
        <Field form="repair" name="value" label="to" value={values.value} problem={problem} />
        <Choice form="repair" name="clear" label="Clear field" options={FIELDS_TO_CLEAR} value={values.clear ?? ""} />
      </div>
      <div class="row">
        <Field
          form="repair"
          name="shiftMinutes"
          label="Move the time by (minutes)"
          value={values.shiftMinutes}
          help="60 is one hour later, -60 one hour earlier."
          problem={problem}
        />
        <Choice
          form="repair"
          name="byFrequency"
          label="If band and frequency differ"
          options={[
            ["", "no change"],
            ["true", "use the frequency"],
          ]}
          value={values.byFrequency ?? ""}
        />
        <Choice form="repair" name="ftModes" label="FT8 and FT4" options={FT} value={values.ftModes ?? ""} />
      </div>
      <div class="row">
        <Choice
          form="repair"
          name="what"
          label="Action"
          options={[
            ...WHAT,
            ...SERVICES.map((service) => [service, `remove all data from ${labels[service]}`] as const),
          ]}
          value={values.what ?? "edit"}
        />
        <Field
          form="repair"
          name="ofJob"
          label="Only contacts from one sync"
          value={values.ofJob}
          help="Job number of the sync. Only contacts from the same account are affected."
          problem={problem}
        />
      </div>
      <div class="buttons">
        <button class={preview ? "" : "primary"} name="go" value="preview" id="repair-preview">
          Preview changes
        </button>
        {preview && preview.changed + preview.deleted > 0 ? (
          <button class="danger" name="go" value="repair" id="repair-go">
            Repair
          </button>
        ) : (
          ""
        )}
        <a class="button quiet" href={`log${filterQuery}`}>
          Cancel
        </a>
      </div>
    </Form>
    {preview ? <RepairPreview preview={preview} labels={labels} /> : ""}
  </section>
);
