/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { Field, Form, NewPassword, type Problem } from "../form.tsx";
import { SIGN_IN_TEXTS } from "../texts/sign-in.ts";

const WORDS = SIGN_IN_TEXTS.account;

export interface Names {
  username: string | null;
  callsign: string | null;
  email: string | null;
}

interface FieldsProps {
  form: string;
  problem?: Problem | undefined;
  suggested?: Names;
  autofocus?: boolean;
}

/** The fields of a new account: its names, and others in between. */
export const NameFields = ({ suggested, autofocus, children, ...field }: PropsWithChildren<FieldsProps>) => (
  <>
    <Field
      {...field}
      name="username"
      label={WORDS.username}
      value={suggested?.username}
      help={WORDS.usernameHelp}
      autocomplete="username"
      maxlength={32}
      required
      autofocus={autofocus}
    />
    {children as "safe"}
    <Field {...field} name="callsign" label={WORDS.callsign} value={suggested?.callsign} maxlength={200} />
    <Field {...field} name="email" label={WORDS.email} value={suggested?.email} type="email" maxlength={200} />
  </>
);

export const AccountFields = (props: Pick<FieldsProps, "form" | "problem">) => (
  <NameFields {...props}>
    <NewPassword {...props} label={WORDS.password} help={WORDS.passwordHelp} />
  </NameFields>
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
