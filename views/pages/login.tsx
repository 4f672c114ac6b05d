/** @jsxImportSource @kitajs/html */
import { Field, Form, type Outcome } from "../form.tsx";

const addNext = (path: string, next: string | undefined): string =>
  next ? `${path}?next=${encodeURIComponent(next)}` : path;

interface Props {
  next: string | undefined;
  registration: boolean;
  needsSetUp: boolean;
  /** The display name of the single sign-on provider. */
  provider: string | null;
  /** The user has signed out here and may still be signed in at the provider. */
  isOut: boolean;
  canSignOutThere: boolean;
}

/** Why the user was signed out. */
const REASONS: Record<string, string> = {
  gone: "The account and its log were deleted.",
  out: "All sessions were ended and all API tokens revoked.",
  ended: "Your session has ended. Sign in again to continue.",
};

export const Login = ({
  next,
  registration,
  needsSetUp,
  provider,
  isOut,
  canSignOutThere,
  problem,
  done,
}: Props & Outcome) => (
  <section class="narrow card">
    <h1>Sign in</h1>
    {done !== undefined && Object.hasOwn(REASONS, done) ? (
      <p class="done" data-say="" safe>
        {REASONS[done]!}
      </p>
    ) : (
      ""
    )}
    {needsSetUp ? <p class="note">No account yet. Open the set-up link printed by the server to create one.</p> : ""}
    {isOut ? <SignedOutHere provider={canSignOutThere ? provider : null} /> : ""}
    <Form form="login" action={addNext("login", next)} problem={problem}>
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
    {provider === null ? (
      ""
    ) : (
      <p class="aside">
        <a id="login-provider" href={addNext("login/with", next)} safe>
          {`Sign in with ${provider}`}
        </a>
      </p>
    )}
    {registration ? (
      <p class="aside">
        No account yet? <a href="register">Create one</a>
      </p>
    ) : (
      ""
    )}
  </section>
);

const SignedOutHere = ({ provider }: { provider: string | null }) => (
  <p class="done" data-say="">
    You are signed out.{" "}
    {provider === null ? (
      ""
    ) : (
      <a id="login-out" href="login/out" safe>
        {`Sign out of ${provider} too`}
      </a>
    )}
  </p>
);

interface NewcomerProps extends Outcome {
  provider: string;
  /** The display name of the account at the provider. */
  label: string | null;
  suggested: { username: string | null; callsign: string | null; email: string | null };
}

/** The first sign-in through a provider: choose a username. */
export const Newcomer = ({ provider, label, suggested, problem }: NewcomerProps) => (
  <section class="narrow card">
    <h1>Create your account</h1>
    <p>
      You signed in with <b safe>{provider}</b> as <b safe>{label ?? "somebody"}</b> but have no account here yet.
    </p>
    <Form form="newcomer" action="login/new" problem={problem}>
      <Field
        form="newcomer"
        name="username"
        label="Username"
        help="For example your callsign. Letters, digits, dots, dashes and underscores."
        value={suggested.username}
        maxlength={32}
        required
        autofocus
        problem={problem}
      />
      <Field
        form="newcomer"
        name="callsign"
        label="Callsign (optional)"
        value={suggested.callsign}
        maxlength={200}
        problem={problem}
      />
      <Field
        form="newcomer"
        name="email"
        label="E-mail (optional)"
        type="email"
        value={suggested.email}
        maxlength={200}
        problem={problem}
      />
      <button class="primary wide">Create account</button>
    </Form>
    <p class="aside">
      Already have an account here? <a href="login">Sign in</a> with your password and link this one in Settings.
    </p>
  </section>
);
