/** @jsxImportSource @kitajs/html */
import { Choice, Done, Field, Form, type Outcome } from "../form.tsx";
import { getMessage } from "../settings-words.ts";
import { shortenUserAgent } from "../user-agent.ts";
import { fromNow, utc } from "../words.ts";
import { ActionsHeading } from "./actions-heading.tsx";
import { TokenTable, type Token } from "./token-table.tsx";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";

export interface SignedIn {
  id: string;
  lastUsedAt: number;
  createdAt: number;
  address: string | null;
  userAgent: string | null;
  current: boolean;
}

export const Sessions = ({
  sessions,
  now,
  problem,
  done,
}: { sessions: readonly SignedIn[]; now: number } & Outcome) => (
  <section class="card" id="sessions" aria-labelledby="sessions-title">
    <h2 id="sessions-title">Sessions</h2>
    <Done words={getMessage(done, "session")} />
    <table class="stack">
      <Caption words={TEXTS.tables.sessions} />
      <thead>
        <tr>
          <th scope="col">Browser or program</th>
          <th scope="col">Address</th>
          <th scope="col">Signed in (UTC)</th>
          <th scope="col">Last used</th>
          <ActionsHeading />
        </tr>
      </thead>
      <tbody>
        {sessions.map(({ id, userAgent, address, createdAt, lastUsedAt, current }, index) => (
          <tr>
            <th scope="row" class="fill full detail" title={userAgent ?? undefined} safe>
              {userAgent === null ? "unknown" : shortenUserAgent(userAgent)}
            </th>
            <td class="mono" data-label="Address" safe>
              {address ?? "–"}
            </td>
            <td class="when" data-label="Signed in" safe>
              {utc(createdAt)}
            </td>
            <td class="when" data-label="Last used" safe>
              {fromNow(lastUsedAt, now)}
            </td>
            <td class="actions">
              {current ? (
                <span class="muted">this session</span>
              ) : (
                <Form
                  form={`session-${index}`}
                  action={`settings/sessions/${encodeURIComponent(id)}/end`}
                  section="sessions"
                  problem={problem}
                  class="inline"
                >
                  <button class="small-button" id={`session-${index}-end`}>
                    Sign out
                  </button>
                </Form>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <form method="post" action="settings/sign-out">
      <button class="small-button danger" id="sign-out-everywhere">
        End all sessions and revoke all tokens
      </button>
    </form>
  </section>
);

interface TokenProps extends Outcome {
  tokens: readonly Token[];
  newToken: string | undefined;
  now: number;
}

const SCOPES = [
  ["read", "read"],
  ["write", "read and write"],
] as const;

export const Tokens = ({ tokens, newToken, now, problem, done }: TokenProps) => (
  <section class="card" id="tokens" aria-labelledby="tokens-title">
    <h2 id="tokens-title">API tokens</h2>
    <p class="help">For programs that read or change your log. Tokens cannot change your account.</p>
    <Done words={getMessage(done, "token")} />
    {newToken ? (
      <div class="note" role="status">
        <p>This is the token. Copy it now: you will not see it again.</p>
        <code class="secret" id="new-token" safe>
          {newToken}
        </code>
      </div>
    ) : (
      ""
    )}
    {tokens.length === 0 ? (
      ""
    ) : (
      <TokenTable tokens={tokens} path="settings/tokens" section="tokens" now={now} problem={problem} />
    )}
    <Form form="token" action="settings/tokens" section="tokens" problem={problem} class="row" label="New token">
      <Field form="token" name="name" label="Name" maxlength={100} required problem={problem} />
      <Choice form="token" name="scope" label="Scope" options={SCOPES} value={problem?.values.scope} />
      <Field form="token" name="expires" label="Expires (optional)" type="date" problem={problem} />
      <button id="token-make">Create token</button>
    </Form>
  </section>
);
