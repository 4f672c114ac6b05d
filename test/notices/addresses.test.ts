import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isPublicAddress } from "../../src/kernel/addresses.ts";
import { post } from "../../src/notices/http-post.ts";
import { byOwner } from "../../src/logbook/caller.ts";
import { addTarget, listTargets } from "../../src/logbook/notices.ts";
import { many } from "../../src/storage/engine/unit.ts";
import { testApp } from "../support/app.ts";
import { testWorld } from "../support/world.ts";
import { aListener, LOCAL } from "./listener.ts";

const parcel = (url: string) => ({ url, headers: { "content-type": "application/json" }, body: "{}" });

/** The result of sending, in one word. */
const fate = (sent: Promise<void>) =>
  sent.then(
    () => "sent",
    ({ code, rule }) => rule ?? code,
  );

test.each([
  ["8.8.8.8", true],
  ["93.184.216.34", true],
  ["2606:4700::1111", true],
  ["::ffff:8.8.8.8", true],
  ["64:ff9b::808:808", true],
  ["0.0.0.0", false],
  ["10.1.2.3", false],
  ["100.64.0.1", false],
  ["127.0.0.1", false],
  ["127.255.255.254", false],
  ["169.254.169.254", false],
  ["172.16.0.1", false],
  ["172.32.0.1", true],
  ["192.168.1.1", false],
  ["198.18.0.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:a9fe:a9fe", false],
  ["::7f00:1", false],
  ["64:ff9b::7f00:1", false],
  ["64:ff9b::a00:1", false],
  ["2002:7f00:1::", false],
  ["2001:0:4136:e378::", false],
  ["fd00::1", false],
  ["fe80::1", false],
  ["fe80::1%eth0", false],
  ["fec0::1", false],
  ["ff02::1", false],
  ["localhost", false],
  ["", false],
])("%p is a public address: %p", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

// Defence: notifications reach a local network only if the operator allows it
describe("local networks are refused", () => {
  test.each([
    "http://127.0.0.1:PORT/",
    "http://localhost:PORT/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f.1:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://127.1:PORT/",
    "http://0:PORT/",
    "http://inside.example.org:PORT/",
    "https://inside.example.org:PORT/",
    "https://mapped.example.org:PORT/",
  ])("%s", async (address) => {
    const listener = aListener();
    const world = await testWorld();
    const names: Record<string, string[]> = {
      localhost: ["127.0.0.1", "::1"],
      "inside.example.org": ["127.0.0.1"],
      "mapped.example.org": ["::ffff:7f00:1"],
    };
    const lookup = async (host: string) => names[host] ?? [];

    expect(await fate(post({ ...world, lookup }, parcel(address.replace("PORT", String(listener.port)))))).toBe(
      "local_address",
    );
    expect(listener.received).toEqual([]);
  });

  test("even if a name resolves to something else later", async () => {
    const listener = aListener();
    const world = await testWorld({ env: LOCAL });
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const lookup = async () => answers.shift()!;

    await post({ ...world, lookup }, parcel(`http://rebound.example.org:${listener.port}/`));

    expect(listener.received).toHaveLength(1);
    expect(listener.received[0]!.headers.get("host")).toBe(`rebound.example.org:${listener.port}`);
    expect(answers).toEqual([["10.0.0.1"]]);
  });

  test("if a name has several addresses, only the allowed ones are used", async () => {
    const listener = aListener();
    const world = await testWorld({ env: LOCAL });

    await post(
      { ...world, lookup: async () => ["10.0.0.1", "169.254.169.254", "127.0.0.1"] },
      parcel(`http://many.example.org:${listener.port}/`),
    );

    expect(listener.received).toHaveLength(1);
    expect(
      await fate(post({ ...world, lookup: async () => ["10.0.0.1", "fd00::1"] }, parcel("https://x.example.org"))),
    ).toBe("local_address");
  });

  test("plain HTTP is refused on the internet", async () => {
    const world = await testWorld({ env: LOCAL });

    expect(await fate(post({ ...world, lookup: async () => ["93.184.216.34"] }, parcel("http://x.example.org")))).toBe(
      "local_address",
    );
  });

  // Defence: notifications reach a local network only if the operator allows it
  test("redirects are not followed", async () => {
    const inner = aListener();
    const outer = aListener(() => Response.redirect(`${inner.url}/secret`, 307));
    const world = await testWorld({ env: LOCAL });

    const sent = post(world, parcel(outer.url));

    expect(sent).rejects.toThrow(
      "127.0.0.1 answered 307. It redirects to another address, and redirects are not followed.",
    );
    await sent.catch(() => {});
    expect([outer.received.length, inner.received.length]).toEqual([1, 0]);
  });

  test("for any host name, the resolver's answer decides", async () => {
    const world = await testWorld();
    const octet = fc.integer({ min: 0, max: 255 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(10, 127, 0, 224, 240, 255), octet, octet, octet, async (a, b, c, d) => {
        const lookup = async () => [`${a}.${b}.${c}.${d}`];
        expect(await fate(post({ ...world, lookup }, parcel("https://any.example.org/")))).toBe("local_address");
      }),
      { numRuns: 50 },
    );
  });
});

describe("the address of a target", () => {
  test.each([
    ["webhook", "ftp://hooks.example.org", "Enter an https address."],
    ["webhook", "hooks", "Enter an https address."],
    ["webhook", `https://hooks.example.org/${"x".repeat(500)}`, "Enter an https address."],
    [
      "webhook",
      "https://me:secret@hooks.example.org",
      "Enter an address without a username, password or fragment (#).",
    ],
    ["ntfy", "https://ntfy.sh", "Enter the address of an ntfy topic, such as https://ntfy.sh/my-log."],
    ["ntfy", "https://ntfy.sh/a?b", "Enter the address of an ntfy topic, such as https://ntfy.sh/my-log."],
  ] as const)("a %s at %s is refused", async (kind, url, message) => {
    const app = await testApp();

    expect(addTarget(app, byOwner(app.bob), { kind, url, events: ["leftovers"] })).rejects.toMatchObject({
      code: "invalid",
      message,
    });
  });

  // Defence: addresses and keys of notification targets are encrypted and never returned
  test("is encrypted and not returned, and five are the limit", async () => {
    const app = await testApp();
    const order = {
      kind: "ntfy" as const,
      url: "https://ntfy.sh/hidden-topic",
      token: "tk_hidden",
      events: ["leftovers"],
    };
    for (let count = 0; count < 5; count++) await addTarget(app, byOwner(app.bob), order);

    expect(addTarget(app, byOwner(app.bob), order)).rejects.toMatchObject({ rule: "too_many_targets" });
    const rows = JSON.stringify(await app.db.read(() => many`SELECT * FROM notice_targets`));
    const shown = JSON.stringify(await listTargets(app, byOwner(app.bob)));
    for (const secret of ["hidden-topic", "tk_hidden"]) {
      expect(rows).not.toContain(secret);
      expect(shown).not.toContain(secret);
    }
  });
});
