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
  /** What is wrong, or null if that is still to be asked. */
  wrong: Wrong | null;
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

const OWN_FIELDS = ["stationCallsign", "operator", "ownGrid"];

/** What can be wrong with contacts. */
export const WRONGS = [
  ["own", "Station callsign or your grid"],
  ["clock", "Clock"],
  ["band", "Band and frequency differ"],
  ["ft", "FT8 and FT4"],
  ["field", "Another field"],
  ["delete", "Contacts that should not be there"],
  ["service", "Data from a service"],
] as const;

export type Wrong = (typeof WRONGS)[number][0];

/** Changes many contacts: asks what is wrong, then only for what that needs, and shows the changes before they happen. */
export const Repair = ({ total, filterQuery, filterWords, wrong, ...rest }: RepairProps & Outcome) => {
  const at = (one: Wrong) => `repair${filterQuery}${filterQuery === "" ? "?" : "&"}wrong=${one}`;
  return (
    <section class="card middle" id="repair-section">
      <h1>Bulk edit</h1>
      <p>
        <b safe>{counted(total, "contact")}</b> <span safe>{filterWords}</span>
      </p>
      {wrong === null ? (
        <>
          <h2>What is wrong?</h2>
          <ul class="plain">
            {WRONGS.map(([one, words]) => (
              <li>
                <a data-row="" href={at(one)}>
                  {words}
                </a>
              </li>
            ))}
          </ul>
          <p>
            <a class="button quiet" href={`log${filterQuery}`}>
              Cancel
            </a>
          </p>
        </>
      ) : (
        <Correction {...rest} wrong={wrong} action={at(wrong)} filterQuery={filterQuery} />
      )}
    </section>
  );
};

type CorrectionProps = Omit<RepairProps, "total" | "filterWords" | "wrong"> &
  Outcome & { wrong: Wrong; action: string };

const Correction = ({ wrong, action, filterQuery, labels, values, preview, problem }: CorrectionProps) => (
  <>
    <div class="head">
      <h2>{WRONGS.find(([one]) => one === wrong)![1]}</h2>
      <a href={`repair${filterQuery}`}>Something else is wrong</a>
    </div>
    <Form form="repair" action={action} problem={problem}>
      <div class="row">
        <Questions wrong={wrong} values={values} labels={labels} problem={problem} />
      </div>
      <div class="buttons">
        <button class={preview ? "" : "primary"} name="go" value="preview" id="repair-preview">
          Preview changes
        </button>
        {preview && preview.changed + preview.deleted > 0 ? (
          <button class="danger" name="go" value="repair" id="repair-go" safe>
            {preview.deleted > 0 && preview.changed === 0
              ? `Delete ${counted(preview.deleted, "contact")}`
              : `Change ${counted(preview.changed + preview.deleted, "contact")}`}
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
  </>
);

type QuestionsProps = Pick<CorrectionProps, "wrong" | "values" | "labels" | "problem">;

const Questions = ({ wrong, values, labels, problem }: QuestionsProps) => {
  const setTo = (options: typeof FIELDS_TO_SET) => (
    <>
      <Choice form="repair" name="field" label="Set field" options={options} value={values.field ?? ""} />
      <Field form="repair" name="value" label="to" value={values.value} problem={problem} />
    </>
  );
  switch (wrong) {
    case "own":
      return setTo(FIELDS_TO_SET.filter(([name]) => OWN_FIELDS.includes(name)));
    case "clock":
      return (
        <Field
          form="repair"
          name="shiftMinutes"
          label="Move the time by (minutes)"
          value={values.shiftMinutes}
          help="60 is one hour later, -60 one hour earlier."
          required
          problem={problem}
        />
      );
    case "band":
      return (
        <>
          <input type="hidden" name="byFrequency" value="true" />
          <p>Contacts whose band does not fit their frequency get the band of the frequency.</p>
        </>
      );
    case "ft":
      return (
        <Choice
          form="repair"
          name="ftModes"
          label="FT8 and FT4"
          options={[
            ["swap", "swap FT8 and FT4"],
            ["service", "use what a service has"],
          ]}
          value={values.ftModes}
        />
      );
    case "field":
      return (
        <>
          {setTo(FIELDS_TO_SET)}
          <Choice
            form="repair"
            name="clear"
            label="Or clear field"
            options={FIELDS_TO_CLEAR}
            value={values.clear ?? ""}
          />
        </>
      );
    case "delete":
      return (
        <>
          <input type="hidden" name="what" value="delete" />
          <p>The contacts are deleted. You can undo the whole edit afterwards.</p>
        </>
      );
    case "service":
      return (
        <>
          <Choice
            form="repair"
            name="what"
            label="Remove everything that came from"
            options={SERVICES.map((service) => [service, labels[service]] as const)}
            value={values.what}
          />
          <Field
            form="repair"
            name="ofJob"
            label="Only contacts from one sync"
            value={values.ofJob}
            help="Job number of the sync. Only contacts from the same account are affected."
            problem={problem}
          />
        </>
      );
  }
};
