/** @jsxImportSource @kitajs/html */
import { describeAward, listShownFields, type Difference, type Changed } from "../../src/domain/jobs/preview-words.ts";
import { describeRepairCounts } from "../../src/domain/jobs/repair-words.ts";
import type { RepairCounts } from "../../src/domain/jobs/repair.ts";
import { describeField, describeValue } from "../../src/domain/jobs/job-words.ts";
import type { Labels } from "../../src/domain/jobs/source.ts";
import { TEXTS } from "../texts/shared.ts";
import { capitalise, utc } from "../words.ts";
import { Caption } from "./caption.tsx";
import { TableHead } from "./table-head.tsx";
import { REPAIR_TEXTS } from "../texts/repair.ts";

const WORDS = REPAIR_TEXTS.preview;

export interface ShownPreview extends RepairCounts {
  examples: readonly Changed[];
  awards: readonly { label: string; worked: Difference; confirmed: Difference }[];
}

/** A repair preview: counts, examples, and what awards would gain and lose. */
export const RepairPreview = ({ preview, labels }: { preview: ShownPreview; labels: Labels }) => (
  <>
    <ul class="plain">
      {describeRepairCounts(preview).map((words) => (
        <li safe>{words}</li>
      ))}
    </ul>
    {preview.examples.length !== 0 && (
      <>
        <h2>{WORDS.beforeAndAfter}</h2>
        <Examples examples={preview.examples} labels={labels} />
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

const Examples = ({ examples, labels }: { examples: readonly Changed[]; labels: Labels }) => (
  <table class="stack">
    <Caption words={TEXTS.tables.preview} />
    <TableHead columns={[WORDS.callsign, WORDS.when, WORDS.field, WORDS.before, WORDS.after]} />
    <tbody>
      {examples.flatMap((example) =>
        listRows(example, labels).map(([field, before, after]) => (
          <tr>
            <th scope="row">
              <a class="call" href={`log/${example.qsoId}`} safe>
                {example.call}
              </a>
            </th>
            <td class="when" safe>
              {utc(example.startedAt)}
            </td>
            <td safe>{field}</td>
            <td class="before detail" data-label={WORDS.before} safe>
              {before}
            </td>
            <td class="after detail" data-label={WORDS.after} safe>
              {after}
            </td>
          </tr>
        )),
      )}
    </tbody>
  </table>
);

const listRows = (example: Changed, labels: Labels): (readonly [field: string, before: string, after: string])[] => {
  if (example.kind === "deleted") return [[WORDS.qso, WORDS.inLog, WORDS.deleted]];
  if (example.diff.length === 0) return [[WORDS.qso, WORDS.twice, WORDS.merged]];
  return listShownFields(example).map(({ field, before, after }) => [
    capitalise(describeField(field, labels)),
    describeValue(field, before),
    describeValue(field, after),
  ]);
};
