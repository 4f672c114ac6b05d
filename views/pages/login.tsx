/** @jsxImportSource @kitajs/html */
import { CurrentPassword, Done, Field, Form, type Outcome } from "../form.tsx";
import { NameFields, type Names } from "./new-account.tsx";
import { SIGN_IN_TEXTS } from "../texts/sign-in.ts";

const WORDS = SIGN_IN_TEXTS.login;

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
  sendsMail: boolean;
}

export const Login = ({
  next,
  registration,
  needsSetUp,
  provider,
  isOut,
  canSignOutThere,
  sendsMail,
  problem,
  done,
}: Props & Outcome) => (
  <section class="narrow card">
    <h1>{WORDS.signIn}</h1>
    <Done words={Object.hasOwn(WORDS.reasons, done ?? "") ? WORDS.reasons[done!] : undefined} />
    {needsSetUp && <p class="note">{WORDS.needsSetUp}</p>}
    {isOut && <SignedOutHere provider={canSignOutThere ? provider : null} />}
    <Form form="login" action={addNext("login", next)} problem={problem}>
      <Field
        form="login"
        name="username"
        label={WORDS.username}
        autocomplete="username"
        required
        autofocus
        problem={problem}
      />
      <CurrentPassword form="login" label={WORDS.password} problem={problem} />
      <button class="primary wide">{WORDS.signIn}</button>
    </Form>
    {sendsMail && (
      <p class="aside">
        <a href="password/forgotten">{WORDS.forgotten}</a>
      </p>
    )}
    {provider !== null && (
      <p class="aside">
        <a id="login-provider" href={addNext("login/with", next)} safe>
          {WORDS.signInWith(provider)}
        </a>
      </p>
    )}
    {registration && (
      <p class="aside">
        {WORDS.noAccount} <a href="register">{WORDS.createOne}</a>
      </p>
    )}
  </section>
);

export const ForgottenPassword = ({ problem }: Outcome) => (
  <section class="narrow card">
    <h1>{WORDS.forgotten}</h1>
    <p>{WORDS.aboutForgotten}</p>
    <Form form="forgotten" action="password/forgotten" problem={problem}>
      <Field
        form="forgotten"
        name="username"
        label={WORDS.username}
        autocomplete="username"
        maxlength={200}
        required
        autofocus
        problem={problem}
      />
      <button class="primary wide">{WORDS.sendLink}</button>
    </Form>
    <p class="aside">
      {WORDS.noAddress} <a href="login">{WORDS.signIn}</a>
    </p>
  </section>
);

const SignedOutHere = ({ provider }: { provider: string | null }) => (
  <p class="done" data-say="">
    {WORDS.signedOut}{" "}
    {provider !== null && (
      <a id="login-out" href="login/out" safe>
        {WORDS.signOutOf(provider)}
      </a>
    )}
  </p>
);

interface NewcomerProps extends Outcome {
  provider: string;
  /** The display name of the account at the provider. */
  label: string | null;
  suggested: Names;
}

/** The first sign-in through a provider: choose a username. */
export const Newcomer = ({ provider, label, suggested, problem }: NewcomerProps) => (
  <section class="narrow card">
    <h1>{WORDS.createTitle}</h1>
    <p>
      {WORDS.signedInWith} <b safe>{provider}</b> {WORDS.as} <b safe>{label ?? WORDS.unnamed}</b> {WORDS.noAccountHere}
    </p>
    <Form form="newcomer" action="login/new" problem={problem}>
      <NameFields form="newcomer" suggested={suggested} autofocus problem={problem} />
      <button class="primary wide">{WORDS.createAccount}</button>
    </Form>
    <p class="aside">
      {WORDS.haveAccount} <a href="login">{WORDS.signIn}</a> {WORDS.linkLater}
    </p>
  </section>
);
