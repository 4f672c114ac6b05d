import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterTest } from "./cleanup.ts";

export const CLIENT_ID = "qsolog";
export const CLIENT_SECRET = "a secret of this client, long enough";

/** Accounts at the provider by login name, with their claims. */
export type Accounts = Record<string, Record<string, unknown>>;

interface Options {
  accounts: Accounts;
  /** The public address of the program under test. */
  baseUrl: string;
  isPublic?: boolean;
  /** Changes the ID token between provider and program. */
  tamper?: (idToken: string) => string;
}

/** A signing key, created for each provider. */
const aKey = () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: Bun.randomUUIDv7() };
};

/** A certified OpenID Connect provider on a local address, with its own pages. */
export const aProvider = async ({ accounts, baseUrl, isPublic = false, tamper }: Options) => {
  const { default: OidcProvider } = (await import("oidc-provider" as string)) as { default: any };
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new OidcProvider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        redirect_uris: [`${baseUrl}/login/back`],
        post_logout_redirect_uris: [`${baseUrl}/login`],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        ...(isPublic ? { token_endpoint_auth_method: "none" } : { client_secret: CLIENT_SECRET }),
      },
    ],
    jwks: { keys: [aKey()] },
    cookies: { keys: ["a key for cookies"] },
    pkce: { required: () => true },
    claims: {
      openid: ["sub"],
      profile: ["preferred_username", "name", "callsign", "groups"],
      email: ["email"],
    },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Session: 6000, Grant: 6000 },
    findAccount: (_: unknown, id: string) =>
      accounts[id] && { accountId: id, claims: () => ({ sub: id, ...accounts[id] }) },
    features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  });
  const asked: string[] = [];
  let isDown = false;
  const answer = provider.callback() as (request: IncomingMessage, response: ServerResponse) => void;
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method} ${request.url!.split("?")[0]}`);
    if (tamper && request.url === "/token") changing(response, tamper);
    if (!isDown) return answer(request, response);
    response.statusCode = 503;
    response.end();
  });
  const stop = () =>
    new Promise<void>((stopped) => {
      server.closeAllConnections();
      server.close(() => stopped());
    });
  afterTest(stop);
  return {
    issuer,
    asked,
    env: {
      QSOLOG_BASE_URL: baseUrl,
      QSOLOG_OIDC_ISSUER: issuer,
      QSOLOG_OIDC_CLIENT_ID: CLIENT_ID,
      QSOLOG_OIDC_NAME: "Authelia",
      ...(isPublic ? {} : { QSOLOG_OIDC_CLIENT_SECRET: CLIENT_SECRET }),
    },
    goDown: (down: boolean) => void (isDown = down),
    visitor: () => aVisitor(issuer, baseUrl),
  };
};

const changing = (response: ServerResponse, tamper: (idToken: string) => string): void => {
  const end = response.end.bind(response) as (text: string) => ServerResponse;
  response.end = ((body: string | Buffer) => {
    const answer = JSON.parse(String(body));
    const text = JSON.stringify({ ...answer, id_token: tamper(answer.id_token) });
    response.setHeader("content-length", Buffer.byteLength(text));
    return end(text);
  }) as ServerResponse["end"];
};

export type TestProvider = Awaited<ReturnType<typeof aProvider>>;

/** A browser session at the provider. */
const aVisitor = (issuer: string, baseUrl: string) => {
  const jar = new Map<string, string>();
  const ask = async (url: string, fields?: Record<string, string>) => {
    const response = await fetch(url, {
      method: fields ? "POST" : "GET",
      redirect: "manual",
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(fields ? { body: new URLSearchParams(fields) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return response;
  };
  /** Whether the provider's page asks for a login or for consent. */
  const promptOn = (page: string): string => (page.includes('name="login"') ? "login" : "consent");
  return {
    /** Follows the redirect to the provider, signs in, and returns the redirect back. */
    async signIn(url: string, login: string, { declines = false }: { declines?: boolean } = {}) {
      const prompts: string[] = [];
      let at = url;
      for (let steps = 0; steps < 12; steps++) {
        const response = await ask(at);
        const to = response.headers.get("location");
        if (to?.startsWith(baseUrl)) return { back: to.slice(baseUrl.length), prompts };
        if (to) {
          at = new URL(to, issuer).href;
          continue;
        }
        if (declines) {
          at = `${at}/abort`;
          continue;
        }
        const prompt = promptOn(await response.text());
        prompts.push(prompt);
        const sent = await ask(at, prompt === "login" ? { prompt, login, password: "any" } : { prompt });
        at = new URL(sent.headers.get("location")!, issuer).href;
      }
      throw new Error(`the provider never sent back; it was last at ${at}`);
    },
  };
};
