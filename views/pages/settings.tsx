/** @jsxImportSource @kitajs/html */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type User } from "../../src/domain/people/user.ts";
import type { AccountEvent } from "../../src/domain/people/account-event.ts";
import { Events } from "../partials/account-events.tsx";
import { Identities, type LinkedAccounts } from "../partials/identities.tsx";
import { Done, Field, Form, type Outcome } from "../form.tsx";
import { SecondFactor, type SecondFactorProps } from "../partials/second-factor.tsx";
import type { TargetView } from "../../src/domain/people/notice.ts";
import { NoticeTargets } from "../partials/notice-targets.tsx";
import { ScheduleCard, ServiceCard, type SetService } from "../partials/service-settings.tsx";
import { Programs } from "../partials/programs.tsx";
import { Sessions, Tokens, type SignedIn } from "../partials/sign-ins.tsx";
import type { Token } from "../partials/token-table.tsx";
import { getMessage } from "../settings-words.ts";
import { SETTINGS_TEXTS } from "../texts/settings.ts";

const WORDS = SETTINGS_TEXTS.page;

interface Account {
  sessions: readonly SignedIn[];
  tokens: readonly Token[];
  events: readonly AccountEvent[];
  linked: LinkedAccounts;
}

export interface SettingsProps {
  tab: SettingsTab;
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

/** The pages of the settings, and the parts that were once on the first one. */
export const SETTINGS_TABS = [
  { tab: "services", path: "settings", name: WORDS.services, parts: [] },
  { tab: "notifications", path: "settings/notifications", name: WORDS.notifications, parts: ["notices"] },
  { tab: "profile", path: "settings/profile", name: WORDS.profile, parts: ["profile-section"] },
  {
    tab: "security",
    path: "settings/security",
    name: WORDS.security,
    parts: ["password-section", "second-factor", "identities", "sessions", "events"],
  },
  { tab: "programs", path: "settings/programs", name: WORDS.programs, parts: ["programs", "tokens"] },
  { tab: "account", path: "settings/account", name: WORDS.account, parts: ["leaving"] },
] as const;

export type SettingsTab = (typeof SETTINGS_TABS)[number]["tab"];

export const Settings = (props: SettingsProps & Outcome) => {
  const { tab, name } = SETTINGS_TABS.find((one) => one.tab === props.tab)!;
  return (
    <>
      <h1>{WORDS.title}</h1>
      <div class="settings">
        <nav class="places" aria-label={WORDS.title}>
          {SETTINGS_TABS.map((one) => (
            <a href={one.path} aria-current={one.tab === tab ? "page" : undefined}>
              {one.name}
              {/* Old links lead to the page that has the part now. */}
              {tab === "services" ? one.parts.map((part) => <span id={part}></span>) : ""}
            </a>
          ))}
        </nav>
        <div class="board">
          <h2 class="hidden">{name}</h2>
          <Page {...props} />
        </div>
      </div>
    </>
  );
};

const Page = (props: SettingsProps & Outcome) => {
  const { tab, account, services, user, now, newToken, targets, hasMail, newKey, programKey, base, ...outcome } = props;
  if (tab === "services") {
    return (
      <>
        <p class="help">{WORDS.about}</p>
        {services.map((service) => (
          <ServiceCard service={service} mayChange={account !== null} now={now} {...outcome} />
        ))}
        <ScheduleCard services={services} now={now} {...outcome} />
      </>
    );
  }
  if (tab === "notifications") {
    return (
      <NoticeTargets
        targets={targets}
        hasMail={hasMail}
        newKey={newKey}
        mayChange={account !== null}
        now={now}
        {...outcome}
      />
    );
  }
  if (account === null) {
    return (
      <p class="note warn">
        {WORDS.actingAs} <b safe>{user.username}</b>
        {WORDS.actingLimits}
      </p>
    );
  }
  const { linked, factors, takesPasskeys, settingUp, sessions, tokens, events } = account;
  switch (tab) {
    case "profile":
      return <Profile user={user} {...outcome} />;
    case "security":
      return (
        <>
          <Password hasPassword={linked.hasPassword} {...outcome} />
          <SecondFactor factors={factors} takesPasskeys={takesPasskeys} settingUp={settingUp} now={now} {...outcome} />
          <Identities linked={linked} now={now} {...outcome} />
          <Sessions sessions={sessions} now={now} {...outcome} />
          <Events events={events} />
        </>
      );
    case "programs":
      return (
        <>
          <Programs base={base} newKey={programKey} {...outcome} />
          <Tokens tokens={tokens} newToken={newToken} now={now} {...outcome} />
        </>
      );
    default:
      return user.isAdmin ? (
        <p class="card">{WORDS.noDeletingAdmins}</p>
      ) : (
        <Leaving user={user} hasPassword={linked.hasPassword} {...outcome} />
      );
  }
};

const Profile = ({ user, problem, done }: { user: User } & Outcome) => (
  <section class="card" id="profile-section" aria-labelledby="profile-title">
    <h2 id="profile-title">{WORDS.profile}</h2>
    <p class="muted">
      {WORDS.username} <b safe>{user.username}</b>
    </p>
    <Form form="profile" action="settings/profile" section="profile-section" problem={problem}>
      <Done words={getMessage(done, "profile")} />
      <Field
        form="profile"
        name="callsign"
        label={WORDS.callsign}
        value={user.callsign}
        maxlength={200}
        problem={problem}
      />
      <Field
        form="profile"
        name="email"
        label={WORDS.email}
        type="email"
        value={user.email}
        maxlength={200}
        problem={problem}
      />
      <button id="profile-save">{WORDS.saveProfile}</button>
    </Form>
  </section>
);

/** A user who signs in through a provider may have no password. */
type WithPassword = { hasPassword: boolean } & Outcome;

const Password = ({ hasPassword, problem, done }: WithPassword) => (
  <section class="card" id="password-section" aria-labelledby="password-title">
    <h2 id="password-title">{WORDS.password}</h2>
    <Form form="password" action="settings/password" section="password-section" problem={problem}>
      <Done words={getMessage(done, "password")} />
      {hasPassword ? (
        <Field
          form="password"
          name="current"
          label={WORDS.currentPassword}
          type="password"
          autocomplete="current-password"
          required
          problem={problem}
        />
      ) : (
        <p class="help">{WORDS.noPassword}</p>
      )}
      <Field
        form="password"
        name="password"
        label={WORDS.newPassword}
        type="password"
        autocomplete="new-password"
        help={WORDS.passwordHelp(MIN_PASSWORD_LENGTH)}
        minlength={MIN_PASSWORD_LENGTH}
        maxlength={MAX_PASSWORD_LENGTH}
        required
        problem={problem}
      />
      <label class="check" for="password-revokeTokens">
        <input type="checkbox" name="revokeTokens" id="password-revokeTokens" /> {WORDS.revokeTokens}
      </label>
      <button id="password-save">{hasPassword ? WORDS.changePassword : WORDS.setPassword}</button>
    </Form>
  </section>
);

/** The name must be typed, so that nobody deletes a log by accident. */
const Leaving = ({ user, hasPassword, problem }: { user: User } & WithPassword) => (
  <section class="card" id="leaving" aria-labelledby="leaving-title">
    <h2 id="leaving-title">{WORDS.deleteAccount}</h2>
    <details open={problem?.form === "leave"}>
      <summary id="leave-summary">{WORDS.deleteThis}</summary>
      <Form form="leave" action="settings/delete" section="leaving" problem={problem}>
        <p>{WORDS.deleteNote}</p>
        <Field form="leave" name="name" label={WORDS.confirm(user.username)} required problem={problem} />
        {hasPassword && (
          <Field
            form="leave"
            name="password"
            label={WORDS.password}
            type="password"
            autocomplete="current-password"
            required
            problem={problem}
          />
        )}
        <button class="danger" id="leave-button">
          {WORDS.deleteAccount}
        </button>
      </Form>
    </details>
  </section>
);
