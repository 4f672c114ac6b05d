import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createFeedKey } from "../../src/auth/api-tokens.ts";
import { openLog } from "../../src/kernel/log.ts";
import { redactText } from "../../src/kernel/redact.ts";
import { API_ROUTES } from "../../src/server/api-routes.ts";
import { PAGE_ROUTES } from "../../src/server/pages/page-routes.ts";
import { V1 } from "../../src/server/wavelog/v1.ts";
import { V2 } from "../../src/server/wavelog/v2.ts";
import { many, raw } from "../../src/storage/engine/unit.ts";
import { GOOD_REQUESTS } from "./good-requests.ts";
import { PASSWORD, testApp } from "../support/app.ts";
import { aDirectory } from "../support/directory.ts";
import { isFull } from "../support/full.ts";
import { testWorld } from "../support/world.ts";

setDefaultTimeout(300_000);

const REQUESTS = isFull(import.meta) ? 5_000 : 150;
/** So much of a secret helps nobody: `qsl_` and `eyJ` are in the code that anybody can read. */
const MAX_RUN_LENGTH = 6;

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const base64url = (length: number) => bytes(length).map((drawn) => Buffer.from(drawn).toString("base64url"));

/** Everything that lets somebody in. */
const secretWithShape = fc.oneof(
  bytes(22).map((drawn) => createFeedKey("v1", () => drawn)),
  bytes(32).map((drawn) => createFeedKey("v2", () => drawn)),
  base64url(32).map((text) => `qsl_${text}`),
  fc.tuple(base64url(60), base64url(32)).map(([body, mark]) => `eyJhbGciOiJIUzI1NiJ9.${body}.${mark}`),
);
/** One of ten thousand that chance draws has fewer capitals. */
const linkToken = base64url(24).filter((text) => /[a-z]/.test(text) && /([A-Z].*){4}/.test(text) && /\d/.test(text));
const password = fc.string({ unit: fc.constantFrom(..."abcXYZ0189-_.~"), minLength: 12, maxLength: 40 });
const anySecret = fc.oneof(secretWithShape, linkToken, password);

const percent = (letter: string) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** The ways in which the same letters can be written in an address. */
const WRITTEN: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  "in capitals": (secret) => secret.toUpperCase(),
  encoded: (secret) => [...secret].map(percent).join(""),
  "half encoded": (secret) => [...secret].map((letter, n) => (n % 2 ? percent(letter) : letter)).join(""),
  "encoded twice": (secret) => [...secret].map((letter) => percent(letter).replace("%", "%25")).join(""),
};
const written = fc.constantFrom(...Object.values(WRITTEN));

/** The longest run of the secret that is in the text, in any case, encoded or not. */
const findLongestRun = (text: string, secret: string): number => {
  let plain = text.toLowerCase();
  for (let n = 0; n < 3; n++)
    plain = plain.replace(/%([0-9a-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)).toLowerCase());
  const sought = secret.toLowerCase();
  let longest = 0;
  for (let from = 0; from + longest < sought.length; from++)
    while (from + longest < sought.length && plain.includes(sought.slice(from, from + longest + 1))) longest++;
  return longest;
};

const ROUTES = [
  ...[...API_ROUTES, ...PAGE_ROUTES].map(({ spec }) => [spec.method, spec.path] as const),
  ...[...V1, ...V2].map(([method, path]) => [method, path] as const),
  ["GET", "/"] as const,
  ["GET", "/nothing/here"] as const,
];

interface Place {
  route: (typeof ROUTES)[number];
  at: number;
  spelling: "as it is" | "doubled slashes" | "in capitals" | "encoded" | "index.php";
  secretIn: "segment" | "appended" | "query value" | "query name" | "parameters";
}

const place: fc.Arbitrary<Place> = fc.record({
  route: fc.constantFrom(...ROUTES),
  at: fc.nat(5),
  spelling: fc.constantFrom("as it is", "doubled slashes", "in capitals", "encoded", "index.php"),
  secretIn: fc.constantFrom("segment", "appended", "query value", "query name", "parameters"),
});

