/** @jsxImportSource @kitajs/html */
import { describeNeed, type Need } from "../../src/domain/awards/need.ts";
import type { QsoView } from "../../src/domain/contact/qso-view.ts";
import { isMode, getDefaultReport } from "../../src/domain/contact/quick-entry.ts";
import type { Labels } from "../../src/domain/jobs/source.ts";
import { Done, Field, Form, Refusal, type Outcome } from "../form.tsx";
import { formatSize } from "../../src/kernel/number-text.ts";
import { counted, grouped } from "../words.ts";
import { QsoFields } from "../partials/qso-fields.tsx";
import { OfOneCall } from "../partials/qso-story.tsx";

export interface AddProps {
  /** Kept for the next contact. */
  band: string;
  mode: string;
  added: QsoView | null;
  /** Whether it was added so recently that it can be undone. */
  canUndo: boolean;
  undone: boolean;
}

const HINTS = {
  "hx-get": "log/add/hints",
  "hx-trigger": "input delay:200ms",
  "hx-validate": "false",
  "hx-target": "#quick-hints",
  "hx-sync": "this:replace",
};

const REPORTS = [
  ["rstSent", "Sent"],
  ["rstRcvd", "Received"],
] as const;

/** The default report if none is typed. A space keeps the room if the mode is unknown. */
const reportInWords = (mode: string): string => {
  if (!isMode(mode)) return "\u00a0";
  return `${getDefaultReport(mode) ?? "none"} if empty`;
};

/** The default reports, shown next to the hints about a call. */
export const QuickReports = ({ mode }: { mode: string }) => (
  <>
    {REPORTS.map(([name]) => (
      <p class="help" id={`quick-${name}-help`} hx-swap-oob="true" safe>
        {reportInWords(mode)}
      </p>
    ))}
  </>
);

export const AddQso = ({ band, mode, added, canUndo, undone, problem }: AddProps & Outcome) => (
  <>
    <div class="head">
      <h1>New QSO</h1>
      <a href="log">Log</a>
    </div>
    <section class="card" aria-label="Quick entry">
      <Form form="quick" class="row quick" action="log/quick" problem={problem} asks={HINTS}>
        <Field
          form="quick"
          name="call"
          label="Callsign"
          required
          autofocus={problem?.form !== "new-qso"}
          class="short"
          maxlength={20}
          problem={problem}
        />
        <Field
          form="quick"
          name="startedAt"
          label="UTC"
          placeholder="now"
          class="short"
          problem={problem}
          data-utc=""
        />
        <Field
          form="quick"
          name="band"
          label="Band or MHz"
          value={band}
          placeholder="20"
          class="short"
          problem={problem}
        />
        <Field form="quick" name="mode" label="Mode" value={mode} placeholder="cw" class="short" problem={problem} />
        {REPORTS.map(([name, label]) => (
          <Field form="quick" name={name} label={label} class="short" help={reportInWords(mode)} problem={problem} />
        ))}
        <button class="primary" id="quick-add">
          Save
        </button>
      </Form>
      {/* Below the form with reserved room, so that the form does not move. */}
      <div class="just-added">
        {added === null ? "" : <Added qso={added} canUndo={canUndo} />}
        <Done words={undone ? "Removed from your log." : undefined} />
      </div>
      <div id="quick-hints" class="quick-hints" aria-live="polite">
        <p class="help">
          Type a callsign to see your history with it. Leave the time empty for now. Bands like 20 or 14.074 work.
        </p>
      </div>
    </section>
    <details class="card" id="new-qso-details" open={problem?.form === "new-qso"}>
      <summary>All fields</summary>
      <Form form="new-qso" action="log" problem={problem}>
        <QsoFields form="new-qso" problem={problem} />
        <button class="primary">Save</button>
      </Form>
    </details>
  </>
);

