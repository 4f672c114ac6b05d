/** @jsxImportSource @kitajs/html */
import { hasFactor, type Factors, type KnownPasskey } from "../../../src/domain/people/factor.ts";
import { Done, Field, Form, type Outcome } from "../../form.tsx";
import { fromNow, utc } from "../../words.ts";
import { createdColumn, lastUsedColumn } from "./access-columns.ts";
import { PasskeyForm } from "./passkey-form.tsx";
import { QrCode } from "./qr-code.tsx";
import { ShownOnce } from "./shown-once.tsx";
import { ACTIONS, Table } from "../table.tsx";
import { getMessage, SETTINGS_TEXTS } from "../../texts/settings.ts";
import { Card } from "../card.tsx";

const WORDS = SETTINGS_TEXTS.factor;
const SECTION = "second-factor";

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
  <Card id={SECTION} name="second-factor" title={WORDS.title}>
    <p class="help">{WORDS.about}</p>
    <Needed factors={factors} isAsked={done === "factor-required"} />
    <Done words={getMessage(done, "factor-removed")} />
    <ShownOnce id="recovery-codes" words={WORDS.recoveryNote} secret={settingUp.recoveryCodes?.join(" ")} />
    <App app={factors.app} appKey={settingUp.appKey ?? null} now={now} problem={problem} />
    <Passkeys
      passkeys={factors.passkeys}
      takesPasskeys={takesPasskeys}
      options={settingUp.passkey}
      now={now}
      problem={problem}
    />
    {hasFactor(factors) && <Recovery left={factors.recoveryCodes} problem={problem} />}
  </Card>
);

const Needed = ({ factors, isAsked }: { factors: Factors; isAsked: boolean }) =>
  factors.isRequired && !hasFactor(factors) ? (
    <p class="note warn" role={isAsked ? "alert" : undefined}>
      {WORDS.needed}
    </p>
  ) : (
    ""
  );

interface AppProps extends Outcome {
  app: Factors["app"];
  appKey: { key: string; address: string } | null;
  now: number;
}

const App = ({ app, appKey, now, problem }: AppProps) => (
  <>
    <h3>{WORDS.authenticatorApp}</h3>
    {app !== null && (
      <p id="app-state">
        {WORDS.setUp} <span safe>{utc(app.createdAt)}</span> {WORDS.utcLastUsed}{" "}
        <span safe>{app.lastUsedAt === null ? WORDS.never : fromNow(app.lastUsedAt, now)}</span>.
      </p>
    )}
    {appKey ? (
      <AppKey appKey={appKey} problem={problem} />
    ) : (
      <>
        <Form form="factor-app" action="settings/factors/app" section={SECTION} problem={problem}>
          <button id="factor-app-begin">{app ? WORDS.setUpAnother : WORDS.setUpApp}</button>
        </Form>
        {app !== null && (
          <Form form="factor-app-remove" action="settings/factors/app/remove" section={SECTION} problem={problem}>
            <button class="danger" id="factor-app-remove-button">
              {WORDS.remove}
            </button>
          </Form>
        )}
      </>
    )}
  </>
);

const AppKey = ({ appKey, problem }: { appKey: { key: string; address: string } } & Outcome) => (
  <>
    <p>{WORDS.scan}</p>
    <QrCode text={appKey.address} label={WORDS.qrCode} />
    <code class="secret" id="app-key" safe>
      {appKey.key}
    </code>
    <Form form="app-code" action="settings/factors/app/confirm" section={SECTION} problem={problem} class="row">
      <Field
        form="app-code"
        name="code"
        label={WORDS.code}
        autocomplete="one-time-code"
        maxlength={100}
        required
        problem={problem}
      />
      <button id="app-code-save">{WORDS.turnOn}</button>
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
    <h3>{WORDS.passkeys}</h3>
    {passkeys.length !== 0 && <PasskeyTable passkeys={passkeys} now={now} problem={problem} />}
    {!takesPasskeys ? (
      <p class="help">{WORDS.passkeysNeed}</p>
    ) : options ? (
      <PasskeyForm
        form="passkey-new"
        action="settings/factors/passkeys"
        does="make"
        options={options}
        problem={problem}
      >
        <Field form="passkey-new" name="name" label={WORDS.passkeyName} maxlength={100} required problem={problem} />
        <button id="passkey-make">{WORDS.createPasskey}</button>
      </PasskeyForm>
    ) : (
      <Form form="passkey" action="settings/factors/passkeys/begin" section={SECTION} problem={problem}>
        <button id="passkey-begin">{WORDS.addAPasskey}</button>
      </Form>
    )}
  </>
);

const PasskeyTable = ({ passkeys, now, problem }: { passkeys: readonly KnownPasskey[]; now: number } & Outcome) => (
  <Table
    caption={WORDS.passkeys}
    class="stack"
    rows={passkeys}
    columns={[
      { head: WORDS.name, isName: true, class: "fill full", text: ({ name }) => name },
      createdColumn(WORDS.addedUtc, WORDS.added),
      lastUsedColumn(now),
      {
        ...ACTIONS,
        markup: ({ id, name }) => (
          <Form
            form={`passkey-${id}`}
            action={`settings/factors/passkeys/${id}/remove`}
            section={SECTION}
            problem={problem}
            class="inline"
          >
            <button class="small-button" id={`passkey-${id}-remove`} aria-label={WORDS.removePasskey(name)}>
              {WORDS.remove}
            </button>
          </Form>
        ),
      },
    ]}
  />
);

const Recovery = ({ left, problem }: { left: number } & Outcome) => (
  <>
    <h3>{WORDS.recoveryCodes}</h3>
    <p id="recovery-left" safe>
      {WORDS.codesLeft(left)}
    </p>
    <Form form="recovery" action="settings/factors/recovery-codes" section={SECTION} problem={problem}>
      <button id="recovery-make">{WORDS.newCodes}</button>
    </Form>
  </>
);
