/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../src/domain/origins/labels.ts";
import { describeLeftRecord } from "../../src/domain/jobs/job-words.ts";
import { formatNumber } from "../../src/kernel/number-text.ts";
import {
  describeClass,
  describeFindings,
  RECONCILE_CLASSES,
  type Difference,
  type ReconcileClass,
  NOT_AT,
} from "../../src/domain/jobs/reconcile.ts";
import { SERVICES, type Service } from "../../src/domain/jobs/source.ts";
import type { Outcome } from "../form.tsx";
import { describeContact as inWords, type NamedContact } from "../../src/domain/contact/named-contact.ts";
import { capitalise } from "../words.ts";
import { formatTypedMoment } from "../../src/kernel/time-text.ts";
import { Table } from "../partials/table.tsx";
import { EmptyLog } from "../partials/lead.tsx";
import { More } from "../partials/pager.tsx";
import { TEXTS } from "../texts/shared.ts";
import { REPAIR_TEXTS } from "../texts/repair.ts";
import { CallLink } from "../partials/contacts/call-link.tsx";

const WORDS = REPAIR_TEXTS.compare;

interface ReconcileProps {
  counts: Record<ReconcileClass, number>;
  shown: ReconcileClass | undefined;
  contacts: readonly (NamedContact & {
    differences: readonly Difference[];
    fileOnly: readonly Service[];
    otherCall: Record<Service, string | null>;
  })[];
  deleted: readonly { call: string; startedAt: number; band: string | null; at: readonly Service[] }[];
  leftovers: readonly Leftover[];
  /** The query of this page and of the next one. */
  here: string;
  next: string | null;
}

interface Leftover {
  id: number;
  source: Service;
  kind: "unmatched" | "rejected";
  reason: string;
  record: Readonly<Record<string, string>>;
  candidates: readonly NamedContact[];
}

/** Compares the log with both services: every class with advice, and the rows of one class. */
export const Reconcile = (props: ReconcileProps & Outcome) => {
  const { counts, shown, contacts, deleted, leftovers, here, next, problem } = props;
  return (
    <>
      <h1 safe>{WORDS.title(LABELS.first, LABELS.second)}</h1>
      <section class="card" id="reconcile-section" aria-label={WORDS.result}>
        {problem !== undefined && (
          <p class="refusal" role="alert" safe>
            {problem.message}
          </p>
        )}
        {Object.values(counts).every((count) => count === 0) ? (
          <EmptyLog words={WORDS.nothing} />
        ) : (
          <Classes counts={counts} shown={shown} />
        )}
        {shown !== undefined && <h2 safe>{capitalise(describeClass(shown).title)}</h2>}
        <ul class="plain">
          {contacts.map((contact) => (
            <li>
              <CallLink id={contact.id} call={contact.call} />{" "}
              <span class="muted" safe>
                {inWords(contact)}
              </span>
              {describeFindings(contact).map((words) => (
                <span class="detail" safe>{` · ${words}`}</span>
              ))}
            </li>
          ))}
          {deleted.map(({ call, startedAt, band, at }) => (
            <li>
              <span class="call" safe>
                {call}
              </span>{" "}
              <span class="muted" safe>
                {[formatTypedMoment(startedAt), band, WORDS.on(at.map((service) => LABELS[service]).join(", "))]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </li>
          ))}
        </ul>
        {leftovers.map((leftover) => (
          <Waiting {...leftover} here={here} />
        ))}
        <More href={next && `reconcile${next}`} words={WORDS.more} />
      </section>
    </>
  );
};

/** Each class that has contacts, with their number and what to do. */
const Classes = ({ counts, shown }: Pick<ReconcileProps, "counts" | "shown">) => (
  <Table
    caption={TEXTS.tables.comparison}
    class="stack classes"
    rows={RECONCILE_CLASSES.filter((name) => counts[name] > 0 || name === shown)}
    columns={[
      { head: WORDS.qsos, class: "num", text: (name) => formatNumber(counts[name]) },
      {
        head: WORDS.result,
        isName: true,
        markup: (name) => (
          <a href={`reconcile?class=${name}`} aria-current={name === shown ? "page" : undefined} safe>
            {describeClass(name).title}
          </a>
        ),
      },
      {
        head: WORDS.whatToDo,
        class: "full",
        markup: (name) => (
          <>
            <span safe>{describeClass(name).advice}</span> <Upload name={name} />
          </>
        ),
      },
    ]}
  />
);

const Upload = ({ name }: { name: ReconcileClass }) => {
  const service = SERVICES.find((one) => NOT_AT[one] === name) ?? null;
  return service === null ? "" : <a href={`api/qsos/export?notAt=${service}`}>{WORDS.download}</a>;
};

type WaitingProps = Leftover & Pick<ReconcileProps, "here">;

/** An unmatched record and the actions to settle it. */
const Waiting = ({ id, source, kind, reason, record, candidates, here }: WaitingProps) => {
  return (
    <form method="post" action={`reconcile${here}`} id={`settle-${id}`}>
      <p>
        <b safe>{LABELS[source]}</b>{" "}
        <span class="detail" safe>
          {`${describeLeftRecord(record)}: ${reason}`}
        </span>
      </p>
      <input type="hidden" name="leftover" value={String(id)} />
      <div class="buttons">
        {candidates.map((candidate) => (
          <button name="act" value={`match-${candidate.id}`} safe>
            {WORDS.match(candidate.call, inWords(candidate))}
          </button>
        ))}
        {kind === "unmatched" && (
          <button name="act" value="new">
            {WORDS.add}
          </button>
        )}
        <button class="quiet" name="act" value="dismiss">
          {WORDS.dismiss}
        </button>
      </div>
    </form>
  );
};
