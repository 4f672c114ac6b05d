/** @jsxImportSource @kitajs/html */
import { listOutcomes, listPlainFields } from "../../../src/domain/jobs/job-story.ts";
import { describeField, describeValue } from "../../../src/domain/jobs/job-words.ts";
import { capitalise } from "../../words.ts";
import { Band } from "./band.tsx";
import { Moment } from "../moment.tsx";
import { Caption, Headings } from "../table.tsx";
import { TEXTS } from "../../texts/shared.ts";
import { JOB_TEXTS } from "../../texts/jobs.ts";
import { CallLink } from "./call-link.tsx";

const WORDS = JOB_TEXTS.changes;

interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

export interface ShownChange {
  id: number;
  qsoId: number;
  kind: "added" | "updated" | "deleted";
  call: string;
  startedAt: number;
  band: string | null;
  mode: string | null;
  diff: readonly FieldChange[];
}

interface TableProps {
  changes: readonly ShownChange[];
}

/** Changes of contacts, with the fields before and after in the row, if there are any. */
export const ChangeTable = ({ changes }: TableProps) => {
  const hasFields = changes.some((change) => listShownFields(change).length > 0);
  const columns = [
    WORDS.callsign,
    WORDS.when,
    WORDS.band,
    WORDS.mode,
    WORDS.change,
    ...(hasFields ? [WORDS.before, WORDS.after] : []),
  ].map((head) => ({ head }));
  return (
    <table class="stack changes">
      <Caption words={TEXTS.tables.changes} />
      <thead>
        <Headings columns={[...columns, { head: WORDS.allFields, isHeadHidden: true }]} />
      </thead>
      <tbody>
        {changes.map((change) => (
          <ChangeRows change={change} hasFields={hasFields} />
        ))}
      </tbody>
    </table>
  );
};

const listShownFields = (change: ShownChange) => (change.kind === "updated" ? listPlainFields(change) : []);

interface RowsProps {
  change: ShownChange;
  hasFields: boolean;
}

/** One row for what happened to the contact, then one for each field. */
const ChangeRows = ({ change, hasFields }: RowsProps) => {
  const fields = listShownFields(change);
  const outcome = listOutcomes(change).join("; ") || null;
  const [first, ...rest] = fields;
  return (
    <>
      {outcome === null && first ? (
        <FieldRow change={change} of={first} isFirst />
      ) : (
        <tr id={`change-${change.id}`}>
          <Contact change={change} />
          <td class="full" colspan={hasFields ? 3 : 1} safe>
            {outcome ?? WORDS.moreDetails}
          </td>
          <AllFields change={change} />
        </tr>
      )}
      {(outcome === null ? rest : fields).map((field) => (
        <FieldRow change={change} of={field} />
      ))}
    </>
  );
};

const Contact = ({ change: { qsoId, kind, call, startedAt, band, mode } }: { change: ShownChange }) => (
  <>
    <th scope="row">
      {kind === "deleted" ? (
        <span class="call" safe>
          {call}
        </span>
      ) : (
        <CallLink id={qsoId} call={call} isRow />
      )}
    </th>
    <td class="when">
      <Moment at={startedAt} />
    </td>
    <td>{band !== null && <Band band={band} />}</td>
    <td safe>{mode ?? ""}</td>
  </>
);

interface FieldRowProps {
  change: ShownChange;
  of: FieldChange;
  isFirst?: boolean;
}

const FieldRow = ({ change, of: { field, before, after }, isFirst = false }: FieldRowProps) => (
  <tr id={isFirst ? `change-${change.id}` : undefined}>
    <Contact change={change} />
    <td safe>{capitalise(describeField(field))}</td>
    <td class="before detail" data-label={WORDS.before} safe>
      {describeValue(field, before)}
    </td>
    <td class="after detail" data-label={WORDS.after} safe>
      {describeValue(field, after)}
    </td>
    {isFirst ? <AllFields change={change} /> : <td></td>}
  </tr>
);

const AllFields = ({ change: { kind, call, diff } }: { change: ShownChange }) => (
  <td class="full">
    <details>
      <summary aria-label={WORDS.allFieldsLabel(call)}>{WORDS.allFields}</summary>
      <ul class="plain small detail">
        {diff.map(({ field, before, after }) => (
          <li safe>
            {WORDS.fieldChange(
              describeField(field),
              kind === "added" ? null : describeValue(field, before),
              describeValue(field, after),
            )}
          </li>
        ))}
      </ul>
    </details>
  </td>
);
