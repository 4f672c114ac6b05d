/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { WITNESSES, type Witness } from "../../src/domain/award.ts";
import { witnessInWords } from "../../src/domain/award-words.ts";
import { fieldOf, FIELDS, fieldsThat, type FieldName } from "../../src/domain/fields.ts";
import { marksOf } from "../../src/domain/marks.ts";
import type { QsoView } from "../../src/domain/qso-view.ts";
import { SERVICES } from "../../src/domain/source.ts";
import { Choice, Field, Form, Refusal, type Outcome } from "../form.tsx";
import type { Labels } from "../../src/domain/source.ts";
import { Silent } from "../partials/silent.tsx";
import { Mark } from "../partials/mark.tsx";
import { BAND_CHOICES, momentOf, QsoFields } from "../partials/qso-fields.tsx";
import { capital, counted } from "../words.ts";

export type LogAsked = Partial<Record<string, string>>;

export interface LogProps {
  qsos: readonly QsoView[];
  total: number;
  withoutContacts: readonly string[] | undefined;
  asked: LogAsked;
  /** The filters alone, as a query, for the export. */
  filterQuery: string;
  next: string | null;
  labels: Labels;
}

const SORTS = [
  ["-startedAt", "newest first"],
  ["startedAt", "oldest first"],
  ["call", "callsign"],
  ["band", "band"],
  ["mode", "mode"],
  ["-updatedAt", "recently changed"],
] as const;

const GROUPS = [
  ["", "any"],
  ["cw", "CW"],
  ["phone", "phone"],
  ["digital", "digital"],
  ["image", "image"],
] as const;

const confirmations = (labels: Labels) =>
  [
    ["", "any"],
    ["any", "confirmed"],
    ["none", "not confirmed"],
    ["first", `by ${labels.first}`],
    ["second", `by ${labels.second}`],
    ["card", "by card"],
    ["both", "by both services"],
    ["firstOnly", `by ${labels.first} only`],
    ["secondOnly", `by ${labels.second} only`],
    ["cardOnly", "by card only"],
  ] as const;

const services = (labels: Labels) =>
  [["", "any"], ...SERVICES.map((service) => [service, labels[service]] as const)] as const;

const missingAt = (labels: Labels) =>
  [["", "anywhere"], ...SERVICES.map((service) => [service, `not at ${labels[service]}`] as const)] as const;

export const Log = ({
  qsos,
  total,
  withoutContacts,
  asked,
  filterQuery,
  next,
  labels,
  problem,
  done,
}: LogProps & Outcome) => (
  <>
    <div class="head">
      <h1>Log</h1>
      <p class="buttons">
        <a class="button" href="log#add">
          Add a QSO
        </a>
        <a class="button" href="log#import">
          Import
        </a>
        <a class="button" href="duplicates">
          Duplicates
        </a>
        <a class="button" href="reconcile">
          Reconcile
        </a>
        <a class="button" href={`api/qsos/export${filterQuery}`}>
          Export as ADIF
        </a>
      </p>
    </div>
    {done === "deleted" ? (
      <p class="done" role="status">
        The QSO is deleted; no service brings it back.
      </p>
    ) : (
      ""
    )}
    <section class="card" aria-label="QSOs">
      <Filter asked={asked} labels={labels} problem={problem} />
      <p class="muted" role="status" safe>
        {counted(total, "QSO")}
      </p>
      <Silent stations={withoutContacts} />
      {qsos.length > 0 ? (
        <form method="post" action="log/choose" id="choose">
          <Table qsos={qsos} labels={labels} />
          <p class="buttons">
            <button id="choose-go">Repair the chosen QSOs…</button>
            <a class="button" href={`repair${filterQuery}`}>
              Repair all of them…
            </a>
          </p>
        </form>
      ) : withoutContacts ? (
        ""
      ) : (
        <p class="empty">
          {filterQuery === "" ? "The log is empty. Add a QSO, import a file, or sync a service." : "No QSOs match."}
        </p>
      )}
      {next === null ? (
        ""
      ) : (
        <p>
          <a class="button" href={`log${next}`}>
            More
          </a>
        </p>
      )}
    </section>
    <div class="columns">
      <section class="card" id="add" aria-labelledby="add-title">
        <h2 id="add-title">Add a QSO</h2>
        <Form form="new-qso" action="log#add" problem={problem}>
          <QsoFields form="new-qso" problem={problem} />
          <button class="primary">Add the QSO</button>
        </Form>
      </section>
      <Import problem={problem} />
    </div>
  </>
);

const labelOf = (field: FieldName): string => fieldOf(field).form?.label ?? fieldOf(field).label ?? field;

/** Those with a place of their own in the form. */
const COMMON = ["call", "band", "mode", "group"];

const MORE_FILTERS = fieldsThat("filter")
  .map((field) => ({ name: FIELDS[field].filter.name, label: labelOf(field) }))
  .filter(({ name }) => !COMMON.includes(name));

