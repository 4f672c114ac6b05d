/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../src/domain/origins/labels.ts";
import { getField, listFieldsWith, type FieldName } from "../../src/domain/contact/fields.ts";
import { SERVICES } from "../../src/domain/jobs/source.ts";
import { Choice, Field, Form, type Outcome } from "../form.tsx";
import { RepairPreview, type ShownPreview } from "../partials/contacts/repair-preview.tsx";
import { counted } from "../words.ts";
import { REPAIR_TEXTS } from "../texts/repair.ts";

const WORDS = REPAIR_TEXTS.repair;

interface RepairProps {
  total: number;
  /** The filters as a query and in words. */
  filterQuery: string;
  filterWords: string;
  /** What is wrong, or null if that is still to be asked. */
  wrong: Wrong | null;
  /** The submitted values. */
  values: Record<string, string>;
  /** The preview, if requested. */
  preview: ShownPreview | null;
}

const labelOf = (name: FieldName): string => getField(name).form?.label ?? getField(name).label ?? name;

/** Times and frequencies are shifted, not set. */
const FIELDS_TO_SET = [
  ["", WORDS.noField],
  ...listFieldsWith("form")
    .filter((name) => name !== "startedAt" && name !== "freqHz")
    .map((name) => [name, labelOf(name)] as const),
  ["operator", WORDS.operator],
  ["ownGrid", WORDS.grid],
] as readonly (readonly [string, string])[];

const NEEDED = ["call", "band", "mode"];
const FIELDS_TO_CLEAR = FIELDS_TO_SET.filter(([name]) => !NEEDED.includes(name));

const OWN_FIELDS = ["stationCallsign", "operator", "ownGrid"];

/** What can be wrong with contacts. */
export const WRONGS = [
  ["own", WORDS.own],
  ["clock", WORDS.clock],
  ["band", WORDS.band],
  ["ft", WORDS.ft],
  ["field", WORDS.anotherField],
  ["delete", WORDS.unwanted],
  ["service", WORDS.service],
] as const;

export type Wrong = (typeof WRONGS)[number][0];

/** Changes many contacts: asks what is wrong, then only for what that needs, and shows the changes before they happen. */
export const Repair = ({ total, filterQuery, filterWords, wrong, ...rest }: RepairProps & Outcome) => {
  const at = (one: Wrong) => `repair${filterQuery}${filterQuery === "" ? "?" : "&"}wrong=${one}`;
  return (
    <>
      <h1>{WORDS.title}</h1>
      <section class="card middle" id="repair-section" aria-label={WORDS.title}>
        <p>
          <b safe>{counted(total, "contact")}</b> <span safe>{filterWords}</span>
        </p>
        {wrong === null ? (
          <>
            <h2>{WORDS.whatIsWrong}</h2>
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
                {WORDS.cancel}
              </a>
            </p>
          </>
        ) : (
          <Correction {...rest} wrong={wrong} action={at(wrong)} filterQuery={filterQuery} />
        )}
      </section>
    </>
  );
};

type CorrectionProps = Omit<RepairProps, "total" | "filterWords" | "wrong"> &
  Outcome & { wrong: Wrong; action: string };

const Correction = ({ wrong, action, filterQuery, values, preview, problem }: CorrectionProps) => (
  <>
    <div class="head">
      <h2>{WRONGS.find(([one]) => one === wrong)![1]}</h2>
      <a href={`repair${filterQuery}`}>{WORDS.somethingElse}</a>
    </div>
    <Form form="repair" action={action} problem={problem}>
      <div class="row">
        <Questions wrong={wrong} values={values} problem={problem} />
      </div>
      <div class="buttons">
        <button class={preview ? "" : "primary"} name="go" value="preview" id="repair-preview">
          {WORDS.preview}
        </button>
        {preview !== null && preview.changed + preview.deleted > 0 && (
          <button class="danger" name="go" value="repair" id="repair-go" safe>
            {preview.deleted > 0 && preview.changed === 0
              ? WORDS.deleteCount(preview.deleted)
              : WORDS.changeCount(preview.changed + preview.deleted)}
          </button>
        )}
        <a class="button quiet" href={`log${filterQuery}`}>
          {WORDS.cancel}
        </a>
      </div>
    </Form>
    {preview !== null && <RepairPreview preview={preview} />}
  </>
);

type QuestionsProps = Pick<CorrectionProps, "wrong" | "values" | "problem">;

const Questions = ({ wrong, values, problem }: QuestionsProps) => {
  const form = { form: "repair", problem };
  const setTo = (options: typeof FIELDS_TO_SET) => (
    <>
      <Choice {...form} name="field" label={WORDS.setField} options={options} value={values.field ?? ""} />
      <Field {...form} name="value" label={WORDS.setTo} value={values.value} />
    </>
  );
  switch (wrong) {
    case "own":
      return setTo(FIELDS_TO_SET.filter(([name]) => OWN_FIELDS.includes(name)));
    case "clock":
      return (
        <Field
          {...form}
          name="shiftMinutes"
          label={WORDS.shift}
          value={values.shiftMinutes}
          help={WORDS.shiftHelp}
          required
        />
      );
    case "band":
      return (
        <>
          <input type="hidden" name="byFrequency" value="true" />
          <p>{WORDS.bandNote}</p>
        </>
      );
    case "ft":
      return (
        <Choice
          {...form}
          name="ftModes"
          label={WORDS.ft}
          options={[
            ["swap", WORDS.swap],
            ["service", WORDS.useService],
          ]}
          value={values.ftModes}
        />
      );
    case "field":
      return (
        <>
          {setTo(FIELDS_TO_SET)}
          <Choice
            {...form}
            name="clear"
            label={WORDS.clearField}
            options={FIELDS_TO_CLEAR}
            value={values.clear ?? ""}
          />
        </>
      );
    case "delete":
      return (
        <>
          <input type="hidden" name="what" value="delete" />
          <p>{WORDS.deleteNote}</p>
        </>
      );
    case "service":
      return (
        <>
          <Choice
            {...form}
            name="what"
            label={WORDS.remove}
            options={SERVICES.map((service) => [service, LABELS[service]] as const)}
            value={values.what}
          />
          <Field {...form} name="ofJob" label={WORDS.ofOneSync} value={values.ofJob} help={WORDS.jobHelp} />
        </>
      );
  }
};
