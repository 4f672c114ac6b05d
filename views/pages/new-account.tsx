/** @jsxImportSource @kitajs/html */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../src/domain/people/user.ts";
import { Field, Form, type Problem } from "../form.tsx";
import { SIGN_IN_TEXTS } from "../texts/sign-in.ts";

const WORDS = SIGN_IN_TEXTS.account;

interface FieldsProps {
  form: string;
  problem?: Problem | undefined;
}

/** The fields for username, callsign and e-mail address. */
export const NameFields = (props: FieldsProps) => (
  <>
    <Username {...props} />
    <Optional {...props} />
  </>
);

/** The fields for a new account. */
export const AccountFields = (props: FieldsProps) => (
  <>
    <Username {...props} />
    <Field
      {...props}
      name="password"
      label={WORDS.password}
      type="password"
      help={WORDS.passwordHelp(MIN_PASSWORD_LENGTH)}
      autocomplete="new-password"
      minlength={MIN_PASSWORD_LENGTH}
      maxlength={MAX_PASSWORD_LENGTH}
      required
    />
    <Optional {...props} />
  </>
);

const Username = (props: FieldsProps) => (
  <Field
    {...props}
    name="username"
    label={WORDS.username}
    help={WORDS.usernameHelp}
    autocomplete="username"
    maxlength={32}
    required
  />
);

const Optional = (props: FieldsProps) => (
  <>
    <Field {...props} name="callsign" label={WORDS.callsign} maxlength={200} />
    <Field {...props} name="email" label={WORDS.email} type="email" maxlength={200} />
  </>
);

/** The first account of an installation. */
export const SetUp = ({ token, problem }: { token: string; problem?: Problem | undefined }) => (
  <section class="narrow card">
    <h1>{WORDS.setUp}</h1>
    <p>{WORDS.aboutSetUp}</p>
    <Form form="setup" action={`setup?token=${encodeURIComponent(token)}`} problem={problem}>
      <AccountFields form="setup" problem={problem} />
      <button class="primary wide">{WORDS.createAccount}</button>
    </Form>
  </section>
);

export const Register = ({ problem }: { problem?: Problem | undefined }) => (
  <section class="narrow card">
    <h1>{WORDS.createAccount}</h1>
    <Form form="register" action="register" problem={problem}>
      <AccountFields form="register" problem={problem} />
      <button class="primary wide">{WORDS.createAccount}</button>
    </Form>
    <p class="aside">
      {WORDS.haveAccount} <a href="login">{WORDS.signIn}</a>
    </p>
  </section>
);