const Filter = ({ asked, labels, problem }: { asked: LogAsked; labels: Labels } & Outcome) => (
  <form class="row" id="find" method="get" action="log" role="search">
    <Refusal of="find" problem={problem} />
    <Field form="find" name="q" label="Search" type="search" value={asked.q} problem={problem} />
    <Field form="find" name="call" label="Callsign" value={asked.call} class="short" problem={problem} />
    <Choice form="find" name="band" label="Band" options={BAND_CHOICES} value={asked.band ?? ""} />
    <Field form="find" name="mode" label="Mode" value={asked.mode} class="short" problem={problem} />
    <Choice form="find" name="group" label="Mode group" options={GROUPS} value={asked.group ?? ""} />
    <Choice
      form="find"
      name="confirmation"
      label="Confirmed"
      options={confirmations(labels)}
      value={asked.confirmation ?? ""}
    />
    <Choice form="find" name="notAt" label="Kept" options={missingAt(labels)} value={asked.notAt ?? ""} />
    <Field form="find" name="from" label="From (UTC)" type="date" value={asked.from} problem={problem} />
    <Field form="find" name="to" label="To (UTC)" type="date" value={asked.to} problem={problem} />
    <Choice form="find" name="sort" label="Order" options={SORTS} value={asked.sort ?? "-startedAt"} />
    <details id="find-more" open={["at", ...MORE_FILTERS.map(({ name }) => name)].some((name) => asked[name])}>
      <summary id="find-more-summary">More filters</summary>
      <div class="more">
        <Choice form="find" name="at" label="Kept at" options={services(labels)} value={asked.at ?? ""} />
        {MORE_FILTERS.map(({ name, label }) => (
          <Field form="find" name={name} label={label} value={asked[name]} class="short" problem={problem} />
        ))}
      </div>
    </details>
    <button id="find-go">Show</button>
    <a class="button quiet" href="log">
      Clear filters
    </a>
  </form>
);

const Table = ({ qsos, labels }: Pick<LogProps, "qsos" | "labels">) => (
  <table class="stack log">
    <thead>
      <tr>
        <th scope="col">
          <span class="hidden">Chosen</span>
        </th>
        <th scope="col">Start (UTC)</th>
        <th scope="col">Callsign</th>
        <th scope="col">Band</th>
        <th scope="col">Mode</th>
        <th scope="col">RST</th>
        <th scope="col">Entity</th>
        <th scope="col">State · grid</th>
        {WITNESSES.map((witness) => (
          <th scope="col" class="num" safe>
            {witnessName(witness, labels)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {qsos.map((qso) => (
        <Row qso={qso} labels={labels} />
      ))}
    </tbody>
  </table>
);

const Row = ({ qso, labels }: { qso: QsoView; labels: Labels }) => (
  <tr>
    <td>
      <input type="checkbox" name={`qso-${qso.id}`} aria-label={`Choose the QSO with ${qso.call}`} />
    </td>
    <td class="when" safe>
      {momentOf(qso.startedAt)}
    </td>
    <td class="call-cell">
      <a class="call" href={`log/${qso.id}`} safe>
        {qso.call}
      </a>
    </td>
    <td safe>{qso.band ?? "–"}</td>
    <td safe>{qso.submode ?? qso.mode ?? "–"}</td>
    <td class="nowrap muted" data-label="RST" safe>
      {[qso.rstSent, qso.rstRcvd].filter(Boolean).join(" · ")}
    </td>
    <td class="fill detail" safe>
      {qso.entity ?? "unknown"}
    </td>
    <td class="muted nowrap" safe>
      {[qso.state, qso.gridsquare].filter(Boolean).join(" · ")}
    </td>
    {WITNESSES.map((witness) => (
      <td class="num" data-label={witnessName(witness, labels)}>
        <Mark of={marksOf(qso)[witness]} />
      </td>
    ))}
  </tr>
);

const witnessName = (witness: Witness, labels: Labels): string => capital(witnessInWords(witness, labels));

const Import = ({ problem }: Outcome) => (
  <section class="card" id="import" aria-labelledby="import-title">
    <h2 id="import-title">Import an ADIF file</h2>
    <form method="post" action="log/import#import" enctype="multipart/form-data">
      <Refusal of="import" problem={problem} />
      <div class="field">
        <label for="import-file">File (.adi, .adx or .gz, up to 1 GB)</label>
        <input type="file" id="import-file" name="file" accept=".adi,.adif,.adx,.gz,text/plain" required />
        <p class="help">
          What is in the log already stays as it is. An import is a job: it shows what it changed, and can be undone as
          a whole.
        </p>
      </div>
      <div class="buttons">
        <button class="primary">Import</button>
        <button formaction="log/import?dryRun=true#import">Dry run</button>
      </div>
    </form>
  </section>
);
