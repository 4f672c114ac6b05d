import { afterEach, expect, jest, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Elysia } from "elysia";
import { jwt } from "@elysiajs/jwt";
import Type from "typebox";
import { createSessionTokens } from "../src/auth/jwt.ts";
import { API_ROUTES } from "../src/server/api-routes.ts";
import { FONTS } from "../src/server/pages/assets.ts";
import { PAGE_ROUTES } from "../src/server/pages/page-routes.ts";
import { Scheduler } from "../src/sync/scheduler.ts";
import { commandTree } from "./cli/program.ts";
import { testApp } from "./support/app.ts";

const ROOT = join(import.meta.dir, "..");
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");
const filesWith = (pattern: RegExp): string[] =>
  [...new Bun.Glob("{src,views,cli}/**/*.{ts,tsx}").scanSync(ROOT)].filter((file) => pattern.test(textOf(file))).sort();

afterEach(() => {
  jest.useRealTimers();
});

// Invariant: each package of the design does its work
test("elysia routes every request", () => {
  expect(filesWith(/\bBun\.serve\b/).filter((file) => file.startsWith("src/server/"))).toEqual([
    "src/server/server.ts",
  ]);
  expect(textOf("src/server/server.ts")).toContain("fetch: elysia.fetch,");
  expect(textOf("src/server/server.ts")).toContain("elysia.route(method, path,");
});

test("@elysiajs/html renders every page", async () => {
  const app = await testApp();
  const ann = await app.browser(app.ann);
  const pages = PAGE_ROUTES.filter(
    ({ spec }) => spec.method === "GET" && !/:|partials|hints|progress|tools/.test(spec.path),
  );

  const inServer = (file: string) => file.startsWith("src/server/");
  expect(filesWith(/"text\/html;/).filter(inServer)).toEqual(["src/server/pages/html.ts"]);
  expect(filesWith(/@elysiajs\/html\/handler/)).toEqual(["src/server/pages/html.ts"]);
  // Nothing else in the program writes a doctype.
  expect(filesWith(/<!doctype/i).filter(inServer)).toEqual([]);
  for (const { spec } of pages) {
    const { headers, status, text } = await ann.get(spec.path);
    if (status < 300)
      expect([spec.path, headers.get("content-type")?.slice(0, 9), text.slice(0, 15)]).toEqual([
        spec.path,
        "text/html",
        "<!doctype html>",
      ]);
  }
});

test("@elysiajs/jwt signs and verifies sessions", async () => {
  const key = new Uint8Array(32).fill(7);
  const options = { secret: key, alg: "HS256", iss: "qsolog", aud: "qsolog-session" } as const;
  const { sign, verify } = new Elysia().use(jwt(options)).decorator.jwt;
  const tokens = createSessionTokens(key);
  const claims = { sessionId: "s", userId: 3, actorId: null, expiresAt: 4_000_000_000_000 };

  expect(await verify(await tokens.sign(claims))).toMatchObject({ jti: "s", sub: "3" });
  expect(await tokens.verify(await sign({ jti: "s", sub: "3", exp: 4_000_000_000, iat: false }))).toEqual(claims);
});

test("htmx.org is served from its package", async () => {
  const app = await testApp();
  const [, path] = (await app.visitor.get("/login")).text.match(/src="(assets\/htmx[^"]+)"/)!;

  const script = (await app.visitor.get(`/${path}`)).text;

  expect(script).toContain(textOf("node_modules/htmx.org/dist/htmx.min.js").trim());
  expect(script).toContain(textOf("node_modules/htmx.org/dist/ext/hx-sse.min.js").trim());
});

test("the fonts are served from their packages, and kept by browsers for ever", async () => {
  const app = await testApp();
  for (const [name, path] of Object.entries({
    inter: "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
    "jetbrains-mono": "node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  })) {
    const { path: address } = Object.values(FONTS).find((font) => font.path.includes(`/${name}.`))!;
    const response = await app.server.handle(new Request(`http://localhost${address}`));

    expect(response.headers.get("cache-control")).toContain("immutable");
    expect(await response.bytes()).toEqual(new Uint8Array(readFileSync(join(ROOT, path))));
  }
});

test("typebox makes every schema", () => {
  const schemas = [...API_ROUTES, ...PAGE_ROUTES].flatMap(({ spec }) =>
    [
      spec.params,
      spec.query,
      "body" in spec ? spec.body : undefined,
      "answer" in spec ? spec.answer : undefined,
    ].filter((schema) => schema !== undefined),
  );

  expect(schemas.length).toBeGreaterThan(150);
  expect(schemas.filter((schema) => !Type.IsSchema(schema) || !("~kind" in (schema as object)))).toEqual([]);
});

test("croner starts the scheduler every minute", async () => {
  const app = await testApp();
  jest.useFakeTimers({ now: Date.UTC(2026, 6, 1, 12, 0, 30) });
  const scheduler = new Scheduler(app, app.runner);
  let ticks = 0;
  scheduler.tick = async () => void (ticks += 1);

  scheduler.start();
  for (let second = 0; second < 150; second++) {
    jest.advanceTimersByTime(1_000);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }
  jest.useRealTimers();
  await scheduler.stop();

  expect(ticks).toBe(4);
  expect(filesWith(/"croner"/)).toEqual(["src/sync/scheduler.ts"]);
});

test("commander parses the commands and ink draws the dashboard", async () => {
  expect((await commandTree()).commands.length).toBeGreaterThan(20);
  expect(filesWith(/new Command\(/)).toContain("cli/cli.ts");
  expect(filesWith(/from "ink"/).every((file) => file.startsWith("cli/tui/"))).toBe(true);
  expect(filesWith(/\brender\b.*from "ink"/)).toEqual(["cli/tui/open.tsx"]);
});
