/** @jsxImportSource @kitajs/html */
import { describeAward, listShownFields, type Difference, type Changed } from "../../src/domain/jobs/preview-words.ts";
import { describeRepairCounts } from "../../src/domain/jobs/repair-words.ts";
import type { RepairCounts } from "../../src/domain/jobs/repair.ts";
import { describeField, describeValue } from "../../src/domain/jobs/job-words.ts";
import type { Labels } from "../../src/domain/jobs/source.ts";
import { TEXTS } from "../texts/shared.ts";
import { capitalise, utc } from "../words.ts";
import { Caption } from "./caption.tsx";

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
    {preview.examples.length === 0 ? (
      ""
    ) : (
      <>
        <h2>Before and after</h2>
        <Examples examples={preview.examples} labels={labels} />
      </>
    )}
    <h2>Awards</h2>
    {preview.awards.length === 0 ? (
      <p>No award changes.</p>
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
    <thead>
      <tr>
        <th scope="col">Callsign</th>
        <th scope="col">UTC</th>
        <th scope="col">Field</th>
        <th scope="col">Before</th>
        <th scope="col">After</th>
      </tr>
    </thead>
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
            <td class="before detail" data-label="Before" safe>
              {before}
            </td>
            <td class="after detail" data-label="After" safe>
              {after}
            </td>
          </tr>
        )),
      )}
    </tbody>
  </table>
);

const listRows = (example: Changed, labels: Labels): (readonly [field: string, before: string, after: string])[] => {
  if (example.kind === "deleted") return [["QSO", "in the log", "deleted"]];
  if (example.diff.length === 0) return [["QSO", "twice in the log", "merged with the other QSO"]];
  return listShownFields(example).map(({ field, before, after }) => [
    capitalise(describeField(field, labels)),
    describeValue(field, before),
    describeValue(field, after),
  ]);
};
