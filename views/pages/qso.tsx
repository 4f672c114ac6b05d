/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../src/domain/origins/labels.ts";
import type { PropsWithChildren } from "@elysiajs/html";
import type { Fields } from "../../src/domain/contact/adif-record.ts";
import type { AsOf } from "../../src/kernel/time-text.ts";
import type { OriginView, QsoView } from "../../src/domain/contact/qso-view.ts";
import { SERVICES } from "../../src/domain/jobs/source.ts";
import { getMarks } from "../../src/domain/contact/marks.ts";
import { Done, Form, Refusal, type Outcome } from "../form.tsx";
import { LOG_TEXTS as WORDS } from "../texts/log.ts";
import { FORM_FIELDS } from "../../src/domain/contact/qso-form.ts";
import { Icon } from "../partials/icon.tsx";
import { Fold } from "../partials/lead.tsx";
import { Mark } from "../partials/contacts/mark.tsx";
import { Past } from "../partials/contacts/past.tsx";
import { QsoFields } from "../partials/contacts/qso-fields.tsx";
import {
  countSources,
  describeStation,
  History,
  QsoFacts,
  Verdict,
  Why,
  WithCall,
  type ContactStory,
} from "../partials/contacts/qso-story.tsx";
import { Table, type Column } from "../partials/table.tsx";
import { day, listed, utc } from "../words.ts";
import { Card } from "../partials/card.tsx";

/** The result of a form. `still` lists cleared fields for which other origins have a value. */
const describeDone = (done: string | undefined): string | undefined => {
  if (done === "added") return WORDS.added;
  if (done === "saved") return WORDS.saved;
  const names = FORM_FIELDS.filter(([name]) => done?.startsWith("still.") && done.split(".").includes(name));
  if (names.length === 0) return undefined;
  return WORDS.savedStill(listed(names.map(([, label]) => label.toLowerCase())));
};

interface Props {
  story: ContactStory;
}

const Head = ({ qso, children }: PropsWithChildren<{ qso: QsoView }>) => (
  <div class="head">
    <div class="contact-name">
      <a class="back" href="log">
        <Icon name="undo" /> {WORDS.log}
      </a>
      <h1 class="mono" safe>
        {qso.call}
      </h1>
      <p class="muted" safe>
        {describeStation(qso)}
      </p>
    </div>
    {children as "safe"}
  </div>
);

/** A contact: its state in words, its values, other contacts with its call, and the form to edit it. */
export const QsoPage = ({ story, problem, done }: Props & Outcome) => {
  const { qso } = story;
  return (
    <>
      <Head qso={qso}>
        <a class="button" href={`log/${qso.id}#edit`} data-key="e" aria-keyshortcuts="e">
          {WORDS.edit} <kbd aria-hidden="true">e</kbd>
        </a>
      </Head>
      <Done words={describeDone(done)} />
      <Verdict qso={qso} />
      <div class="contact">
        <div class="stacked">
          <section class="card" aria-label={WORDS.contact}>
            <QsoFacts qso={qso} />
          </section>
          <Origins qso={qso} />
          <section class="card" aria-label={WORDS.values}>
            <Fold summary={WORDS.values} note={countSources(story)}>
              <Why story={story} />
            </Fold>
          </section>
          <Card name="history" title={WORDS.history}>
            <History story={story} />
          </Card>
        </div>
        <Card name="others" title={WORDS.withCall(story.othersTotal + 1, qso.call)}>
          <WithCall story={story} />
        </Card>
      </div>
      <Card id="edit" name="edit" title={WORDS.edit}>
        <p class="help">{WORDS.editHelp}</p>
        <Form form="edit-qso" action={`log/${qso.id}`} problem={problem}>
          <QsoFields form="edit-qso" qso={qso} problem={problem} />
          <button class="primary">{WORDS.save}</button>
        </Form>
        <details open={problem?.form === "delete-qso"}>
          <summary>{WORDS.deleteOne}</summary>
          <form method="post" action={`log/${qso.id}/delete`}>
            <Refusal of="delete-qso" problem={problem} />
            <p>{WORDS.deleteHelp}</p>
            <button class="danger">{WORDS.deleteNow}</button>
          </form>
        </details>
      </Card>
    </>
  );
};

/** A contact as of the end of a day, with what each origin had said by then. */
export const PastQsoPage = ({ past }: { past: QsoView & { asOf?: AsOf } }) => (
  <>
    <Head qso={past}>
      <a class="button" href={`log/${past.id}`}>
        {WORDS.current}
      </a>
    </Head>
    <Past of={past.asOf} />
    <Verdict qso={past} />
    <section class="card" aria-label={WORDS.contact}>
      <QsoFacts qso={past} />
    </section>
    <Origins qso={past} />
  </>
);

/** What each service and the owner's card say, and the data they sent. */
const Origins = ({ qso }: { qso: QsoView }) => {
  const marks = getMarks(qso);
  const rows = [
    ...SERVICES.map((service) => ({ name: LABELS[service], of: qso[service], mark: marks[service] })),
    { name: WORDS.card, of: qso.own.confirmed ? qso.own : null, mark: marks.card },
  ];
  const isNumbered = rows.some(({ of }) => of?.externalId);
  const data = [
    ...SERVICES.map((service) => [LABELS[service], qso[service]?.details ?? null] as const),
    [WORDS.yourFields, qso.own.details] as const,
  ];
  return (
    <Card name="origins" title={WORDS.where}>
      <Table
        caption={WORDS.where}
        isHeadHidden
        rows={rows}
        columns={[
          {
            head: WORDS.service,
            isName: true,
            class: "nowrap",
            markup: ({ name, mark }) => (
              <>
                <Mark of={mark} name={name} missing={name === WORDS.card ? WORDS.noneRecorded : undefined} />{" "}
                <b safe>{name}</b>
              </>
            ),
          },
          { head: WORDS.state, text: ({ name, of }) => describeOrigin(of, name === WORDS.card) },
          ...(isNumbered ? [NUMBER_COLUMN] : []),
        ]}
      />
      {data.map(([name, details]) => (details === null ? "" : <RawData name={name} details={details} />))}
    </Card>
  );
};

const NUMBER_COLUMN: Column<{ of: OriginView | null }> = {
  head: WORDS.logId,
  class: "muted small detail",
  markup: ({ of }) =>
    of?.externalId ? (
      <>
        {WORDS.logId}{" "}
        <span class="mono" safe>
          {of.externalId}
        </span>
      </>
    ) : (
      ""
    ),
};

const RawData = ({ name, details }: { name: string; details: Fields }) => (
  <details>
    <summary safe>{WORDS.rawData(name)}</summary>
    <dl class="facts small">
      {Object.entries(details).map(([field, value]) => (
        <>
          <dt class="mono" safe>
            {field}
          </dt>
          <dd class="mono" safe>
            {value}
          </dd>
        </>
      ))}
    </dl>
  </details>
);

const describeOrigin = (of: OriginView | null, isCard: boolean): string => {
  if (of === null) return isCard ? WORDS.noCard : WORDS.noRecord;
  if (!of.confirmed) return WORDS.sent;
  const { confirmedAt: at } = of;
  return WORDS.confirmed(at === null ? "" : at % 86_400_000 === 0 ? day(at) : utc(at));
};
