import { describe, expect, test } from "bun:test";
import { createApp } from "../../src/app.ts";
import { feed } from "../../src/logbook/feeds.ts";
import { byOwner, type LogCaller } from "../../src/logbook/caller.ts";
import { createServer } from "../../src/server/server.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { Feeds } from "../../src/sync/feed/feeds.ts";
import { aBrowser, BROWSER } from "../support/browser.ts";
import { afterTest } from "../support/cleanup.ts";
import { PASSWORD } from "../support/qsolog.ts";
import { said } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

const aPlace = async () => {
  const world = await testWorld({ env: { QSOLOG_PORT: "0" }, thread: true });
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
  // An empty log would show the steps of the first day, which go with the first contact.
  await tell("K1ABC", "50");
  const browser = await aBrowser(url);
  await browser.open("/login");
  await browser.fill("#login-username", "bob");
  await browser.fill("#login-password", PASSWORD);
  await browser.click("#login button");
  await browser.at("/");
  return { browser, tell };
};

describe.skipIf(BROWSER === null)("an open page", () => {
  test("shows a contact that another program added, and sends no requests while nothing changes", async () => {
    const { browser, tell } = await aPlace();
    await browser.until(`document.querySelector("#live")?._htmx?.sse?.status === 200`);

    await Bun.sleep(2_000);
    expect(browser.count("GET /partials/board")).toBe(0);
    await browser.watch();
    const began = performance.now();
    await tell("JA1ABC", "58");
    await browser.until(`document.querySelector("#lately")?.innerText.includes("JA1ABC")`);
    const ms = performance.now() - began;
    await tell("JA2ABC", "59");
    await browser.until(`document.querySelector("#lately")?.innerText.includes("JA2ABC")`);

    expect(await browser.text("#lately")).toContain("new entity, new zone 25");
    await Bun.sleep(300);
    // A new row at the top of a list moves the rows below it, and nothing else.
    const scores = (await browser.moves()).map(Number).filter((score) => score > 0);
    expect(scores.reduce((sum, score) => sum + score, 0)).toBeLessThan(0.02);
    expect(ms).toBeLessThan(5_000);
    await browser.open("/log");
    await browser.until(`document.querySelector("#live")?._htmx?.sse?.status === 200`);
    await tell("JA3ABC", "57");
    await browser.until(`document.querySelector("#results")?.innerText.includes("JA3ABC")`);
    expect(browser.complaints).toEqual([]);
  }, 120_000);
});
