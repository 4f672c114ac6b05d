import { expect, setDefaultTimeout, test } from "bun:test";
import { createApp } from "../../src/app.ts";
import { createServer } from "../../src/server/server.ts";
import { aBrowser, BROWSER } from "../support/browser.ts";
import { afterTest } from "../support/cleanup.ts";
import { aProvider } from "../support/provider.ts";
import { PASSWORD } from "../support/qsolog.ts";
import { aUser, testClock, testWorld } from "../support/world.ts";

setDefaultTimeout(120_000);

const freePort = (): number => {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  return port!;
};

/** The program and the provider are different sites to the browser: `localhost` and an IP address. */
const aPlace = async () => {
  const port = freePort();
  const baseUrl = `http://localhost:${port}`;
  const accounts = { "sub-bob": { preferred_username: "bob" } };
  const provider = await aProvider({ accounts, baseUrl });
  const world = await testWorld({ env: { ...provider.env, QSOLOG_PORT: String(port), QSOLOG_HOST: "localhost" } });
  const app = createApp({ ...world, clock: testClock(Date.now()) });
  const server = createServer(app);
  await server.listen();
  afterTest(async () => {
    await server.stop();
    await app.stop();
  });
  await aUser(world, "bob");
  return { baseUrl, provider };
};

const PRESS = "form button, form [type=submit]";

// Defence: OpenID Connect uses the code flow with PKCE, state and nonce, bound to the browser that started it
test.skipIf(BROWSER === null)("a real browser links an account at the provider and signs in with it", async () => {
  const { baseUrl, provider } = await aPlace();
  const browser = await aBrowser(baseUrl);
  const atProvider = `location.origin === ${JSON.stringify(provider.issuer)}`;
  await browser.open("/login");
  await browser.fill("#login-username", "bob");
  await browser.fill("#login-password", PASSWORD);
  await browser.click("#login button");
  await browser.at("/");

  await browser.open("/settings/security");
  await browser.click("#identity-link-button");
  await browser.click("#onward");
  await browser.until(`${atProvider} && document.querySelector("[name=login]")`);
  await browser.fill("[name=login]", "sub-bob");
  await browser.fill("[name=password]", "any");
  await browser.click(PRESS);
  await browser.until(`${atProvider} && !document.querySelector("[name=login]") && document.querySelector("form")`);
  await browser.click(PRESS);
  await browser.at("/settings/security");
  await browser.shows("External account linked: Authelia bob");

  await browser.view.cdp("Network.clearBrowserCookies");
  await browser.open("/login?next=/settings/security");
  await browser.click("#login-provider");
  await browser.until(`${atProvider} && document.querySelector("[name=login]")`);
  await browser.fill("[name=login]", "sub-bob");
  await browser.fill("[name=password]", "any");
  await browser.click(PRESS);
  await browser.until(`${atProvider} && !document.querySelector("[name=login]") && document.querySelector("form")`);
  await browser.click(PRESS);
  await browser.at("/settings/security");
  await browser.shows("Signed in by Authelia");
  expect(await browser.look("document.cookie")).toBe("");
});
