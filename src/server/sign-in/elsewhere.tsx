/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import { AppError } from "../../kernel/errors.ts";
import {
  finishOidcSignIn,
  startOidcSignIn,
  createNewcomer,
  openNewcomer,
  findPendingSignIn,
  type SignInPurpose,
} from "../../people/oidc-sign-in.ts";
import { unlinkIdentity } from "../../people/identities.ts";
import type { Outcome } from "../../../views/form.tsx";
import { Newcomer } from "../../../views/pages/login.tsx";
import { Onward } from "../../../views/partials/settings/identities.tsx";
import { cookie, cookiesOf, noCookie } from "../http/cookies.ts";
import { HTTP_STATUS } from "../http/errors.ts";
import { fitForm, problemOf } from "../pages/forms.ts";
import { formRoute, pageRoute, type Answer, type Goto, type OpenPageCall } from "../pages/page-route.ts";
import { IdParam, only, Short } from "../http/shapes.ts";
import { securityPage } from "../settings/pages.tsx";
import { confirmPage, loginPage, Next, ownPath, signedIn } from "./pages.tsx";
import { SIGN_IN_TEXTS } from "../../../views/texts/sign-in.ts";
import { SETTINGS_TEXTS } from "../../../views/texts/settings.ts";

/** Keeps the state while the browser is at the provider, and while a new user chooses a name. */
const NOTE_COOKIE = "qsolog_elsewhere";
const NOTE_LIFETIME = 600_000;

type Call = OpenPageCall<unknown, { next?: string; done?: string }>;

const notesIn = ({ app, request }: OpenPageCall) => cookiesOf(app.config, request, NOTE_COOKIE);
const keepNote = ({ app, header }: OpenPageCall, note: string) =>
  header("set-cookie", cookie(app.config, NOTE_COOKIE, note, NOTE_LIFETIME));
const dropNote = ({ app, header }: OpenPageCall) => header("set-cookie", noCookie(app.config, NOTE_COOKIE));

/** Shows an error on the page where the sign-in began. */
const refusedOn = async (call: Call, isConfirming: boolean, error: unknown): Promise<Answer> => {
  if (!(error instanceof AppError)) throw error;
  const problem = problemOf(isConfirming ? "confirm" : "login", { message: error.message });
  const { caller, asker } = call;
  const page =
    isConfirming && caller && asker
      ? confirmPage({ ...call, caller, asker }, { problem })
      : loginPage(call, { problem });
  return { ...(await page), status: HTTP_STATUS[error.code] };
};

const away = (url: string | null): Answer =>
  url === null
    ? { goto: "/login" }
    : new Response(null, { status: 303, headers: { location: url, "cache-control": "no-store" } });

const setOut = async (call: Call, errand: SignInPurpose): Promise<Answer> => {
  const { app, caller } = call;
  try {
    const { url, note } = await startOidcSignIn(app, { errand, next: ownPath(call.query.next), caller });
    keepNote(call, note);
    return away(url);
  } catch (error) {
    return refusedOn(call, errand === "confirm", error);
  }
};

/** Where a signed-in user goes next, with which message. */
const arrived = ({ errand, next }: { errand: SignInPurpose; next: string }): Goto => ({
  goto: errand === "link" ? "/settings/security?done=identity" : next,
});

const back = async (call: Call): Promise<Answer> => {
  const { app, caller, request } = call;
  dropNote(call);
  try {
    const asked = { notes: notesIn(call), search: new URL(request.url).search, caller };
    const found = await finishOidcSignIn(app, asked, call.client);
    if (found.errand === "register") {
      keepNote(call, found.note);
      return { goto: "/login/new" };
    }
    return found.signIn ? signedIn(call, found.signIn, found.next) : arrived(found);
  } catch (error) {
    if (caller) throw error;
    return refusedOn(call, false, error);
  }
};

const newcomerPage = (call: OpenPageCall, outcome: Outcome): Answer => {
  const { provider } = call.app;
  const proved = openNewcomer(call.app, notesIn(call));
  if (!provider || !proved) return { goto: "/login" };
  const { label, username, callsign, email } = proved;
  return {
    title: SIGN_IN_TEXTS.login.createTitle,
    body: <Newcomer provider={provider.name} label={label} suggested={{ username, callsign, email }} {...outcome} />,
  };
};

const NewcomerForm = only({ username: Short, callsign: Type.Optional(Short), email: Type.Optional(Short) });
/** Providers add their own parameters. */
const Anything = Type.Record(Type.String(), Type.String());

const own = { notWhileImpersonating: true, confirmed: true } as const;

export const elsewherePages = [
  pageRoute("/login/with", {
    access: "anyone",
    query: Next,
    page: (call) => (call.app.provider ? setOut(call, "sign-in") : { goto: "/login" }),
  }),
  pageRoute("/login/onward", { access: "anyone", page: (call) => away(findPendingSignIn(call.app, notesIn(call))) }),
  pageRoute("/login/out", {
    access: "anyone",
    page: async ({ app }) => away((await app.provider?.signOutUrl()) ?? null),
  }),
  pageRoute("/login/back", {
    access: "anyone",
    query: Anything,
    page: (call) => (call.app.provider ? back({ ...call, query: {} }) : { goto: "/login" }),
  }),
  pageRoute("/login/new", { access: "anyone", page: newcomerPage }),
  formRoute("/login/new", {
    access: "anyone",
    isSigning: true,
    form: "newcomer",
    async submit(call, fields) {
      const proved = openNewcomer(call.app, notesIn(call));
      if (!proved) return { goto: "/login" };
      const signIn = await createNewcomer(call.app, proved, fitForm(NewcomerForm, fields), call.client);
      dropNote(call);
      return signedIn(call, signIn);
    },
    page: newcomerPage,
  }),
  pageRoute("/confirm/with", {
    notWhileImpersonating: true,
    query: Next,
    page: (call) => (call.app.provider ? setOut(call, "confirm") : { goto: "/confirm" }),
  }),
  formRoute("/settings/identities", {
    ...own,
    // Later sign-ins with this identity ask for no second factor here.
    confirmed: "with factor",
    form: "identity-link",
    back: "/settings/security",
    async submit(call) {
      const { app, caller } = call;
      const { note } = await startOidcSignIn(app, { errand: "link", next: "/settings/security", caller });
      keepNote(call, note);
      return { title: SETTINGS_TEXTS.identities.pageTitle, body: <Onward provider={app.provider!.name} /> };
    },
    page: securityPage,
  }),
  formRoute("/settings/identities/:id/remove", {
    ...own,
    params: IdParam,
    form: "identity",
    back: "/settings/security",
    done: "identity",
    submit: ({ app, caller, params, client }) => unlinkIdentity(app, caller, params.id, client),
    page: securityPage,
  }),
];
