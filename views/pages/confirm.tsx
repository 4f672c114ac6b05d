/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../src/domain/user.ts";
import { Field, Form, Refusal, type Outcome } from "../form.tsx";

interface ConfirmProps extends Outcome {
  next: string | undefined;
  hasPassword: boolean;
  /** The provider at which the user has an account that is linked. */
  provider: string | null;
}

/** Asks who is signed in for a proof once more, before what could not be undone by signing out. */
export const Confirm = ({ next, hasPassword, provider, problem }: ConfirmProps) => (
  <section class="narrow card">
    <h1>Confirm that it is you</h1>
    <p>This needs a proof that it is you, not older than ten minutes. Then do once more what you wanted to do.</p>
    {hasPassword ? <ByPassword next={next} problem={problem} /> : <Refusal of="confirm" problem={problem} />}
    {provider === null ? (
      ""
    ) : (
      <p class="aside">
        <a id="confirm-provider" href={next ? `confirm/with?next=${encodeURIComponent(next)}` : "confirm/with"} safe>
          {`Sign in with ${provider} once more`}
        </a>
      </p>
    )}
    {hasPassword || provider !== null ? (
      ""
    ) : (
      <p class="note">You have no password here. Ask an administrator for a link that sets one.</p>
    )}
  </section>
);

const ByPassword = ({ next, problem }: Pick<ConfirmProps, "next" | "problem">) => (
  <Form form="confirm" action={next ? `confirm?next=${encodeURIComponent(next)}` : "confirm"} problem={problem}>
    <Field
      form="confirm"
      name="password"
      label="Your password"
      type="password"
      autocomplete="current-password"
      required
      autofocus
      problem={problem}
    />
    <button class="primary wide">Confirm</button>
  </Form>
);

interface LinkProps extends Outcome {
  token: string;
  username: string;
}

/** Where a link leads that an administrator made. */
export const NewPassword = ({ token, username, problem }: LinkProps) => (
  <section class="narrow card">
    <h1>Set your password</h1>
    <p>
      Your username is <b safe>{username}</b>. This link is good once.
    </p>
    <Form form="new-password" action={`password?token=${encodeURIComponent(token)}`} problem={problem}>
      <Field
        form="new-password"
        name="password"
        label="New password"
        type="password"
        autocomplete="new-password"
        help={`At least ${MIN_PASSWORD_LENGTH} characters.`}
        minlength={MIN_PASSWORD_LENGTH}
        maxlength={MAX_PASSWORD_LENGTH}
        required
        autofocus
        problem={problem}
      />
      <button class="primary wide">Set password and sign in</button>
    </Form>
  </section>
);
