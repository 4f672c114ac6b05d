import { describe, expect, test } from "bun:test";
import { createApp } from "../../src/app.ts";
import { GALLERY_PAGES } from "../gallery/pages.tsx";
import { createServer } from "../../src/server/server.ts";
import { exhibits } from "../gallery/exhibits.tsx";
import { createDemoWorld } from "../../src/demo/world.ts";
import { serve } from "../../src/main.ts";
import { brokenRules } from "../support/axe.ts";
import { aBrowser, BROWSER } from "../support/browser.ts";
import { PAGES } from "../support/demo-pages.ts";
import { aDirectory } from "../support/directory.ts";
import { isFull } from "../support/full.ts";
import { faultsIn } from "../views/validator.ts";
import { afterTest } from "../support/cleanup.ts";
import { testWorld } from "../support/world.ts";

const aGallery = async (): Promise<string> => {
  const world = await testWorld({ env: { QSOLOG_PORT: "0" } });
  const app = createApp(world);
  const server = createServer(app, { morePages: GALLERY_PAGES });
  afterTest(async () => {
    await server.stop();
    await app.stop();
  });
  return server.listen();
};

/** Parts of a page have no heading of their own. */
const PARTS = ["panel", "log-hints", "log-tools", "import-progress"];

const OUTSIDE = {
  clock: Date.now,
  random: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
};

const LOOKS = [
  { look: "on a phone", width: 360, dark: false, scripts: true },
  { look: "in the light", width: 1200, dark: false, scripts: true },
  { look: "in the dark", width: 1200, dark: true, scripts: true },
  { look: "without scripts", width: 1200, dark: false, scripts: false },
];

const IS_FULL = isFull(import.meta);

/** Views that the pages of the demo, which are checked in every run, do not show. */
const NOT_IN_THE_DEMO = [
  "components",
  "setup",
  "register",
  "refused",
  "log-hints",
  "import-progress",
  "settings-acting",
  "confirm",
  "terminal",
  "factor-step",
  "newcomer",
  "new-password",
];

const NAMES = Object.keys(exhibits((text) => text, "empty")).filter(
  (name) => IS_FULL || NOT_IN_THE_DEMO.includes(name),
);

/** What hides part of its content, except charts, and words in a column narrower than a word. */
const CUT = `[...document.querySelectorAll("main *")].filter((one) => one.checkVisibility()).flatMap((one) => {
  const name = one.tagName.toLowerCase() + (one.id && "#" + one.id) + [...one.classList].map((c) => "." + c).join("");
  const scrolls = getComputedStyle(one).overflowX === "auto" && one.scrollWidth > one.clientWidth + 1;
  if (scrolls && !one.matches(".scroll")) return [name + " scrolls sideways"];
  const words = [...one.childNodes].filter((part) => part.nodeType === Node.TEXT_NODE).map((part) => part.data.trim());
  if (words.join("").length < 12 || one.closest(".hidden, svg, thead")) return [];
  const range = document.createRange();
  range.selectNodeContents(one);
  const { width, height } = range.getBoundingClientRect();
  return height > width * 2 && width > 2 ? [name + " is squeezed: " + words.join(" ")] : [];
})`;

