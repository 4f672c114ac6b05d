import { describe, expect, test } from "bun:test";
import { createApp } from "../../src/app.ts";
import { feed } from "../../src/logbook/feeds.ts";
import { byOwner, type LogCaller } from "../../src/logbook/caller.ts";
import { createServer } from "../../src/server/server.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { Feeds } from "../../src/sync/feed/feeds.ts";
import { aBrowser, BROWSER, type Browser } from "../support/browser.ts";
import { afterTest } from "../support/cleanup.ts";
import { signIn } from "../support/desk.ts";
import { said } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

const aPlace = async (contacts: readonly string[]) => {
  const world = await testWorld({ env: { QSOLOG_PORT: "0" } });
  const app = createApp(world);
  const server = createServer(app);
  const url = await server.listen();
  afterTest(async () => {
    await Promise.all([app.stop(), server.stop()]);
  });
  const bob = await aUser(world, "bob");
  const asker: LogCaller = byOwner(bob);
  // Of another program on the same database: the server is not told by it.
  const feeds = new Feeds(world);
  const tell = (call: string, minute: string) =>
    feed({ ...SYSTEM_TIME, feeds }, asker, {
      client: "WSJT-X",
      told: [{ kind: "contact", fields: said(call, `2026-08-01 11:${minute}`, { BAND: "17m" }).fields }],
    });
  for (const call of contacts) await tell(call, "50");
  const browser = await aBrowser(url);
  await signIn(browser, app, bob);
  await browser.open("/");
  return { browser, tell };
};

/** Waits until the page sends no more requests: it is notified once more of contacts from before it was opened. */
const untilQuiet = async ({ until, count }: Browser): Promise<void> => {
  await until(`document.querySelector("#live")?._htmx?.sse?.status === 200`);
  for (let before = -1; before !== count("GET /partials/board");) {
    before = count("GET /partials/board");
    await Bun.sleep(2_000);
  }
};

describe.skipIf(BROWSER === null)("an open page", () => {
  for (const [log, contacts] of [
    ["an empty log", []],
    ["a log of one contact", ["K1ABC"]],
  ] as const) {
    test(`of ${log} is quiet while nothing changes, and shows a contact of another program without a jump`, async () => {
      const { browser, tell } = await aPlace(contacts);
      await untilQuiet(browser);
      await browser.watch();
      const began = performance.now();
      await tell("JA1ABC", "58");
      await browser.until(`document.querySelector("#lately")?.innerText.includes("JA1ABC")`);
      const ms = performance.now() - began;
      await tell("JA2ABC", "59");
      await browser.until(`document.querySelector("#lately")?.innerText.includes("JA2ABC")`);

      expect(await browser.text("#lately")).toContain("new entity, new zone 25");
      await Bun.sleep(300);
      expect(await browser.moves()).toEqual([]);
      expect(ms).toBeLessThan(5_000);
      expect(browser.complaints).toEqual([]);
    }, 120_000);
  }

  test("of the log shows a contact of another program without a jump", async () => {
    const { browser, tell } = await aPlace(["K1ABC", "K2ABC", "K3ABC"]);
    await browser.open("/log");
    await browser.until(`document.querySelector("#live")?._htmx?.sse?.status === 200`);
    await Bun.sleep(2_000);
    await browser.watch();
    await tell("JA3ABC", "57");
    await browser.until(`document.querySelector("#results")?.innerText.includes("JA3ABC")`);
    await Bun.sleep(300);
    expect(await browser.moves()).toEqual([]);
    expect(browser.complaints).toEqual([]);
  }, 120_000);
});
