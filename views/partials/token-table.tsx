/** @jsxImportSource @kitajs/html */
import { Form, type Outcome } from "../form.tsx";
import { fromNow, utc } from "../words.ts";
import { ActionsHeading } from "./actions-heading.tsx";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";

export interface Token {
  id: number;
  name: string;
  scope: "read" | "write" | "feed" | "lookup";
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

interface TokenTableProps extends Outcome {
  tokens: readonly Token[];
  /** The base path for revoking a token. */
  path: string;
  /** The section of the page that is replaced by the response. Without it the whole page is. */
  section?: string;
  now: number;
}

export const TokenTable = ({ tokens, path, section, now, problem }: TokenTableProps) => (
  <table class="stack">
    <Caption words={TEXTS.tables.tokens} />
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Scope</th>
        <th scope="col">Created (UTC)</th>
        <th scope="col">Expires (UTC)</th>
        <th scope="col">Last used</th>
        <ActionsHeading />
      </tr>
    </thead>
    <tbody>
      {tokens.map(({ id, name, scope, createdAt, expiresAt, lastUsedAt }) => (
        <tr>
          <th scope="row" class="fill full detail" safe>
            {name}
          </th>
          <td data-label="Scope">{scope}</td>
          <td class="when" data-label="Created" safe>
            {utc(createdAt)}
          </td>
          <td class={["when", expiresAt !== null && expiresAt <= now && "bad-text"]} data-label="Expires" safe>
            {utc(expiresAt)}
          </td>
          <td class="when" data-label="Last used" safe>
            {lastUsedAt === null ? "never" : fromNow(lastUsedAt, now)}
          </td>
          <td class="actions">
            <Form
              form={`token-${id}`}
              action={`${path}/${id}/revoke`}
              section={section}
              problem={problem}
              class="inline"
            >
              <button class="small-button danger" id={`token-${id}-revoke`} aria-label={`Revoke token ${name}`}>
                Revoke
              </button>
            </Form>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
