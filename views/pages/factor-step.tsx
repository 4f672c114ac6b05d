/** @jsxImportSource @kitajs/html */
import type { FactorName } from "../../src/domain/people/factor.ts";
import { Field, Form, type Outcome } from "../form.tsx";
import { PasskeyForm } from "../partials/settings/passkey-form.tsx";
import { SIGN_IN_TEXTS } from "../texts/sign-in.ts";

const WORDS = SIGN_IN_TEXTS.factor;

interface Props {
  next: string | undefined;
  factors: readonly FactorName[];
  /** The passkey options; null if no passkey can be used here. */
  passkey: object | null;
}

/** The second step of a sign-in. */
export const FactorStep = ({ next, factors, passkey, problem }: Props & Outcome) => {
  const action = next ? `login/factor?next=${encodeURIComponent(next)}` : "login/factor";
  return (
    <section class="narrow card">
      <h1>{WORDS.secondFactor}</h1>
      {passkey !== null && (
        <PasskeyForm form="passkey" action={action} does="use" options={passkey} problem={problem}>
          <button class="primary wide" id="passkey-use">
            {WORDS.useAPasskey}
          </button>
        </PasskeyForm>
      )}
      {factors.includes("passkey") && !passkey && <p class="note">{WORDS.elsewhere}</p>}
      {(factors.includes("code") || factors.includes("recovery")) && (
        <CodeForm
          form="code"
          action={action}
          hasApp={factors.includes("code")}
          button={WORDS.signIn}
          problem={problem}
        />
      )}
      <p class="aside">
        <a href="login">{WORDS.startAgain}</a>
      </p>
    </section>
  );
};

interface CodeProps extends Outcome {
  form: string;
  action: string;
  hasApp: boolean;
  button: string;
}

/** One field for both kinds: six digits cannot be confused with a recovery code. */
export const CodeForm = ({ form, action, hasApp, button, problem }: CodeProps) => (
  <Form form={form} action={action} problem={problem}>
    <Field
      form={form}
      name="code"
      label={hasApp ? WORDS.code : WORDS.recoveryCode}
      help={hasApp ? WORDS.codeHelp : undefined}
      autocomplete="one-time-code"
      maxlength={100}
      required
      autofocus
      problem={problem}
    />
    <button class="wide" safe>
      {button}
    </button>
  </Form>
);
