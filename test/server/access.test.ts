import { describe, expect, test } from "bun:test";
import type { TSchema } from "typebox";
import { API_ROUTES } from "../../src/server/api-routes.ts";
import { getSuccessStatus, type Route } from "../../src/server/http/route.ts";
import { ErrorShape } from "../../src/server/http/shapes.ts";
import { fits } from "../../src/kernel/schema.ts";
import { many, raw } from "../../src/storage/engine/unit.ts";
import { resolved } from "../support/openapi.ts";
import { isFull } from "../support/full.ts";
import { testApp, type Answer, type Asker, type TestApp } from "../support/app.ts";
import * as attempts from "../../src/storage/people/attempts.ts";
import { standalone } from "../../src/storage/engine/unit.ts";
import { GOOD_REQUESTS } from "./good-requests.ts";
import { DEAD_TOKENS } from "./forgeries.ts";
import { aServerInUse, type Seed } from "./seed.ts";

/** Every change needs a server of its own, so in the short form one person makes each change, in turns. */
const IS_SHORT = !isFull(import.meta);
/** In the short form every seventh route gets a dead token, and each token begins at another route. */
const ROUTES_APART = IS_SHORT ? 7 : 1;

const nameOf = ({ spec }: Route): string => `${spec.method} ${spec.path}`;

interface Outcome {
  status: number;
  rule?: string;
}

type Spec = Route["spec"];

/** What a route must do, by its declaration: for whom, by what means, and what a good request comes to. */
const expectationOf = ({ spec }: Route) => {
  const {
    status = getSuccessStatus(spec),
    isBobs,
    forAdministrators,
  } = GOOD_REQUESTS[`${spec.method} ${spec.path}`] ?? {};
  return {
    ...spec,
    status,
    forAdministrators,
    /** Nobody else finds what the path names. */
    isBobs: isBobs ?? (spec.access === "user" && /:id\b/.test(spec.path) && !spec.path.startsWith("/api/awards/")),
  };
};

type Expectation = ReturnType<typeof expectationOf>;

/** Who asks, and what each of them must get. */
interface Person {
  who: string;
  asker: (seed: Seed) => Promise<Asker>;
  outcome: (expected: Expectation) => Outcome;
}

const done = ({ status }: Expectation): Outcome => ({ status });
const refused = (rule: string): Outcome => ({ status: 403, rule });
const notFound: Outcome = { status: 404 };

const asUser = (expected: Expectation, isBob: boolean): Outcome => {
  if (expected.access === "administrator") return refused("not_admin_caller");
  return expected.isBobs && !isBob ? notFound : done(expected);
};

const asAdministrator = (expected: Expectation): Outcome => {
  if (expected.forAdministrators) return { status: expected.forAdministrators };
  return expected.isBobs ? notFound : done(expected);
};

const byToken =
  (scope: "read" | "write", allowed: (expected: Expectation) => Outcome) =>
  (expected: Expectation): Outcome => {
    if (expected.access === "anyone") return done(expected);
    const isRead = expected.method === "GET" || expected.isReading || expected.isSigning;
    if (scope === "read" && !isRead) return refused("read_only_token");
    return expected.sessionOnly ? refused("session_required") : allowed(expected);
  };

const impersonating = async ({ app }: Seed): Promise<Asker> => {
  const ann = await app.as(app.ann);
  const { body } = await ann.post(`/api/admin/users/${app.bob.id}/impersonate`);
  return app.withBearer(body.token);
};

const PEOPLE: Person[] = [
  {
    who: "a visitor",
    asker: async ({ app }) => app.visitor,
    outcome: (expected) => (expected.access === "anyone" ? done(expected) : { status: 401 }),
  },
  { who: "the user", asker: ({ app }) => app.as(app.bob), outcome: (expected) => asUser(expected, true) },
  {
    who: "the user's browser",
    asker: ({ app }) => app.browser(app.bob),
    outcome: (expected) => asUser(expected, true),
  },
  { who: "another user", asker: ({ app }) => app.as(app.eve), outcome: (expected) => asUser(expected, false) },
  { who: "an administrator", asker: ({ app }) => app.as(app.ann), outcome: asAdministrator },
  {
    who: "an administrator acting as the user",
    asker: impersonating,
    outcome: (expected) => (!expected.notWhileImpersonating ? asUser(expected, true) : refused("impersonating")),
  },
  {
    who: "the user's read token",
    asker: ({ app }) => app.withToken(app.bob, "read"),
    outcome: byToken("read", (expected) => asUser(expected, true)),
  },
  {
    who: "the user's write token",
    asker: ({ app }) => app.withToken(app.bob, "write"),
    outcome: byToken("write", (expected) => asUser(expected, true)),
  },
  {
    who: "an administrator's read token",
    asker: ({ app }) => app.withToken(app.ann, "read"),
    outcome: byToken("read", asAdministrator),
  },
  {
    who: "an administrator's write token",
    asker: ({ app }) => app.withToken(app.ann, "write"),
    outcome: byToken("write", asAdministrator),
  },
];