/** For ten seconds the contact can be undone. */
const Added = ({ qso, canUndo }: { qso: QsoView; canUndo: boolean }) => (
  <div class="done" data-say="">
    <form class="row" method="post" action={`log/${qso.id}/take-back`}>
      <span>
        Logged:{" "}
        <a class="call" href={`log/${qso.id}`} safe>
          {qso.call}
        </a>{" "}
        <span safe>{[qso.band, qso.submode ?? qso.mode, qso.entity].filter(Boolean).join(" · ")}</span>
      </span>
      {canUndo ? (
        <button class="small-button vanishes" id="take-back">
          Undo
        </button>
      ) : (
        ""
      )}
    </form>
  </div>
);

export interface Hints {
  need: Need;
  before: readonly QsoView[];
  total: number;
  labels: Labels;
}

/** Hints about a call before the contact is logged. */
export const QuickHints = ({ need, before, total, labels }: Hints) => (
  <div>
    <p>
      <b safe>{need.entity?.name ?? "Unknown entity"}</b>
      {need.distanceKm === null ? "" : <span safe>{`, ${grouped(need.distanceKm)} km, at ${need.bearing}°`}</span>}
    </p>
    <News words={describeNeed(need)} />
    {total === 0 ? (
      <p class="good-text">New callsign.</p>
    ) : (
      <>
        <p safe>{`Worked before: ${counted(total, "QSO")}`}</p>
        <OfOneCall contacts={before} labels={labels} />
      </>
    )}
  </div>
);

const MAX_NEWS = 6;

/** What the contact would count for. */
const News = ({ words }: { words: readonly string[] }) =>
  words.length === 0 ? (
    ""
  ) : (
    <p class="good-text" safe>
      {[...words.slice(0, MAX_NEWS), ...(words.length > MAX_NEWS ? [`${words.length - MAX_NEWS} more`] : [])].join(
        " · ",
      )}
    </p>
  );

export const ImportFile = ({ problem }: Outcome) => (
  <>
    <div class="head">
      <h1>Import</h1>
      <a href="log">Log</a>
    </div>
    <section class="card middle" aria-labelledby="import-title">
      <h2 id="import-title">Import an ADIF file</h2>
      <form id="import" method="post" action="log/import" enctype="multipart/form-data">
        <Refusal of="import" problem={problem} />
        <div class="field">
          <label for="import-file">File (.adi, .adx or .gz, up to 1 GB)</label>
          <input type="file" id="import-file" name="file" accept=".adi,.adif,.adx,.gz,text/plain" required />
          <p class="help">Existing contacts are kept. You can undo the whole import afterwards.</p>
        </div>
        <div class="buttons">
          <button class="primary">Import</button>
          <button formaction="log/import?dryRun=true">Preview (dry run)</button>
        </div>
      </form>
      {/* Not the form's submit event, which htmx would prevent. */}
      <div
        id="import-progress"
        role="status"
        hx-get="log/import/progress"
        hx-trigger="formdata from:#import delay:300ms"
        hx-swap="outerHTML"
      ></div>
    </section>
  </>
);

export interface ProgressProps {
  arriving: { bytes: number; size: number | null } | null;
  /** How often this was requested while nothing arrived. */
  waited: number;
}

const MAX_REFRESHES = 5;

/** The progress of an upload, polled while data arrives. The form is submitted independently. */
export const ImportProgress = ({ arriving, waited }: ProgressProps) => {
  const isOver = arriving === null && waited >= MAX_REFRESHES;
  const again = isOver
    ? {}
    : {
        "hx-get": `log/import/progress?waited=${arriving === null ? waited + 1 : 0}`,
        "hx-trigger": "load delay:500ms",
        "hx-swap": "outerHTML",
      };
  return (
    <div id="import-progress" role="status" {...again}>
      {isOver ? (
        ""
      ) : arriving === null ? (
        <p class="muted">Sending…</p>
      ) : (
        <>
          {arriving.size === null ? (
            ""
          ) : (
            <progress value={arriving.bytes} max={arriving.size} aria-label="Sent"></progress>
          )}{" "}
          <span safe>
            {arriving.size === null
              ? `${formatSize(arriving.bytes)} uploaded`
              : `${formatSize(arriving.bytes)} of ${formatSize(arriving.size)} uploaded`}
          </span>
        </>
      )}
    </div>
  );
};
