import type * as openid from "openid-client";
import { DAY, HOUR, SECOND } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { stripToOneLine } from "../../kernel/control-characters.ts";
import type { World } from "../../world.ts";
import { askProvider, ProviderDown } from "./http.ts";

type Deps = Pick<World, "config" | "clock" | "random" | "log">;

/** What only the browser that began a sign-in and this server know. */
export interface Secrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** Somebody whom the provider knows. */
export interface Proved {
  issuer: string;
  subject: string;
  /** When they proved it there; 0 where the provider does not say. */
  provedAt: number;
  /** What people call the account there. */
  label: string | null;
  username: string | null;
  email: string | null;
  callsign: string | null;
  /** The value that the operator lets sign in as the user of that name. */
  signsInAs: string | null;
  isInAdminGroup: boolean;
}

/** Where the provider sends people back to. */
export const RETURN_PATH = "/login/back";

const PATIENCE_SECONDS = 10;
const CLOCKS_APART_SECONDS = 60;
const ASKED_AGAIN_AFTER = 1 * HOUR;
/** What was learned before is better than nothing while the provider does not answer. */
const KEPT = 1 * DAY;
const MAX_SIGN_IN_AGE = 30 * DAY;
const SECRET_BYTES = 32;
const MAX_SUBJECT_LENGTH = 255;
const MAX_LABEL_LENGTH = 64;

/** Null where the operator named none. */
export const providerOf = (deps: Deps): Provider | null =>
  deps.config.oidcIssuer === null ? null : new Provider(deps, deps.config.oidcIssuer);

/** The provider that people may sign in by: the code flow of OpenID Connect, with PKCE, state and nonce. */
export class Provider {
  readonly name: string;
  readonly issuer: string;
  readonly #deps: Deps;
  #known: { at: number; found: openid.Configuration } | null = null;
  #asking: Promise<openid.Configuration> | null = null;

  constructor(deps: Deps, issuer: string) {
    this.#deps = deps;
    this.issuer = issuer;
    this.name = stripToOneLine(deps.config.oidcName ?? new URL(issuer).host);
  }

