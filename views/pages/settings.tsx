/** @jsxImportSource @kitajs/html */
import type { User } from "../../src/domain/people/user.ts";
import type { AccountEvent } from "../../src/domain/people/account-event.ts";
import { Events } from "../partials/settings/account-events.tsx";
import { Identities, type LinkedAccounts } from "../partials/settings/identities.tsx";
import { Check, CurrentPassword, Done, Field, Form, NewPassword, type Outcome } from "../form.tsx";
import { SecondFactor, type SecondFactorProps } from "../partials/settings/second-factor.tsx";
import type { TargetView } from "../../src/domain/people/notice.ts";
import { NoticeTargets } from "../partials/settings/notice-targets.tsx";
import { ScheduleCard, ServiceCard, type SetService } from "../partials/settings/service-settings.tsx";
import { Programs } from "../partials/settings/programs.tsx";
import { Sessions, Tokens, type SignedIn } from "../partials/settings/sign-ins.tsx";
import type { Token } from "../partials/settings/token-table.tsx";
import { getMessage, SETTINGS_TEXTS } from "../texts/settings.ts";
import { Card } from "../partials/card.tsx";

const WORDS = SETTINGS_TEXTS.page;

interface Account {
  sessions: readonly SignedIn[];
  tokens: readonly Token[];
  events: readonly AccountEvent[];
  linked: LinkedAccounts;
}

interface SettingsProps {
  tab: SettingsTab;
  user: User;
  services: readonly SetService[];
  /** Null during an impersonation: an administrator cannot change the user's account. */
  account: (Account & Pick<SecondFactorProps, "factors" | "takesPasskeys" | "settingUp">) | null;
  /** A new API token, shown only once. */
  newToken?: string | undefined;
  targets: readonly TargetView[];
  hasMail: boolean;
  /** The key of a new webhook, shown only once. */
  newKey?: string | undefined;
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
  const { tab, account, user } = props;
  if (tab === "services") {
    return (
      <>
        <p class="help">{WORDS.about}</p>
        {props.services.map((service) => (
          <ServiceCard {...props} service={service} mayChange={account !== null} />
        ))}
        <ScheduleCard {...props} />
      </>
    );
  }
  if (tab === "notifications") return <NoticeTargets {...props} mayChange={account !== null} />;
  if (account === null) {
    return (
      <p class="note warn">
        {WORDS.actingAs} <b safe>{user.username}</b>
        {WORDS.actingLimits}
      </p>
    );
  }
  const { hasPassword } = account.linked;
  switch (tab) {
    case "profile":
      return <Profile {...props} />;
    case "security":
      return (
        <>
          <Password {...props} hasPassword={hasPassword} />
          <SecondFactor {...props} {...account} />
          <Identities {...props} {...account} />
          <Sessions {...props} {...account} />
          <Events {...account} />
        </>
      );
    case "programs":
      return (
        <>
          <Programs {...props} newKey={props.programKey} />
          <Tokens {...props} {...account} />
        </>
      );
    case "account":
      return user.isAdmin ? (
        <p class="card">{WORDS.noDeletingAdmins}</p>
      ) : (
        <Leaving {...props} hasPassword={hasPassword} />
      );
  }
};

const Profile = ({ user, problem, done }: { user: User } & Outcome) => (
  <Card id="profile-section" name="profile" title={WORDS.profile}>
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
  </Card>
);

/** A user who signs in through a provider may have no password. */
type WithPassword = { hasPassword: boolean } & Outcome;

const Password = ({ hasPassword, problem, done }: WithPassword) => (
  <Card id="password-section" name="password" title={WORDS.password}>
    <Form form="password" action="settings/password" section="password-section" problem={problem}>
      <Done words={getMessage(done, "password")} />
      {hasPassword ? (
        <CurrentPassword form="password" name="current" label={WORDS.currentPassword} problem={problem} />
      ) : (
        <p class="help">{WORDS.noPassword}</p>
      )}
      <NewPassword form="password" label={WORDS.newPassword} help={WORDS.passwordHelp} problem={problem} />
      <Check form="password" name="revokeTokens" label={WORDS.revokeTokens} />
      <button id="password-save">{hasPassword ? WORDS.changePassword : WORDS.setPassword}</button>
    </Form>
  </Card>
);

/** The name must be typed, so that nobody deletes a log by accident. */
const Leaving = ({ user, hasPassword, problem }: { user: User } & WithPassword) => (
  <Card id="leaving" name="leaving" title={WORDS.deleteAccount}>
    <details open={problem?.form === "leave"}>
      <summary id="leave-summary">{WORDS.deleteThis}</summary>
      <Form form="leave" action="settings/delete" section="leaving" problem={problem}>
        <p>{WORDS.deleteNote}</p>
        <Field form="leave" name="name" label={WORDS.confirm(user.username)} required problem={problem} />
        {hasPassword && <CurrentPassword form="leave" label={WORDS.password} problem={problem} />}
        <button class="danger" id="leave-button">
          {WORDS.deleteAccount}
        </button>
      </Form>
    </details>
  </Card>
);
