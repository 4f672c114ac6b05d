/** @jsxImportSource @kitajs/html */
import { Done, Form, type Outcome } from "../form.tsx";
import { getMessage } from "../settings-words.ts";
import { fromNow, utc } from "../words.ts";
import { ActionsHeading } from "./actions-heading.tsx";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";
import { SETTINGS_TEXTS } from "../texts/settings.ts";

const WORDS = SETTINGS_TEXTS.identities;

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
      <h2 id="identities-title">{WORDS.title}</h2>
      <p class="help">{WORDS.about}</p>
      <Done words={getMessage(done, "identity")} />
      {identities.length !== 0 && <Table linked={linked} now={now} problem={problem} />}
      {provider !== null && (
        <Form form="identity-link" action="settings/identities" problem={problem}>
          <button id="identity-link-button" safe>
            {WORDS.link(provider)}
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
        <th scope="col">{WORDS.account}</th>
        <th scope="col">{WORDS.provider}</th>
        <th scope="col">{WORDS.linkedUtc}</th>
        <th scope="col">{WORDS.lastUsed}</th>
        <ActionsHeading />
      </tr>
    </thead>
    <tbody>
      {identities.map(({ id, issuer, label, createdAt, lastUsedAt }) => (
        <tr>
          <th scope="row" class="fill full detail" safe>
            {label ?? "unknown"}
          </th>
          <td class="detail" data-label={WORDS.provider} safe>
            {issuer}
          </td>
          <td class="when" data-label={WORDS.linked} safe>
            {utc(createdAt)}
          </td>
          <td class="when" data-label={WORDS.lastUsed} safe>
            {lastUsedAt === null ? WORDS.never : fromNow(lastUsedAt, now)}
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
                aria-label={WORDS.removeLabel(label ?? "unknown")}
              >
                {WORDS.remove}
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
    <h1 safe>{WORDS.linkTitle(provider)}</h1>
    <p safe>{WORDS.linkAbout(provider)}</p>
    <p>
      <a class="button primary wide" id="onward" href="login/onward" safe>
        {WORDS.continue(provider)}
      </a>
    </p>
  </section>
);
