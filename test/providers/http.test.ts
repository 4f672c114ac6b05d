import { describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { SECOND } from "../../src/kernel/clock.ts";
import type { ProviderDeps } from "../../src/domain/jobs/provider.ts";
import { buildAgent, ask, type Question } from "../../src/providers/http.ts";
import { LastAskedInMemory } from "../support/last-asked.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { afterTest } from "../support/cleanup.ts";
import { testRandom } from "../support/world.ts";
import { errorOf } from "./rig.ts";

const NOW = Date.UTC(2026, 7, 1, 12);

/** A server that sends exactly these bytes to every connection and closes it. */
async function saying(speak: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => speak(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterTest(() => server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

function asking(url: string, changes: Partial<Question> = {}) {
  const pauses: number[] = [];
  const deps: ProviderDeps = {
    baseUrl: url,
    spoolDir: "",
    version: "1",
    pace: 1,
    clock: () => NOW,
    random: testRandom(),
    lastAsked: new LastAskedInMemory(SYSTEM_TIME.ticks),
    ...SYSTEM_TIME,
    sleep: async (ms) => void pauses.push(ms),
  };
  const patience = { silence: 2 * SECOND, total: 5 * SECOND };
  const question = { label: "Service", url, agent: "qsolog/1", patience, retries: 0, ...changes };
  const text = async (bytes: AsyncIterable<Uint8Array>) =>
    Buffer.concat(await Array.fromAsync(bytes, (block) => Buffer.from(block))).toString();
  return { pauses, answer: () => ask(deps, question, new AbortController().signal, text) };
}

describe("an HTTP response", () => {
  test.each([
    ["HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello", "network"],
    ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "network"],
    ["HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", "truncated"],
    ["this is no HTTP\r\n\r\n", "network"],
    ["", "network"],
    ["HTTP/1.1 304 Not Modified\r\nContent-Length: 0\r\n\r\n", "invalid_answer"],
    ["HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", "auth_failed"],
    ["HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "invalid_answer"],
    ["HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "invalid_answer"],
    ["HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n", "busy"],
    ["HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 100\r\n\r\nbroken", "network"],
  ])("of %j is a failure", async (said, code) => {
    const url = await saying((socket) => socket.end(said));

    expect(await errorOf(asking(url).answer())).toMatchObject({ code, name: "SyncError" });
  });

  test("without a length is complete when the connection ends", async () => {
    const url = await saying((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nhello"));

    expect(await asking(url).answer()).toBe("hello");
  });

  // Defence: downloads have an idle timeout, a total timeout and a size limit
  test("that takes too long is given up, even if data keeps arriving", async () => {
    const url = await saying((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const drops = setInterval(() => socket.write("x"), 5);
      socket.on("close", () => clearInterval(drops));
    });
    const { answer } = asking(url, { patience: { silence: 2 * SECOND, total: 60 } });

    expect(await errorOf(answer())).toMatchObject({ code: "timeout" });
  });

  test("that keeps arriving can take longer than the idle time-out", async () => {
    const url = await saying((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n");
      let left = 12;
      const drops = setInterval(() => {
        socket.write("x");
        if (--left === 0) clearInterval(drops);
      }, 20);
    });
    const { answer } = asking(url, { patience: { silence: 120, total: 5 * SECOND } });

    expect(await answer()).toBe("x".repeat(12));
  });

  test("of several blocks arrives in order", async () => {
    const long = Array.from({ length: 40_000 }, (_, index) => index).join(",");
    const url = await saying((socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${long}`));

    expect(await asking(url).answer()).toBe(long);
  });
});

describe("a service that asks for a pause", () => {
  test.each([
    ["90", [90 * SECOND]],
    ["Sat, 01 Aug 2026 12:01:30 GMT", [90 * SECOND]],
    ["Sat, 01 Aug 2026 11:00:00 GMT", [5 * SECOND]],
    ["1", [5 * SECOND]],
    ["soon", [5 * SECOND]],
    ["121", []],
  ])("for %j is asked again after %j", async (retryAfter, pauses) => {
    const url = await saying((socket) =>
      socket.end(`HTTP/1.1 503 Busy\r\nRetry-After: ${retryAfter}\r\nContent-Length: 0\r\n\r\n`),
    );
    const asked = asking(url, { retries: 1 });

    expect(await errorOf(asked.answer())).toMatchObject({ code: "network" });
    expect(asked.pauses).toEqual(pauses);
  });
});

test("a service can recognise its own error pages", async () => {
  const url = await saying((socket) => socket.end("HTTP/1.1 503 Busy\r\nContent-Length: 12\r\n\r\nCome back!\r\n"));
  const seen: [number, string][] = [];
  const refusal = (status: number, page: string) => {
    seen.push([status, page]);
    return null;
  };

  expect(await errorOf(asking(url, { refusal }).answer())).toMatchObject({ code: "network" });
  expect(seen).toEqual([[503, "Come back!\r\n"]]);
});

test.each([
  ["0.1.0", "YU1TEST", "qsolog/0.1.0 (YU1TEST)"],
  ["0.1.0", "yu1test/p", "qsolog/0.1.0 (YU1TEST/P)"],
  ["0.1.0", null, "qsolog/0.1.0"],
  ["0.1.0", "", "qsolog/0.1.0"],
  ["0.1.0", ")\r\nX: y", "qsolog/0.1.0 (XY)"],
  ["0.1.0", "A".repeat(500), `qsolog/0.1.0 (${"A".repeat(32)})`],
])("version %j of %j is called %j", (version, callsign, agent) => {
  expect(buildAgent(version, callsign)).toBe(agent);
});
