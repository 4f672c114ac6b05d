/** @jsxImportSource @kitajs/html */
import { buildAddress, FORM_WORDS, PROGRAMS } from "../../src/domain/jobs/programs.ts";
import { Choice, Done, Field, Form, type Outcome } from "../form.tsx";
import { getMessage } from "../settings-words.ts";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";

interface ProgramsProps extends Outcome {
  /** The public address of this server. */
  base: string;
  /** A new key, shown only once. */
  newKey?: string | undefined;
}

const FORMS = [
  ["v1", "for most programs"],
  ["v2", "for CQOps 0.11 and later (wl2_)"],
] as const;

const SCOPES = [
  ["feed", "log and look up"],
  ["lookup", "look up only"],
] as const;

/** What to enter in a program so that it writes into this log. */
export const Programs = ({ base, newKey, problem, done }: ProgramsProps) => (
  <section class="card" id="programs" aria-labelledby="programs-title">
    <h2 id="programs-title">Logging programs</h2>
    <p class="help">
      Logging programs can send contacts here using their Wavelog/Cloudlog setting. Create one key per program; keys can
      only log and look up. For programs that send contacts over the network, such as WSJT-X and N1MM, run{" "}
      <code>qsolog listen</code>.
    </p>
    <Done words={getMessage(done, "key")} />
    {newKey ? (
      <div class="note" role="status">
        <p>This is the key. Copy it now: you will not see it again.</p>
        <code class="secret" id="new-key" safe>
          {newKey}
        </code>
      </div>
    ) : (
      ""
    )}
    <Form form="key" action="settings/keys" section="programs" problem={problem} class="row" label="New key">
      <Field form="key" name="name" label="Program" maxlength={64} required problem={problem} />
      <Choice form="key" name="form" label="Key" options={FORMS} value={problem?.values.form} />
      <Choice form="key" name="scope" label="Scope" options={SCOPES} value={problem?.values.scope} />
      <button id="key-make">Create key</button>
    </Form>
    <table class="stack long-cells">
      <Caption words={TEXTS.tables.programs} />
      <thead>
        <tr>
          <th scope="col">Program</th>
          <th scope="col">Where</th>
          <th scope="col">Address</th>
          <th scope="col">Key</th>
          <th scope="col">Station</th>
        </tr>
      </thead>
      <tbody>
        {PROGRAMS.map((program) => (
          <tr>
            <th scope="row" class="full" safe>
              {program.name}
            </th>
            <td data-label="Where" safe>
              {program.where}
            </td>
            <td data-label="Address">
              <span>
                <span safe>{program.address[0]}</span>: <code safe>{buildAddress(program, base)}</code>
              </span>
            </td>
            <td data-label="Key">
              <span safe>{`${program.key}: ${FORM_WORDS[program.form]}`}</span>
            </td>
            <td data-label="Station" safe>
              {program.station}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
