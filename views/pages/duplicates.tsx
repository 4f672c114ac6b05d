/** @jsxImportSource @kitajs/html */
import { LABELS } from "../../src/domain/origins/labels.ts";
import { DUPLICATE_KINDS, DUPLICATE_WORDS, type DuplicateKind } from "../../src/domain/jobs/duplicates.ts";
import { describeContact, type NamedContact } from "../../src/domain/contact/named-contact.ts";
import { Form, type Outcome } from "../form.tsx";
import { RepairPreview, type ShownPreview } from "../partials/contacts/repair-preview.tsx";
import { More } from "../partials/pager.tsx";
import { counted } from "../words.ts";
import { REPAIR_TEXTS } from "../texts/repair.ts";
import { CallLink } from "../partials/contacts/call-link.tsx";

const WORDS = REPAIR_TEXTS.duplicates;

export interface DuplicatesProps {
  groups: readonly DuplicateGroup[];
  kinds: Record<DuplicateKind, number>;
  total: number;
  kind: string | undefined;
  /** The query of this page and of the next one. */
  here: string;
  next: string | null;
  /** The preview of a merge, if requested. */
  asked: AskedMerge | null;
}

interface DuplicateGroup {
  kind: DuplicateKind;
  why: readonly DuplicateKind[];
  contacts: readonly DuplicateRow[];
}

interface AskedMerge {
  kind?: string;
  qsoId?: number;
  preview: ShownPreview;
}

type Context = Pick<DuplicatesProps, "here">;

interface DuplicateRow extends NamedContact {
  firstConfirmed: boolean;
  secondConfirmed: boolean;
  cardConfirmed: boolean;
}

/** Groups of duplicate contacts with the reason, and buttons to merge them. */
export const Duplicates = (props: DuplicatesProps & Outcome) => {
  const { groups, kinds, total, kind, here, next, asked, problem } = props;
  return (
    <>
      <h1>{WORDS.title}</h1>
      <section class="card" id="duplicates-section" aria-label={WORDS.title}>
        <p class="help">{WORDS.about}</p>
        {asked !== null && <Asked {...asked} here={here} problem={problem} />}
        <p role="status" safe>
          {total === 0 ? WORDS.none : WORDS.groups(total)}
        </p>
        <ul class="plain">
          {DUPLICATE_KINDS.filter((one) => kinds[one] > 0).map((one) => (
            <li>
              <a href={`duplicates?kind=${one}`} aria-current={one === kind ? "page" : undefined} safe>
                {`${counted(kinds[one], "group")}: ${DUPLICATE_WORDS[one]}`}
              </a>
            </li>
          ))}
        </ul>
        {kind !== undefined && (
          <form method="post" action={`duplicates${here}`} id="merge-kind">
            <input type="hidden" name="kind" value={kind} />
            <button id="merge-kind-go">{WORDS.mergeKind}</button> <a href="duplicates">{WORDS.allKinds}</a>
          </form>
        )}
        {groups.map((group) => (
          <Group {...group} here={here} />
        ))}
        <More href={next && `duplicates${next}`} words={WORDS.more} />
      </section>
    </>
  );
};

const Asked = ({ kind, qsoId, preview, here, problem }: AskedMerge & Context & Outcome) => (
  <Form form="merge" action={`duplicates${here}`} problem={problem}>
    <RepairPreview preview={preview} />
    {kind !== undefined && <input type="hidden" name="kind" value={kind} />}
    {qsoId !== undefined && <input type="hidden" name="qsoId" value={String(qsoId)} />}
    <div class="buttons">
      <button class="danger" name="go" value="merge" id="merge-go">
        {WORDS.merge}
      </button>
      <a class="button" href={`duplicates${here}`}>
        {WORDS.cancel}
      </a>
    </div>
  </Form>
);

const Group = ({ why, contacts, here }: DuplicateGroup & Context) => (
  <form method="post" action={`duplicates${here}`} class="group">
    <h2 safe>{why.map((kind) => DUPLICATE_WORDS[kind]).join("; ")}</h2>
    <ul class="plain">
      {contacts.map((contact) => (
        <li>
          <CallLink id={contact.id} call={contact.call} /> <span safe>{describeDuplicate(contact)}</span>
        </li>
      ))}
    </ul>
    <input type="hidden" name="qsoId" value={String(contacts[0]?.id ?? 0)} />
    <button aria-label={WORDS.mergeLabel(contacts[0]?.call ?? "")}>{WORDS.mergeAsk}</button>
  </form>
);

const describeDuplicate = (contact: DuplicateRow): string => {
  const by = [
    ...(contact.firstConfirmed ? [LABELS.first] : []),
    ...(contact.secondConfirmed ? [LABELS.second] : []),
    ...(contact.cardConfirmed ? [WORDS.card] : []),
  ];
  const confirmed = by.length === 0 ? WORDS.notConfirmed : WORDS.confirmedBy(by.join(", "));
  return `${describeContact(contact)} · ${confirmed}`;
};
