/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { CHANGE_SIGNS, COUNT_WORDS, fieldInWords, valueInWords } from "../../src/domain/job-words.ts";
import type { Labels } from "../../src/domain/source.ts";
import { utc } from "../words.ts";

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
  isOpen: boolean;
}

/** What a job did to one QSO, field by field. */
export const Change = ({
  change: { id, qsoId, kind, call, startedAt, band, mode, diff },
  labels,
  isOpen,
}: ChangeProps) => (
  <details class="change" id={`change-${id}`} open={isOpen && kind === "updated"}>
    <summary>
      <span
        class={kind === "added" ? "good-text" : "warn-text"}
        safe
      >{`${CHANGE_SIGNS[kind]} ${COUNT_WORDS[kind]}`}</span>{" "}
      <span class="call" safe>
        {call}
      </span>{" "}
      <span class="muted" safe>
        {[`${utc(startedAt)} UTC`, band, mode].filter(Boolean).join(" · ")}
      </span>
    </summary>
    <table class="diff">
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
              {fieldInWords(field, labels)}
            </th>
            <td class="before" safe>
              {valueInWords(field, before)}
            </td>
            <td class="after" safe>
              {valueInWords(field, after)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {kind === "deleted" ? (
      ""
    ) : (
      <p>
        <a href={`log/${qsoId}`} aria-label={`The QSO with ${call}`}>
          The QSO
        </a>
      </p>
    )}
  </details>
);
