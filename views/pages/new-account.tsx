/** @jsxImportSource @kitajs/html */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../src/domain/people/user.ts";
import { Field, Form, type Problem } from "../form.tsx";

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
      label="Password"
      type="password"
      help={`At least ${MIN_PASSWORD_LENGTH} characters, and not a common password.`}
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
    label="Username"
    help="For example your callsign. Letters, digits, dots, dashes and underscores."
    autocomplete="username"
    maxlength={32}
    required
  />
);

const Optional = (props: FieldsProps) => (
  <>
    <Field {...props} name="callsign" label="Callsign (optional)" maxlength={200} />
    <Field {...props} name="email" label="E-mail (optional)" type="email" maxlength={200} />
  </>
);

/** The first account of an installation. */
export const SetUp = ({ token, problem }: { token: string; problem?: Problem | undefined }) => (
  <section class="narrow card">
    <h1>Set up qsolog</h1>
    <p>Create the first account. It becomes an administrator and can create others.</p>
    <Form form="setup" action={`setup?token=${encodeURIComponent(token)}`} problem={problem}>
      <AccountFields form="setup" problem={problem} />
      <button class="primary wide">Create account</button>
    </Form>
  </section>
);

export const Register = ({ problem }: { problem?: Problem | undefined }) => (
  <section class="narrow card">
    <h1>Create account</h1>
    <Form form="register" action="register" problem={problem}>
      <AccountFields form="register" problem={problem} />
      <button class="primary wide">Create account</button>
    </Form>
    <p class="aside">
      Already have an account? <a href="login">Sign in</a>
    </p>
  </section>
);
