/** @jsxImportSource @kitajs/html */
import { getMarks, type Mark as Letter } from "../../src/domain/contact/marks.ts";
import type { AsOf } from "../../src/kernel/time-text.ts";
import type { OriginView, QsoView } from "../../src/domain/contact/qso-view.ts";
import { SERVICES, type Labels } from "../../src/domain/jobs/source.ts";
import { Done, Form, Refusal, type Outcome } from "../form.tsx";
import { Badge } from "../partials/badge.tsx";
import { Mark } from "../partials/mark.tsx";
import { FIELDS } from "../../src/domain/contact/qso-form.ts";
import { Past } from "../partials/past.tsx";
import { QsoFields } from "../partials/qso-fields.tsx";
import { History, Others, QsoFacts, Why, type ContactStory } from "../partials/qso-story.tsx";
import { day, listed, utc } from "../words.ts";

/** The result of a form. `still` lists cleared fields for which other origins have a value. */
const describeDone = (done: string | undefined): string | undefined => {
  if (done === "added") return "Added.";
  if (done === "saved") return "Saved.";
  const names = FIELDS.filter(([name]) => done?.startsWith("still.") && done.split(".").includes(name));
  if (names.length === 0) return undefined;
  return `Saved. These fields still have a value from a service or file: ${listed(names.map(([, label]) => label.toLowerCase()))}.`;
};

interface Props {
  story: ContactStory;
  labels: Labels;
}

/** A contact, what each origin says, and the form to edit it. */
export const QsoPage = ({ story, labels, problem, done }: Props & Outcome) => {
  const { qso } = story;
  return (
    <>
      <div class="head">
        <h1 class="mono" safe>
          {qso.call}
        </h1>
        <a href="log">Log</a>
      </div>
      <Done words={describeDone(done)} />
      <section class="card" aria-label="Contact">
        <QsoFacts qso={qso} class="wide-facts" />
      </section>
      <div class="columns">
        <section class="card" aria-labelledby="history-title">
          <h2 id="history-title">History</h2>
          <History story={story} labels={labels} />
        </section>
        <section class="card" aria-labelledby="others-title">
          <h2 id="others-title">
            Other contacts with <span safe>{qso.call}</span>
          </h2>
          <Others story={story} />
        </section>
      </div>
      <Origins qso={qso} labels={labels} />
      <section class="card" aria-labelledby="why-title">
        <h2 id="why-title">Where each value comes from</h2>
        <Why story={story} labels={labels} />
      </section>
      <section class="card" id="edit" aria-labelledby="edit-title">
        <h2 id="edit-title">Edit</h2>
        <p class="help">
          What you enter wins over files and services, and syncs never change it. Leave a field empty to use theirs.
        </p>
        <Form form="edit-qso" action={`log/${qso.id}`} problem={problem}>
          <QsoFields form="edit-qso" qso={qso} problem={problem} />
          <button class="primary">Save</button>
        </Form>
        <details open={problem?.form === "delete-qso"}>
          <summary>Delete this QSO…</summary>
          <form method="post" action={`log/${qso.id}/delete`}>
            <Refusal of="delete-qso" problem={problem} />
            <p>
              This deletes the contact permanently. Syncs will not add it again; only importing a file that contains it
              will.
            </p>
            <button class="danger">Delete QSO</button>
          </form>
        </details>
      </section>
    </>
  );
};

/** A contact as of the end of a day, with what each origin had said by then. */
export const PastQsoPage = ({ past, labels }: { past: QsoView & { asOf?: AsOf }; labels: Labels }) => (
  <>
    <div class="head">
      <h1 class="mono" safe>
        {past.call}
      </h1>
      <a href={`log/${past.id}`}>Show current version</a>
    </div>
    <Past of={past.asOf} />
    <section class="card" aria-label="Contact">
      <QsoFacts qso={past} class="wide-facts" />
    </section>
    <Origins qso={past} labels={labels} />
  </>
);

const Origins = ({ qso, labels }: { qso: QsoView; labels: Labels }) => (
  <div class="columns">
    {SERVICES.map((service) => (
      <Origin name={labels[service]} origin={qso[service]} mark={getMarks(qso)[service]} />
    ))}
    <Origin name="Your log" origin={qso.own} mark={getMarks(qso).card} card />
  </div>
);

interface OriginProps {
  name: string;
  origin: OriginView | null;
  mark: Letter;
  card?: boolean;
}

const NOTHING_TYPED = "You have not typed anything for this contact.";

const Origin = ({ name, origin, mark, card = false }: OriginProps) => (
  <section class="card">
    <div class="head">
      <h2 safe>{name}</h2>
      <OriginState name={name} origin={origin} mark={mark} card={card} />
    </div>
    {origin === null || origin.externalId === null ? (
      ""
    ) : (
      <p class="muted small detail">
        <span safe>{`${name} log ID`}</span>{" "}
        <span class="mono" safe>
          {origin.externalId}
        </span>
      </p>
    )}
    {origin === null ? (
      <p class="empty" safe>
        {card ? NOTHING_TYPED : `${name} has no record of this contact.`}
      </p>
    ) : origin.details === null ? (
      <p class="empty" safe>
        {card ? NOTHING_TYPED : `${name} sent no data of its own for this contact.`}
      </p>
    ) : (
      <details open={card}>
        <summary safe>{card ? "Raw data from you and your files" : `Raw data from ${name}`}</summary>
        <dl class="facts small">
          {Object.entries(origin.details).map(([field, value]) => (
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
    )}
  </section>
);

const OriginState = ({ name, origin, mark, card }: OriginProps) => {
  if (!origin?.confirmed) return card ? "" : <Mark of={mark} name={name} />;
  const { confirmedAt } = origin;
  const when = confirmedAt === null ? "" : ` ${confirmedAt % 86_400_000 === 0 ? day(confirmedAt) : utc(confirmedAt)}`;
  return <Badge kind="good" words={`${card ? "by card" : "confirmed"}${when}`} />;
};
