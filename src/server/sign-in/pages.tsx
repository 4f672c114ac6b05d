/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import { stopImpersonation } from "../../people/impersonation.ts";
import type { Entry, SignIn } from "../../auth/auth.ts";
import { AppError } from "../../kernel/errors.ts";
import { needsSetUp } from "../../people/account.ts";
import { listIdentities, signInByProxy } from "../../people/identities.ts";
import { assertSendsMail, getOwnerOfLink, mailForgottenLink, setPasswordByLink } from "../../people/password-links.ts";
import { getFactors } from "../../people/factors.ts";
import { assertNotSetUp, assertOpen, findPending, isOpen, register, setUp, signOut } from "../../people/sign-in.ts";
import { askForPasskey, type Proof } from "../../auth/factors/factors.ts";
import { allowTerminal, type TerminalOrder } from "../../people/terminal-sign-ins.ts";
import type { Outcome } from "../../../views/form.tsx";
import { Confirm, SetPassword } from "../../../views/pages/confirm.tsx";
import { FactorStep } from "../../../views/pages/factor-step.tsx";
import { Terminal } from "../../../views/pages/terminal.tsx";
import { ForgottenPassword, Login } from "../../../views/pages/login.tsx";
import { Register, SetUp } from "../../../views/pages/new-account.tsx";
import {
  CHALLENGE_COOKIE,
  cookie,
  cookiesOf,
  IMPERSONATION_COOKIE,
  noCookie,
  SESSION_COOKIE,
  signInCookies,
} from "../http/cookies.ts";
import { HTTP_STATUS } from "../http/errors.ts";
import { fitForm, problemOf } from "../pages/forms.ts";
import { Code, Credentials, NewAccount, only, Scope } from "../http/shapes.ts";
import { formRoute, pageRoute, type Answer, type Goto, type OpenPageCall, type PageCall } from "../pages/page-route.ts";
import { passkeyInForm } from "./proof.ts";
import { SIGN_IN_TEXTS } from "../../../views/texts/sign-in.ts";

export const Next = only({
  next: Type.Optional(Type.String({ maxLength: 2000 })),
  done: Type.Optional(Type.String({ maxLength: 20 })),
});
const SetUpQuery = only({ token: Type.Optional(Type.String({ maxLength: 200 })) });

type VisitorCall<Query = unknown> = OpenPageCall<unknown, Query>;
type UserCall<Query = unknown> = PageCall<unknown, Query>;

/** Accepts only paths of this server. Two slashes or a backslash at the start lead elsewhere. */
export const ownPath = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])[^\\\x00-\x1f]*$/.test(next) ? next : "/";

export const signedIn = (call: VisitorCall, signIn: SignIn, next = "/"): Goto => {
  for (const one of signInCookies(call.app, call.request, signIn)) call.header("set-cookie", one);
  call.header("set-cookie", noCookie(call.app.config, IMPERSONATION_COOKIE));
  return { goto: next };
};

/** Signs in, or continues with the second factor. The challenge is a cookie, so that it is in no URL and no history. */
const entered = (call: VisitorCall, entry: Entry, next = "/"): Goto => {
  if ("token" in entry) return signedIn(call, entry, next);
  const { config, clock } = call.app;
  call.header("set-cookie", cookie(config, CHALLENGE_COOKIE, entry.challenge, entry.expiresAt - clock()));
  return { goto: next === "/" ? "/login/factor" : `/login/factor?next=${encodeURIComponent(next)}` };
};

const waitingHere = (call: VisitorCall) =>
  findPending(call.app, cookiesOf(call.app.config, call.request, CHALLENGE_COOKIE), call.client);

/** On a page with several forms, the problem is shown next to the one that was sent. */
const formOf = ({ problem, done }: Outcome, otherwise: string): Outcome => {
  const form = ["code", "passkey"].find((name) => problem && name in problem.values) ?? otherwise;
  return { done, ...(problem ? { problem: { ...problem, form } } : {}) };
};

const factorPage = async (call: VisitorCall<{ next?: string }>, outcome: Outcome) => {
  const question = await waitingHere(call);
  if (!question) return { goto: "/login" };
  const { factors, passkey } = question;
  return {
    title: SIGN_IN_TEXTS.factor.secondFactor,
    takesPasskeys: passkey !== null,
    body: <FactorStep next={call.query.next} factors={factors} passkey={passkey} {...formOf(outcome, "code")} />,
  };
};

