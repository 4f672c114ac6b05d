import { Type } from "typebox";
import type { Entry, SignIn } from "../../auth/auth.ts";
import { needsSetUp } from "../../people/account.ts";
import { stopImpersonation } from "../../people/impersonation.ts";
import { setPasswordByLink } from "../../people/password-links.ts";
import { answer, confirm, passkeyToConfirm, register, setUp, signIn, signOut } from "../../people/sign-in.ts";
import { signInTerminal } from "../../people/terminal-sign-ins.ts";
import { clientOf } from "../http/client-address.ts";
import { cookie, cookiesOf, IMPERSONATION_COOKIE, noCookie, SESSION_COOKIE } from "../http/cookies.ts";
import { route, type Call } from "../http/route.ts";
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

/** Gives the token to programs and the cookie to browsers. */
const signedIn = (call: Call, { token, expiresAt, user }: SignIn): SignIn => {
  const { config, clock } = call.app;
  call.header("set-cookie", cookie(config, SESSION_COOKIE, token, expiresAt - clock()));
  if (cookiesOf(config, call.request, IMPERSONATION_COOKIE).length > 0)
    call.header("set-cookie", noCookie(config, IMPERSONATION_COOKIE));
  return { token, expiresAt, user };
};

/** A program keeps the challenge itself: only pages need a cookie for it. */
const entered = (call: Call, entry: Entry): Entry => ("token" in entry ? signedIn(call, entry) : entry);

const Proven = { code: Type.Optional(Code), passkey: Type.Optional(PasskeyAnswerShape) };

const SetUp = only({ token: Text, ...NewAccount.properties });

export const authRoutes = [
  route(
    {
      method: "GET",
      path: "/api/setup",
      access: "anyone",
      summary: "Whether the first user is still to be made",
      exists: needsSetUp,
      answer: only({ needed: Type.Boolean() }),
    },
    () => ({ needed: true }),
  ),
  route(
    {
      method: "POST",
      path: "/api/setup",
      access: "anyone",
      summary: "Make the first user, an administrator",
      exists: needsSetUp,
      isSigning: true,
      body: SetUp,
      answer: SignInShape,
      status: 201,
    },
    async (call) => signedIn(call, await setUp(call.app, call.body, clientOf(call))),
  ),
  route(
    {
      method: "POST",
      path: "/api/auth/login",
      access: "anyone",
      summary: "Sign in; who has a second factor is asked for it",
      isSigning: true,
      body: Credentials,
      answer: EntryShape,
    },
    async (call) => entered(call, await signIn(call.app, call.body, clientOf(call))),
  ),
  route(
    {
      method: "POST",
      path: "/api/auth/factor",
      access: "anyone",
      summary: "The second step of a sign-in: a code, a recovery code or a passkey",
      isSigning: true,
      body: only({ challenge: Short, ...Proven }),
      answer: SignInShape,
    },
    async (call) => {
      const { challenge, ...given } = call.body;
      return signedIn(call, await answer(call.app, { challenge, ...proofOf(given) }, clientOf(call)));
    },
  ),
  route(
    {
      method: "POST",
      path: "/api/auth/register",
      access: "anyone",
      summary: "Make an account, where that is open",
      isSigning: true,
      body: NewAccount,
      answer: SignInShape,
      status: 201,
    },
    async (call) => signedIn(call, await register(call.app, call.body, clientOf(call))),
  ),
  route(
    {
      method: "POST",
      path: "/api/auth/confirm",
      access: "user",
      sessionOnly: true,
      notWhileImpersonating: true,
      summary: "Give the own password or second factor once more, for what is asked for within ten minutes",
      body: only({ password: Type.Optional(Type.String({ maxLength: 1000 })), ...Proven }),
    },
    (call) => confirm(call.app, call.caller, confirmationOf(call.body), clientOf(call)),
  ),
  route(
    {
      method: "POST",
      path: "/api/auth/confirm/passkey",
      access: "user",
      sessionOnly: true,
      notWhileImpersonating: true,
      summary: "What a browser is asked, to confirm with a passkey",
      answer: only({ passkey: orNull(Type.Record(Text, Type.Unknown())) }),
    },
    async (call) => ({ passkey: await passkeyToConfirm(call.app, call.caller, clientOf(call)) }),
  ),
  route(
    {
      method: "POST",
      path: "/api/auth/password",
      access: "anyone",
      summary: "Set a password by the link an administrator made, and sign in",
      isSigning: true,
      body: only({ token: Short, password: Type.String({ maxLength: 1000 }) }),
      answer: EntryShape,
    },
    async (call) => entered(call, await setPasswordByLink(call.app, call.body, clientOf(call))),
  ),
  route(
    {
      method: "POST",
      path: "/api/auth/terminal",
      access: "anyone",
      summary: "An API token for a terminal that was let in on the page /login/terminal",
      isSigning: true,
      body: only({ code: Code, verifier: Short }),
      answer: only({ id: Id, token: Text, user: UserShape }),
      status: 201,
    },
    (call) => signInTerminal(call.app, call.body, clientOf(call)),
  ),
  route(
    { method: "POST", path: "/api/auth/logout", access: "user", isSigning: true, summary: "Sign out" },
    async (call) => {
      const { app, caller } = call;
      await signOut(app, caller);
      for (const name of [IMPERSONATION_COOKIE, ...(caller.impersonatedBy ? [] : [SESSION_COOKIE])]) {
        call.header("set-cookie", noCookie(app.config, name));
      }
    },
  ),
  route(
    {
      method: "POST",
      path: "/api/auth/impersonation/stop",
      access: "anyone",
      isSigning: true,
      summary: "Stop acting as another user",
    },
    async (call) => {
      if (call.caller) await stopImpersonation(call.app, call.caller);
      call.header("set-cookie", noCookie(call.app.config, IMPERSONATION_COOKIE));
    },
  ),
];