const addressOf = ({ route, at, spelling, secretIn }: Place, secret: string): string => {
  const segments = route[1].split("/").slice(1);
  if (secretIn === "segment") segments[at % segments.length] = secret;
  const filled = segments.map((segment) => (segment.startsWith(":") ? secret : spelt(segment, spelling)));
  if (secretIn === "appended") filled.push(secret);
  const path = filled.join(spelling === "doubled slashes" ? "//" : "/");
  const query = { "query value": `?password=${secret}&x=${secret}`, "query name": `?${secret}=1` }[secretIn as string];
  return `${spelling === "index.php" ? "/index.php" : ""}/${path}${query ?? ""}`;
};

const spelt = (segment: string, spelling: Place["spelling"]): string => {
  if (spelling === "in capitals") return segment.toUpperCase();
  return spelling === "encoded" && segment !== "" ? percent(segment[0]!) + segment.slice(1) : segment;
};

const aLoggedApp = async () => {
  const file = join(aDirectory(), "qsolog.log");
  const made = await testWorld({ env: { QSOLOG_PORT: "0", QSOLOG_TRUSTED_PROXIES: "127.0.0.1" } });
  const app = await testApp({ world: { ...made, log: openLog({ file, level: "debug", clock: made.clock }) } });
  await app.visitor.get("/healthz");
  const logged = async (request: () => Promise<unknown>): Promise<string> => {
    truncateSync(file);
    await request();
    const text = readFileSync(file, "utf8");
    expect(text).not.toBe("");
    return text;
  };
  return { app, logged };
};

// Defence: secrets in a path, a query or the sign-in name never reach the log
test("no secret in a path or query gets into the log, with any route and spelling", async () => {
  const { app, logged } = await aLoggedApp();
  const bob = await app.as(app.bob);

  await fc.assert(
    fc.asyncProperty(place, anySecret, written, fc.boolean(), async (where, secret, write, isSignedIn) => {
      const address = addressOf(where, write(secret));
      const headers = { accept: secret.length % 2 ? "text/html" : "*/*", "x-forwarded-for": secret, referer: secret };
      const asker = isSignedIn && where.route[0] === "GET" ? bob : app.visitor;
      const text = await logged(() => asker.send(where.route[0], address, { headers }));
      expect(findLongestRun(text, secret)).toBeLessThanOrEqual(MAX_RUN_LENGTH);
    }),
    { numRuns: REQUESTS },
  );
});

// Defence: secrets in a path, a query or the sign-in name never reach the log
test("the log names who failed to sign in only if it is the name of a user", async () => {
  const { app, logged } = await aLoggedApp();
  const signIn = (username: string) => app.visitor.post("/api/auth/login", { username, password: "wrong" });

  await fc.assert(
    fc.asyncProperty(anySecret, written, async (secret, write) => {
      const text = await logged(() => signIn(write(secret).slice(0, 200)));
      expect(findLongestRun(text, secret)).toBeLessThanOrEqual(MAX_RUN_LENGTH);
    }),
    { numRuns: 60 },
  );
  app.clock.advance(3_600_000);
  const known = await logged(() => signIn("  BOB "));
  const typedPassword = await logged(() => signIn(PASSWORD.slice(0, 20)));
  for (let n = 0; n < 5; n++) await signIn("bob");
  const throttled = await logged(() => signIn("bob"));

  expect(known).toContain('"name":"bob"');
  expect(typedPassword).toMatch(/"name":"\(unknown [0-9a-f]{12}\)"/);
  expect(throttled).toContain('"event":"sign_in.throttled"');
  expect(throttled).toContain('"name":"bob"');
});

/** A body like a good one, with the secret in one of its values or names. */
const withSecret = (body: unknown, secret: string, at: number): unknown => {
  if (typeof body !== "object" || body === null) return secret;
  if (Array.isArray(body)) return body.map((one) => withSecret(one, secret, at));
  const names = Object.keys(body);
  if (names.length === 0 || at % 7 === 6) return { ...body, [secret]: 1 };
  const name = names[at % names.length]!;
  return { ...body, [name]: withSecret((body as Record<string, unknown>)[name], secret, at >> 2) };
};