export const loginPage = async ({ app, query }: VisitorCall<{ next?: string; done?: string }>, outcome: Outcome) => ({
  title: SIGN_IN_TEXTS.login.signIn,
  body: (
    <Login
      next={query.next}
      registration={isOpen(app)}
      needsSetUp={await needsSetUp(app)}
      provider={app.provider?.name ?? null}
      isOut={query.done === "left"}
      sendsMail={app.sendMail !== null}
      canSignOutThere={(await app.provider?.signOutUrl()) != null}
      done={query.done}
      {...outcome}
    />
  ),
});

const setUpPage = ({ query }: VisitorCall<{ token?: string }>, outcome: Outcome) => ({
  title: SIGN_IN_TEXTS.account.pageTitle,
  body: <SetUp token={query.token ?? ""} {...outcome} />,
});

const registerPage = (_call: VisitorCall, outcome: Outcome) => ({
  title: SIGN_IN_TEXTS.account.createAccount,
  body: <Register {...outcome} />,
});

export const confirmPage = async (call: UserCall<{ next?: string; with?: "factor" }>, outcome: Outcome) => {
  const { app, caller, query } = call;
  const passkey = caller.hasFactor ? await askForPasskey(app, caller, call.client) : null;
  const factors = caller.hasFactor ? { hasApp: (await getFactors(app, caller.user)).app !== null, passkey } : null;
  const needsFactor = factors !== null && query.with === "factor";
  const { provider, hasPassword, identities } = await listIdentities(app, caller.user.id);
  return {
    title: SIGN_IN_TEXTS.confirm.title,
    takesPasskeys: passkey !== null,
    body: (
      <Confirm
        next={query.next}
        factors={factors}
        needsFactor={needsFactor}
        hasPassword={hasPassword}
        provider={identities.length > 0 ? provider : null}
        {...formOf(outcome, "confirm")}
      />
    ),
  };
};

const passwordPage = async ({ app, query }: VisitorCall<{ token?: string }>, outcome: Outcome) => {
  const token = query.token ?? "";
  return {
    title: SIGN_IN_TEXTS.confirm.setTitle,
    body: <SetPassword token={token} username={(await getOwnerOfLink(app, token)).username} {...outcome} />,
  };
};

const forgottenPage = ({ app }: VisitorCall, outcome: Outcome) => {
  assertSendsMail(app);
  return { title: SIGN_IN_TEXTS.login.forgotten, body: <ForgottenPassword {...outcome} /> };
};

/** Users named by a trusted proxy need no form. After signing out they are not signed in again immediately. */
const letInByProxy = async (call: VisitorCall<{ next?: string; done?: string }>, named: string): Promise<Answer> => {
  try {
    return signedIn(call, await signInByProxy(call.app, named, call.client), ownPath(call.query.next));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = problemOf("login", { message: error.message });
    return { ...(await loginPage(call, { problem })), status: HTTP_STATUS[error.code] };
  }
};

const ConfirmQuery = only({ ...Next.properties, with: Type.Optional(Type.Literal("factor")) });
const CodeWords = only({ code: Code });
const PasswordWords = only({ password: Type.String({ maxLength: 1000 }) });

/** The second factor in a form, or null. */
const factorIn = (fields: Record<string, string>): Proof | null => {
  if (fields.passkey !== undefined) return { passkey: passkeyInForm(fields.passkey) };
  return fields.code === undefined ? null : fitForm(CodeWords, fields);
};

