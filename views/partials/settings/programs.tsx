/** @jsxImportSource @kitajs/html */
import { buildAddress, FORM_WORDS, PROGRAMS } from "../../../src/domain/jobs/programs.ts";
import { Choice, Done, Field, Form, type Outcome } from "../../form.tsx";
import { capitalise } from "../../words.ts";
import { ShownOnce } from "./shown-once.tsx";
import { getMessage, SETTINGS_TEXTS } from "../../texts/settings.ts";
import { Card } from "../card.tsx";

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
  <Card id="programs" name="programs" title={WORDS.title}>
    <p class="help">
      {WORDS.about} <code>qsolog listen</code>.
    </p>
    <Done words={getMessage(done, "key")} />
    <ShownOnce id="new-key" words={WORDS.keyOnce} secret={newKey}>
      <button type="button" class="small-button" data-copy="">
        {WORDS.copyKey}
      </button>
    </ShownOnce>
    <Form form="key" action="settings/keys" section="programs" problem={problem} class="row" label={WORDS.newKey}>
      <Field form="key" name="name" label={WORDS.program} maxlength={64} required problem={problem} />
      <Choice form="key" name="form" label={WORDS.key} options={FORMS} value={problem?.values.form} />
      <Choice form="key" name="scope" label={WORDS.scope} options={SCOPES} value={problem?.values.scope} />
      <button id="key-make">{WORDS.createKey}</button>
    </Form>
    <h3>{WORDS.settings}</h3>
    <div class="stacked">
      {PROGRAMS.map((program) => (
        <details name="program">
          <summary safe>{capitalise(program.name)}</summary>
          <dl class="facts">
            <dt>{WORDS.where}</dt>
            <dd safe>{program.where}</dd>
            <dt safe>{program.address[0]}</dt>
            <dd>
              <code safe>{buildAddress(program, base)}</code>{" "}
              <button
                type="button"
                class="quiet small-button"
                data-copy=""
                aria-label={WORDS.copyAddress(program.name)}
              >
                {WORDS.copy}
              </button>
            </dd>
            <dt safe>{program.key}</dt>
            <dd safe>{FORM_WORDS[program.form]}</dd>
            <dt>{WORDS.station}</dt>
            <dd safe>{program.station}</dd>
          </dl>
        </details>
      ))}
    </div>
  </Card>
);
