import { expect, test } from "bun:test";
import { aBrowser, BROWSER } from "../support/browser.ts";
import { testApp } from "../support/app.ts";
import { signIn } from "../support/desk.ts";
import { aWorldWithLargeLogs } from "../support/large-logs.ts";

const SHOWN = `document.querySelector(".progress")?.checkVisibility()`;

test.skipIf(BROWSER === null)(
  "a browser without scripts shows the progress of reading a large log, then only the content",
  async () => {
    const app = await testApp({ world: await aWorldWithLargeLogs({ env: { QSOLOG_PORT: "0" } }) });
    let mayGoOn = Promise.resolve();
    const inWorker = app.db.inWorker.bind(app.db);
    app.db.inWorker = (async (...question: Parameters<typeof inWorker>) => {
      await mayGoOn;
      return inWorker(...question);
    }) as typeof inWorker;
    const browser = await aBrowser(await app.server.listen(), { scripts: false });
    await signIn(browser, app, app.bob);

    const held = Promise.withResolvers<void>();
    mayGoOn = held.promise;
    const opened = browser.open("/reconcile");
    await browser.until(`${SHOWN} === true`);
    expect(await browser.text()).toStartWith("Reading your log");
    // The first text can come before the style sheet, which shows the whole menu on a wide screen.
    await browser.until(`document.querySelector("header").innerText.includes("Statistics")`);

    held.resolve();
    await opened;
    expect(await browser.look(SHOWN)).toBe(false);
    expect(await browser.text("h1")).toContain("Your log");
  },
  120_000,
);
