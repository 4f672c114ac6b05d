import { Type } from "../schema-types.ts";
import type { SignIn } from "../../auth/auth.ts";
import { needsSetUp } from "../../people/account.ts";
import { stopImpersonation } from "../../people/impersonation.ts";
import { setPasswordByLink } from "../../people/password-links.ts";
import { confirm, register, setUp, signIn, signOut } from "../../people/sign-in.ts";
import { clientOf } from "../client-address.ts";
import { cookie, cookiesOf, IMPERSONATION_COOKIE, noCookie, SESSION_COOKIE } from "../cookies.ts";
import { route, type Call } from "../route.ts";
import { Credentials, NewAccount, only, Short, SignInShape, Text } from "../shapes.ts";

/** Gives the token to programs and the cookie to browsers. */
const signedIn = (call: Call, { token, expiresAt, user }: SignIn): SignIn => {
  const { config, clock } = call.app;
  call.header("set-cookie", cookie(config, SESSION_COOKIE, token, expiresAt - clock()));
  if (cookiesOf(config, call.request, IMPERSONATION_COOKIE).length > 0)
    call.header("set-cookie", noCookie(config, IMPERSONATION_COOKIE));
  return { token, expiresAt, user };
};

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
      summary: "Sign in",
      isSigning: true,
      body: Credentials,
      answer: SignInShape,
    },
    async (call) => signedIn(call, await signIn(call.app, call.body, clientOf(call))),
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
      summary: "Give the own password once more, for what is asked for within ten minutes",
      body: only({ password: Type.String({ maxLength: 1000 }) }),
    },
    (call) => confirm(call.app, call.caller, call.body.password, clientOf(call)),
  ),
  route(
    {
      method: "POST",
      path: "/api/auth/password",
      access: "anyone",
      summary: "Set a password by the link an administrator made, and sign in",
      isSigning: true,
      body: only({ token: Short, password: Type.String({ maxLength: 1000 }) }),
      answer: SignInShape,
    },
    async (call) => signedIn(call, await setPasswordByLink(call.app, call.body, clientOf(call))),
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
