/** @jsxImportSource @kitajs/html */
import { describeNeed, type Need } from "../../src/domain/awards/need.ts";
import type { QsoView } from "../../src/domain/contact/qso-view.ts";
import { isMode, getDefaultReport } from "../../src/domain/contact/quick-entry.ts";
import { Done, Field, Form, LogFileField, Refusal, type Outcome } from "../form.tsx";
import { formatSize } from "../../src/kernel/number-text.ts";
import { LOG_TEXTS as WORDS } from "../texts/log.ts";
import { Badge } from "../partials/badge.tsx";
import { Moment } from "../partials/moment.tsx";
import { SlotMatrix, type Slot } from "../partials/contacts/slot-matrix.tsx";
import { Table } from "../partials/table.tsx";
import { TEXTS } from "../texts/shared.ts";
import { grouped } from "../words.ts";
import { QsoFields } from "../partials/contacts/qso-fields.tsx";
import { BAND_COLUMN, marksColumn, MODE_COLUMN, OfOneCall } from "../partials/contacts/qso-story.tsx";
import { Card } from "../partials/card.tsx";
import { CallLink } from "../partials/contacts/call-link.tsx";

interface AddProps {
  call: string;
  /** Kept for the next contact. */
  band: string;
  mode: string;
  added: QsoView | null;
  /** Whether it is the last contact that was typed, which can be undone. */
  canUndo: boolean;
  undone: boolean;
  /** The last contacts, newest first. */
  last: readonly QsoView[];
}

const HINTS = {
  "hx-get": "log/add/hints",
  "hx-trigger": "input delay:200ms",
  "hx-validate": "false",
  "hx-target": "#quick-hints",
  "hx-sync": "this:replace",
};

const REPORTS = [
  ["rstSent", WORDS.reportSent],
  ["rstRcvd", WORDS.reportReceived],
] as const;

