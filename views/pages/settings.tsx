import { MAX_INTERVAL_HOURS, MIN_INTERVAL_HOURS } from "../../src/domain/auto-sync.ts";
import type { CredentialField } from "../../src/domain/provider.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type User } from "../../src/domain/user.ts";
import { Choice, Done, Field, Form, type Outcome } from "../form.tsx";
import { Standing, Upcoming, type ServiceStanding } from "../partials/board.tsx";
import { fromNow, utc } from "../words.ts";

export interface SetService extends ServiceStanding {
  help: string;
  fields: readonly CredentialField[];
  checkedAt: number | null;
  callsign: string | null;
}

export interface SignedIn {
  id: string;
  lastUsedAt: number;
  createdAt: number;
  address: string | null;
  userAgent: string | null;
  current: boolean;
}

export interface Token {
  id: number;
  name: string;
  scope: "read" | "write";
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

export interface SettingsProps {
  user: User;
  services: readonly SetService[];
  /** Null while somebody acts as the user: the account itself is not theirs to change. */
  account: { sessions: readonly SignedIn[]; tokens: readonly Token[] } | null;
  /** The text of a token that was just made: shown this once. */
  newToken?: string;
  now: number;
}

const WORDS: Record<string, string> = {
  profile: "Saved.",
  password: "The password is changed; all other sessions are signed out.",
  session: "Signed out there.",
  token: "Revoked.",
  schedule: "Saved.",
  credentials: "Saved. Test them, or sync.",
  tested: "The service accepts them.",
  cleared: "Forgotten.",
};

const saying = (done: string | undefined, word: string, of = ""): string | undefined =>
  done === word + of ? WORDS[word] : undefined;

export const Settings = ({ account, services, user, now, newToken, ...outcome }: SettingsProps & Outcome) => (
  <>
    <h1>Settings</h1>
    <div class="columns">
      {services.map((service) => (
        <ServiceCard service={service} mayChange={account !== null} now={now} {...outcome} />
      ))}
    </div>
    {account === null ? (
      <p class="note warn">
        You are acting as <b safe>{user.username}</b>: credentials, profile, password, sessions and tokens cannot be
        changed.
      </p>
    ) : (
      <>
        <div class="columns">
          <Profile user={user} {...outcome} />
          <Password {...outcome} />
        </div>
        <Sessions sessions={account.sessions} now={now} {...outcome} />
        <Tokens tokens={account.tokens} newToken={newToken} now={now} {...outcome} />
        {user.isAdmin ? "" : <Leaving user={user} {...outcome} />}
      </>
    )}
  </>
);

interface ServiceProps extends Outcome {
  service: SetService;
  mayChange: boolean;
  now: number;
}

const ServiceCard = ({ service, mayChange, now, problem, done }: ServiceProps) => {
  const { source, label, help, schedule } = service;
  const section = `service-${source}`;
  const form = `schedule-${source}`;
  return (
    <section class="card" id={section} aria-labelledby={`${section}-title`}>
      <div class="head">
        <h2 id={`${section}-title`} safe>
          {label}
        </h2>
        <span>
          <Standing service={service} />
        </span>
      </div>
      <p class="help" safe>
        {help}
      </p>
      {mayChange ? <CredentialForms service={service} section={section} now={now} problem={problem} done={done} /> : ""}
      <hr />
      <h3>Auto-sync</h3>
      <p>
        <Upcoming schedule={schedule} now={now} />
        <br />
        <span class="muted">
          Last sync:{" "}
          <span safe>
            {schedule.lastSyncAt === null
              ? "never"
              : `${utc(schedule.lastSyncAt)} UTC, ${fromNow(schedule.lastSyncAt, now)}`}
          </span>
        </span>
      </p>
      <Form
        form={form}
        action="settings/auto-sync"
        section={section}
        problem={problem}
        class="row"
        label={`Auto-sync of ${label}`}
      >
        <Done words={saying(done, "schedule", `-${source}`)} />
        <input type="hidden" name="source" value={source} />
        <label class="check" for={`${form}-enabled`}>
          <input
            type="checkbox"
            id={`${form}-enabled`}
            name="enabled"
            value="on"
            checked={problem?.form === form ? problem.values.enabled === "on" : schedule.enabled}
          />
          Sync every
        </label>
        <Field
          form={form}
          name="intervalHours"
          label="Hours"
          type="number"
          class="short"
          min={MIN_INTERVAL_HOURS}
          max={MAX_INTERVAL_HOURS}
          value={String(schedule.intervalHours)}
          problem={problem}
        />
        <button id={`${form}-save`}>Save schedule</button>
      </Form>
    </section>
  );
};

const CredentialForms = ({
  service,
  section,
  now,
  problem,
  done,
}: Omit<ServiceProps, "mayChange"> & { section: string }) => {
  const { source, label, fields, configured, callsign, checkedAt } = service;
  const form = `credentials-${source}`;
  const of = `-${source}`;
  return (
    <>
      <Done words={saying(done, "credentials", of) ?? saying(done, "tested", of) ?? saying(done, "cleared", of)} />
      {configured ? (
        <p class="muted">
          Credentials are stored sealed and are never shown.
          {callsign ? (
            <>
              {" "}
              For{" "}
              <span class="call" safe>
                {callsign}
              </span>
              .
            </>
          ) : (
            ""
          )}
          {checkedAt === null ? "" : <span safe>{` Last used ${fromNow(checkedAt, now)}.`}</span>}
        </p>
      ) : (
        ""
      )}
      {configured ? (
        <div class="buttons">
          <Form
            form={`test-${source}`}
            action={`settings/credentials/${source}/test`}
            section={section}
            problem={problem}
          >
            <button id={`test-${source}-button`} aria-label={`Test the credentials of ${label}`}>
              Test
            </button>
          </Form>
          <Form
            form={`clear-${source}`}
            action={`settings/credentials/${source}/clear`}
            section={section}
            problem={problem}
          >
            <button id={`clear-${source}-button`} class="danger" aria-label={`Forget the credentials of ${label}`}>
              Forget
            </button>
          </Form>
        </div>
      ) : (
        ""
      )}
      <details open={!configured || problem?.form === form}>
        <summary id={`${form}-summary`}>{configured ? "Replace the credentials" : "Enter the credentials"}</summary>
        <Form form={form} action={`settings/credentials/${source}`} section={section} problem={problem}>
          {fields.map(({ name, label: words, secret, required, help }) => (
            <Field
              form={form}
              name={name}
              label={required ? words : `${words} (optional)`}
              type={secret ? "password" : "text"}
              autocomplete={secret ? "new-password" : "off"}
              help={help}
              maxlength={500}
              required={required}
              problem={problem}
            />
          ))}
          <button class="primary" id={`${form}-save`}>
            Save credentials
          </button>
        </Form>
      </details>
    </>
  );
};

const Profile = ({ user, problem, done }: { user: User } & Outcome) => (
  <section class="card" id="profile-section" aria-labelledby="profile-title">
    <h2 id="profile-title">Profile</h2>
    <p class="muted">
      Username <b safe>{user.username}</b>
    </p>
    <Form form="profile" action="settings/profile" section="profile-section" problem={problem}>
      <Done words={saying(done, "profile")} />
      <Field form="profile" name="callsign" label="Callsign" value={user.callsign} maxlength={200} problem={problem} />
      <Field
        form="profile"
        name="email"
        label="E-mail"
        type="email"
        value={user.email}
        maxlength={200}
        problem={problem}
      />
      <button id="profile-save">Save profile</button>
    </Form>
  </section>
);

const Password = ({ problem, done }: Outcome) => (
  <section class="card" id="password-section" aria-labelledby="password-title">
    <h2 id="password-title">Password</h2>
    <Form form="password" action="settings/password" section="password-section" problem={problem}>
      <Done words={saying(done, "password")} />
      <Field
        form="password"
        name="current"
        label="Current password"
        type="password"
        autocomplete="current-password"
        required
        problem={problem}
      />
      <Field
        form="password"
        name="password"
        label="New password"
        type="password"
        autocomplete="new-password"
        help={`At least ${MIN_PASSWORD_LENGTH} characters. All other sessions are signed out.`}
        minlength={MIN_PASSWORD_LENGTH}
        maxlength={MAX_PASSWORD_LENGTH}
        required
        problem={problem}
      />
      <button id="password-save">Change password</button>
    </Form>
  </section>
);

const Sessions = ({ sessions, now, problem, done }: { sessions: readonly SignedIn[]; now: number } & Outcome) => (
  <section class="card" id="sessions" aria-labelledby="sessions-title">
    <h2 id="sessions-title">Sessions</h2>
    <Done words={saying(done, "session")} />
    <table class="stack">
      <thead>
        <tr>
          <th>Browser or program</th>
          <th>Address</th>
          <th>Signed in (UTC)</th>
          <th>Last used</th>
          <th>
            <span class="hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map(({ id, userAgent, address, createdAt, lastUsedAt, current }, index) => (
          <tr>
            <td class="fill full detail" safe>
              {userAgent ?? "unknown"}
            </td>
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
                <span class="muted">this one</span>
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
  </section>
);

interface TokenProps extends Outcome {
  tokens: readonly Token[];
  newToken: string | undefined;
  now: number;
}

const SCOPES = [
  ["read", "may read"],
  ["write", "may read and write"],
] as const;

const Tokens = ({ tokens, newToken, now, problem, done }: TokenProps) => (
  <section class="card" id="tokens" aria-labelledby="tokens-title">
    <h2 id="tokens-title">API tokens</h2>
    <p class="help">For programs that read or write your log. No token reaches the account itself.</p>
    <Done words={saying(done, "token")} />
    {newToken ? (
      <div class="note" role="status">
        <p>This is the token. Copy it now: it is shown this once.</p>
        <code class="secret" id="new-token" safe>
          {newToken}
        </code>
      </div>
    ) : (
      ""
    )}
    {tokens.length === 0 ? "" : <TokenTable tokens={tokens} now={now} problem={problem} />}
    <Form form="token" action="settings/tokens" section="tokens" problem={problem} class="row" label="New token">
      <Field form="token" name="name" label="Name" maxlength={100} required problem={problem} />
      <Choice form="token" name="scope" label="Scope" options={SCOPES} value={problem?.values.scope} />
      <Field form="token" name="expires" label="Until (optional)" type="date" problem={problem} />
      <button id="token-make">Make a token</button>
    </Form>
  </section>
);

const TokenTable = ({ tokens, now, problem }: { tokens: readonly Token[]; now: number } & Outcome) => (
  <table class="stack">
    <thead>
      <tr>
        <th>Name</th>
        <th>Scope</th>
        <th>Made (UTC)</th>
        <th>Until (UTC)</th>
        <th>Last used</th>
        <th>
          <span class="hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {tokens.map(({ id, name, scope, createdAt, expiresAt, lastUsedAt }) => (
        <tr>
          <td class="fill full detail" safe>
            {name}
          </td>
          <td data-label="Scope">{scope}</td>
          <td class="when" data-label="Made" safe>
            {utc(createdAt)}
          </td>
          <td class={["when", expiresAt !== null && expiresAt <= now && "bad-text"]} data-label="Until" safe>
            {expiresAt === null ? "it is revoked" : utc(expiresAt)}
          </td>
          <td class="when" data-label="Last used" safe>
            {lastUsedAt === null ? "never" : fromNow(lastUsedAt, now)}
          </td>
          <td class="actions">
            <Form
              form={`token-${id}`}
              action={`settings/tokens/${id}/revoke`}
              section="tokens"
              problem={problem}
              class="inline"
            >
              <button class="small-button danger" id={`token-${id}-revoke`} aria-label={`Revoke the token ${name}`}>
                Revoke
              </button>
            </Form>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The name is typed, so that nobody deletes a log by a slip of the finger. */
const Leaving = ({ user, problem }: { user: User } & Outcome) => (
  <section class="card" id="leaving" aria-labelledby="leaving-title">
    <h2 id="leaving-title">Delete the account</h2>
    <details open={problem?.form === "leave"}>
      <summary id="leave-summary">Delete this account with its whole log…</summary>
      <Form form="leave" action="settings/delete" section="leaving" problem={problem}>
        <p>The log, its jobs and the credentials are removed. Nothing brings them back.</p>
        <Field form="leave" name="name" label={`Type ${user.username} to confirm`} required problem={problem} />
        <Field
          form="leave"
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          required
          problem={problem}
        />
        <button class="danger" id="leave-button">
          Delete my account
        </button>
      </Form>
    </details>
  </section>
);
