import { describe, expect, test } from "bun:test";
import { source as AXE } from "axe-core";
import { createApp } from "../../src/app.ts";
import { GALLERY_PAGES } from "../../src/server/gallery/pages.tsx";
import { createServer } from "../../src/server/server.ts";
import { exhibits } from "../../views/gallery/exhibits.tsx";
import { aBrowser, BROWSER } from "../support/browser.ts";
import { afterTest } from "../support/cleanup.ts";
import { testWorld } from "../support/world.ts";

const RUN = `(window.axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.flatMap(
  ({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 200) + " " + failureSummary))))`;

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

/** What is shown within a page has no heading of its own. */
const PARTS = ["panel", "log-hints", "import-progress"];

const NAMES = Object.keys(exhibits((text) => text, "empty"));

describe.skipIf(BROWSER === null)("for whoever cannot see or use a mouse", () => {
  for (const { look, amounts, ...how } of [
    { look: "in the light", amounts: ["empty", "usual"], width: 1200, dark: false },
    { look: "in the dark", amounts: ["usual"], width: 1200, dark: true },
    { look: "on a phone", amounts: ["usual"], width: 360, dark: false },
  ]) {
    test(`every page keeps the rules, ${look}`, async () => {
      const browser = await aBrowser(await aGallery(), how);
      const found: string[] = [];
      for (const amount of amounts) {
        for (const name of NAMES) {
          await browser.open(`/dev/gallery/${name}/${amount}`);
          await browser.view.evaluate(`(()=>{${AXE}})()`);
          const broken = (await browser.look<string[]>(RUN)) ?? ["was not looked at"];
          const told = PARTS.includes(name)
            ? broken.filter((words) => !words.startsWith("page-has-heading-one"))
            : broken;
          found.push(...told.map((words) => `${name} ${amount}: ${words}`));
        }
      }

      expect(found).toEqual([]);
    }, 180_000);
  }
});
