import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterTest } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { lotw, said, sync } from "../support/sync.ts";
import { served } from "./served.ts";
import { aCommandLine } from "./services.ts";

setDefaultTimeout(300_000);

const RUNS = isFull(import.meta) ? 1_000 : 40;

const COMMANDS = [
  "stats",
  "awards",
  "awards dxcc",
  "awards was needed",
  "need K1AAA --band 20m --mode FT8",
  "news --since 2026-01-01",
  "qso list",
  "qso list --station yu9xyz",
  "qso show 1",
  "qso show 1 --why",
  "jobs",
  "jobs list",
  "jobs show 2 --diff --leftovers",
  "rollback 3 --dry-run",
  "service list",
  "schedule",
  "notify list",
  "account show",
  "account events",
  "duplicates list",
  "reconcile show",
];

const STEERING = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const HOSTILE = "\x1b]0;owned\x07\x1b[2J\u009b31m\u202e\r\u2028";

/** Values that a document of a server should not have, and some that it may have. */
const wrong = fc.oneof(
  fc.constantFrom<unknown>(null, true, "", "x", -1, 1e300, 8.64e15 + 1, 0.5, [], {}, [[]], [null], [{}], {
    a: HOSTILE,
  }),
  fc.constant(HOSTILE),
);

/** The document with one of its values replaced, chosen by `at`. */
const spoil = (document: unknown, at: number, value: unknown): unknown => {
  let seen = 0;
  const total = JSON.stringify(document, (_, one) => (seen++, one)) === undefined ? 1 : seen;
  const wanted = at % total;
  let place = 0;
  return JSON.parse(JSON.stringify(document, (_, one) => (place++ === wanted && wanted > 0 ? value : one)));
};

const pollute = (document: unknown): unknown =>
  JSON.parse(JSON.stringify(document), (_, one) => (typeof one === "string" ? one + HOSTILE : one));

/** A server whose answers pass through this function. */
const aHostileServer = async (line: Awaited<ReturnType<typeof aCommandLine>>) => {
  const { url, env } = await served(line);
  const hostile = { change: (document: unknown): unknown => document };
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(url + pathname + search, {
        method: request.method,
        headers: request.headers,
        body: request.method === "GET" ? undefined : await request.text(),
      });
      const text = await answer.text();
      const isJson = answer.headers.get("content-type")?.startsWith("application/json");
      const headers = { "content-type": answer.headers.get("content-type") ?? "text/plain" };
      return new Response(isJson ? JSON.stringify(hostile.change(JSON.parse(text))) : text + HOSTILE, {
        status: answer.status,
        headers,
      });
    },
  });
  afterTest(() => server.stop(true));
  return { hostile, env: { ...env, QSOLOG_SERVER: server.url.href.replace(/\/$/, "") } };
};

const aHistory = async () => {
  const line = await aCommandLine();
  const { world, bob } = line;
  await sync(world, bob.id, "file", [said("K1AAA", "2026-07-18 01:43"), said("K1AAA", "2026-07-18 01:53")]);
  await sync(world, bob.id, "first", [lotw("K1AAA", "2026-07-18 01:48"), lotw("K2BBB", "2026-07-18 02:00")]);
  await sync(world, bob.id, "first", [lotw("K3CCC", "2026-07-18 03:00")], { failure: new Error("lost") });
  return line;
};

describe("a server that the command line cannot trust", () => {
  // Defence: text from services, servers and files cannot control a terminal
  test("does not steer the terminal with any of its texts, in words and as JSON", async () => {
    const line = await aHistory();
    const { hostile, env } = await aHostileServer(line);
    hostile.change = pollute;

    for (const command of COMMANDS) {
      for (const words of [command.split(" "), ["--json", ...command.split(" ")]]) {
        const { out, err } = await line.qsolog(words, { env });
        expect([words, STEERING.exec(out)?.[0], STEERING.exec(err)?.[0]]).toEqual([words, undefined, undefined]);
        expect(err).not.toContain("unexpected error");
      }
    }
  });

  test("gets a clear error for an answer of another shape", async () => {
    const line = await aHistory();
    const { hostile, env } = await aHostileServer(line);

    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...COMMANDS),
        fc.boolean(),
        fc.nat(400),
        wrong,
        async (command, json, at, value) => {
          hostile.change = (document) => spoil(document, at, value);
          const words = [...(json ? ["--json"] : []), ...command.split(" ")];
          const { code, out, err } = await line.qsolog(words, { env });
          expect(err).not.toContain("unexpected error");
          expect(err).not.toMatch(/"code":"internal"/);
          expect(STEERING.test(out + err)).toBe(false);
          if (/does not understand/.test(err)) expect(code).not.toBe(0);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("cannot fill the memory with an answer that unpacks to gigabytes", async () => {
    const line = await aCommandLine();
    const bomb = gzipSync(Buffer.alloc(40 * 1_048_576, " "));
    const server = Bun.serve({
      port: 0,
      fetch: () => new Response(bomb, { headers: { "content-encoding": "gzip", "content-type": "application/json" } }),
    });
    afterTest(() => server.stop(true));

    const { code, err } = await line.qsolog(["stats"], {
      env: { QSOLOG_SERVER: server.url.href.replace(/\/$/, ""), QSOLOG_TOKEN: `qsl_${"x".repeat(43)}` },
    });

    expect(code).not.toBe(0);
    expect(err).toContain("is larger than 32 MB");
  });
});
