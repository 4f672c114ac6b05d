import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { API_ROUTES } from "../../src/server/api-routes.ts";
import { PAGE_ROUTES } from "../../src/server/pages/page-routes.ts";
import { writeCursor } from "../../src/storage/engine/page-cursor.ts";
import { cleanUp } from "../support/cleanup.ts";
import { aServerInUse, type Seed } from "./seed.ts";
import { isFull } from "../support/full.ts";

setDefaultTimeout(1_200_000);

const REQUESTS = isFull(import.meta) ? 20_000 : 1_500;
/** Those of one server; then there is a new one, because some requests delete a lot. */
const REQUESTS_OF_SERVER = 250;

/** What has made servers stumble: wrong kinds, ends of ranges, halves of letters, other languages, other programs' words. */
const WORDS = [
  "",
  " ",
  "0",
  "1",
  "2",
  "-1",
  "01",
  "1e9",
  "1.5",
  "NaN",
  "null",
  "true",
  "[]",
  "{}",
  "9007199254740993",
  "1e400",
  "é€山😀",
  "\ud800",
  "\u202e",
  "\u2028",
  "\x00",
  "a\0b",
  "\r\nx: y",
  "%",
  "%zz",
  "%00",
  "%E2%82%AC",
  "..",
  "../..",
  "//x",
  "\\",
  "'",
  '"',
  "<b>",
  "${1}",
  "__proto__",
  "constructor",
  "toString",
  "a".repeat(5_000),
  "*".repeat(300),
  ",".repeat(800),
  "first",
  "second",
  "dxcc",
  "K1ABC",
  "20m",
  "FT8",
  "2026-07-01",
  "2026-02-31",
  "-startedAt",
  "call",
  "username",
  "-lastSeen",
  "bob",
  "/€",
  "/%E2%82%AC",
  "https://evil.example",
];
const CURSORS = [null, "a", 1, -1, 1.5, 1e300, "\0", {}, []];

const word = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.integer().map(String),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  word,
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
  fc.constantFrom(-1, 8_640_000_000_000_000, 8_640_000_000_000_001, Number.MAX_SAFE_INTEGER, 1e308),
  fc.constantFrom(...CURSORS),
);
const deep = fc.integer({ min: 1, max: 200_000 }).map((depth) => "[".repeat(depth) + "]".repeat(depth));

const namesIn = (schema: unknown): string[] => Object.keys((schema as { properties?: object })?.properties ?? {});

interface Known {
  method: string;
  path: string;
  params: string[];
  query: string[];
  body: string[];
}

const MORE_FIELDS = [
  "call",
  "startedAt",
  "freqHz",
  "band",
  "mode",
  "txPower",
  "comment",
  "extra",
  "username",
  "password",
  "name",
  "scope",
  "expires",
  "enabled",
  "source",
];
const ROUTES: Known[] = [...API_ROUTES, ...PAGE_ROUTES].map(({ spec }) => ({
  method: spec.method,
  path: spec.path,
  params: namesIn(spec.params),
  query: [...namesIn(spec.query), "cursor", "limit", "nonsense"],
  body: [...namesIn("body" in spec ? spec.body : undefined), ...MORE_FIELDS],
}));

interface Made {
  asker: "nobody" | "bob" | "ann" | "cookie" | "token" | "broken";
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Of a header the client lets through: it would refuse what no socket can carry. */
const headerSafe = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/g, "")
    .trim()
    .slice(0, 4_000);

const requestTo = (known: Known): fc.Arbitrary<Made> => {
  const params = fc.array(
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom("1", "2", "3") }, { weight: 1, arbitrary: word }),
    { minLength: known.params.length, maxLength: known.params.length },
  );
  const fields = fc.dictionary(fc.constantFrom(...known.body), value, { maxKeys: 6 });
  const query = fc.dictionary(fc.constantFrom(...known.query), word, { maxKeys: 4 });
  const body = fc.oneof(
    { weight: 4, arbitrary: fields.map((one) => JSON.stringify(one)) },
    {
      weight: 3,
      arbitrary: fields.map((one) =>
        new URLSearchParams(
          Object.entries(one).map(([name, each]): [string, string] => [
            name,
            String(each instanceof Object ? JSON.stringify(each) : each).toWellFormed(),
          ]),
        ).toString(),
      ),
    },
    { weight: 1, arbitrary: deep.map((text) => `{"call":${text}}`) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
    {
      weight: 1,
      arbitrary: fc.constant("--x\r\ncontent-disposition: form-data; name=file; filename=a\r\n\r\n<EOH>\r\n--x--"),
    },
  );
  const headers = fc.record(
    {
      "content-type": fc.constantFrom(
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "text/plain",
        "",
      ),
      accept: fc.constantFrom("text/html", "*/*", ""),
      "sec-fetch-site": fc.constantFrom("same-origin", "same-origin", "same-origin", "cross-site"),
      "hx-request": fc.constant("true"),
      "if-none-match": word.map(headerSafe),
      "x-forwarded-for": word.map(headerSafe),
      "user-agent": word.map(headerSafe),
    },
    { requiredKeys: ["sec-fetch-site"] },
  );
  return fc
    .record({
      asker: fc.constantFrom<Made["asker"][]>("nobody", "bob", "ann", "cookie", "cookie", "token", "broken"),
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constant(known.method) },
        { weight: 1, arbitrary: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS") },
      ),
      params,
      query,
      tail: fc.constantFrom("", "", "", "", "/", "/..", "//", "/%2e%2e", "%00", "/%zz"),
      headers,
      body,
    })
    .map(({ asker, method, params: given, query: asked, tail, headers: sent, body: content }) => {
      let at = 0;
      const path = known.path.replace(/:\w+/g, () => encodeURIComponent(given[at++]!.toWellFormed()));
      const text = new URLSearchParams(
        Object.entries(asked).map(([name, one]): [string, string] => [name, one.toWellFormed()]),
      ).toString();
      const hasBody = !["GET", "HEAD"].includes(method);
      return {
        asker,
        method,
        path: `${path}${tail}${text === "" ? "" : `?${text}`}`,
        headers: sent,
        body: hasBody ? content : undefined,
      };
    });
};

