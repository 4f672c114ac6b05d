import { describe, expect, test } from "bun:test";
import { linkTo } from "../../../cli/client/server-link.ts";
import { remoteClient } from "../../../cli/client/remote-client.ts";
import { serverAddress } from "../../../cli/client/server-address.ts";
import { EXIT_CODE } from "../../../cli/cli.ts";
import { AppError } from "../../../src/kernel/errors.ts";
import { afterTest } from "../../support/cleanup.ts";
import { testApp } from "../../support/app.ts";

const TOKEN = "qsl_0123456789abcdef";

/** A server that is not qsolog, and the requests it got. */
const aStranger = (answer: (request: Request) => Response | Promise<Response>) => {
  const asked: { url: string; headers: Headers }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      asked.push({ url: request.url, headers: new Headers(request.headers) });
      return answer(request);
    },
  });
  afterTest(() => server.stop(true));
  const address = `http://127.0.0.1:${server.port}`;
  return { asked, address, link: linkTo({ server: address, token: TOKEN, insecure: false }) };
};

const failureOf = async (asked: Promise<unknown>): Promise<AppError> => {
  const error = await asked.then(
    () => null,
    (thrown) => thrown as unknown,
  );
  if (!(error instanceof AppError)) throw new Error(`no refusal, but ${String(error)}`);
  expect(JSON.stringify([error.message, error.fields, error.rule])).not.toContain(TOKEN);
  return error;
};

const refusal = (status: number, error: object, headers = {}) => Response.json({ error }, { status, headers });

describe("an error of the server", () => {
  test("has its code, message, rule and fields", async () => {
    const fields = [{ path: "band", message: "is none" }];
    const { link } = aStranger(() => refusal(400, { code: "invalid", message: "Wrong.", rule: "r", fields }));

    const error = await failureOf(link.ask("GET", "/api/qsos"));

    expect(error).toMatchObject({ code: "invalid", message: "Wrong.", rule: "r", fields });
  });

  test.each([
    [401, "unauthenticated", "unauthenticated", 4],
    [403, "forbidden", "forbidden", 4],
    [404, "not_found", "not_found", 5],
    [409, "conflict", "conflict", 3],
    [413, "too_large", "too_large", 2],
    [429, "rate_limited", "rate_limited", 1],
    [500, "internal", "internal", 1],
    [418, "a code of tomorrow", "invalid", 2],
    [403, "a code of tomorrow", "forbidden", 4],
    [599, "a code of tomorrow", "internal", 1],
  ] as const)("%p with %p is %s and ends a command with %p", async (status, code, known, exit) => {
    const { link } = aStranger(() => refusal(status, { code, message: "No." }));

    const { code: found, message } = await failureOf(link.ask("GET", "/api/jobs"));

    expect([found, message, EXIT_CODE[found]]).toEqual([known, "No.", exit]);
  });

  test("says how to sign in again, and where the user must do it", async () => {
    const ended = { code: "unauthenticated", message: "Your session has ended.", rule: "session_ended" };
    const own = {
      code: "forbidden",
      message: "You cannot do this with an API token. Sign in instead.",
      rule: "session_required",
    };
    const { link, address } = aStranger((request) => refusal(400, request.url.endsWith("/own") ? own : ended));

    expect((await failureOf(link.ask("GET", "/"))).message).toBe(
      `Your session has ended. Use: qsolog login ${address}`,
    );
    expect((await failureOf(link.ask("GET", "/own"))).message).toBe(
      `You cannot do this with an API token. Sign in instead. See ${address}/settings.`,
    );
  });

  test("for an unknown path suggests that the server is old", async () => {
    const app = await testApp();
    const server = await app.server.listen();
    const { token } = await app.signIn(app.bob);

    const error = await failureOf(linkTo({ server, token, insecure: false }).ask("GET", "/api/tomorrow"));

    expect(error.message).toMatch(/has nothing at \/api\/tomorrow\. Check the address, and that the server is as new/);
  });
});

describe("a server that is not qsolog is recognised, without showing its answer", () => {
  const page = (status: number) => () =>
    new Response("<html>secret page</html>", { status, headers: { "content-type": "text/html; charset=utf-8" } });
  const strangers: [string, () => Response, RegExp][] = [
    ["a page", page(200), /does not answer like a qsolog server \(200, text\/html\)\. Check the address/],
    ["a page of a proxy", page(502), /\(502, text\/html\)/],
    ["another program's document", () => Response.json({ hello: 1 }), /\(200, application\/json\)/],
    ["a document that is none", () => new Response("{", { headers: { "content-type": "application/json" } }), /200/],
    ["an error in another form", () => Response.json({ error: "no" }, { status: 400 }), /\(400, /],
    ["a list", () => Response.json([1]), /200/],
    ["nothing", () => new Response(null, { status: 200 }), /200/],
  ];
  test.each(strangers)("%s", async (_, answer, words) => {
    const { link, address } = aStranger(answer);

    const error = await failureOf(link.ask("GET", "/api/jobs", { has: "jobs" }));
    const pieces = await failureOf(Array.fromAsync(link.pieces("/api/qsos/export", {})));

    expect([error.code, error.message.startsWith(address)]).toEqual(["upstream", true]);
    expect(error.message).toMatch(words);
    expect(pieces.message).toMatch(words);
    expect(error.message).not.toContain("secret page");
  });

  // Defence: commands send a token only to its server, over https, and never along a redirect
  test("a redirect: no token is sent there", async () => {
    const elsewhere = aStranger(() => Response.json({ jobs: [] }));
    const { link } = aStranger(() => Response.redirect(`${elsewhere.address}/api/jobs`, 302));

    expect((await failureOf(link.ask("GET", "/api/jobs"))).message).toContain("redirects to another address");
    expect(elsewhere.asked).toEqual([]);
  });

  test("nothing listening", async () => {
    const { link, address } = aStranger(() => new Response());
    const gone = linkTo({ server: "http://127.0.0.1:1", token: TOKEN, insecure: false });

    expect(await failureOf(gone.ask("GET", "/api/jobs"))).toMatchObject({
      code: "unavailable",
      message: "Cannot reach the server at http://127.0.0.1:1: connection refused.",
    });
    expect(link.server).toBe(address);
  });

  test("a truncated answer is an error", async () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-type: text/x-adif\r\ncontent-length: 1000\r\n\r\n";
    const cut = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end(`${head}ADIF <EOH>`) },
    });
    afterTest(() => cut.stop(true));
    const link = linkTo({ server: `http://127.0.0.1:${cut.port}`, token: TOKEN, insecure: false });

    expect((await failureOf(Array.fromAsync(link.pieces("/api/qsos/export", {})))).code).toBe("unavailable");
    expect((await failureOf(link.ask("GET", "/api/stats"))).code).toBe("unavailable");
  });

  test("a slow one times out", async () => {
    const { link } = aStranger(() => Promise.withResolvers<Response>().promise);

    const { message } = await failureOf(link.ask("GET", "/api/jobs", { patienceMs: 20 }));

    expect(message).toEndWith(": it did not answer in time.");
  });
});

