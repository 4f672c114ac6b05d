/** @jsxImportSource @kitajs/html */
import { Done, Form, type Outcome } from "../../form.tsx";
import { createdColumn, lastUsedColumn } from "./access-columns.ts";
import { ACTIONS, Table } from "../table.tsx";
import { getMessage, SETTINGS_TEXTS } from "../../texts/settings.ts";
import { Card } from "../card.tsx";

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
    <Card id="identities" name="identities" title={WORDS.title}>
      <p class="help">{WORDS.about}</p>
      <Done words={getMessage(done, "identity")} />
      {identities.length !== 0 && <IdentityTable linked={linked} now={now} problem={problem} />}
      {provider !== null && (
        <Form form="identity-link" action="settings/identities" problem={problem}>
          <button id="identity-link-button" safe>
            {WORDS.link(provider)}
          </button>
        </Form>
      )}
    </Card>
  );
};

const IdentityTable = ({ linked: { identities }, now, problem }: Props) => (
  <Table
    caption={WORDS.title}
    class="stack"
    rows={identities}
    columns={[
      { head: WORDS.account, isName: true, class: "fill full detail", text: nameIdentity },
      { head: WORDS.provider, label: WORDS.provider, class: "detail", text: ({ issuer }) => issuer },
      createdColumn(WORDS.linkedUtc, WORDS.linked),
      lastUsedColumn(now),
      {
        ...ACTIONS,
        markup: (identity) => (
          <Form
            form={`identity-${identity.id}`}
            action={`settings/identities/${identity.id}/remove`}
            section="identities"
            problem={problem}
            class="inline"
          >
            <button
              class="small-button"
              id={`identity-${identity.id}-remove`}
              aria-label={WORDS.removeLabel(nameIdentity(identity))}
            >
              {WORDS.remove}
            </button>
          </Form>
        ),
      },
    ]}
  />
);

const nameIdentity = ({ label }: { label: string | null }): string => label ?? "unknown";

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
