/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { Type } from "../schema-types.ts";
import { stopImpersonation } from "../../people/impersonation.ts";
import type { SignIn } from "../../auth/auth.ts";
import { AppError } from "../../domain/errors.ts";
import { needsSetUp } from "../../people/account.ts";
import { listIdentities, signInByProxy } from "../../people/identities.ts";
import { ownerOfLink, setPasswordByLink } from "../../people/password-links.ts";
import { assertNotSetUp, assertOpen, confirm, isOpen, register, setUp, signIn, signOut } from "../../people/sign-in.ts";
import { clientOf } from "../client-address.ts";
import type { Outcome } from "../../../views/form.tsx";
import { Confirm, NewPassword } from "../../../views/pages/confirm.tsx";
import { Login } from "../../../views/pages/login.tsx";
import { Register, SetUp } from "../../../views/pages/new-account.tsx";
import { cookie, IMPERSONATION_COOKIE, noCookie, SESSION_COOKIE } from "../cookies.ts";
import { HTTP_STATUS } from "../errors.ts";
import { fitForm } from "../forms.ts";
import { Credentials, NewAccount, only } from "../shapes.ts";
import { formRoute, pageRoute, type Answer, type Goto, type OpenPageCall, type PageCall } from "../page-route.ts";

export const Next = only({
  next: Type.Optional(Type.String({ maxLength: 2000 })),
  done: Type.Optional(Type.String({ maxLength: 20 })),
});
const SetUpQuery = only({ token: Type.Optional(Type.String({ maxLength: 200 })) });

/** Only paths of this server: what starts with two slashes, or a backslash, leads elsewhere. */
export const ownPath = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])[^\\\x00-\x1f]*$/.test(next) ? next : "/";

export const signedIn = (call: OpenPageCall, { token, expiresAt }: SignIn, next = "/"): Goto => {
  const { config, clock } = call.app;
  call.header("set-cookie", cookie(config, SESSION_COOKIE, token, expiresAt - clock()));
  call.header("set-cookie", noCookie(config, IMPERSONATION_COOKIE));
  return { goto: next };
};

export const loginPage = async (
  { app, query }: OpenPageCall<unknown, { next?: string; done?: string }>,
  outcome: Outcome,
) => ({
  title: "Sign in",
  body: (
    <Login
      next={query.next}
      registration={isOpen(app)}
      needsSetUp={await needsSetUp(app)}
      provider={app.provider?.name ?? null}
      isOut={query.done === "left"}
      canSignOutThere={(await app.provider?.signOutUrl()) != null}
      done={query.done}
      {...outcome}
    />
  ),
});

const setUpPage = ({ query }: OpenPageCall<unknown, { token?: string }>, outcome: Outcome) => ({
  title: "Set up",
  body: <SetUp token={query.token ?? ""} {...outcome} />,
});

const registerPage = (_call: OpenPageCall, outcome: Outcome) => ({
  title: "Register",
  body: <Register {...outcome} />,
});

export const confirmPage = async (
  { app, caller, query }: Pick<PageCall<unknown, { next?: string }>, "app" | "caller" | "query">,
  outcome: Outcome,
) => {
  const { provider, hasPassword, identities } = await listIdentities(app, caller.user.id);
  return {
    title: "Confirm",
    body: (
      <Confirm
        next={query.next}
        hasPassword={hasPassword}
        provider={identities.length > 0 ? provider : null}
        {...outcome}
      />
    ),
  };
};

const passwordPage = async ({ app, query }: OpenPageCall<unknown, { token?: string }>, outcome: Outcome) => {
  const token = query.token ?? "";
  return {
    title: "Set your password",
    body: <NewPassword token={token} username={(await ownerOfLink(app, token)).username} {...outcome} />,
  };
};

/** Who a trusted proxy names needs no form; who signs out is not let in again at once. */
const letInByProxy = async (
  call: OpenPageCall<unknown, { next?: string; done?: string }>,
  named: string,
): Promise<Answer> => {
  try {
    return signedIn(call, await signInByProxy(call.app, named, clientOf(call)), ownPath(call.query.next));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = { form: "login", message: error.message, fields: {}, values: {} };
    return { ...(await loginPage(call, { problem })), status: HTTP_STATUS[error.code] };
  }
};