describe("a token", () => {
  test("is sent with every request, in its header only", async () => {
    const { link, asked } = aStranger(() => Response.json({ ok: 1 }));

    await link.ask("POST", "/api/sync/first", { body: { full: true }, query: { a: "b c", none: undefined } });

    const [request] = asked;
    expect(request!.headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
    expect(new URL(request!.url).search).toBe("?a=b+c");
    expect(request!.headers.get("user-agent")).toMatch(/^qsolog\/\d/);
  });

  // Defence: commands send a token only to its server, over https, and never along a redirect
  test.each(["http://log.example.org", "http://192.0.2.7:7373", "http://127.0.0.1.example.org", "http://localhost.x"])(
    "is not sent to %s without encryption unless allowed",
    (server) => {
      expect(() => linkTo({ server, token: TOKEN, insecure: false })).toThrow("uses plain http");
      linkTo({ server, token: TOKEN, insecure: true });
    },
  );

  test.each(["http://localhost:7373", "http://127.0.0.1", "http://[::1]:80", "https://log.example.org/base"])(
    "is sent to %s",
    (server) => {
      linkTo({ server, token: TOKEN, insecure: false });
    },
  );

  test("that is invalid is refused before any request and not shown", () => {
    for (const token of ["qsl_a\nb", "qsl a", "qsl_é", ""]) {
      expect(() => linkTo({ server: "https://log.example.org", token, insecure: false })).toThrow(
        new AppError("invalid", "This is not a valid token."),
      );
    }
  });
});

describe("the address of a server", () => {
  test.each([
    ["log.example.org", "https://log.example.org"],
    ["https://Log.Example.org/", "https://log.example.org"],
    ["https://example.org/log//", "https://example.org/log"],
    ["http://127.0.0.1:7373", "http://127.0.0.1:7373"],
    ["log.example.org:8443/base", "https://log.example.org:8443/base"],
  ])("%s is %s", (text, address) => {
    expect(serverAddress(text)).toBe(address);
  });

  test.each(["ftp://example.org", "https://bob:secret@example.org", "https://example.org/?token=x", "https://", "a b"])(
    "%s is invalid",
    (text) => {
      expect(() => serverAddress(text)).toThrow(/address/);
    },
  );
});

describe("a server that disappears while it runs a job", () => {
  const aJobOf = (answers: (() => Response)[]) => {
    const { link } = aStranger(() => (answers.length > 1 ? answers.shift()! : answers[0]!)());
    const pauses: number[] = [];
    return { pauses, runs: remoteClient(link, async (ms) => void pauses.push(ms)) };
  };
  const job = (status: string) => () => Response.json({ job: { id: 7, status, progress: null } });
  const away = () => refusal(503, { code: "unavailable", message: "Busy." }, { "retry-after": "3" });

  test("is retried until it is back", async () => {
    const { runs, pauses } = aJobOf([job("running"), away, away, job("running"), job("completed")]);

    expect((await runs.untilEnd(7)).job.status).toBe("completed");

    expect(pauses).toEqual([50, 3_000, 3_000, 75]);
  });

  test("is given up in the end, with the number of the job", async () => {
    const { runs, pauses } = aJobOf([job("running"), away]);

    const { code, message } = await failureOf(runs.untilEnd(7));

    expect([code, message]).toEqual(["unavailable", "Busy. Job 7 was running. Check it later: qsolog jobs show 7"]);
    expect(pauses).toHaveLength(31);
  });

  test("is asked less and less often, at most once a second", async () => {
    const { runs, pauses } = aJobOf([...Array.from({ length: 12 }, () => job("running")), job("failed")]);

    await runs.untilEnd(7);

    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses.at(-1)).toBe(1_000);
  });
});

// Defence: the command line never holds more of an answer than 32 MB
test.each(["gzip", "zstd"])("a bomb of %s is not read to its end", async (encoding) => {
  const bomb = Buffer.alloc(256 * 1024 ** 2, "x");
  const packed = encoding === "gzip" ? Bun.gzipSync(bomb) : Bun.zstdCompressSync(bomb);
  const { link } = aStranger(() => new Response(packed, { headers: { "content-encoding": encoding } }));
  const before = process.memoryUsage.rss();

  expect(await failureOf(link.ask("GET", "/api/jobs"))).toMatchObject({ code: "upstream" });
  expect(process.memoryUsage.rss() - before).toBeLessThan(160 * 1024 ** 2);
});
