/** @jsxImportSource @kitajs/html */
import type { App } from "../../app.ts";
import { NOWHERE, type Address } from "../http/client-address.ts";
import { MINUTE, SECOND } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { LogCaller } from "../../logbook/caller.ts";
import { readText } from "../../kernel/schema.ts";
import { Layout, type Frame } from "../../../views/layout.tsx";
import { Refused } from "../../../views/pages/refused.tsx";
import type { Outcome } from "../../../views/form.tsx";
import { ASSETS, FONTS } from "./assets.ts";
import { basePathOf, KEPT_FORM_COOKIE, noCookie, SESSION_COOKIE } from "../http/cookies.ts";
import { admit, hostsOf, type Visit } from "../http/admit.ts";
import { askerOf, callOf, pathParams } from "../http/dispatch.ts";
import { HTTP_STATUS, nothingHere, retryHeaders, toAppError } from "../http/errors.ts";
import { fitForm, problemOf, readForm } from "./forms.ts";
import { html, REST_MARK, streamedHtml } from "./html.ts";
import { keepForm, keptForm } from "./resubmit-form.ts";
import { PageProgress } from "./page-progress.ts";
import { pageRoute, type Answer, type Form, type OpenPageCall, type PageRoute } from "./page-route.ts";
import { UNKNOWN_ROUTE } from "../http/request-log.ts";
import { TEXTS } from "../../../views/texts/shared.ts";
import { SIGN_IN_TEXTS } from "../../../views/texts/sign-in.ts";

/** Answers one request for a page or from a form. Errors are pages too. */
export const dispatchPage = async (
  app: App,
  route: PageRoute,
  request: Request,
  params: Record<string, string>,
  address: Address,
): Promise<Response> => {
  return new PageVisit({ app, request, address, route, params }).open();
};

export const missingPage = (app: App, request: Request): Promise<Response> =>
  dispatchPage(
    app,
    pageRoute(UNKNOWN_ROUTE, { access: "anyone", page: () => Promise.reject(nothingHere()) }),
    request,
    {},
    NOWHERE,
  );

/** Less than the time after which a silent connection is closed. */
const SIGN_OF_LIFE_EVERY = 30 * SECOND;

interface Visited {
  app: App;
  request: Request;
  address: Address;
  route: PageRoute;
  /** A route without parameters gets none, not an empty object. */
  params?: Record<string, string>;
}

class PageVisit {
  readonly #app: App;
  readonly #request: Request;
  readonly #visit: Visit;
  readonly #url: URL;
  readonly #base: string;
  readonly #route: PageRoute;
  readonly #params: Record<string, string>;
  readonly #progress = new PageProgress();

  constructor({ app, request, address, route, params = {} }: Visited) {
    this.#app = app;
    this.#request = request;
    this.#route = route;
    this.#params = params;
    this.#visit = { caller: null, address, headers: new Headers() };
    this.#url = new URL(request.url);
    this.#base = basePathOf(app.config.baseUrl);
  }

