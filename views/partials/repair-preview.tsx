/** @jsxImportSource @kitajs/html */
import { describeAward, describeExample, type Difference, type Changed } from "../../src/domain/jobs/preview-words.ts";
import { describeRepairCounts } from "../../src/domain/jobs/repair-words.ts";
import type { RepairCounts } from "../../src/domain/jobs/repair.ts";
import type { Labels } from "../../src/domain/jobs/source.ts";

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
        <h2>Examples</h2>
        <ul class="plain">
          {preview.examples.map((example) => (
            <li class="detail" safe>
              {describeExample(example, labels)}
            </li>
          ))}
        </ul>
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
