/** @jsxImportSource @kitajs/html */
import { Choice, Done, Field, Form, type Outcome } from "../../form.tsx";
import { shortenUserAgent } from "../../user-agent.ts";
import { createdColumn, lastUsedColumn } from "./access-columns.ts";
import { ShownOnce } from "./shown-once.tsx";
import { TokenTable, type Token } from "./token-table.tsx";
import { ACTIONS, Table } from "../table.tsx";
import { getMessage, SETTINGS_TEXTS } from "../../texts/settings.ts";
import { Card } from "../card.tsx";

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
  <Card id="sessions" name="sessions" title={WORDS.title}>
    <Done words={getMessage(done, "session")} />
    <Table
      caption={WORDS.title}
      class="stack"
      rows={sessions}
      columns={[
        {
          head: WORDS.browser,
          isName: true,
          class: "fill full detail",
          title: ({ userAgent }) => userAgent ?? undefined,
          text: ({ userAgent }) => (userAgent === null ? WORDS.unknown : shortenUserAgent(userAgent)),
        },
        { head: WORDS.address, label: WORDS.address, class: "mono", text: ({ address }) => address ?? "–" },
        createdColumn(WORDS.signedInUtc, WORDS.signedIn),
        lastUsedColumn(now),
        {
          ...ACTIONS,
          markup: (session) =>
            session.current ? (
              <span class="muted">{WORDS.thisSession}</span>
            ) : (
              <Form
                form={`session-${sessions.indexOf(session)}`}
                action={`settings/sessions/${encodeURIComponent(session.id)}/end`}
                section="sessions"
                problem={problem}
                class="inline"
              >
                <button class="small-button" id={`session-${sessions.indexOf(session)}-end`}>
                  {WORDS.signOut}
                </button>
              </Form>
            ),
        },
      ]}
    />
    <form method="post" action="settings/sign-out">
      <button class="small-button danger" id="sign-out-everywhere">
        {WORDS.endAll}
      </button>
    </form>
  </Card>
);

interface TokenProps extends Outcome {
  tokens: readonly Token[];
  newToken?: string | undefined;
  now: number;
}

const SCOPES = [
  ["read", WORDS.read],
  ["write", WORDS.readWrite],
] as const;

export const Tokens = ({ tokens, newToken, now, problem, done }: TokenProps) => (
  <Card id="tokens" name="tokens" title={WORDS.tokens}>
    <p class="help">{WORDS.aboutTokens}</p>
    <Done words={getMessage(done, "token")} />
    <ShownOnce id="new-token" words={WORDS.tokenOnce} secret={newToken} />
    {tokens.length !== 0 && (
      <TokenTable tokens={tokens} path="settings/tokens" section="tokens" now={now} problem={problem} />
    )}
    <Form form="token" action="settings/tokens" section="tokens" problem={problem} class="row" label={WORDS.newToken}>
      <Field form="token" name="name" label={WORDS.name} maxlength={100} required problem={problem} />
      <Choice form="token" name="scope" label={WORDS.scope} options={SCOPES} value={problem?.values.scope} />
      <Field form="token" name="expires" label={WORDS.expires} type="date" problem={problem} />
      <button id="token-make">{WORDS.createToken}</button>
    </Form>
  </Card>
);
