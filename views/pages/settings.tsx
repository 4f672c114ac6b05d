/** @jsxImportSource @kitajs/html */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type User } from "../../src/domain/people/user.ts";
import type { AccountEvent } from "../../src/domain/people/account-event.ts";
import { Events } from "../partials/account-events.tsx";
import { Identities, type LinkedAccounts } from "../partials/identities.tsx";
import { Done, Field, Form, type Outcome } from "../form.tsx";
import { SecondFactor, type SecondFactorProps } from "../partials/second-factor.tsx";
import type { TargetView } from "../../src/domain/people/notice.ts";
import { NoticeTargets } from "../partials/notice-targets.tsx";
import { ServiceCard, type SetService } from "../partials/service-settings.tsx";
import { Programs } from "../partials/programs.tsx";
import { Sessions, Tokens, type SignedIn } from "../partials/sign-ins.tsx";
import type { Token } from "../partials/token-table.tsx";
import { getMessage } from "../settings-words.ts";

interface Account {
  sessions: readonly SignedIn[];
  tokens: readonly Token[];
  events: readonly AccountEvent[];
  linked: LinkedAccounts;
}

export interface SettingsProps {
  user: User;
  services: readonly SetService[];
  /** Null during an impersonation: an administrator cannot change the user's account. */
  account: (Account & Pick<SecondFactorProps, "factors" | "takesPasskeys" | "settingUp">) | null;
  /** A new API token, shown only once. */
  newToken?: string;
  targets: readonly TargetView[];
  hasMail: boolean;
  /** The key of a new webhook, shown only once. */
  newKey?: string;
  /** A new key for a program, shown only once. */
  programKey?: string;
  /** The public address of this server. */
  base: string;
  now: number;
}

export const Settings = ({
  account,
  services,
  user,
  now,
  newToken,
  targets,
  hasMail,
  newKey,
  programKey,
  base,
  ...outcome
}: SettingsProps & Outcome) => (
  <>
    <h1>Settings</h1>
    <div class="columns">
      {services.map((service) => (
        <ServiceCard service={service} mayChange={account !== null} now={now} {...outcome} />
      ))}
    </div>
    <NoticeTargets
      targets={targets}
      hasMail={hasMail}
      newKey={newKey}
      mayChange={account !== null}
      now={now}
      {...outcome}
    />
    {account === null ? (
      <p class="note warn">
        You are acting as <b safe>{user.username}</b>. You cannot change their accounts, notifications, profile,
        password, second factor, sessions or tokens.
      </p>
    ) : (
      <>
        <div class="columns">
          <Profile user={user} {...outcome} />
          <Password hasPassword={account.linked.hasPassword} {...outcome} />
        </div>
        <SecondFactor
          factors={account.factors}
          takesPasskeys={account.takesPasskeys}
          settingUp={account.settingUp}
          now={now}
          {...outcome}
        />
        <Programs base={base} newKey={programKey} {...outcome} />
        <Identities linked={account.linked} now={now} {...outcome} />
        <Sessions sessions={account.sessions} now={now} {...outcome} />
        <Tokens tokens={account.tokens} newToken={newToken} now={now} {...outcome} />
        <Events events={account.events} />
        {user.isAdmin ? "" : <Leaving user={user} hasPassword={account.linked.hasPassword} {...outcome} />}
      </>
    )}
  </>
);

const Profile = ({ user, problem, done }: { user: User } & Outcome) => (
  <section class="card" id="profile-section" aria-labelledby="profile-title">
    <h2 id="profile-title">Profile</h2>
    <p class="muted">
      Username <b safe>{user.username}</b>
    </p>
    <Form form="profile" action="settings/profile" section="profile-section" problem={problem}>
      <Done words={getMessage(done, "profile")} />
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

/** A user who signs in through a provider may have no password. */
type WithPassword = { hasPassword: boolean } & Outcome;

const Password = ({ hasPassword, problem, done }: WithPassword) => (
  <section class="card" id="password-section" aria-labelledby="password-title">
    <h2 id="password-title">Password</h2>
    <Form form="password" action="settings/password" section="password-section" problem={problem}>
      <Done words={getMessage(done, "password")} />
      {hasPassword ? (
        <Field
          form="password"
          name="current"
          label="Current password"
          type="password"
          autocomplete="current-password"
          required
          problem={problem}
        />
      ) : (
        <p class="help">You sign in with single sign-on and have no password. Set one to sign in here too.</p>
      )}
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
      <label class="check" for="password-revokeTokens">
        <input type="checkbox" name="revokeTokens" id="password-revokeTokens" /> Revoke all API tokens too
      </label>
      <button id="password-save">{hasPassword ? "Change password" : "Set password"}</button>
    </Form>
  </section>
);

/** The name must be typed, so that nobody deletes a log by accident. */
const Leaving = ({ user, hasPassword, problem }: { user: User } & WithPassword) => (
  <section class="card" id="leaving" aria-labelledby="leaving-title">
    <h2 id="leaving-title">Delete account</h2>
    <details open={problem?.form === "leave"}>
      <summary id="leave-summary">Delete this account and its log…</summary>
      <Form form="leave" action="settings/delete" section="leaving" problem={problem}>
        <p>This deletes your log, its jobs and your service accounts. You cannot undo this.</p>
        <Field form="leave" name="name" label={`Type ${user.username} to confirm`} required problem={problem} />
        {hasPassword ? (
          <Field
            form="leave"
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            required
            problem={problem}
          />
        ) : (
          ""
        )}
        <button class="danger" id="leave-button">
          Delete account
        </button>
      </Form>
    </details>
  </section>
);
