/** @jsxImportSource @kitajs/html */
import { buildAddress, FORM_WORDS, PROGRAMS } from "../../src/domain/jobs/programs.ts";
import { Choice, Done, Field, Form, type Outcome } from "../form.tsx";
import { getMessage } from "../settings-words.ts";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";
import { SETTINGS_TEXTS } from "../texts/settings.ts";

const WORDS = SETTINGS_TEXTS.programs;

interface ProgramsProps extends Outcome {
  /** The public address of this server. */
  base: string;
  /** A new key, shown only once. */
  newKey?: string | undefined;
}

const FORMS = [
  ["v1", WORDS.forMost],
  ["v2", WORDS.forCqops],
] as const;

const SCOPES = [
  ["feed", WORDS.logAndLookUp],
  ["lookup", WORDS.lookUpOnly],
] as const;

/** What to enter in a program so that it writes into this log. */
export const Programs = ({ base, newKey, problem, done }: ProgramsProps) => (
  <section class="card" id="programs" aria-labelledby="programs-title">
    <h2 id="programs-title">{WORDS.title}</h2>
    <p class="help">
      {WORDS.about} <code>qsolog listen</code>.
    </p>
    <Done words={getMessage(done, "key")} />
    {newKey ? (
      <div class="note" role="status">
        <p>{WORDS.keyOnce}</p>
        <code class="secret" id="new-key" safe>
          {newKey}
        </code>
      </div>
    ) : (
      ""
    )}
    <Form form="key" action="settings/keys" section="programs" problem={problem} class="row" label={WORDS.newKey}>
      <Field form="key" name="name" label={WORDS.program} maxlength={64} required problem={problem} />
      <Choice form="key" name="form" label={WORDS.key} options={FORMS} value={problem?.values.form} />
      <Choice form="key" name="scope" label={WORDS.scope} options={SCOPES} value={problem?.values.scope} />
      <button id="key-make">{WORDS.createKey}</button>
    </Form>
    <table class="stack long-cells">
      <Caption words={TEXTS.tables.programs} />
      <thead>
        <tr>
          <th scope="col">{WORDS.program}</th>
          <th scope="col">{WORDS.where}</th>
          <th scope="col">{WORDS.address}</th>
          <th scope="col">{WORDS.key}</th>
          <th scope="col">{WORDS.station}</th>
        </tr>
      </thead>
      <tbody>
        {PROGRAMS.map((program) => (
          <tr>
            <th scope="row" class="full" safe>
              {program.name}
            </th>
            <td data-label={WORDS.where} safe>
              {program.where}
            </td>
            <td data-label={WORDS.address}>
              <span>
                <span safe>{program.address[0]}</span>: <code safe>{buildAddress(program, base)}</code>
              </span>
            </td>
            <td data-label={WORDS.key}>
              <span safe>{`${program.key}: ${FORM_WORDS[program.form]}`}</span>
            </td>
            <td data-label={WORDS.station} safe>
              {program.station}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