const request = (seed: Seed, asker: Asker, route: Route): Promise<Answer> => {
  const { path = route.spec.path, body } = GOOD_REQUESTS[nameOf(route)] ?? {};
  const sent = typeof body === "function" ? (body as (seed: Seed) => unknown)(seed) : body;
  return asker.send(route.spec.method, typeof path === "string" ? path : path(seed), { body: sent });
};

/** The shapes that the published document promises, not those in the code. */
const promised = (document: any, { spec }: Route) => {
  const operation = document.paths[spec.path.replaceAll(/:(\w+)/g, "{$1}")][spec.method.toLowerCase()];
  return (status: number): TSchema | undefined =>
    resolved(document, operation.responses[status]?.content?.["application/json"]?.schema);
};

const check = (document: any, route: Route, answer: Answer, outcome: Outcome): void => {
  const { status, body, text } = answer;
  const found = { status, ...(outcome.rule === undefined ? {} : { rule: body?.error?.rule }) };
  expect(found).toEqual(outcome);
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f]{12}$/);
  if (status >= 400) return expect([body, fits(ErrorShape, body)]).toEqual([body, true]);
  if (route.spec.files && !route.spec.answer) return expect(text).toContain("<EOH>");
  const schema = promised(document, route)(status);
  if (schema) expect([body, fits(schema, body)]).toEqual([body, true]);
  else expect([status, text]).toEqual([204, ""]);
};

const wantedOf = (route: Route, outcome: Person["outcome"]): Outcome => {
  return route.spec.exists ? notFound : outcome(expectationOf(route));
};

const changes = ({ spec }: Route, { status }: Outcome): boolean => status < 400 && spec.method !== "GET";

const ask = async (seed: Seed, document: any, route: Route, who: string, asker: Asker, wanted: Outcome) => {
  const answer = await request(seed, asker, route);
  try {
    check(document, route, answer, wanted);
  } catch (error) {
    const said = `${answer.status} ${answer.text.slice(0, 300)}`;
    throw new Error(`${who}, ${nameOf(route)}: ${said}`, { cause: error });
  }
};

const documentOf = async ({ visitor }: TestApp): Promise<any> => (await visitor.get("/openapi/json")).body;

// Invariant: every route is in the access matrix
// Invariant: responses match the OpenAPI document
// Defence: every route is tested as visitor, user, other user, administrator, read token, write token and impersonator
test("every good request belongs to a route", () => {
  const names = API_ROUTES.map(nameOf);

  expect(Object.keys(GOOD_REQUESTS).filter((name) => !names.includes(name))).toEqual([]);
});