const HEADERS = [
  "authorization",
  "user-agent",
  "cookie",
  "x-api-key",
  "if-none-match",
  "origin",
  "accept",
  "x-request-id",
];
/** What is written about requests, as opposed to what a user stores in the own log. */
const WRITTEN_ROWS = [
  "SELECT * FROM admin_actions",
  "SELECT * FROM account_events",
  "SELECT * FROM sessions",
  "SELECT * FROM notices",
  "SELECT client, error_code, error_message FROM sync_jobs",
];

// Defence: credentials never appear in logs, errors, file names, messages or on a terminal
test("a secret typed into any field or header gets into no log, no error, no action log and no account event", async () => {
  const { app, logged } = await aLoggedApp();
  const bob = await app.as(app.bob);
  const posts = Object.entries(GOOD_REQUESTS).filter(
    ([name, { path, body }]) =>
      /^(POST|PUT|PATCH) /.test(name) &&
      typeof body === "object" &&
      typeof path !== "function" &&
      !/:|password|logout/.test(name),
  );
  const anyPost = fc.constantFrom(...posts, ["POST /login", { body: { username: "x", password: "y" } }] as const);

  await fc.assert(
    fc.asyncProperty(
      anyPost,
      secretWithShape,
      fc.constantFrom(...HEADERS),
      fc.nat(40),
      async (post, secret, header, at) => {
        const [method, route] = post[0].split(" ") as [string, string];
        const body = withSecret(post[1].body, secret, at);
        const isForm = route === "/login";
        const headers = {
          [header]:
            header === "cookie" ? `qsolog_session=${secret}` : header === "authorization" ? `Bearer ${secret}` : secret,
          "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
        };
        const sent = { body: isForm ? new URLSearchParams(body as Record<string, string>).toString() : body, headers };
        const asker = header === "authorization" || isForm ? app.visitor : bob;
        let answer = "";
        const text = await logged(async () => {
          const { status, body: document } = await asker.send(
            method,
            (post[1] as { path?: string }).path ?? route,
            sent,
          );
          if (status >= 400) answer = JSON.stringify(document);
          await app.runner.idle();
        });
        const rows = await app.db.read(function* () {
          const found: unknown[] = [];
          for (const statement of WRITTEN_ROWS) found.push(...(yield* many`${raw(statement)}`));
          return found;
        });
        for (const written of [text, answer, ...rows.map((row) => JSON.stringify(row))])
          if (findLongestRun(written, secret) > MAX_RUN_LENGTH) expect(written).not.toContain(secret.slice(0, 12));
      },
    ),
    { numRuns: REQUESTS },
  );
});

test("a secret is recognised by its shape in any text, for example in an unexpected error", () => {
  const around = fc.constantFrom(
    "GET /x/@ failed",
    "'@' is not known",
    "no such file: /a//@/b.db-wal",
    "a/@/b?c=@&d",
    "@",
  );

  fc.assert(
    fc.property(fc.oneof(secretWithShape, linkToken), written, around, (secret, write, text) => {
      // A link's token in capitals opens nothing, and looks like any other long name.
      if (!/^(qf|wl2_|qsl_|eyJ)/.test(secret) && write(secret) !== secret && write(secret) === secret.toUpperCase())
        return;
      const redacted = redactText(text.replaceAll("@", write(secret)));
      expect(findLongestRun(redacted, secret)).toBeLessThanOrEqual(MAX_RUN_LENGTH);
    }),
    { numRuns: 2_000 },
  );
});

test("a password after its name is redacted, even if the name is encoded", () => {
  for (const text of [
    "?password=hunter2hush",
    "?p%61ssword=hunter2hush",
    "?PASSWD=hunter2hush",
    '{"apiKey":"hunter2hush"}',
  ])
    expect(redactText(text)).not.toContain("hunter2");
});

test("text that only resembles a secret stays in the log", () => {
  for (const text of [
    "0013_statistics_of_a_user_by_year",
    "at removeEverythingThatIsOld (/app/node_modules/elysia/dist/index.js:12:3)",
    "UNIQUE constraint failed: users.username",
    "/var/lib/qsolog/backups/qsolog-20261125T174400Z-before-0013_statistics.db",
    "https://lotw.arrl.org/lotwuser/lotwreport.adi?qso_query=1",
  ])
    expect(redactText(text)).toBe(text);
});
