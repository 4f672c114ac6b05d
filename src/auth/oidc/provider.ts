import type * as openid from "openid-client";
import { DAY, HOUR, SECOND } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { stripToOneLine } from "../../kernel/control-characters.ts";
import type { World } from "../../world.ts";
import { askProvider, ProviderDown } from "./http.ts";

type Deps = Pick<World, "config" | "clock" | "random" | "log">;

/** Values that only this server and the browser that started the sign-in know. */
export interface Secrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** A user identified by the provider. */
export interface Proved {
  issuer: string;
  subject: string;
  /** When the user signed in at the provider; 0 if it does not say. */
  provedAt: number;
  /** The display name of the account at the provider. */
  label: string | null;
  username: string | null;
  email: string | null;
  callsign: string | null;
  /** The claim that the operator allows as username. */
  signsInAs: string | null;
  isInAdminGroup: boolean;
}

/** The redirect URI. */
const RETURN_PATH = "/login/back";

const PATIENCE_SECONDS = 10;
const CLOCKS_APART_SECONDS = 60;
const ASKED_AGAIN_AFTER = 1 * HOUR;
/** Old metadata is better than none while the provider does not respond. */
const KEPT = 1 * DAY;
const MAX_SIGN_IN_AGE = 30 * DAY;
const SECRET_BYTES = 32;
const MAX_SUBJECT_LENGTH = 255;
const MAX_LABEL_LENGTH = 64;

/** Null if no provider is configured. */
export const createProvider = (deps: Deps): Provider | null =>
  deps.config.oidcIssuer === null ? null : new Provider(deps, deps.config.oidcIssuer);

/** Single sign-on with OpenID Connect: authorization code flow with PKCE, state and nonce. */
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

  /**
   * Returns the URL for the browser and the values to check on return. `isFresh` makes the provider ask for the
   * password again.
   */
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
      // With max_age the provider must return the time of the sign-in.
      ...(isFresh ? { prompt: "login", max_age: "0" } : { max_age: String(MAX_SIGN_IN_AGE / SECOND) }),
    });
    return { url: url.href, secrets };
  }

  /** Completes a sign-in. Nothing that the browser brings is trusted before it is exchanged with the provider. */
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

  /** Throws if the user was not asked again since then. */
  assertFresh({ provedAt }: Proved, since: number): void {
    if (provedAt >= since - CLOCKS_APART_SECONDS * SECOND) return;
    throw new AppError("forbidden", `${this.name} did not ask you to sign in again.`, { rule: "provider_refused" });
  }

  /** The provider's sign-out URL; null if it has none or its metadata is not loaded. */
  async signOutUrl(): Promise<string | null> {
    if (!this.#known?.found.serverMetadata().end_session_endpoint) return null;
    const { buildEndSessionUrl } = await import("openid-client");
    return buildEndSessionUrl(this.#known.found, { post_logout_redirect_uri: this.#own("/login") }).href;
  }

  /** The provider's metadata, refreshed once an hour by one request. */
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
        // Check the signature although the token came directly from the provider.
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
      isInAdminGroup: config.oidcAdminGroup !== null && readGroups(claims.groups).includes(config.oidcAdminGroup),
    };
  }

  /** An error for the user. Details are in the log. */
  #refusal(error: unknown): AppError {
    if (error instanceof AppError) return error;
    const causes = listCauses(error);
    const reason = causes.map(wordOf).join(": ");
    this.#deps.log.warn("oidc.refused", { issuer: this.issuer, reason: stripToOneLine(reason).slice(0, 300) });
    if (causes.some((one) => one instanceof ProviderDown || (one as Error).name === "TimeoutError")) {
      return new AppError("upstream", `${this.name} is not responding. Try again later, or use your password.`, {
        rule: "provider_down",
        cause: error,
      });
    }
    const isDeclined = causes.some((one) => (one as { error?: unknown }).error === "access_denied");
    const message = isDeclined
      ? `${this.name} declined the sign-in.`
      : `${this.name} sent an invalid answer. Try again.`;
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

const readGroups = (claim: unknown): readonly unknown[] => (Array.isArray(claim) ? claim : [claim]);

const listCauses = (error: unknown): unknown[] =>
  error instanceof Error && error.cause !== undefined ? [error, ...listCauses(error.cause)] : [error];

const wordOf = (error: unknown): string => {
  const { code, error: word, message } = error as { code?: string; error?: string; message?: string };
  return String(word ?? code ?? message);
};