/** Who may, by what a path is about: a route that declares less than this is a hole. */
const MUST_BE: readonly [RegExp, (spec: Spec) => boolean][] = [
  [/^\w+ \/api\/admin\//, (spec) => spec.access === "administrator" && spec.notWhileImpersonating === true],
  [/^(POST|PUT|PATCH|DELETE) \/api\/admin\//, (spec) => spec.sessionOnly === true],
  [/^(?!GET \/api\/me$)\w+ \/api\/(me|auth\/confirm)\b/, isForTheUserInPerson],
  [/^(POST|PUT|PATCH|DELETE) \/api\/(services|notices)\//, isForTheUserInPerson],
  [/^\w+ (?!\/api\/(auth|setup)\b)/, (spec) => spec.access !== "anyone"],
];

function isForTheUserInPerson(spec: Spec): boolean {
  return spec.access === "user" && spec.sessionOnly === true && spec.notWhileImpersonating === true;
}

test("every route declares the access that its path implies", () => {
  const open = API_ROUTES.filter((route) => MUST_BE.some(([at, is]) => at.test(nameOf(route)) && !is(route.spec)));

  expect(open.map(nameOf)).toEqual([]);
  for (const [at] of MUST_BE) expect(API_ROUTES.filter((route) => at.test(nameOf(route))).length).toBeGreaterThan(5);
});

// Invariant: every route is in the access matrix
// Defence: every route is tested as visitor, user, other user, administrator, read token, write token and impersonator
// Defence: another user's data is "not found"
describe("access to every route", () => {
  test.skipIf(!IS_SHORT)("reads and refusals", async () => {
    const seed = await aServerInUse();
    const document = await documentOf(seed.app);
    for (const { who, asker, outcome } of PEOPLE) {
      const person = await asker(seed);
      for (const route of API_ROUTES) {
        const wanted = wantedOf(route, outcome);
        if (!changes(route, wanted)) await ask(seed, document, route, who, person, wanted);
      }
    }
  });

  test.skipIf(!IS_SHORT)("one change by each route, made by everybody in turns", async () => {
    const document = await documentOf(await testApp());
    for (const [index, route] of API_ROUTES.entries()) {
      const allowed = PEOPLE.filter(({ outcome }) => changes(route, wantedOf(route, outcome)));
      if (allowed.length === 0) continue;
      const { who, asker, outcome } = allowed[index % allowed.length]!;
      const seed = await aServerInUse();
      await ask(seed, document, route, who, await asker(seed), wantedOf(route, outcome));
    }
  });

  for (const route of IS_SHORT ? [] : API_ROUTES) {
    test(nameOf(route), async () => {
      let seed = await aServerInUse();
      const document = await documentOf(seed.app);
      for (const { who, asker, outcome } of PEOPLE) {
        const wanted = wantedOf(route, outcome);

        await ask(seed, document, route, who, await asker(seed), wanted);

        // What was done is undone by beginning anew; what was refused did nothing.
        if (changes(route, wanted)) seed = await aServerInUse();
      }
    });
  }
});

// Defence: a session token only names a database row; its algorithm, issuer, audience and claims are checked
describe("requests without valid credentials", () => {
  const contents = async ({ db }: TestApp) => {
    const tables = ["users", "sync_jobs", "qsos", "service_credentials", "auto_sync_settings", "admin_actions"];
    return Promise.all(tables.map((table) => db.read(() => many`SELECT * FROM ${raw(table)}`)));
  };
  const closed = API_ROUTES.filter(({ spec }) => spec.access !== "anyone");

  test.each(Object.entries(DEAD_TOKENS))("%s", async (name, make) => {
    const seed = await aServerInUse();
    const { app } = seed;
    const token = await make(app);
    await app.lastSeen.flush();
    const before = await contents(app);

    const bearer = app.withBearer(token);
    const browser = await app.browser();
    browser.cookies.set("qsolog_session", token);
    const first = Object.keys(DEAD_TOKENS).indexOf(name) % ROUTES_APART;
    const routes = closed.filter((_, at) => at % ROUTES_APART === first);
    for (const [at, route] of routes.entries()) {
      // The limit for wrong tokens has tests of its own.
      if (at % 30 === 0) await app.db.write(() => standalone(attempts.removeBefore(Number.MAX_SAFE_INTEGER)));
      for (const asker of [bearer, browser]) {
        const answer = await request(seed, asker, route);
        expect([nameOf(route), answer.status, answer.body.error.code]).toEqual([nameOf(route), 401, "unauthenticated"]);
        expect(["session_ended", "impersonation_ended"]).toContain(answer.body.error.rule);
        expect(fits(ErrorShape, answer.body)).toBe(true);
      }
    }
    await app.lastSeen.flush();
    expect(await contents(app)).toEqual(before);
    expect((await bearer.post("/api/auth/login", { username: "bob", password: "no" })).status).toBe(401);
    expect((await bearer.get("/metrics", { "x-forwarded-for": "192.0.2.1" })).status).toBe(401);
  });
});

test("before the set-up only set-up and sign-in work", async () => {
  const app = await testApp({ empty: true });

  for (const route of API_ROUTES) {
    const path = route.spec.path.replaceAll(/:(\w+)/g, "1");
    const { status } = await app.visitor.send(route.spec.method, path);
    if (route.spec.access !== "anyone") expect([path, status]).toEqual([path, 401]);
  }
  expect((await app.visitor.get("/api/setup")).body).toEqual({ needed: true });
});
