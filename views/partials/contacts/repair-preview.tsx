/** @jsxImportSource @kitajs/html */
import {
  describeAward,
  listShownFields,
  type Difference,
  type Changed,
} from "../../../src/domain/jobs/preview-words.ts";
import { describeRepairCounts } from "../../../src/domain/jobs/repair-words.ts";
import type { RepairCounts } from "../../../src/domain/jobs/repair.ts";
import { describeField, describeValue } from "../../../src/domain/jobs/job-words.ts";
import { TEXTS } from "../../texts/shared.ts";
import { capitalise, utc } from "../../words.ts";
import { Table } from "../table.tsx";
import { REPAIR_TEXTS } from "../../texts/repair.ts";
import { CallLink } from "./call-link.tsx";

const WORDS = REPAIR_TEXTS.preview;

export interface ShownPreview extends RepairCounts {
  examples: readonly Changed[];
  awards: readonly { label: string; worked: Difference; confirmed: Difference }[];
}

/** A repair preview: counts, examples, and what awards would gain and lose. */
export const RepairPreview = ({ preview }: { preview: ShownPreview }) => (
  <>
    <ul class="plain">
      {describeRepairCounts(preview).map((words) => (
        <li safe>{words}</li>
      ))}
    </ul>
    {preview.examples.length !== 0 && (
      <>
        <h2>{WORDS.beforeAndAfter}</h2>
        <Examples examples={preview.examples} />
      </>
    )}
    <h2>{WORDS.awards}</h2>
    {preview.awards.length === 0 ? (
      <p>{WORDS.noAwardChanges}</p>
    ) : (
      <ul class="plain">
        {preview.awards.flatMap(describeAward).map((words) => (
          <li class="detail" safe>
            {words}
          </li>
        ))}
      </ul>
    )}
  </>
);

const Examples = ({ examples }: { examples: readonly Changed[] }) => (
  <Table
    caption={TEXTS.tables.preview}
    class="stack"
    rows={examples.flatMap((example) => listRows(example))}
    columns={[
      {
        head: WORDS.callsign,
        isName: true,
        markup: ({ contact: { qsoId, call } }) => <CallLink id={qsoId} call={call} />,
      },
      { head: WORDS.when, class: "when", text: ({ contact }) => utc(contact.startedAt) },
      { head: WORDS.field, text: ({ field }) => field },
      { head: WORDS.before, label: WORDS.before, class: "before detail", text: ({ before }) => before },
      { head: WORDS.after, label: WORDS.after, class: "after detail", text: ({ after }) => after },
    ]}
  />
);

interface Row {
  contact: Changed;
  field: string;
  before: string;
  after: string;
}

const listRows = (contact: Changed): Row[] => {
  if (contact.kind === "deleted") return [{ contact, field: WORDS.qso, before: WORDS.inLog, after: WORDS.deleted }];
  if (contact.diff.length === 0) return [{ contact, field: WORDS.qso, before: WORDS.twice, after: WORDS.merged }];
  return listShownFields(contact).map(({ field, before, after }) => ({
    contact,
    field: capitalise(describeField(field)),
    before: describeValue(field, before),
    after: describeValue(field, after),
  }));
};
