/** @jsxImportSource @kitajs/html */
import { Form, type Outcome } from "../../form.tsx";
import { utc } from "../../words.ts";
import { createdColumn, lastUsedColumn } from "./access-columns.ts";
import { ACTIONS, Table } from "../table.tsx";
import { TEXTS } from "../../texts/shared.ts";
import { SETTINGS_TEXTS } from "../../texts/settings.ts";

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
  section?: string | undefined;
  now: number;
}

export const TokenTable = ({ tokens, path, section, now, problem }: TokenTableProps) => (
  <Table
    caption={TEXTS.tables.tokens}
    class="stack"
    rows={tokens}
    columns={[
      { head: WORDS.name, isName: true, class: "fill full detail", text: ({ name }) => name },
      { head: WORDS.scope, label: WORDS.scope, text: ({ scope }) => scope },
      createdColumn(WORDS.createdUtc, WORDS.created),
      {
        head: WORDS.expiresUtc,
        label: WORDS.expires,
        class: "when",
        markup: ({ expiresAt }) => (
          <span class={expiresAt !== null && expiresAt <= now ? "bad-text" : undefined} safe>
            {utc(expiresAt)}
          </span>
        ),
      },
      lastUsedColumn(now),
      {
        ...ACTIONS,
        markup: ({ id, name }) => (
          <Form form={`token-${id}`} action={`${path}/${id}/revoke`} section={section} problem={problem} class="inline">
            <button class="small-button danger" id={`token-${id}-revoke`} aria-label={WORDS.revokeLabel(name)}>
              {WORDS.revoke}
            </button>
          </Form>
        ),
      },
    ]}
  />
);
