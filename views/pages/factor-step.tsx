/** @jsxImportSource @kitajs/html */
import type { FactorName } from "../../src/domain/people/factor.ts";
import { Field, Form, type Outcome } from "../form.tsx";
import { PasskeyForm } from "../partials/passkey-form.tsx";

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
      <h1>Second factor</h1>
      {passkey ? (
        <PasskeyForm form="passkey" action={action} does="use" options={passkey} problem={problem}>
          <button class="primary wide" id="passkey-use">
            Use a passkey
          </button>
        </PasskeyForm>
      ) : (
        ""
      )}
      {factors.includes("passkey") && !passkey ? (
        <p class="note">Your passkeys were registered at another address of this server.</p>
      ) : (
        ""
      )}
      {factors.includes("code") || factors.includes("recovery") ? (
        <CodeForm form="code" action={action} hasApp={factors.includes("code")} button="Sign in" problem={problem} />
      ) : (
        ""
      )}
      <p class="aside">
        <a href="login">Start again</a>
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
      label={hasApp ? "Code of your authenticator app" : "Recovery code"}
      help={hasApp ? "Or enter one of your recovery codes." : undefined}
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
