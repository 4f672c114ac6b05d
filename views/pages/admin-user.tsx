/** @jsxImportSource @kitajs/html */
import type { User } from "../../src/domain/people/user.ts";
import { Done, Form, type Outcome } from "../form.tsx";
import { TokenTable, type Token } from "../partials/settings/token-table.tsx";
import { day, utc } from "../words.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { ADMIN_TEXTS } from "../texts/admin.ts";
import { Card } from "../partials/card.tsx";

const WORDS = ADMIN_TEXTS.user;

interface OneUserProps {
  user: User;
  isOwn: boolean;
  tokens: readonly Token[];
  hasFactor: boolean;
  /** Just created, shown only once. */
  link?: { address: string; expiresAt: number; mailedTo?: string | undefined } | undefined;
  now: number;
}

/** Everything that gives access to a user's account, and how to revoke it. */
export const OneUser = ({ user, isOwn, tokens, hasFactor, link, now, problem, done }: OneUserProps & Outcome) => (
  <AdminFrame tab="admin/users">
    <Card name="user" title={user.username}>
      <p class="muted" safe>
        {[
          user.callsign,
          user.isAdmin ? WORDS.administrator : WORDS.user,
          user.email,
          WORDS.created(day(user.createdAt)),
        ]
          .filter(Boolean)
          .join(", ")}
      </p>
      <Done words={Object.hasOwn(WORDS.done, done ?? "") ? WORDS.done[done!] : undefined} />
      {link !== undefined && (
        <div class="note" role="status">
          <p>
            {link.mailedTo === undefined ? WORDS.giveLink : <span safe>{WORDS.mailedTo(link.mailedTo)}</span>}{" "}
            {WORDS.linkUse} <b safe>{utc(link.expiresAt)}</b> {WORDS.linkOnce}
          </p>
          <code class="secret" id="link" safe>
            {link.address}
          </code>
        </div>
      )}
      {isOwn ? (
        <p class="muted">
          {WORDS.ownPassword} <a href="settings">{WORDS.settings}</a>.
        </p>
      ) : (
        <Form form="password-link" action={`admin/users/${user.id}/password-link`} problem={problem}>
          <button id="link-make">{WORDS.createLink}</button>
        </Form>
      )}
      {hasFactor && !isOwn && (
        <Form form="reset-factor" action={`admin/users/${user.id}/reset-factor`} problem={problem}>
          <button class="danger" id="reset-factor-button">
            {WORDS.resetFactor}
          </button>
        </Form>
      )}
      <Form form="end-sign-ins" action={`admin/users/${user.id}/sign-out`} problem={problem}>
        <button class="danger" id="end-sign-ins-button">
          {WORDS.endAll}
        </button>
      </Form>
    </Card>
    <Card name="tokens" title={WORDS.apiTokens}>
      {tokens.length === 0 ? (
        <p class="empty">{WORDS.noTokens}</p>
      ) : (
        <TokenTable tokens={tokens} path={`admin/users/${user.id}/tokens`} now={now} problem={problem} />
      )}
    </Card>
  </AdminFrame>
);
