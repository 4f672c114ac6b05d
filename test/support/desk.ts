import { createApp } from "../../src/app.ts";
import { createServer } from "../../src/server/server.ts";
import { aBrowser } from "./browser.ts";
import { afterTest } from "./cleanup.ts";
import { storeLog } from "./log-generator.ts";
import { PASSWORD } from "./qsolog.ts";
import { aUser, testWorld } from "./world.ts";

/** Keys that are not characters. */
const CODES: Record<string, number> = { Tab: 9, Enter: 13, Escape: 27, ArrowDown: 40 };

/** Bob, signed in, with sixty contacts. */
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
  await browser.open("/login");
  await browser.fill("#login-username", "bob");
  await browser.fill("#login-password", PASSWORD);
  await browser.click("#login button");
  await browser.at("/");
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
