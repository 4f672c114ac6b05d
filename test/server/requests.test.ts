import { describe, expect, test } from "bun:test";
import { testApp, type Asker } from "../support/app.ts";

const MEGABYTE = 1_048_576;

const aBody = async () => {
  const app = await testApp();
  return { app, bob: await app.as(app.bob) };
};

// Invariant: every error has the same form
describe("an invalid request gets an error in the usual form", () => {
  const nothing = { code: "not_found", message: "There is nothing at this address." };
  const cases: [string, string, string][] = [
    ["an unknown path", "GET", "/nope"],
    ["a path below a known one", "GET", "/api/me/nope"],
    ["a known path with another method", "POST", "/api/me"],
    ["a method nobody uses here", "PROPFIND", "/api/me"],
    ["a question for the methods", "OPTIONS", "/api/me"],
    ["a word where an id stands", "GET", "/api/jobs/true"],
    ["a part of a number", "GET", "/api/jobs/1.5"],
    ["a number in other clothes", "GET", "/api/jobs/1e0"],
    ["a number with a nought before it", "GET", "/api/jobs/01"],
    ["a number below one", "GET", "/api/jobs/0"],
    ["a number too large", "GET", "/api/jobs/99999999999999999999"],
    ["an address that is no text", "GET", "/api/jobs/%zz"],
    ["a slash in disguise", "GET", "/api/jobs/1%2fchanges"],
    ["an unknown service", "POST", "/api/sync/third"],
  ];
  test.each(cases)("%s", async (_, method, path) => {
    const { bob } = await aBody();

    const answer = await bob.send(method, path);

    expect([answer.status, answer.body]).toEqual([404, { error: nothing }]);
    expect(answer.headers.get("content-type")).toStartWith("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });
});

describe("errors are never cached by proxies", () => {
  test.each([
    ["GET", "/api/me", 401, {}],
    ["GET", "/nope", 404, {}],
    ["GET", "/nope", 404, { accept: "text/html" }],
    ["GET", "/assets/nope.css", 404, {}],
    ["PATCH", "/api/me", 404, {}],
    ["POST", "/healthz", 404, {}],
    ["POST", "/api/auth/login", 400, {}],
    ["POST", "/login", 400, {}],
    ["GET", "/metrics", 401, { "x-forwarded-for": "203.0.113.9" }],
  ])("%s %s: %d", async (method, path, status, headers) => {
    const { app } = await aBody();

    const answer = await app.visitor.send(method, path, { headers: headers as Record<string, string> });

    expect([answer.status, answer.headers.get("cache-control")]).toEqual([status, "no-store"]);
  });
});

// Defence: every field of every request is validated
describe("a request is checked to its last field", () => {
  const cases: [string, string, string, unknown, string[]][] = [
    ["a body that is no JSON", "PUT", "/api/me", '{"callsign":', []],
    ["a body nested without end", "PUT", "/api/me", "[".repeat(100_000), []],
    ["a body that is no object", "PUT", "/api/me", "[]", [""]],
    ["null", "PUT", "/api/me", "null", [""]],
    ["an unknown field", "PUT", "/api/me", { callsign: null, role: "admin" }, ["role"]],
    ["a field of the prototype", "PUT", "/api/me", '{"__proto__":{"role":"admin"}}', ["__proto__"]],
    ["a body where none is taken", "POST", "/api/auth/logout", { everywhere: true }, ["everywhere"]],
    ["two wrong fields", "POST", "/api/me/tokens", { scope: "all" }, ["name", "scope"]],
    ["an unknown parameter", "GET", "/api/jobs?page=2", undefined, ["page"]],
    ["a parameter where none is taken", "GET", "/api/me?full=1", undefined, ["full"]],
    ["a limit of nothing", "GET", "/api/jobs?limit=0", undefined, ["limit"]],
    ["a limit beyond the most", "GET", "/api/jobs?limit=501", undefined, ["limit"]],
    ["a part of a limit", "GET", "/api/jobs?limit=1.5", undefined, ["limit"]],
    ["a limit that is no number", "GET", "/api/jobs?limit=true", undefined, ["limit"]],
    ["an unknown state", "GET", "/api/jobs?status=failed,asleep", undefined, ["status"]],
    ["a state of nothing", "GET", "/api/jobs?status=", undefined, ["status"]],
    ["an unknown source", "GET", "/api/jobs?source=third", undefined, ["source"]],
    ["a cursor nobody gave", "GET", "/api/jobs?cursor=abc", undefined, ["cursor"]],
    ["a day that does not exist", "POST", "/api/sync/first", { since: "2026-02-30" }, ["since"]],
    ["full and since at once", "POST", "/api/sync/first", { full: true, since: "2026-02-03" }, ["since"]],
    ["an interval of nothing", "PUT", "/auto-sync/settings", { first: { intervalHours: 0 } }, ["first.intervalHours"]],
    ["too long an interval", "PUT", "/auto-sync/settings", { first: { intervalHours: 721 } }, ["first.intervalHours"]],
    ["a part of an hour", "PUT", "/auto-sync/settings", { first: { intervalHours: 1.5 } }, ["first.intervalHours"]],
    ["a number for yes", "PUT", "/auto-sync/settings", { second: { enabled: 1 } }, ["second.enabled"]],
    ["a third service", "PUT", "/auto-sync/settings", { third: {} }, ["third"]],
  ];
  test.each(cases)("%s", async (_, method, path, body, fields) => {
    const { bob } = await aBody();

    const answer = await bob.send(method, path, { body });

    expect([answer.status, answer.body.error.code]).toEqual([400, "invalid"]);
    expect((answer.body.error.fields ?? []).map((field: { path: string }) => field.path).sort()).toEqual(fields);
  });
});

test("an empty body counts as an empty object", async () => {
  const { bob } = await aBody();

  expect((await bob.put("/auto-sync/settings")).status).toBe(200);
  expect((await bob.put("/auto-sync/settings", "  \n")).status).toBe(200);
});

describe("a body that is too large is refused in the usual form", () => {
  const inPieces = (size: number) =>
    new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(65_536).fill(32));
        if ((size -= 65_536) <= 0) controller.close();
      },
    });

  test("with and without a declared length", async () => {
    const { bob } = await aBody();

    for (const body of [" ".repeat(MEGABYTE + 1), inPieces(2 * MEGABYTE)]) {
      const answer = await bob.put("/api/me", body);
      expect([answer.status, answer.body]).toEqual([
        413,
        { error: { code: "too_large", message: "The request body is larger than 1 MB." } },
      ]);
    }
    expect((await bob.put("/api/me", " ".repeat(MEGABYTE))).status).toBe(200);
  });

  // Defence: request sizes are limited
  test("over a socket, with any declared length", async () => {
    const { app } = await aBody();
    const url = await app.server.listen();
    const { token } = await app.signIn(app.bob);
    const headers = { authorization: `Bearer ${token}` };

    const answer = await fetch(`${url}/api/me`, { method: "PUT", headers, body: " ".repeat(5 * MEGABYTE) });

    expect([answer.status, ((await answer.json()) as any).error.code]).toEqual([413, "too_large"]);
    expect(await sayLength(url, token, 3_000_000_000)).toContain('"code":"too_large"');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

/** What a server says to somebody who only announces a large body. */
const sayLength = (url: string, token: string, length: number): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>();
  let heard = "";
  const { hostname, port } = new URL(url);
  void Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) =>
        void socket.write(
          `PUT /api/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${length}\r\n\r\n `,
        ),
      data(socket, bytes) {
        heard += bytes.toString();
        if (heard.includes("\r\n\r\n{") || heard.includes("Content-Length: 0")) socket.end();
      },
      close: () => resolve(heard),
    },
  });
  return promise;
};