describe.skipIf(BROWSER === null)("people who cannot see or use a mouse", () => {
  // The demo's pages, below, are checked on a phone in every run.
  const views = [
    { look: "in the light", amounts: ["usual"], width: 1200, dark: false },
    { look: "on a phone", amounts: ["usual"], width: 360, dark: false },
    { look: "in the dark", amounts: ["usual"], width: 1200, dark: true },
    { look: "with nothing on it", amounts: ["empty"], width: 1200, dark: false },
  ];
  for (const { look, amounts, ...how } of IS_FULL ? views : views.slice(0, 1)) {
    test(`every page follows the accessibility rules, ${look}`, async () => {
      const browser = await aBrowser(await aGallery(), how);
      const found: string[] = [];
      for (const amount of amounts) {
        for (const name of NAMES) {
          await browser.open(`/dev/gallery/${name}/${amount}`);
          const broken = await brokenRules(browser);
          const told = PARTS.includes(name)
            ? broken.filter((words) => !words.startsWith("page-has-heading-one"))
            : broken;
          found.push(...told.map((words) => `${name} ${amount}: ${words}`));
        }
      }

      expect(found).toEqual([]);
    }, 180_000);
  }

  // Frames, headers, banners and errors only exist on real pages. The short form leaves to other tests what does not
  // depend on them: the contrast of all components, above, and valid HTML below the header, to test/views/valid.test.ts.
  for (const { look: name, ...how } of IS_FULL ? LOOKS : LOOKS.slice(0, 1)) {
    test(`every page of a demo follows the rules and is valid HTML, ${name}`, async () => {
      const demo = await createDemoWorld({ dataDir: aDirectory(), port: "0", ...OUTSIDE });
      const server = await serve(demo.config, { ...OUTSIDE, echoLogTo: null, migrate: true, say: () => {} });
      afterTest(async () => {
        await server.stop();
        await demo.stop();
      });
      const browser = await aBrowser(server.url.replace(/\/$/, ""), how);
      const found: string[] = [];
      /** axe needs JavaScript, while the page's own scripts were left out when it was loaded. */
      const withScripts = async (work: () => Promise<unknown>) => {
        const allow = (value: boolean) => browser.view.cdp("Emulation.setScriptExecutionDisabled", { value: !value });
        if (!how.scripts) await allow(true);
        await work();
        if (!how.scripts) await allow(false);
      };
      const look = (where: string) =>
        withScripts(async () => {
          found.push(...(await brokenRules(browser, { hasContrast: IS_FULL })).map((words) => `${where}: ${words}`));
          const width = Number(await browser.look("document.documentElement.scrollWidth"));
          if (width > how.width) found.push(`${where}: ${width} pixels wide`);
          found.push(...((await browser.look<string[]>(CUT)) ?? []).map((words) => `${where}: ${words}`));
        });
      const through = async (who: string, paths: readonly string[]) => {
        for (const path of paths) {
          await browser.open(path);
          await look(`${who} ${path}`);
          if (!IS_FULL && path !== paths[0]) continue;
          await withScripts(async () => {
            const html = (await browser.look<string>("fetch(location.href).then((page) => page.text())")) ?? "";
            found.push(...(await faultsIn(html)).map((words) => `${who} ${path}: ${words}`));
          });
        }
      };
      const signIn = async (username: string, password: string) => {
        await browser.view.cdp("Network.clearBrowserCookies");
        await browser.open("/login");
        await browser.fill("#login-username", username);
        await browser.fill("#login-password", password);
        await browser.click("#login button");
      };

      await through("nobody", PAGES.nobody);
      await signIn("bob", "what is not his password");
      await browser.shows("Wrong");
      await look("a wrong password");
      await signIn("cleo", demo.passwords.cleo!);
      await browser.until(`document.querySelector("input[name=code]")`);
      await look("the second step");
      await signIn("bob", demo.passwords.bob!);
      await browser.at("/");
      await through("bob", IS_FULL ? PAGES.bob : PAGES.bob.filter((_, at) => at % 4 === 0));
      if (how.scripts) {
        await browser.open("/log");
        await browser.click(".log tbody input");
        // On a phone there is no room beside the log: a tap opens the contact itself.
        if (await browser.look(`getComputedStyle(document.querySelector(".open")).display !== "none"`)) {
          await browser.click(".open");
          await browser.until(
            `document.querySelector("#panel")?.matches(":popover-open") && document.querySelector("#panel h2")`,
          );
          await look("a contact beside the log");
        }
      }
      await signIn("ann", demo.passwords.ann!);
      await browser.at("/");
      await through("ann", IS_FULL ? PAGES.ann : PAGES.ann.filter((_, at) => at % 2 === 0));
      await browser.open("/admin/users");
      await browser.click("[id^=impersonate-][id$=-ask]");
      await browser.click("button[id^=impersonate-]");
      await browser.at("/");
      await through("ann as bob", ["/", "/log", "/settings"]);

      expect(found).toEqual([]);
    }, 300_000);
  }
});
