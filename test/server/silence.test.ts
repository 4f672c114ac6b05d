import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { createServer, type Server } from "../../src/server/server.ts";
import { formRoute, pageRoute, type PageRoute } from "../../src/server/pages/page-route.ts";
import { testApp } from "../support/app.ts";

const IDLE_SECONDS = 1;
/** The system looks at sockets every four seconds. */
const LONG_MS = 9_000;
const TEST_MS = 40_000;

const page = (method: "GET" | "POST", path: string, handle: () => Promise<Response>): PageRoute =>
  method === "GET"
    ? pageRoute(path, { access: "anyone", page: handle })
    : formRoute(path, { access: "anyone", form: "slow", submit: handle });

const afterLong = async () => {
  await Bun.sleep(LONG_MS);
  return new Response("at last");
};

const gone = Promise.withResolvers<void>();

/** More than all that lies between here and there holds, until nobody is there any more. */
const endless = async () =>
  new Response(
    new ReadableStream({
      pull: (out) => out.enqueue(new Uint8Array(1_000_000)),
      cancel: () => gone.resolve(),
    }),
  );

let server: Server;
let port: number;

beforeAll(async () => {
  const morePages = [
    page("GET", "/slow", afterLong),
    page("POST", "/slow", afterLong),
    page("GET", "/endless", endless),
  ];
  server = createServer(await testApp(), { morePages, idleSeconds: IDLE_SECONDS });
  port = Number(new URL(await server.listen()).port);
});

afterAll(() => server.stop());

const say = (words: string) => {
  const socket = connect(port, "127.0.0.1", () => socket.write(words));
  return socket;
};

// Invariant: a connection is closed when the client is silent, never while the server works
describe.concurrent("a silent connection", () => {
  test(
    "stays open while an answer is computed",
    async () => {
      const asked = [
        fetch(`http://127.0.0.1:${port}/slow`),
        fetch(`http://127.0.0.1:${port}/slow`, { method: "POST", body: new URLSearchParams({ a: "b" }) }),
      ];

      for (const answer of asked) expect(await (await answer).text()).toBe("at last");
    },
    TEST_MS,
  );

  test(
    "is closed if a request is not completed",
    async () => {
      const socket = say("POST /slow HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\na=").resume();

      await new Promise((closed) => socket.on("close", closed));
    },
    TEST_MS,
  );

  test(
    "stays open while a body arrives, however slowly",
    async () => {
      const slow = createServer(await testApp(), {
        morePages: [page("POST", "/now", async () => new Response("at last"))],
        idleSeconds: 5,
      });
      const at = Number(new URL(await slow.listen()).port);
      const body = "a=0123456789abcd";
      const type = "content-type: application/x-www-form-urlencoded";
      const socket = connect(at, "127.0.0.1", () =>
        socket.write(`POST /now HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n${type}\r\n\r\n`),
      );
      const answer = new Promise<string>((done) => {
        socket.on("data", (bytes) => done(String(bytes)));
        socket.on("close", () => done("closed"));
      });
      for (const letter of body) {
        await Bun.sleep(1_000);
        socket.write(letter);
      }

      expect(await answer).toContain("at last");
      socket.destroy();
      await slow.stop();
    },
    TEST_MS,
  );

  test(
    "is closed if the client does not read the answer",
    async () => {
      const socket = say("GET /endless HTTP/1.1\r\nhost: localhost\r\n\r\n").pause();

      await gone.promise;
      socket.destroy();
    },
    TEST_MS,
  );
});

test(
  "an address has at most 200 requests in progress, and others are answered",
  async () => {
    const half = "POST /slow HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\na=";
    const sockets = Array.from({ length: 200 }, () => say(half).on("error", () => {}));
    await Bun.sleep(500);

    const refused = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect([refused.status, ((await refused.json()) as { error: { rule: string } }).error.rule]).toEqual([
      429,
      "too_many_requests",
    ]);

    for (const socket of sockets) socket.destroy();
    await Bun.sleep(1_000);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  },
  TEST_MS,
);
