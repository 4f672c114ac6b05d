import { Type } from "typebox";
import type { Entry, SignIn } from "../../auth/auth.ts";
import { askForPasskey } from "../../auth/factors/factors.ts";
import { needsSetUp } from "../../people/account.ts";
import { stopImpersonation } from "../../people/impersonation.ts";
import { setPasswordByLink } from "../../people/password-links.ts";
import { register, setUp, signOut } from "../../people/sign-in.ts";
import { signInTerminal } from "../../people/terminal-sign-ins.ts";
import { cookiesOf, IMPERSONATION_COOKIE, noCookie, SESSION_COOKIE, signInCookies } from "../http/cookies.ts";
import { route, type OpenCall } from "../http/route.ts";
import {
  Code,
  Credentials,
  EntryShape,
  Id,
  NewAccount,
  only,
  orNull,
  PasskeyAnswerShape,
  Short,
  SignInShape,
  Text,
  UserShape,
} from "../http/shapes.ts";
import { confirmationOf, proofOf } from "./proof.ts";

/** Programs get the token, browsers a cookie. */
const signedIn = (call: OpenCall, signIn: SignIn): SignIn => {
  const { config } = call.app;
  for (const one of signInCookies(call.app, call.request, signIn)) call.header("set-cookie", one);
  if (cookiesOf(config, call.request, IMPERSONATION_COOKIE).length > 0)
    call.header("set-cookie", noCookie(config, IMPERSONATION_COOKIE));
  const { token, expiresAt, user } = signIn;
  return { token, expiresAt, user };
};

/** Programs keep the challenge themselves. Only pages need a cookie for it. */
const entered = (call: OpenCall, entry: Entry): Entry => ("token" in entry ? signedIn(call, entry) : entry);

const Proven = { code: Type.Optional(Code), passkey: Type.Optional(PasskeyAnswerShape) };

const SetUp = only({ token: Text, ...NewAccount.properties });

/** For anyone, and no write to an account. */
const signing = { access: "anyone", isSigning: true } as const;
const inPerson = { sessionOnly: true, notWhileImpersonating: true } as const;

export const authRoutes = [
  route("GET /api/setup", {
    name: "getSetup",
    access: "anyone",
    summary: "Check whether the first user is still missing",
    description: "Not found as soon as there is a user.",
    exists: needsSetUp,
    answer: only({ needed: Type.Boolean() }),
    handle: () => ({ needed: true }),
  }),
  route("POST /api/setup", {
    name: "setUp",
    ...signing,
    summary: "Create the first user, an administrator",
    description:
      "The token is in the link that the server prints when it starts without users. Answers like a sign-in.",
    exists: needsSetUp,
    body: SetUp,
    answer: SignInShape,
    status: 201,
    handle: async (call) => signedIn(call, await setUp(call.app, call.body, call.client)),
  }),
  route("POST /api/auth/login", {
    name: "signIn",
    ...signing,
    summary: "Sign in with a password",
    description:
      "Gives a session token and the session cookie. A user with a second factor gets a challenge for it instead.",
    body: Credentials,
    answer: EntryShape,
    async handle(call) {
      const { username, password } = call.body;
      return entered(call, await call.app.auth.signIn(username, password, call.client));
    },
  }),
  route("POST /api/auth/factor", {
    name: "answerChallenge",
    ...signing,
    summary: "Finish a sign-in with a second factor",
    description:
      "Send the challenge with a code of the authenticator app, a recovery code, or what `toJSON` of a passkey's answer gives in a browser.",
    body: only({ challenge: Short, ...Proven }),
    answer: SignInShape,
    async handle(call) {
      const { challenge, ...given } = call.body;
      return signedIn(call, await call.app.auth.answer(challenge, proofOf(given), call.client));
    },
  }),
  route("POST /api/auth/register", {
    name: "register",
    ...signing,
    summary: "Create your own account",
    description: "Only where registration is open. Answers like a sign-in.",
    body: NewAccount,
    answer: SignInShape,
    status: 201,
    handle: async (call) => signedIn(call, await register(call.app, call.body, call.client)),
  }),
  route("POST /api/auth/confirm", {
    name: "confirmIdentity",
    ...inPerson,
    summary: "Confirm your identity again",
    description:
      "Give the password, a code or a passkey. For ten minutes the session can then call the routes that need a confirmation.",
    body: only({ password: Type.Optional(Type.String({ maxLength: 1000 })), ...Proven }),
    handle: ({ app, caller, body, client }) => app.auth.confirm(caller, confirmationOf(body), client),
  }),
  route("POST /api/auth/confirm/passkey", {
    name: "getConfirmPasskeyOptions",
    ...inPerson,
    summary: "Get the passkey options for a confirmation",
    description: "Answers what `navigator.credentials.get` takes as JSON, or null without a passkey.",
    answer: only({ passkey: orNull(Type.Record(Text, Type.Unknown())) }),
    handle: async (call) => ({ passkey: await askForPasskey(call.app, call.caller, call.client) }),
  }),
  route("POST /api/auth/password", {
    name: "setPasswordByLink",
    ...signing,
    summary: "Set a password with a link from an administrator",
    description: "The link works once. Answers like a sign-in.",
    body: only({ token: Short, password: Type.String({ maxLength: 1000 }) }),
    answer: EntryShape,
    handle: async (call) => entered(call, await setPasswordByLink(call.app, call.body, call.client)),
  }),
  route("POST /api/auth/terminal", {
    name: "createTerminalToken",
    ...signing,
    summary: "Create an API token for a terminal",
    description:
      "`code` is what the page `/login/terminal` showed. It works once, within five minutes, for the terminal whose `terminal` in that address is the SHA-256 of `verifier`, in hexadecimal.",
    body: only({ code: Code, verifier: Short }),
    answer: only({ id: Id, token: Text, user: UserShape }),
    status: 201,
    handle: (call) => signInTerminal(call.app, call.body, call.client),
  }),
  route("POST /api/auth/logout", {
    name: "signOut",
    isSigning: true,
    summary: "Sign out",
    description:
      "Ends the session, or revokes the API token that asks. While acting as another user, goes back to the administrator.",
    async handle(call) {
      const { app, caller } = call;
      await signOut(app, caller);
      for (const name of [IMPERSONATION_COOKIE, ...(caller.impersonatedBy ? [] : [SESSION_COOKIE])]) {
        call.header("set-cookie", noCookie(app.config, name));
      }
    },
  }),
  route("POST /api/auth/impersonation/stop", {
    name: "stopImpersonation",
    ...signing,
    summary: "Stop acting as another user",
    async handle(call) {
      if (call.caller) await stopImpersonation(call.app, call.caller);
      call.header("set-cookie", noCookie(call.app.config, IMPERSONATION_COOKIE));
    },
  }),
];
