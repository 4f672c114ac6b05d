import { describe, expect, test } from "bun:test";
import { PAGE_ROUTES } from "../../src/server/pages/page-routes.ts";
import type { PageRoute } from "../../src/server/pages/page-route.ts";
import { createToken } from "../../src/people/tokens.ts";
import { many, raw } from "../../src/storage/engine/unit.ts";
import type { Answer, Asker, TestApp } from "../support/app.ts";
import { aServerInUse, type Seed } from "./seed.ts";

type Spec = PageRoute["spec"];

const nameOf = ({ spec }: PageRoute): string => `${spec.method} ${spec.path}`;

/** What a page or form gives to somebody it is for: itself, the way to another, or a word about what was sent. */
const LETS_IN = "lets in";

interface Person {
  who: string;
  asker: (seed: Seed) => Promise<Asker>;
  outcome: (spec: Spec) => string;
}

const PEOPLE: Person[] = [
  {
    who: "nobody",
    asker: async ({ app }) => app.visitor,
    outcome: ({ access }) => (access === "anyone" ? LETS_IN : "to the sign-in"),
  },
  { who: "the user", asker: ({ app }) => app.browser(app.bob), outcome: (spec) => asUser(spec, true) },
  { who: "another user", asker: ({ app }) => app.browser(app.eve), outcome: (spec) => asUser(spec, false) },
  {
    who: "an administrator",
    asker: ({ app }) => app.browser(app.ann),
    outcome: (spec) => (isBobs(spec) ? "not found" : LETS_IN),
  },
  {
    who: "an administrator acting as the user",
    asker: impersonating,
    outcome: (spec) => {
      if (spec.access === "anyone") return LETS_IN;
      return spec.notWhileImpersonating ? "impersonating" : asUser(spec, true);
    },
  },
  ...(["read", "write"] as const).map((scope) => ({
    who: `the user's ${scope} token`,
    asker: ({ app }: Seed) => app.withToken(app.bob, scope),
    outcome: () => "session_required",
  })),
  {
    who: "an administrator's write token",
    asker: ({ app }) => app.withToken(app.ann, "write"),
    outcome: () => "session_required",
  },
];

/** Only the owner finds what the path names. */
const isBobs = ({ path, method }: Spec): boolean =>
  /^\/(log|jobs)\/:id/.test(path) ||
  (method === "POST" && /^\/settings\/(sessions|tokens|notices|identities|factors\/passkeys)\/:id/.test(path));

const asUser = (spec: Spec, isBob: boolean): string => {
  if (spec.access === "administrator") return "not_admin_caller";
  return isBobs(spec) && !isBob ? "not found" : LETS_IN;
};

async function impersonating({ app }: Seed): Promise<Asker> {
  const browser = await app.browser(app.ann);
  await browser.post(`/admin/users/${app.bob.id}/impersonate`, "", FORM);
  return browser;
}

const FORM = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };

const pathOf = ({ path, method }: Spec, seed: Seed): string => {
  const id = path.startsWith("/log")
    ? seed.qsoId
    : path.startsWith("/jobs")
      ? path.includes("undo")
        ? seed.importJob
        : seed.failedJob
      : path.startsWith("/awards")
        ? "dxcc"
        : path.startsWith("/settings/sessions")
          ? seed.sessionId
          : path.startsWith("/settings/tokens")
            ? seed.tokenId
            : path.startsWith("/settings/identities")
              ? seed.identityId
              : path.startsWith("/settings/notices")
                ? seed.targetId
                : path.startsWith("/settings/factors")
                  ? seed.passkeyId
                  : seed.amy.id;
  if (path.includes(":token")) return `/admin/users/${seed.app.bob.id}/tokens/${seed.tokenId}/revoke`;
  const filled = path.replace(":id", String(id)).replace(":source", "first");
  if (path === "/password") return `${filled}?token=${seed.linkToken}`;
  return method === "GET" && path === "/setup" ? `${filled}?token=${seed.app.setupToken.text}` : filled;
};