  /** The whole page, or, if its progress is known before it is ready, first its head and the progress. */
  async open(): Promise<Response> {
    const answer = this.#answer().catch((error: unknown) => this.#refused(this.#refusalOf(error)));
    await Promise.race([answer, this.#progress.begun]);
    if (this.#progress.title === null) return answer;
    // A script would wait for the whole page, so the browser loads it instead.
    if (this.#isLive) return this.#gone(this.#url.pathname.slice(this.#base.length) + this.#url.search);
    return this.#asItComes(this.#progress.title, answer);
  }

  async #asItComes(title: string, answer: Promise<Response>): Promise<Response> {
    const content = answer.then((response) => response.text());
    const callOff = this.#app.every(SIGN_OF_LIFE_EVERY, () => this.#progress.say(" "));
    content.then(callOff, callOff);
    const page = (
      <Layout frame={this.#frame(false)} title={title}>
        {REST_MARK as "safe"}
      </Layout>
    );
    return this.#withHeaders(await streamedHtml(page, () => this.#progress.until(content)));
  }

  async #answer(): Promise<Response> {
    const { spec, page, form } = this.#route;
    const words = await admit(this.#app, this.#request, { ...spec, isPage: true }, this.#visit, async () => ({
      params: spec.params ? pathParams(spec.params, this.#params) : {},
      query: spec.query ? readText(spec.query, Object.fromEntries(this.#url.searchParams)) : {},
      body: form && !spec.rawBody ? await readForm(this.#request) : {},
    }));
    const watching = (title: string) => this.#watching(title);
    const call = callOf(this.#app, this.#request, this.#visit, { ...words, watching });
    if (form) return this.#submitted(form, call, words.body);
    return this.#respond((await this.#asItWasTyped(call)) ?? (await page!(call, outcomeOf(call))));
  }

  #watching(title: string): LogCaller {
    const asker = askerOf(this.#visit.caller!, this.#request);
    // A script shows the outcome of a form when it is complete.
    if (this.#isLive && this.#request.method !== "GET") return asker;
    return Object.assign(asker, { onProgress: this.#progress.hearFor(title) });
  }

  /** The page with the form that was sent too long after the last confirmation, filled in again. */
  async #asItWasTyped(call: OpenPageCall): Promise<Answer | null> {
    if (this.#isLive) return null;
    const here = this.#url.pathname.slice(this.#base.length) + this.#url.search;
    const kept = keptForm(this.#app, this.#request, call.caller, here);
    if (!kept) return null;
    const { PAGE_ROUTES } = await import("./page-routes.ts");
    const route = PAGE_ROUTES.find(({ spec }) => spec.method === "POST" && spec.path === kept.path);
    if (!route?.form || !route.page) return null;
    this.#visit.headers.append("set-cookie", noCookie(this.#app.config, KEPT_FORM_COOKIE));
    const params = route.spec.params ? pathParams(route.spec.params, kept.params) : {};
    const problem = problemOf(filled(route.form.form, params), { message: TEXTS.forms.sendAgain }, kept.values);
    return route.page({ ...call, params }, outcomeOf(call, { problem }));
  }

  /** Keeps the contents of a form that was sent too long after the last confirmation. */
  async #keep(): Promise<void> {
    const { spec, form, page } = this.#route;
    const { caller, headers } = this.#visit;
    if (!caller || !form || !page || spec.rawBody) return;
    const values = await readForm(this.#request).catch(() => ({}));
    const kept = { userId: caller.user.id, path: spec.path, params: this.#params, page: this.#formPage, values };
    const line = keepForm(this.#app, kept);
    if (line) headers.append("set-cookie", line);
  }

  async #submitted(
    { form, fields: schema, back = "/", done = "", submit }: Form,
    call: OpenPageCall,
    fields: Record<string, string>,
  ): Promise<Response> {
    const { page } = this.#route;
    let answer: Answer | string;
    try {
      answer = (await submit(call, schema ? fitForm(schema, fields) : fields)) ?? filled(done, call.params);
    } catch (error) {
      if (!page) throw error;
      const refusal = this.#refusalOf(error);
      this.#setRetry(refusal);
      const shown = await page(
        call,
        outcomeOf(call, { problem: problemOf(filled(form, call.params), refusal, fields) }),
      );
      // A page without the form cannot show its problem.
      if ("body" in shown && !String(shown.body).includes('role="alert"')) throw refusal;
      return this.#respond(shown, HTTP_STATUS[refusal.code]);
    }
    if (typeof answer !== "string") return this.#respond(answer);
    if (this.#isLive && page) return this.#respond(await page(call, { done: answer }));
    return this.#respond({ goto: withDone(filled(back, call.params), answer, this.#url.search) });
  }

  #refusalOf(error: unknown): AppError {
    const { method, path } = this.#route.spec;
    return toAppError(this.#app, error, { method, path });
  }

  #setRetry(refusal: AppError): void {
    for (const [name, value] of Object.entries(retryHeaders(refusal))) this.#visit.headers.set(name, value);
  }

  /** Whether a script of the page asks, and takes a part of the answer. */
  get #isLive(): boolean {
    return this.#request.headers.has("hx-request");
  }

  async #respond(answer: Answer, status?: number): Promise<Response> {
    if (answer instanceof Response) return this.#withHeaders(answer);
    if ("goto" in answer) return this.#gone(answer.goto);
    if ("fragment" in answer) return this.#withHeaders(await html(answer.fragment, status));
    const { title, body, rest, takesPasskeys = false } = answer;
    const code = status ?? answer.status ?? 200;
    const content = rest ? String(body) + REST_MARK : body;
    const page =
      this.#isLive || this.#progress.title !== null ? (
        content
      ) : (
        <Layout frame={this.#frame(takesPasskeys)} title={title}>
          {content as "safe"}
        </Layout>
      );
    if (!rest) return this.#withHeaders(await html(page, code));
    const restOrRefusal = () => rest().catch((error) => this.#refusedLate(error));
    return this.#withHeaders(await streamedHtml(page, () => [restOrRefusal().then(String)], code));
  }

  /** The status has already been sent. */
  #refusedLate(error: unknown): JSX.Element {
    const { message } = this.#refusalOf(error);
    return (
      <p class="empty" role="alert" safe>
        {message}
      </p>
    );
  }

  #gone(path: string): Response {
    const location = this.#base + asHeader(path);
    const response = this.#isLive
      ? new Response(null, { status: 204, headers: { "hx-redirect": location } })
      : new Response(null, { status: 303, headers: { location } });
    response.headers.set("cache-control", "no-store");
    return this.#withHeaders(response);
  }

  /** Visitors who are not signed in go to the sign-in page. Other errors are shown on a page. */
  async #refused(refusal: AppError): Promise<Response> {
    const { code, rule, jobId } = refusal;
    if (rule === "reauthenticate" || rule === "factor_required") await this.#keep();
    if (rule === "reauthenticate") return this.#gone(`/confirm?next=${encodeURIComponent(this.#formPage)}`);
    if (rule === "factor_required") return this.#gone(this.#whereFactorsAre());
    if (code === "unauthenticated" && rule !== "impersonation_ended") {
      const login = `/login?next=${encodeURIComponent(this.#here())}`;
      if (rule !== "session_ended") return this.#gone(login);
      this.#visit.headers.append("set-cookie", noCookie(this.#app.config, SESSION_COOKIE));
      return this.#gone(`${login}&done=ended`);
    }
    this.#setRetry(refusal);
    if (this.#isLive) this.#placeRefusal(HTTP_STATUS[code]);
    const isSignedIn = this.#visit.caller !== null;
    const body = <Refused code={code} message={refusal.message} rule={rule} jobId={jobId} isSignedIn={isSignedIn} />;
    return this.#respond({ title: SIGN_IN_TEXTS.refused.other, body }, HTTP_STATUS[code]);
  }

  /** The page with the form. */
  get #formPage(): string {
    return filled(this.#route.form?.back ?? "/", this.#params) + this.#url.search;
  }

  /** Users with a second factor confirm with it. Others set one up. */
  #whereFactorsAre(): string {
    if (!this.#visit.caller?.hasFactor) return "/settings/security?done=factor-required#second-factor";
    const next = this.#request.method === "GET" ? this.#here() : this.#formPage;
    return `/confirm?with=factor&next=${encodeURIComponent(next)}`;
  }

  /**
   * An error replaces the page. A temporary one, such as a restart, leaves the page as it is, because it asks again.
   */
  #placeRefusal(status: number): void {
    if (this.#request.method === "GET" && status >= 500) return this.#visit.headers.set("hx-reswap", "none");
    this.#visit.headers.set("hx-reswap", "innerHTML");
    this.#visit.headers.set("hx-retarget", "#content");
    this.#visit.headers.set("hx-reselect", "#refused");
  }

  /** The page to return to: this one, or the one with this form or part. */
  #here(): string {
    const { method, headers } = this.#request;
    const isPage = method === "GET" && !this.#isLive;
    const asked = isPage ? this.#request.url : (headers.get("hx-current-url") ?? headers.get("referer") ?? "");
    const url = URL.parse(asked);
    const isOurs = isPage || (url !== null && hostsOf(this.#request, this.#app.config.baseUrl).includes(url.host));
    if (!url || !isOurs || !url.pathname.startsWith(this.#base)) return "/";
    return (url.pathname.slice(this.#base.length) || "/") + url.search;
  }

  #withHeaders(response: Response): Response {
    for (const [name, value] of this.#visit.headers) response.headers.append(name, value);
    return response;
  }

  #frame(takesPasskeys: boolean): Frame {
    const below = ({ path }: { path: string }) => path.slice(1);
    const { style, htmx, icon, passkeys } = ASSETS;
    const { user = null, impersonatedBy = null, expiresAt = null } = this.#visit.caller ?? {};
    const left = Math.max(0, Math.ceil(((expiresAt ?? 0) - this.#app.clock()) / MINUTE));
    return {
      base: `${this.#base}/`,
      path: this.#url.pathname.slice(this.#base.length + 1),
      query: this.#url.search,
      assets: { style: below(style), font: below(FONTS.Inter), htmx: below(htmx), icon: below(icon) },
      script: takesPasskeys ? below(passkeys) : null,
      user: user && { username: user.username, callsign: user.callsign, isAdmin: user.isAdmin },
      actingFor: impersonatedBy && { administrator: impersonatedBy.username, minutesLeft: left },
      now: this.#app.clock(),
    };
  }
}

/** A path as a header value. Existing escapes stay. */
const asHeader = (path: string): string => path.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent);

/** What a page shows of a form. After a redirect, the name of what was done is in the query. */
const outcomeOf = ({ query }: OpenPageCall, outcome: Outcome = {}): Outcome => ({
  done: (query as { done?: string }).done,
  ...outcome,
});

/** Fills in the parameters of a path such as `/jobs/:id`, or of the name of a form. */
const filled = (path: string, params: unknown): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );

const withDone = (path: string, done: string, search: string): string => {
  const query = new URLSearchParams(search);
  if (done !== "") query.set("done", done);
  return query.size > 0 ? `${path}?${query}` : path;
};
