/** @jsxImportSource @kitajs/html */
import { Form, type Outcome } from "../form.tsx";
import { fromNow, utc } from "../words.ts";
import { ActionsHeading } from "./actions-heading.tsx";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";
import { SETTINGS_TEXTS } from "../texts/settings.ts";

const WORDS = SETTINGS_TEXTS.tokens;

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
        <th scope="col">{WORDS.name}</th>
        <th scope="col">{WORDS.scope}</th>
        <th scope="col">{WORDS.createdUtc}</th>
        <th scope="col">{WORDS.expiresUtc}</th>
        <th scope="col">{WORDS.lastUsed}</th>
        <ActionsHeading />
      </tr>
    </thead>
    <tbody>
      {tokens.map(({ id, name, scope, createdAt, expiresAt, lastUsedAt }) => (
        <tr>
          <th scope="row" class="fill full detail" safe>
            {name}
          </th>
          <td data-label={WORDS.scope}>{scope}</td>
          <td class="when" data-label={WORDS.created} safe>
            {utc(createdAt)}
          </td>
          <td class={["when", expiresAt !== null && expiresAt <= now && "bad-text"]} data-label={WORDS.expires} safe>
            {utc(expiresAt)}
          </td>
          <td class="when" data-label={WORDS.lastUsed} safe>
            {lastUsedAt === null ? WORDS.never : fromNow(lastUsedAt, now)}
          </td>
          <td class="actions">
            <Form
              form={`token-${id}`}
              action={`${path}/${id}/revoke`}
              section={section}
              problem={problem}
              class="inline"
            >
              <button class="small-button danger" id={`token-${id}-revoke`} aria-label={WORDS.revokeLabel(name)}>
                {WORDS.revoke}
              </button>
            </Form>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