/** Forms are sent empty or with what cannot be done: it is the way in that is tried. */
const ask = (asker: Asker, spec: Spec, seed: Seed): Promise<Answer> =>
  spec.method === "GET"
    ? asker.get(pathOf(spec, seed), { accept: "text/html" })
    : asker.post(pathOf(spec, seed), "", FORM);

const outcomeOf = ({ status, headers, text }: Answer): string => {
  const to = headers.get("location") ?? "";
  if (status === 303 && to.startsWith("/login?next=")) return "to the sign-in";
  if (status === 404) return "not found";
  if (status === 403) {
    const rule = /data-rule="(\w+)"/.exec(text)?.[1];
    return rule ?? "forbidden";
  }
  // Somebody else than the server did not answer.
  return status < 500 || status === 502 ? LETS_IN : String(status);
};

/** Set-up is over once a user exists, and a server without mail sends no links. */
const isGone = ({ path }: Spec): boolean => path === "/setup" || path === "/password/forgotten";

// Defence: one function authorises every route, page and form; API tokens cannot use pages or forms
describe("access to every page and form", () => {
  test.each(PAGE_ROUTES.map((route) => [nameOf(route), route] as const))("%s", async (_, { spec }) => {
    let seed = await aServerInUse();
    for (const { who, asker, outcome } of PEOPLE) {
      const person = await asker(seed);
      const before = spec.method === "POST" ? await rows(seed.app) : "";

      const found = outcomeOf(await ask(person, spec, seed));

      const wanted = outcome(spec);
      expect([who, found]).toEqual([who, isGone(spec) && wanted === LETS_IN ? "not found" : wanted]);
      if (spec.method === "GET") continue;
      if (wanted !== LETS_IN) expect([who, await rows(seed.app)]).toEqual([who, before]);
      // What was done is undone by beginning anew; what was refused did nothing.
      else seed = await aServerInUse();
    }
  });

  // Defence: one function authorises every route, page and form; API tokens cannot use pages or forms
  test("pages accept no API token for changes to tokens, passwords, addresses or credentials", async () => {
    const { app, amy } = await aServerInUse();
    const { token } = await createToken(app, app.ann.id, { name: "all", scope: "write" });
    const program = app.withBearer(token);
    const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
    const tried = [
      await program.post("/settings/tokens", form({ name: "more", scope: "write" }), FORM),
      await program.post("/settings/profile", form({ email: "mallory@example.org" }), FORM),
      await program.post("/settings/credentials/second", form({ apiKey: "AB12-CD34-EF56-0789" }), FORM),
      await program.post(`/admin/users/${app.ann.id}/password`, form({ password: "a new long password" }), FORM),
      await program.post(
        "/admin/users",
        form({ username: "mallory", password: "a long password", role: "admin" }),
        FORM,
      ),
      await program.post(`/api/admin/users/${amy.id}/demote`),
      await program.post("/api/admin/users", { username: "mallory", password: "a long password", role: "admin" }),
    ];

    expect(tried.map(({ status }) => status)).toEqual(tried.map(() => 403));
  });
});

/** What a refusal may not change; that somebody was seen is no change. */
const rows = async ({ db }: TestApp): Promise<string> => {
  const tables = [
    "qsos",
    "sync_jobs",
    "sync_leftovers",
    "service_credentials",
    "auto_sync_settings",
    "api_tokens",
    "identities",
    "notice_targets",
  ];
  const counted = await db.read(function* () {
    const all: unknown[] = [];
    for (const table of tables) all.push(yield* many`SELECT * FROM ${raw(table)} ORDER BY 1`);
    all.push(yield* many`SELECT id, username, role, email, callsign, password_hash FROM users ORDER BY id`);
    return all;
  });
  return JSON.stringify(counted);
};
