/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { Field, Form, type Outcome } from "../form.tsx";

interface Props {
  next: string | undefined;
  registration: boolean;
  needsSetUp: boolean;
}

/** Why somebody is here who was signed in. */
const REASONS: Record<string, string> = {
  gone: "The account and its log are deleted.",
  out: "All sessions are ended and all API tokens are revoked.",
  ended: "Your session has ended. Sign in to go on where you were.",
};

export const Login = ({ next, registration, needsSetUp, problem, done }: Props & Outcome) => (
  <section class="narrow card">
    <h1>Sign in</h1>
    {done !== undefined && Object.hasOwn(REASONS, done) ? (
      <p class="done" role="status" safe>
        {REASONS[done]!}
      </p>
    ) : (
      ""
    )}
    {needsSetUp ? (
      <p class="note">
        Nobody has an account here yet. The server printed a set-up link when it started: open that to make the first.
      </p>
    ) : (
      ""
    )}
    <Form form="login" action={next ? `login?next=${encodeURIComponent(next)}` : "login"} problem={problem}>
      <Field
        form="login"
        name="username"
        label="Username"
        autocomplete="username"
        required
        autofocus
        problem={problem}
      />
      <Field
        form="login"
        name="password"
        label="Password"
        type="password"
        autocomplete="current-password"
        required
        problem={problem}
      />
      <button class="primary wide">Sign in</button>
    </Form>
    {registration ? (
      <p class="aside">
        No account yet? <a href="register">Register</a>
      </p>
    ) : (
      ""
    )}
  </section>
);
