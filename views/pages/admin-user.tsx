/** @jsxImportSource @kitajs/html */
import type { User } from "../../src/domain/people/user.ts";
import { Done, Form, type Outcome } from "../form.tsx";
import { TokenTable, type Token } from "../partials/token-table.tsx";
import { utc } from "../words.ts";
import { AdminFrame } from "./admin-frame.tsx";

export interface OneUserProps {
  user: User;
  isOwn: boolean;
  tokens: readonly Token[];
  hasFactor: boolean;
  /** Just created, shown only once. */
  link?: { address: string; expiresAt: number; mailedTo?: string | undefined } | undefined;
  now: number;
}

const DONE: Record<string, string> = {
  out: "All sessions were ended and all API tokens revoked.",
  "factor-reset": "The second factor was reset. The password alone signs in now.",
  revoked: "Token revoked.",
};

/** Everything that gives access to a user's account, and how to revoke it. */
export const OneUser = ({ user, isOwn, tokens, hasFactor, link, now, problem, done }: OneUserProps & Outcome) => (
  <AdminFrame tab="admin/users">
    <section class="card" aria-labelledby="user-title">
      <h2 id="user-title" safe>
        {user.username}
      </h2>
      <Done words={Object.hasOwn(DONE, done ?? "") ? DONE[done!] : undefined} />
      {link ? (
        <div class="note" role="status">
          <p>
            {link.mailedTo === undefined ? (
              "Give this link to the user."
            ) : (
              <span safe>{`qsolog mailed this link to ${link.mailedTo}.`}</span>
            )}{" "}
            It sets the password, works once, and expires at <b safe>{utc(link.expiresAt)}</b> UTC. You will not see it
            again.
          </p>
          <code class="secret" id="link" safe>
            {link.address}
          </code>
        </div>
      ) : (
        ""
      )}
      {isOwn ? (
        <p class="muted">
          Change your own password in <a href="settings">Settings</a>.
        </p>
      ) : (
        <Form form="password-link" action={`admin/users/${user.id}/password-link`} problem={problem}>
          <button id="link-make">Create a password link</button>
        </Form>
      )}
      {hasFactor && !isOwn ? (
        <Form form="reset-factor" action={`admin/users/${user.id}/reset-factor`} problem={problem}>
          <button class="danger" id="reset-factor-button">
            Reset second factor
          </button>
        </Form>
      ) : (
        ""
      )}
      <Form form="end-sign-ins" action={`admin/users/${user.id}/sign-out`} problem={problem}>
        <button class="danger" id="end-sign-ins-button">
          End all sessions and revoke all tokens
        </button>
      </Form>
    </section>
    <section class="card" aria-labelledby="tokens-title">
      <h2 id="tokens-title">API tokens</h2>
      {tokens.length === 0 ? (
        <p class="empty">No API tokens.</p>
      ) : (
        <TokenTable tokens={tokens} path={`admin/users/${user.id}/tokens`} now={now} problem={problem} />
      )}
    </section>
  </AdminFrame>
);
