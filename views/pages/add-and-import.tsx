/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { Form, Refusal, type Outcome } from "../form.tsx";
import { QsoFields } from "../partials/qso-fields.tsx";

export const AddQso = ({ problem }: Outcome) => (
  <>
    <div class="head">
      <h1>New QSO</h1>
      <a href="log">The log</a>
    </div>
    <section class="card" aria-label="New QSO">
      <Form form="new-qso" action="log" problem={problem}>
        <QsoFields form="new-qso" problem={problem} />
        <button class="primary">Add the QSO</button>
      </Form>
    </section>
  </>
);

export const ImportFile = ({ problem }: Outcome) => (
  <>
    <div class="head">
      <h1>Import</h1>
      <a href="log">The log</a>
    </div>
    <section class="card middle" aria-labelledby="import-title">
      <h2 id="import-title">Import an ADIF file</h2>
      <form id="import" method="post" action="log/import" enctype="multipart/form-data">
        <Refusal of="import" problem={problem} />
        <div class="field">
          <label for="import-file">File (.adi, .adx or .gz, up to 1 GB)</label>
          <input type="file" id="import-file" name="file" accept=".adi,.adif,.adx,.gz,text/plain" required />
          <p class="help">
            What is in the log already stays as it is. An import is a job: it shows what it changed, and can be undone
            as a whole.
          </p>
        </div>
        <div class="buttons">
          <button class="primary">Import</button>
          <button formaction="log/import?dryRun=true">Dry run</button>
        </div>
      </form>
    </section>
  </>
);