test("over a socket, unknown methods and paths get the usual errors", async () => {
  const { app } = await aBody();
  const url = await app.server.listen();

  for (const [method, path] of [
    ["PATCH", "/api/me"],
    ["PROPFIND", "/api/me"],
    ["GET", "/nope"],
    ["DELETE", "/"],
  ] as const) {
    const answer = await fetch(url + path, { method });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect([method, answer.status, ((await answer.json()) as any).error.code]).toEqual([method, 404, "not_found"]);
  }
});

test("HEAD answers like GET without the body, with the same checks", async () => {
  const { app, bob } = await aBody();

  const [get, head] = [await bob.get("/api/me"), await bob.send("HEAD", "/api/me")];

  expect([head.status, head.text]).toEqual([get.status, ""]);
  expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
  expect((await app.visitor.send("HEAD", "/api/me")).status).toBe(401);
  expect((await bob.send("HEAD", "/api/admin/users")).status).toBe(403);
});

test("a server can have a host name without a dot", async () => {
  const { app } = await aBody();

  for (const path of ["/login", "/api/me", "/api/qsos/1"]) {
    const answers = ["http://x", "http://log.example.org"].map((at) => app.server.handle(new Request(at + path)));
    const [short, long] = await Promise.all(answers);
    expect([path, short!.status]).toEqual([path, long!.status]);
    expect([200, 401]).toContain(short!.status);
  }
});

