import { createApp, type App } from "../../src/app.ts";
import type { User } from "../../src/domain/people/user.ts";
import { cookieName, SESSION_COOKIE } from "../../src/server/http/cookies.ts";
import { createServer } from "../../src/server/server.ts";
import * as users from "../../src/storage/people/users.ts";
import { CLIENT } from "./app.ts";
import { aBrowser, type Browser } from "./browser.ts";
import { afterTest } from "./cleanup.ts";
import { storeLog } from "./log-generator.ts";
import { aUser, testWorld } from "./world.ts";

/** Keys that are not characters. */
const CODES: Record<string, number> = { Tab: 9, Enter: 13, Escape: 27, ArrowDown: 40 };

/** Signs in without the sign-in page. */
export const signIn = async ({ view, origin }: Browser, app: App, user: User): Promise<void> => {
  const known = await app.db.read(() => users.getKnown(user.id));
  const { token } = await app.auth.startSession(known, CLIENT, null);
  const name = cookieName(app.config, SESSION_COOKIE);
  await view.cdp("Network.setCookie", { name, value: token, url: origin, httpOnly: true });
};

/** Bob, signed in, with sixty contacts. No page is open yet. */
export const aDesk = async (scripts = true, width = 1200) => {
  const world = await testWorld({ env: { QSOLOG_PORT: "0" } });
  const app = createApp(world);
  const server = createServer(app);
  const url = await server.listen();
  afterTest(async () => {
    await server.stop();
    await app.stop();
  });
  const bob = await aUser(world, "bob");
  await storeLog(world.db, bob.id, { contacts: 60, seed: 3 });
  const browser = await aBrowser(url, { scripts, width });
  await signIn(browser, app, bob);
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      const [name, modifiers] = key === "Ctrl-K" ? ["k", 2] : [key, 0];
      const text = modifiers === 0 && name.length === 1 ? { text: name } : {};
      const code = CODES[name] === undefined ? {} : { windowsVirtualKeyCode: CODES[name] };
      const sign = name === "Enter" ? { text: "\r" } : {};
      await browser.view.cdp("Input.dispatchKeyEvent", {
        type: "keyDown",
        key: name,
        modifiers,
        ...text,
        ...sign,
        ...code,
      });
      await browser.view.cdp("Input.dispatchKeyEvent", { type: "keyUp", key: name, modifiers, ...code });
    }
  };
  const focused = () => browser.look<string>("document.activeElement.id || document.activeElement.innerText");
  return { world, bob, browser, press, focused };
};
