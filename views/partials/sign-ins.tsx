/** @jsxImportSource @kitajs/html */
import { Choice, Done, Field, Form, type Outcome } from "../form.tsx";
import { getMessage } from "../settings-words.ts";
import { shortenUserAgent } from "../user-agent.ts";
import { fromNow, utc } from "../words.ts";
import { ActionsHeading } from "./actions-heading.tsx";
import { TokenTable, type Token } from "./token-table.tsx";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";
import { SETTINGS_TEXTS } from "../texts/settings.ts";

const WORDS = SETTINGS_TEXTS.sessions;

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
    <h2 id="sessions-title">{WORDS.title}</h2>
    <Done words={getMessage(done, "session")} />
    <table class="stack">
      <Caption words={TEXTS.tables.sessions} />
      <thead>
        <tr>
          <th scope="col">{WORDS.browser}</th>
          <th scope="col">{WORDS.address}</th>
          <th scope="col">{WORDS.signedInUtc}</th>
          <th scope="col">{WORDS.lastUsed}</th>
          <ActionsHeading />
        </tr>
      </thead>
      <tbody>
        {sessions.map(({ id, userAgent, address, createdAt, lastUsedAt, current }, index) => (
          <tr>
            <th scope="row" class="fill full detail" title={userAgent ?? undefined} safe>
              {userAgent === null ? WORDS.unknown : shortenUserAgent(userAgent)}
            </th>
            <td class="mono" data-label={WORDS.address} safe>
              {address ?? "–"}
            </td>
            <td class="when" data-label={WORDS.signedIn} safe>
              {utc(createdAt)}
            </td>
            <td class="when" data-label={WORDS.lastUsed} safe>
              {fromNow(lastUsedAt, now)}
            </td>
            <td class="actions">
              {current ? (
                <span class="muted">{WORDS.thisSession}</span>
              ) : (
                <Form
                  form={`session-${index}`}
                  action={`settings/sessions/${encodeURIComponent(id)}/end`}
                  section="sessions"
                  problem={problem}
                  class="inline"
                >
                  <button class="small-button" id={`session-${index}-end`}>
                    {WORDS.signOut}
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
        {WORDS.endAll}
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
  ["read", WORDS.read],
  ["write", WORDS.readWrite],
] as const;

export const Tokens = ({ tokens, newToken, now, problem, done }: TokenProps) => (
  <section class="card" id="tokens" aria-labelledby="tokens-title">
    <h2 id="tokens-title">{WORDS.tokens}</h2>
    <p class="help">{WORDS.aboutTokens}</p>
    <Done words={getMessage(done, "token")} />
    {newToken !== undefined && (
      <div class="note" role="status">
        <p>{WORDS.tokenOnce}</p>
        <code class="secret" id="new-token" safe>
          {newToken}
        </code>
      </div>
    )}
    {tokens.length !== 0 && (
      <TokenTable tokens={tokens} path="settings/tokens" section="tokens" now={now} problem={problem} />
    )}
    <Form form="token" action="settings/tokens" section="tokens" problem={problem} class="row" label={WORDS.newToken}>
      <Field form="token" name="name" label={WORDS.name} maxlength={100} required problem={problem} />
      <Choice form="token" name="scope" label={WORDS.scope} options={SCOPES} value={problem?.values.scope} />
      <Field form="token" name="expires" label={WORDS.expires} type="date" problem={problem} />
      <button id="token-make">{WORDS.createToken}</button>
    </Form>
  </section>
);