  /** Where to send a browser, and what to expect when it comes back. Fresh: the provider asks who it is once more. */
  async begin({ isFresh }: { isFresh: boolean }): Promise<{ url: string; secrets: Secrets }> {
    const found = await this.#configuration();
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import("openid-client");
    const secrets = { state: this.#secret(), nonce: this.#secret(), verifier: this.#secret() };
    const url = buildAuthorizationUrl(found, {
      redirect_uri: this.#returnUrl().href,
      scope: this.#deps.config.oidcScopes,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: "S256",
      // Who is asked how old a proof may be says how old it is.
      ...(isFresh ? { prompt: "login", max_age: "0" } : { max_age: String(MAX_SIGN_IN_AGE / SECOND) }),
    });
    return { url: url.href, secrets };
  }

  /** Who came back. What the browser brings counts for nothing until the provider has been asked itself. */
  async finish(search: string, { state, nonce, verifier }: Secrets): Promise<Proved> {
    const found = await this.#configuration();
    const { authorizationCodeGrant, fetchUserInfo } = await import("openid-client");
    const url = this.#returnUrl();
    url.search = search;
    try {
      const tokens = await authorizationCodeGrant(found, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      const more = found.serverMetadata().userinfo_endpoint
        ? await fetchUserInfo(found, tokens.access_token, claims.sub)
        : {};
      return this.#proved({ ...more, ...claims });
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  /** Refuses who came back without having been asked once more since then. */
  assertFresh({ provedAt }: Proved, since: number): void {
    if (provedAt >= since - CLOCKS_APART_SECONDS * SECOND) return;
    throw new AppError("forbidden", `${this.name} did not ask you to sign in once more.`, { rule: "provider_refused" });
  }

  /** Where people sign out of the provider itself; null where it does not say, or has not been asked yet. */
  async signOutUrl(): Promise<string | null> {
    if (!this.#known?.found.serverMetadata().end_session_endpoint) return null;
    const { buildEndSessionUrl } = await import("openid-client");
    return buildEndSessionUrl(this.#known.found, { post_logout_redirect_uri: this.#own("/login") }).href;
  }

  /** What the provider says of itself, asked once an hour and by one at a time. */
  async #configuration(): Promise<openid.Configuration> {
    const age = this.#known ? this.#deps.clock() - this.#known.at : Infinity;
    if (age < ASKED_AGAIN_AFTER) return this.#known!.found;
    this.#asking ??= this.#discover().finally(() => void (this.#asking = null));
    try {
      return await this.#asking;
    } catch (error) {
      if (age < KEPT) return this.#known!.found;
      throw this.#refusal(error);
    }
  }

  async #discover(): Promise<openid.Configuration> {
    const client = await import("openid-client");
    const { oidcClientId, oidcClientSecret } = this.#deps.config;
    const issuer = new URL(this.issuer);
    const found = await client.discovery(
      issuer,
      oidcClientId!,
      { [client.clockTolerance]: CLOCKS_APART_SECONDS },
      oidcClientSecret === null ? client.None() : client.ClientSecretBasic(oidcClientSecret),
      {
        timeout: PATIENCE_SECONDS,
        [client.customFetch]: askProvider as openid.CustomFetch,
        // The signature counts, although the answer came from the provider itself.
        execute: [
          client.enableNonRepudiationChecks,
          ...(issuer.protocol === "http:" ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    this.#known = { at: this.#deps.clock(), found };
    return found;
  }

  #proved(claims: Record<string, unknown>): Proved {
    const { config } = this.#deps;
    const text = (name: string | null) => {
      const value = name === null ? null : claims[name];
      return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
    };
    const subject = text("sub");
    if (subject === null || subject.length > MAX_SUBJECT_LENGTH) throw new Error("no subject");
    const label = text("preferred_username") ?? text("email") ?? text("name");
    return {
      issuer: this.issuer,
      subject,
      provedAt: typeof claims.auth_time === "number" ? claims.auth_time * SECOND : 0,
      label: label && stripToOneLine(label).slice(0, MAX_LABEL_LENGTH),
      username: text("preferred_username"),
      email: text("email"),
      callsign: text(config.oidcCallsignClaim),
      signsInAs: text(config.oidcUsernameClaim),
      isInAdminGroup: config.oidcAdminGroup !== null && groupsIn(claims.groups).includes(config.oidcAdminGroup),
    };
  }

  /** In words for a person; what exactly was wrong is in the log. */
  #refusal(error: unknown): AppError {
    if (error instanceof AppError) return error;
    const causes = causesOf(error);
    const reason = causes.map(wordOf).join(": ");
    this.#deps.log.warn("provider.refused", { issuer: this.issuer, reason: stripToOneLine(reason).slice(0, 300) });
    if (causes.some((one) => one instanceof ProviderDown || (one as Error).name === "TimeoutError")) {
      return new AppError("upstream", `${this.name} does not answer just now. Try again later, or use your password.`, {
        rule: "provider_down",
        cause: error,
      });
    }
    const isDeclined = causes.some((one) => (one as { error?: unknown }).error === "access_denied");
    const message = isDeclined
      ? `${this.name} did not let you in: it was declined there.`
      : `What ${this.name} answered cannot be used. Try once more.`;
    return new AppError("forbidden", message, { rule: "provider_refused", cause: error });
  }

  #secret(): string {
    return Buffer.from(this.#deps.random(SECRET_BYTES)).toString("base64url");
  }

  #returnUrl(): URL {
    return new URL(this.#own(RETURN_PATH));
  }

  #own(path: string): string {
    return this.#deps.config.baseUrl!.replace(/\/$/, "") + path;
  }
}

const groupsIn = (claim: unknown): readonly unknown[] => (Array.isArray(claim) ? claim : [claim]);

const causesOf = (error: unknown): unknown[] =>
  error instanceof Error && error.cause !== undefined ? [error, ...causesOf(error.cause)] : [error];

const wordOf = (error: unknown): string => {
  const { code, error: word, message } = error as { code?: string; error?: string; message?: string };
  return String(word ?? code ?? message);
};