const anyRequest = fc.oneof(...ROUTES.map(requestTo));

const headersOf = async ({ app }: Seed): Promise<Record<Made["asker"], Record<string, string>>> => {
  const [bob, ann, cookie] = [await app.signIn(app.bob), await app.signIn(app.ann), await app.signIn(app.bob)];
  return {
    nobody: {},
    bob: { authorization: `Bearer ${bob.token}` },
    ann: { cookie: `qsolog_session=${ann.token}` },
    cookie: { cookie: `a=; =b; qsolog_visit=1.x.9; qsolog_session=%zz; qsolog_session=${cookie.token}` },
    token: { authorization: `Bearer ${(await app.withToken(app.bob, "write")).token}` },
    broken: { authorization: "Bearer ..", cookie: "qsolog_impersonation=a.b.c; qsolog_session=eyJ.eyJ.x" },
  };
};

// Defence: no request causes an internal error
test(`none of ${REQUESTS} random requests is answered with an internal error`, async () => {
  const seed = Number(process.env.QSOLOG_FUZZ_SEED ?? 12);
  const requests = fc.sample(anyRequest, { numRuns: REQUESTS, seed });
  const broken: unknown[] = [];
  for (let begin = 0; begin < requests.length; begin += REQUESTS_OF_SERVER) {
    const server = await aServerInUse();
    const who = await headersOf(server);
    for (const request of requests.slice(begin, begin + REQUESTS_OF_SERVER)) {
      const { asker, method, path, headers, body } = request;
      const answer = await server.app.visitor
        .send(method, path, { body, headers: { ...headers, ...who[asker] } })
        .catch((error: Error) => ({ status: `thrown: ${error.message}` }));
      if (typeof answer.status === "string" || answer.status === 500)
        broken.push({ status: answer.status, ...request });
    }
    await server.app.runner.idle();
    // A database server has no room for all of them at once.
    await cleanUp();
  }
  expect(broken).toEqual([]);
});

// Defence: no request causes an internal error
test("names of Object.prototype are unknown names in every request", async () => {
  const seed = await aServerInUse();
  const [ann, bob] = [await seed.app.browser(seed.app.ann), await seed.app.as(seed.app.bob)];
  const broken: string[] = [];
  for (const { path, query } of ROUTES.filter(({ method }) => method === "GET")) {
    for (const name of query) {
      const asked = `${path.replace(":id", "1").replace(":source", "first")}?${name}=constructor`;
      for (const answer of [await ann.get(asked, { accept: "text/html" }), await bob.get(asked)]) {
        if (answer.status === 500) broken.push(asked);
      }
    }
  }
  expect(broken).toEqual([]);
}, 60_000);

// Defence: forged page cursors are refused
test("every list refuses an invented cursor", async () => {
  const { app, failedJob } = await aServerInUse();
  const ann = await app.as(app.ann);
  const bob = await app.as(app.bob);
  const lists: [string, unknown, unknown[][]][] = [
    ["/api/admin/users?", ["users", undefined, undefined, "username", undefined], [["ann", 1]]],
    ["/api/admin/users?sort=lastSeen&", ["users", undefined, undefined, "lastSeen", undefined], [[1, 1]]],
    ["/api/admin/actions?", ["actions", undefined, undefined, undefined, undefined, undefined], [[1]]],
  ];
  for (const [path, question, good] of lists) {
    const at = async (values: unknown[]) =>
      (await ann.get(`${path}cursor=${writeCursor(question, values as never)}`)).status;
    for (const values of good) expect([path, await at(values)]).toEqual([path, 200]);
    for (const first of [1.5, 1e300, "\0", true, [1], null]) {
      expect([path, first, await at([first, 1])]).toEqual([path, first, 400]);
    }
    expect([path, await at(path.includes("username") || path.endsWith("users?") ? [1, 1] : ["ann", 1])]).toEqual([
      path,
      400,
    ]);
    expect(await at([])).toBe(400);
    expect(await at([1, 1, 1])).toBe(400);
  }
  for (const path of [
    "/api/qsos?",
    "/api/jobs?",
    `/api/jobs/${failedJob}/changes?`,
    `/api/jobs/${failedJob}/leftovers?`,
  ]) {
    expect((await bob.get(`${path}cursor=${writeCursor([], ["a", 1])}`)).status).toBe(400);
  }
});
