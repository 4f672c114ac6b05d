/** @jsxImportSource @kitajs/html */
import { describeChange, JUST_NEW } from "../../src/domain/jobs/job-story.ts";
import { CHANGE_SIGNS, describeField, describeValue } from "../../src/domain/jobs/job-words.ts";
import type { Labels } from "../../src/domain/jobs/source.ts";
import { utc } from "../words.ts";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts.ts";

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

interface ChangeProps {
  change: ShownChange;
  labels: Labels;
}

/** A change of a contact in words; the fields are in a collapsed section. */
export const Change = ({ change, labels }: ChangeProps) => {
  const { id, qsoId, kind, call, startedAt, band, mode, diff } = change;
  const words = describeChange(change, labels);
  return (
    <div class="change" id={`change-${id}`}>
      <p>
        <span class={kind === "added" ? "good-text" : "warn-text"} aria-hidden="true">
          {CHANGE_SIGNS[kind]}
        </span>{" "}
        {kind === "deleted" ? (
          <span class="call" safe>
            {call}
          </span>
        ) : (
          <a class="call" href={`log/${qsoId}`} safe>
            {call}
          </a>
        )}{" "}
        <span class="muted" safe>
          {[band, mode, `${utc(startedAt)} UTC`].filter(Boolean).join(" · ")}
        </span>
        <span safe>{kind === "added" && words === JUST_NEW ? "" : `: ${words}`}</span>
      </p>
      <details>
        <summary aria-label={`Field by field: ${call}`}>Field by field</summary>
        <table class="diff">
          <Caption words={TEXTS.tables.changedFields} />
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {diff.map(({ field, before, after }) => (
              <tr>
                <th class="detail" scope="row" safe>
                  {describeField(field, labels)}
                </th>
                <td class="before" safe>
                  {describeValue(field, before)}
                </td>
                <td class="after" safe>
                  {describeValue(field, after)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
};