/** The default report if none is typed. A space keeps the room if the mode is unknown. */
const reportInWords = (mode: string): string => {
  if (!isMode(mode)) return "\u00a0";
  return WORDS.reportIfEmpty(getDefaultReport(mode) ?? "none");
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

export const AddQso = (props: AddProps & Outcome) => {
  const { call, band, mode, added, canUndo, undone, last, problem } = props;
  // Sent back with the same callsign, the contact is logged a second time.
  const isRefused = problem?.form === "quick" && problem.fields.call !== undefined;
  const form = { form: "quick", problem };
  return (
    <>
      <h1>{WORDS.newQso}</h1>
      <div class="contact new-contact">
        <section class="card" aria-label={WORDS.quickEntry}>
          <Form {...form} class="quick" action="log/quick" asks={HINTS}>
            {isRefused && <input type="hidden" name="again" value={problem.values.call ?? ""} />}
            <Field
              {...form}
              name="call"
              label={WORDS.callsign}
              value={call}
              required
              autofocus={problem?.form !== "new-qso"}
              class="large"
              maxlength={40}
            />
            <Field {...form} name="band" label={WORDS.bandOrMhz} value={band} placeholder="20" class="large" />
            <Field {...form} name="mode" label={WORDS.mode} value={mode} placeholder="cw" class="large" />
            {REPORTS.map(([name, label]) => (
              <Field {...form} name={name} label={label} help={reportInWords(mode)} />
            ))}
            <Field {...form} name="startedAt" label={WORDS.utc} placeholder={WORDS.now} data-utc="" />
            <button class="primary" id="quick-add">
              {WORDS.logContact}
            </button>
          </Form>
          {/* Below the form with reserved room, so that the form does not move. */}
          <div class="just-added">
            {added === null ? (
              <Done words={undone ? WORDS.undone : undefined} />
            ) : (
              <Added qso={added} canUndo={canUndo} />
            )}
          </div>
        </section>
        <section class="card quick-hints" id="quick-hints" aria-label={WORDS.history}>
          <p class="help">{WORDS.hint}</p>
        </section>
        <div class="stacked">
          <LastContacts {...props} last={last} />
          <details class="card" id="new-qso-details" open={problem?.form === "new-qso"}>
            <summary>{WORDS.allFields}</summary>
            <Form form="new-qso" action="log" problem={problem}>
              <QsoFields form="new-qso" problem={problem} />
              <button class="primary">{WORDS.save}</button>
            </Form>
          </details>
        </div>
      </div>
    </>
  );
};

/** What was logged, with Undo until the next contact. */
const Added = ({ qso, canUndo }: { qso: QsoView; canUndo: boolean }) => {
  const how = [qso.band, qso.submode ?? qso.mode].filter(Boolean).join(" ");
  const words = TEXTS.states.logged([qso.call, how, qso.entity]);
  return (
    <form
      class="row done"
      method="post"
      action={`log/${qso.id}/take-back`}
      data-say={canUndo ? `${words} ${WORDS.undoByKey}` : words}
    >
      <span safe>{words}</span>
      {canUndo && (
        <button class="small-button" id="take-back" aria-keyshortcuts="Control+Z">
          {WORDS.undo}
        </button>
      )}
    </form>
  );
};

/** The last contacts, to correct one. */
const LastContacts = ({ last }: Pick<AddProps, "last">) =>
  last.length === 0 ? (
    ""
  ) : (
    <Card name="last" title={WORDS.lastContacts}>
      <div class="scroll">
        <Table
          caption={WORDS.lastContacts}
          class="log"
          isHeadHidden
          rows={last}
          columns={[
            { head: WORDS.start, class: "when", markup: ({ startedAt }) => <Moment at={startedAt} /> },
            {
              head: WORDS.callsign,
              isName: true,
              class: "call-cell",
              markup: ({ id, call, name }) => (
                <>
                  <CallLink id={id} call={call} isRow />{" "}
                  <span class="muted" safe>
                    {name ?? ""}
                  </span>
                </>
              ),
            },
            BAND_COLUMN,
            MODE_COLUMN,
            { head: WORDS.entity, class: "fill entity-cell", text: ({ entity }) => entity ?? "" },
            marksColumn(),
            {
              head: WORDS.edit,
              class: "edit-cell",
              markup: ({ id, call }) => (
                <a href={`log/${id}#edit`} aria-label={WORDS.editOne(call)}>
                  {WORDS.edit}
                </a>
              ),
            },
          ]}
        />
      </div>
    </Card>
  );

interface Hints {
  need: Need;
  before: readonly QsoView[];
  total: number;
  /** The state of the entity by band and mode group. */
  slots: readonly Slot[];
  here: { band: string | null; mode: string | null };
  /** The warning if the same contact was logged a moment ago. */
  twice: string | null;
}

/** What is known about a call before the contact is logged. */
export const QuickHints = ({ need, before, total, slots, here, twice }: Hints) => {
  const entity = need.entity?.name ?? WORDS.unknownEntity;
  const news = describeNeed(need);
  const history = total === 0 ? WORDS.newCall : WORDS.earlier(total, need.call);
  return (
    <div class="stacked">
      {twice !== null && (
        <p class="refusal" safe>
          {twice}
        </p>
      )}
      <p
        id="hint-summary"
        data-say={[twice, `${entity}.`, news[0] && `${news[0]}.`, history].filter(Boolean).join(" ")}
      >
        <NewBadge need={need} /> <b safe>{entity}</b>{" "}
        {need.distanceKm !== null && <span safe>{WORDS.way(grouped(need.distanceKm), need.bearing)}</span>}
      </p>
      <News words={news} />
      {slots.length !== 0 && <SlotMatrix caption={WORDS.byBand(entity)} slots={slots} here={here} />}
      <h2 safe>{history}</h2>
      {total !== 0 && <OfOneCall contacts={before} />}
    </div>
  );
};

/** Whether the contact would be a new entity, or a new band or mode group for it. */
const NewBadge = ({ need: { awards, band, group } }: { need: Need }) => {
  const dxcc = awards.find(({ award }) => award === "dxcc");
  if (dxcc?.state === "neverWorked") return <Badge kind="new" words={WORDS.newEntity} />;
  if (dxcc?.onBand === "neverWorked") return <Badge kind="slot" words={WORDS.newOn(band ?? "")} />;
  if (dxcc?.onBandInGroup === "neverWorked") return <Badge kind="slot" words={WORDS.newOn(`${band} ${group}`)} />;
  return dxcc?.inGroup === "neverWorked" ? <Badge kind="slot" words={WORDS.newIn(group ?? "")} /> : "";
};

const MAX_NEWS = 6;

/** What the contact would count for. */
const News = ({ words }: { words: readonly string[] }) =>
  words.length === 0 ? (
    ""
  ) : (
    <ul class="plain">
      {words.slice(0, MAX_NEWS).map((one) => (
        <li safe>{one}</li>
      ))}
      {words.length > MAX_NEWS && <li safe>{WORDS.moreNews(words.length - MAX_NEWS)}</li>}
    </ul>
  );

export const ImportFile = ({ isBlocked, problem }: Outcome & { isBlocked: boolean }) => (
  <>
    <div class="head">
      <h1>{WORDS.import}</h1>
      <a href="log">{WORDS.log}</a>
    </div>
    <section class="card middle" aria-labelledby="import-title">
      <h2 id="import-title">{WORDS.importTitle}</h2>
      <form id="import" method="post" action="log/import" enctype="multipart/form-data">
        <Refusal of="import" problem={problem} />
        <LogFileField label={WORDS.importLabel} help={WORDS.importHelp} disabled={isBlocked} />
        <div class="buttons">
          <button class="primary" disabled={isBlocked}>
            {WORDS.import}
          </button>
          <button formaction="log/import?dryRun=true" disabled={isBlocked}>
            {WORDS.importDry}
          </button>
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

interface ProgressProps {
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
        <p class="muted">{WORDS.sending}</p>
      ) : (
        <>
          {arriving.size !== null && (
            <progress value={arriving.bytes} max={arriving.size} aria-label={WORDS.sentBytes}></progress>
          )}{" "}
          <span safe>
            {arriving.size === null
              ? WORDS.uploaded(formatSize(arriving.bytes))
              : WORDS.uploadedOf(formatSize(arriving.bytes), formatSize(arriving.size))}
          </span>
        </>
      )}
    </div>
  );
};
