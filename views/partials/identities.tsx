/** @jsxImportSource @kitajs/html */
import { Done, Form, type Outcome } from "../form.tsx";
import { getMessage } from "../settings-words.ts";
import { fromNow, utc } from "../words.ts";
import { ActionsHeading } from "./actions-heading.tsx";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";

export interface LinkedAccounts {
  /** The display name of the provider; null if none is configured. */
  provider: string | null;
  hasPassword: boolean;
  identities: readonly {
    id: number;
    issuer: string;
    label: string | null;
    createdAt: number;
    lastUsedAt: number | null;
  }[];
}

type Props = { linked: LinkedAccounts; now: number } & Outcome;

/** The provider accounts that the user signs in with. */
export const Identities = ({ linked, now, problem, done }: Props) => {
  const { provider, identities } = linked;
  if (provider === null && identities.length === 0) return "";
  return (
    <section class="card" id="identities" aria-labelledby="identities-title">
      <h2 id="identities-title">Linked accounts</h2>
      <p class="help">Accounts at other providers that you can sign in with instead of your password.</p>
      <Done words={getMessage(done, "identity")} />
      {identities.length === 0 ? "" : <Table linked={linked} now={now} problem={problem} />}
      {provider === null ? (
        ""
      ) : (
        <Form form="identity-link" action="settings/identities" problem={problem}>
          <button id="identity-link-button" safe>
            {`Link ${provider} account…`}
          </button>
        </Form>
      )}
    </section>
  );
};

const Table = ({ linked: { identities }, now, problem }: Props) => (
  <table class="stack">
    <Caption words={TEXTS.tables.identities} />
    <thead>
      <tr>
        <th scope="col">Account</th>
        <th scope="col">Provider</th>
        <th scope="col">Linked (UTC)</th>
        <th scope="col">Last used</th>
        <ActionsHeading />
      </tr>
    </thead>
    <tbody>
      {identities.map(({ id, issuer, label, createdAt, lastUsedAt }) => (
        <tr>
          <th scope="row" class="fill full detail" safe>
            {label ?? "unknown"}
          </th>
          <td class="detail" data-label="Provider" safe>
            {issuer}
          </td>
          <td class="when" data-label="Linked" safe>
            {utc(createdAt)}
          </td>
          <td class="when" data-label="Last used" safe>
            {lastUsedAt === null ? "never" : fromNow(lastUsedAt, now)}
          </td>
          <td class="actions">
            <Form
              form={`identity-${id}`}
              action={`settings/identities/${id}/remove`}
              section="identities"
              problem={problem}
              class="inline"
            >
              <button
                class="small-button"
                id={`identity-${id}-remove`}
                aria-label={`Remove account ${label ?? "unknown"}`}
              >
                Remove
              </button>
            </Form>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The user continues to the provider with a link, because our forms may only submit to this site. */
export const Onward = ({ provider }: { provider: string }) => (
  <section class="narrow card">
    <h1 safe>{`Link ${provider} account`}</h1>
    <p safe>{`Sign in to ${provider} with the account you want to link. Then ${provider} sends you back here.`}</p>
    <p>
      <a class="button primary wide" id="onward" href="login/onward" safe>
        {`Continue to ${provider}`}
      </a>
    </p>
  </section>
);