const TerminalQuery = only({
  terminal: Type.String({ minLength: 64, maxLength: 64 }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  scope: Scope,
});

const terminalPage = ({ caller, query }: UserCall<TerminalOrder>, outcome: Outcome, code?: string) => ({
  title: SIGN_IN_TEXTS.terminal.title,
  body: <Terminal username={caller.user.username} order={query} code={code} {...outcome} />,
});

/** For anyone, and no write to an account. */
const signing = { access: "anyone", isSigning: true } as const;

export const signInPages = [
  pageRoute("/confirm", { notWhileImpersonating: true, query: ConfirmQuery, page: confirmPage }),
  formRoute("/confirm", {
    notWhileImpersonating: true,
    query: ConfirmQuery,
    form: "confirm",
    async submit({ app, caller, query, client }, fields) {
      await app.auth.confirm(caller, factorIn(fields) ?? fitForm(PasswordWords, fields), client);
      return { goto: ownPath(query.next) };
    },
    page: confirmPage,
  }),
  pageRoute("/password", { access: "anyone", query: SetUpQuery, page: passwordPage }),
  formRoute("/password", {
    ...signing,
    query: SetUpQuery,
    form: "new-password",
    fields: PasswordWords,
    async submit(call, { password }) {
      const set = { token: call.query.token ?? "", password };
      return entered(call, await setPasswordByLink(call.app, set, call.client));
    },
    page: passwordPage,
  }),
  pageRoute("/password/forgotten", { access: "anyone", page: forgottenPage }),
  formRoute("/password/forgotten", {
    ...signing,
    form: "forgotten",
    fields: only({ username: Type.String({ minLength: 1, maxLength: 200 }) }),
    async submit({ app, client }, { username }) {
      await mailForgottenLink(app, username, client);
      return { goto: "/login?done=mailed" };
    },
    page: forgottenPage,
  }),
  pageRoute("/login", {
    access: "anyone",
    query: Next,
    page(call) {
      if (call.caller) return { goto: ownPath(call.query.next) };
      const named = call.address.namedByProxy();
      const hasLeft = call.query.done !== undefined && call.query.done !== "ended";
      return named === null || hasLeft ? loginPage(call, {}) : letInByProxy(call, named);
    },
  }),
  formRoute("/login", {
    ...signing,
    query: Next,
    form: "login",
    fields: Credentials,
    submit: async (call, { username, password }) =>
      entered(call, await call.app.auth.signIn(username, password, call.client), ownPath(call.query.next)),
    page: loginPage,
  }),
  pageRoute("/login/terminal", { notWhileImpersonating: true, query: TerminalQuery, page: terminalPage }),
  formRoute("/login/terminal", {
    notWhileImpersonating: true,
    confirmed: true,
    query: TerminalQuery,
    form: "terminal",
    back: "/login/terminal",
    submit: async (call) => terminalPage(call, {}, await allowTerminal(call.app, call.caller, call.query)),
    page: terminalPage,
  }),
  pageRoute("/login/factor", { access: "anyone", query: Next, page: factorPage }),
  formRoute("/login/factor", {
    ...signing,
    query: Next,
    form: "code",
    async submit(call, fields) {
      const question = await waitingHere(call);
      if (!question) return { goto: "/login" };
      const proof = factorIn({ code: "", ...fields })!;
      const done = await call.app.auth.answer(question.challenge, proof, call.client);
      call.header("set-cookie", noCookie(call.app.config, CHALLENGE_COOKIE));
      return signedIn(call, done, ownPath(call.query.next));
    },
    page: factorPage,
  }),
  pageRoute("/setup", {
    access: "anyone",
    query: SetUpQuery,
    async page(call) {
      await assertNotSetUp(call.app);
      await call.app.setupToken.assert(call.query.token ?? "");
      return setUpPage(call, {});
    },
  }),
  formRoute("/setup", {
    ...signing,
    query: SetUpQuery,
    form: "setup",
    async submit(call, fields) {
      await assertNotSetUp(call.app);
      const user = { ...fitForm(NewAccount, fields), token: call.query.token ?? "" };
      return signedIn(call, await setUp(call.app, user, call.client));
    },
    page: setUpPage,
  }),
  pageRoute("/register", {
    access: "anyone",
    page(call) {
      assertOpen(call.app);
      return registerPage(call, {});
    },
  }),
  formRoute("/register", {
    ...signing,
    form: "register",
    async submit(call, fields) {
      assertOpen(call.app);
      return signedIn(call, await register(call.app, fitForm(NewAccount, fields), call.client));
    },
    page: registerPage,
  }),
  formRoute("/logout", {
    ...signing,
    form: "logout",
    async submit({ app, caller, header }) {
      if (caller) await signOut(app, caller);
      header("set-cookie", noCookie(app.config, IMPERSONATION_COOKIE));
      if (caller?.impersonatedBy) return { goto: "/admin/users" };
      header("set-cookie", noCookie(app.config, SESSION_COOKIE));
      return { goto: caller?.vouched ? "/login?done=left" : "/login" };
    },
  }),
  formRoute("/impersonation/stop", {
    ...signing,
    form: "stop",
    async submit({ app, caller, header }) {
      if (caller) await stopImpersonation(app, caller);
      header("set-cookie", noCookie(app.config, IMPERSONATION_COOKIE));
      return { goto: "/admin/users" };
    },
  }),
];