const PasswordWords = only({ password: Type.String({ maxLength: 1000 }) });

export const signInPages = [
  pageRoute({ path: "/confirm", access: "user", notWhileImpersonating: true, query: Next }, (call) =>
    confirmPage(call, {}),
  ),
  formRoute(
    { path: "/confirm", access: "user", notWhileImpersonating: true, query: Next, form: "confirm" },
    async (call, fields) => {
      const { password } = fitForm(PasswordWords, { password: "", ...fields });
      await confirm(call.app, call.caller, password, clientOf(call));
      return { goto: ownPath(call.query.next) };
    },
    confirmPage,
  ),
  pageRoute({ path: "/password", access: "anyone", query: SetUpQuery }, (call) => passwordPage(call, {})),
  formRoute(
    { path: "/password", access: "anyone", isSigning: true, query: SetUpQuery, form: "new-password" },
    async (call, fields) => {
      const { password } = fitForm(PasswordWords, { password: "", ...fields });
      const set = { token: call.query.token ?? "", password };
      return signedIn(call, await setPasswordByLink(call.app, set, clientOf(call)));
    },
    passwordPage,
  ),
  pageRoute({ path: "/login", access: "anyone", query: Next }, (call) => {
    if (call.caller) return { goto: ownPath(call.query.next) };
    const named = call.address.namedByProxy();
    const hasLeft = call.query.done !== undefined && call.query.done !== "ended";
    return named === null || hasLeft ? loginPage(call, {}) : letInByProxy(call, named);
  }),
  formRoute(
    { path: "/login", access: "anyone", isSigning: true, query: Next, form: "login" },
    async (call, fields) => {
      const { username, password } = fitForm(Credentials, { username: "", password: "", ...fields });
      return signedIn(call, await signIn(call.app, { username, password }, clientOf(call)), ownPath(call.query.next));
    },
    loginPage,
  ),
  pageRoute({ path: "/setup", access: "anyone", query: SetUpQuery }, async (call) => {
    await assertNotSetUp(call.app);
    call.app.setupToken.assert(call.query.token ?? "");
    return setUpPage(call, {});
  }),
  formRoute(
    { path: "/setup", access: "anyone", isSigning: true, query: SetUpQuery, form: "setup" },
    async (call, fields) => {
      await assertNotSetUp(call.app);
      const user = { ...fitForm(NewAccount, fields), token: call.query.token ?? "" };
      return signedIn(call, await setUp(call.app, user, clientOf(call)));
    },
    setUpPage,
  ),
  pageRoute({ path: "/register", access: "anyone" }, (call) => {
    assertOpen(call.app);
    return registerPage(call, {});
  }),
  formRoute(
    { path: "/register", access: "anyone", isSigning: true, form: "register" },
    async (call, fields) => {
      assertOpen(call.app);
      return signedIn(call, await register(call.app, fitForm(NewAccount, fields), clientOf(call)));
    },
    registerPage,
  ),
  formRoute({ path: "/logout", access: "anyone", isSigning: true, form: "logout" }, async ({ app, caller, header }) => {
    if (caller) await signOut(app, caller);
    header("set-cookie", noCookie(app.config, IMPERSONATION_COOKIE));
    if (caller?.impersonatedBy) return { goto: "/admin/users" };
    header("set-cookie", noCookie(app.config, SESSION_COOKIE));
    return { goto: caller?.vouched ? "/login?done=left" : "/login" };
  }),
  formRoute(
    { path: "/impersonation/stop", access: "anyone", isSigning: true, form: "stop" },
    async ({ app, caller, header }) => {
      if (caller) await stopImpersonation(app, caller);
      header("set-cookie", noCookie(app.config, IMPERSONATION_COOKIE));
      return { goto: "/admin/users" };
    },
  ),
];
