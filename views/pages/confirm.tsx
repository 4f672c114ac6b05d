/** @jsxImportSource @kitajs/html */
import { CurrentPassword, Form, NewPassword, Refusal, type Outcome } from "../form.tsx";
import { PasskeyForm } from "../partials/settings/passkey-form.tsx";
import { CodeForm } from "./factor-step.tsx";
import { SIGN_IN_TEXTS } from "../texts/sign-in.ts";

const WORDS = SIGN_IN_TEXTS.confirm;

interface ConfirmProps extends Outcome {
  next: string | undefined;
  /** Null for a user without a second factor. */
  factors: { hasApp: boolean; passkey: object | null } | null;
  /** The password alone is not enough. */
  needsFactor: boolean;
  hasPassword: boolean;
  /** The provider to which the user's account is linked. */
  provider: string | null;
}

/** Asks the signed-in user to confirm the session before actions that signing out cannot undo. */
export const Confirm = ({ next, factors, needsFactor, hasPassword, provider, problem }: ConfirmProps) => {
  const action = buildAction(next, needsFactor);
  return (
    <section class="narrow card">
      <h1>{WORDS.title}</h1>
      <p>
        {needsFactor ? WORDS.byFactor : WORDS.byPassword} {WORDS.repeat}
      </p>
      {hasPassword && !needsFactor ? (
        <PasswordForm action={action} problem={problem} />
      ) : (
        <Refusal of="confirm" problem={problem} />
      )}
      {factors !== null && <FactorForms action={action} factors={factors} problem={problem} />}
      {provider !== null && !needsFactor && <ByProvider next={next} provider={provider} />}
      {!hasPassword && factors === null && provider === null && <p class="note">{WORDS.noPassword}</p>}
    </section>
  );
};

const buildAction = (next: string | undefined, needsFactor: boolean): string => {
  const query = new URLSearchParams({ ...(needsFactor ? { with: "factor" } : {}), ...(next ? { next } : {}) });
  return query.size === 0 ? "confirm" : `confirm?${query}`;
};

const ByProvider = ({ next, provider }: { next: string | undefined; provider: string }) => (
  <p class="aside">
    <a id="confirm-provider" href={next ? `confirm/with?next=${encodeURIComponent(next)}` : "confirm/with"} safe>
      {WORDS.signInAgain(provider)}
    </a>
  </p>
);

const PasswordForm = ({ action, problem }: { action: string } & Outcome) => (
  <Form form="confirm" action={action} problem={problem}>
    <CurrentPassword form="confirm" label={WORDS.password} autofocus problem={problem} />
    <button class="primary wide">{WORDS.confirm}</button>
  </Form>
);

type FactorFormsProps = Outcome & { action: string; factors: NonNullable<ConfirmProps["factors"]> };

const FactorForms = ({ action, factors, problem }: FactorFormsProps) => (
  <>
    {factors.passkey !== null && (
      <PasskeyForm form="passkey" action={action} does="use" options={factors.passkey} problem={problem}>
        <button class="wide" id="passkey-use">
          {WORDS.useAPasskey}
        </button>
      </PasskeyForm>
    )}
    <CodeForm form="code" action={action} hasApp={factors.hasApp} button={WORDS.confirm} problem={problem} />
  </>
);

interface LinkProps extends Outcome {
  token: string;
  username: string;
}

/** The target of a password link from an administrator. */
export const SetPassword = ({ token, username, problem }: LinkProps) => (
  <section class="narrow card">
    <h1>{WORDS.setTitle}</h1>
    <p>
      {WORDS.username} <b safe>{username}</b>
      {WORDS.onlyOnce}
    </p>
    <Form form="new-password" action={`password?token=${encodeURIComponent(token)}`} problem={problem}>
      <NewPassword
        form="new-password"
        label={WORDS.newPassword}
        help={WORDS.passwordHelp}
        autofocus
        problem={problem}
      />
      <button class="primary wide">{WORDS.set}</button>
    </Form>
  </section>
);