test("a slash at the end of a path is ignored, with the same checks", async () => {
  const { app, bob } = await aBody();

  expect((await bob.get("/api/me/")).body).toEqual((await bob.get("/api/me")).body);
  expect((await app.visitor.get("/api/me/")).status).toBe(401);
  expect((await bob.get("/api/admin/users/")).status).toBe(403);
});

test("under a base path the API is below it only, and health checks in both places", async () => {
  const app = await testApp({ env: { QSOLOG_BASE_URL: "https://example.org/log/" } });
  const statusOf = async (asker: Asker, path: string) => (await asker.get(path)).status;
  const bob = await app.as(app.bob);

  expect([await statusOf(bob, "/log/api/me"), await statusOf(bob, "/api/me")]).toEqual([200, 404]);
  expect([await statusOf(bob, "/log/healthz"), await statusOf(bob, "/healthz")]).toEqual([200, 200]);
  const { headers } = await app.visitor.post("/log/api/auth/login", {
    username: "bob",
    password: "correct horse battery",
  });
  expect(headers.getSetCookie()[0]).toMatch(/^qsolog_session=\S+; Path=\/log; HttpOnly; SameSite=Lax; .*Secure$/);
});

// Invariant: every error has the same form
// Defence: errors reveal no internals
test("details of an internal error are only in the log, under the id in the answer", async () => {
  const logged: Record<string, any>[] = [];
  const { testWorld } = await import("../support/world.ts");
  const world = await testWorld();
  const noted = (event: string, fields?: object) => void logged.push({ event, ...fields });
  const app = await testApp({
    world: { ...world, log: { ...world.log, error: noted, info: noted, tells: () => true } },
  });
  const bob = await app.as(app.bob);
  app.first.normaliseCredentials = () => {
    throw new Error("the secret is 1234");
  };

  const answer = await bob.put("/api/services/first/credentials", { username: "x", password: "hush" });

  expect([answer.status, answer.body]).toEqual([
    500,
    { error: { code: "internal", message: "Something went wrong. See the server's log for details." } },
  ]);
  const id = answer.headers.get("x-request-id");
  const lines = logged.filter((line) => line.id === id);
  expect(lines.map(({ event }) => event)).toEqual(["request.failed", "request"]);
  expect(lines[0]!.error.message).toBe("the secret is 1234");
  expect(JSON.stringify(logged)).not.toContain("hush");
});

// Defence: no request causes an internal error
describe("requests that once caused an internal error", () => {
  test("a return path with non-ASCII letters is a valid header", async () => {
    const app = await testApp();
    const bob = await app.browser(app.bob);
    for (const [next, location] of [
      ["/%E2%82%AC", "/%E2%82%AC"],
      ["/log?q=%C3%A9%20a", "/log?q=%C3%A9%20a"],
      ["/%ED%A0%80", "/%EF%BF%BD%EF%BF%BD%EF%BF%BD"],
      ["//evil.example", "/"],
      ["/\\evil.example", "/"],
    ] as const) {
      const answer = await bob.get(`/login?next=${next}`);
      expect([next, answer.status, answer.headers.get("location")]).toEqual([next, 303, location]);
    }
  });

  test("a body nested two hundred thousand times is refused immediately", async () => {
    const { bob } = await aBody();
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    const began = performance.now();

    const { status, body } = await bob.post("/api/qsos", `{"call":${deep}}`);

    expect([status, body.error.message]).toEqual([400, "The JSON in the request body is nested too deeply."]);
    expect(performance.now() - began).toBeLessThan(500);
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`f${n}`, 1])));
    expect((await bob.post("/api/qsos", many)).body.error).toEqual({
      code: "invalid",
      message: "The request body has more than 5000 parts.",
    });
    const text = JSON.stringify({ callsign: null, email: '[{"'.repeat(60) });
    expect((await bob.put("/api/me", text)).body.error.message).not.toContain("nested");
  });

  test("a body that stops in the middle is not logged as an error, signed in or not", async () => {
    const { testWorld } = await import("../support/world.ts");
    const logged: string[] = [];
    const world = await testWorld({ env: { QSOLOG_PORT: "0" } });
    const app = await testApp({
      world: { ...world, log: { ...world.log, error: (event) => void logged.push(event) } },
    });
    const bob = await app.as(app.bob);
    const broken = () =>
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"username":')),
        pull: (controller) => controller.error(new Error("aborted")),
      });

    const statuses = [
      (await app.visitor.post("/api/auth/login", broken())).status,
      (await bob.post("/api/qsos", broken())).status,
      (await bob.post("/api/qsos/import", broken())).status,
    ];

    expect(statuses).toEqual([400, 400, 400]);
    expect(logged).toEqual([]);
  });
});
