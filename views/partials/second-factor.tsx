/** @jsxImportSource @kitajs/html */
import { hasFactor, type Factors, type KnownPasskey } from "../../src/domain/people/factor.ts";
import { Done, Field, Form, type Outcome } from "../form.tsx";
import { getMessage } from "../settings-words.ts";
import { fromNow, utc } from "../words.ts";
import { ActionsHeading } from "./actions-heading.tsx";
import { PasskeyForm } from "./passkey-form.tsx";
import { QrCode } from "./qr-code.tsx";
import { Caption } from "./caption.tsx";
import { TEXTS } from "../texts/shared.ts";

/** Shown once while a factor is set up. */
export interface SettingUp {
  /** The key of an authenticator app. */
  appKey?: { key: string; address: string } | null;
  /** The WebAuthn options for a new passkey. */
  passkey?: object;
  recoveryCodes?: readonly string[];
}

export interface SecondFactorProps extends Outcome {
  factors: Factors;
  /** Whether browsers support passkeys at this address. */
  takesPasskeys: boolean;
  settingUp: SettingUp;
  now: number;
}

export const SecondFactor = ({ factors, takesPasskeys, settingUp, now, problem, done }: SecondFactorProps) => (
  <section class="card" id="second-factor" aria-labelledby="second-factor-title">
    <h2 id="second-factor-title">Second factor</h2>
    <p class="help">
      qsolog asks for it after your password, so that a stolen password is not enough. API tokens do not need it.
    </p>
    <Needed factors={factors} isAsked={done === "factor-required"} />
    <Done words={getMessage(done, "factor-removed")} />
    <RecoveryCodes codes={settingUp.recoveryCodes ?? []} />
    <App app={factors.app} appKey={settingUp.appKey ?? null} now={now} problem={problem} />
    <Passkeys
      passkeys={factors.passkeys}
      takesPasskeys={takesPasskeys}
      options={settingUp.passkey}
      now={now}
      problem={problem}
    />
    {hasFactor(factors) ? <Recovery left={factors.recoveryCodes} problem={problem} /> : ""}
  </section>
);

const Needed = ({ factors, isAsked }: { factors: Factors; isAsked: boolean }) =>
  factors.isRequired && !hasFactor(factors) ? (
    <p class="note warn" role={isAsked ? "alert" : undefined}>
      Administrators on this server need a second factor. Set one up here.
    </p>
  ) : (
    ""
  );

const RecoveryCodes = ({ codes }: { codes: readonly string[] }) =>
  codes.length === 0 ? (
    ""
  ) : (
    <div class="note" role="status">
      <p>
        These are your recovery codes. Write them down: you will not see them again. Each works once if you lose your
        other factors.
      </p>
      <code class="secret" id="recovery-codes" safe>
        {codes.join(" ")}
      </code>
    </div>
  );

interface AppProps extends Outcome {
  app: Factors["app"];
  appKey: { key: string; address: string } | null;
  now: number;
}

const App = ({ app, appKey, now, problem }: AppProps) => (
  <>
    <h3>Authenticator app</h3>
    {app ? (
      <p id="app-state">
        Set up <span safe>{utc(app.createdAt)}</span> UTC, last used{" "}
        <span safe>{app.lastUsedAt === null ? "never" : fromNow(app.lastUsedAt, now)}</span>.
      </p>
    ) : (
      ""
    )}
    {appKey ? (
      <AppKey appKey={appKey} problem={problem} />
    ) : (
      <>
        <Form form="factor-app" action="settings/factors/app" section="second-factor" problem={problem}>
          <button id="factor-app-begin">{app ? "Set up another app instead" : "Set up an authenticator app"}</button>
        </Form>
        {app ? (
          <Form form="factor-app-remove" action="settings/factors/app/remove" section="second-factor" problem={problem}>
            <button class="danger" id="factor-app-remove-button">
              Remove
            </button>
          </Form>
        ) : (
          ""
        )}
      </>
    )}
  </>
);

const AppKey = ({ appKey, problem }: { appKey: { key: string; address: string } } & Outcome) => (
  <>
    <p>Scan this code with your authenticator app, or enter the key by hand. Then enter the 6-digit code it shows.</p>
    <QrCode text={appKey.address} label="QR code for your authenticator app" />
    <code class="secret" id="app-key" safe>
      {appKey.key}
    </code>
    <Form form="app-code" action="settings/factors/app/confirm" section="second-factor" problem={problem} class="row">
      <Field
        form="app-code"
        name="code"
        label="6-digit code"
        autocomplete="one-time-code"
        maxlength={100}
        required
        problem={problem}
      />
      <button id="app-code-save">Turn on</button>
    </Form>
  </>
);

interface PasskeysProps extends Outcome {
  passkeys: readonly KnownPasskey[];
  takesPasskeys: boolean;
  options: object | undefined;
  now: number;
}

const Passkeys = ({ passkeys, takesPasskeys, options, now, problem }: PasskeysProps) => (
  <>
    <h3>Passkeys</h3>
    {passkeys.length === 0 ? "" : <PasskeyTable passkeys={passkeys} now={now} problem={problem} />}
    {!takesPasskeys ? (
      <p class="help">Passkeys only work over https with a host name, or at http://localhost.</p>
    ) : options ? (
      <PasskeyForm
        form="passkey-new"
        action="settings/factors/passkeys"
        does="make"
        options={options}
        problem={problem}
      >
        <Field form="passkey-new" name="name" label="Passkey name" maxlength={100} required problem={problem} />
        <button id="passkey-make">Create passkey</button>
      </PasskeyForm>
    ) : (
      <Form form="passkey" action="settings/factors/passkeys/begin" section="second-factor" problem={problem}>
        <button id="passkey-begin">Add a passkey</button>
      </Form>
    )}
  </>
);

const PasskeyTable = ({ passkeys, now, problem }: { passkeys: readonly KnownPasskey[]; now: number } & Outcome) => (
  <table class="stack">
    <Caption words={TEXTS.tables.passkeys} />
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Added (UTC)</th>
        <th scope="col">Last used</th>
        <ActionsHeading />
      </tr>
    </thead>
    <tbody>
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <tr>
          <th scope="row" class="fill full" safe>
            {name}
          </th>
          <td class="when" data-label="Added" safe>
            {utc(createdAt)}
          </td>
          <td class="when" data-label="Last used" safe>
            {lastUsedAt === null ? "never" : fromNow(lastUsedAt, now)}
          </td>
          <td class="actions">
            <Form
              form={`passkey-${id}`}
              action={`settings/factors/passkeys/${id}/remove`}
              section="second-factor"
              problem={problem}
              class="inline"
            >
              <button class="small-button" id={`passkey-${id}-remove`} aria-label={`Remove passkey ${name}`}>
                Remove
              </button>
            </Form>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Recovery = ({ left, problem }: { left: number } & Outcome) => (
  <>
    <h3>Recovery codes</h3>
    <p id="recovery-left">
      {left} {left === 1 ? "code is" : "codes are"} left.
    </p>
    <Form form="recovery" action="settings/factors/recovery-codes" section="second-factor" problem={problem}>
      <button id="recovery-make">Create new recovery codes</button>
    </Form>
  </>
);
