import { createHmac } from "node:crypto";
import { revokeToken } from "../../src/people/tokens.ts";
import type { SignIn } from "../../src/auth/auth.ts";
import { DAY, MINUTE } from "../../src/kernel/clock.ts";
import { run } from "../../src/storage/engine/unit.ts";
import type { TestApp } from "../support/app.ts";

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

interface Parts {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: Uint8Array;
  hash?: "sha256" | "sha512";
}

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());

/** The token of a real session with one thing about it changed, signed as that says. */
const forge = (app: TestApp, { token }: SignIn, { header, claims, key, hash = "sha256" }: Parts): string => {
  const text = `${encode({ alg: "HS256", typ: "JWT", ...header })}.${encode({ ...claimsOf(token), ...claims })}`;
  const signature = createHmac(hash, key ?? app.vault.key("session"))
    .update(text)
    .digest("base64url");
  return `${text}.${signature}`;
};

const unsigned = ({ token }: SignIn): string => `${encode({ alg: "none" })}.${token.split(".")[1]}.`;

const tampered = ({ token }: SignIn, claims: Record<string, unknown>): string => {
  const [header, , signature] = token.split(".");
  return `${header}.${encode({ ...claimsOf(token), ...claims })}.${signature}`;
};

/** Each makes a token of Ann's that must open nothing, though a real session stands behind it. */
export const DEAD_TOKENS: Record<string, (app: TestApp) => Promise<string>> = {
  "an unsigned token": async (app) => unsigned(await app.signIn(app.ann)),
  "an unsigned token that says NONE": async (app) =>
    `${encode({ alg: "NONE", typ: "JWT" })}.${(await app.signIn(app.ann)).token.split(".")[1]}.`,
  "a token signed with HS512": async (app) =>
    forge(app, await app.signIn(app.ann), { header: { alg: "HS512" }, hash: "sha512" }),
  "a token signed with HS256 that says HS512": async (app) =>
    forge(app, await app.signIn(app.ann), { header: { alg: "HS512" } }),
  "a token of another issuer": async (app) => forge(app, await app.signIn(app.ann), { claims: { iss: "other" } }),
  "a token without issuer": async (app) => forge(app, await app.signIn(app.ann), { claims: { iss: undefined } }),
  "a token for another audience": async (app) => forge(app, await app.signIn(app.ann), { claims: { aud: "other" } }),
  "a token for no audience": async (app) => forge(app, await app.signIn(app.ann), { claims: { aud: undefined } }),
  "a token signed with another secret": async (app) =>
    forge(app, await app.signIn(app.ann), { key: app.vault.key("credentials") }),
  "a token without an end": async (app) => forge(app, await app.signIn(app.ann), { claims: { exp: undefined } }),
  "a token that names no session": async (app) => forge(app, await app.signIn(app.ann), { claims: { jti: undefined } }),
  "a token that names nobody": async (app) => forge(app, await app.signIn(app.ann), { claims: { sub: undefined } }),
  "a token of one's session with another's name": async (app) =>
    forge(app, await app.signIn(app.bob), { claims: { sub: String(app.ann.id) } }),
  "a token that claims to act for somebody": async (app) =>
    forge(app, await app.signIn(app.bob), { claims: { act: String(app.ann.id) } }),
  "a token that ended": async (app) =>
    forge(app, await app.signIn(app.ann), { claims: { exp: Math.floor((app.clock() - MINUTE) / 1000) } }),
  "a token whose claims were changed": async (app) => tampered(await app.signIn(app.bob), { sub: String(app.ann.id) }),
  "a token whose end was moved": async (app) => tampered(await app.signIn(app.ann), { exp: 99_999_999_999 }),
  "a session that ended": async (app) => {
    const { token } = await app.signIn(app.ann);
    await app.db.write(() => run`UPDATE sessions SET expires_at = ${app.clock() - DAY} WHERE user_id = ${app.ann.id}`);
    return token;
  },
  "a session that was signed out": async (app) => {
    const { token } = await app.signIn(app.ann);
    await app.withBearer(token).post("/api/auth/logout");
    return token;
  },
  "an API token that was revoked": async (app) => {
    const { id, token } = await app.withToken(app.ann, "write");
    await revokeToken(app, app.ann.id, id);
    return token;
  },
  "an API token that ended": async (app) => {
    const { id, token } = await app.withToken(app.ann, "write");
    await app.db.write(() => run`UPDATE api_tokens SET expires_at = ${app.clock() - 1} WHERE id = ${id}`);
    return token;
  },
  "an API token nobody made": async () => `qsl_${"A".repeat(43)}`,
  "a word": async () => "nonsense",
};
