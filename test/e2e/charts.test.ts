import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { BROWSER, type Browser } from "../support/browser.ts";
import { aDesk } from "../support/desk.ts";
import { isFull } from "../support/full.ts";

setDefaultTimeout(120_000);

const IS_FULL = isFull(import.meta);
const PAGES = [
  "/statistics",
  "/awards/dxcc",
  "/awards/dxcc?band=20m&show=all",
  "/awards/dxcc?view=map",
  "/awards/was?view=map",
  "/awards/vucc?view=map",
];
const MAX_NODES = 2_000;
const MAX_TAB_STOPS = 100;
const TAB_STOPS = `[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary, [tabindex]")]
  .filter((one) => one.tabIndex >= 0 && one.checkVisibility())`;
const CHARTS = `[...document.querySelectorAll("svg[data-table]")].filter((one) => one.checkVisibility())`;

/** The size of the smallest visible text in a chart, as it is drawn. */
const SMALLEST_TEXT = `Math.min(...[...document.querySelectorAll("svg.bars, svg.curve, svg.heat, svg.months")]
  .filter((one) => one.checkVisibility())
  .flatMap((svg) => [...svg.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM().a)))`;
const MIN_TEXT = 11;

/** How far things moved since the page began. */
const SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (sum += value))).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(Math.round(1000 * sum)), 150);
})`;

interface Node {
  role: { value: string };
  name: { value: string };
  ignored: boolean;
  properties?: { name: string; value: { value: unknown } }[];
}

/** The names of the pictures that take the keyboard, as a screen reader gets them. */
const picturesIn = async ({ view }: Browser): Promise<string[]> => {
  const { nodes } = (await view.cdp("Accessibility.getFullAXTree")) as { nodes: Node[] };
  return nodes
    .filter(
      ({ ignored, role, properties = [] }) =>
        !ignored && role.value === "image" && properties.some(({ name, value }) => name === "focusable" && value.value),
    )
    .map(({ name }) => name.value);
};

describe.skipIf(BROWSER === null)("charts and maps", () => {
  test.each([
    [1_200, IS_FULL ? PAGES : PAGES.slice(0, 3)],
    [820, IS_FULL ? PAGES : ["/statistics"]],
    [390, IS_FULL ? PAGES : ["/statistics", ...PAGES.slice(3)]],
  ])(
    "each is one tab stop with its finding as its name, and the pages are small and stay still: %i pixels",
    async (width, pages) => {
      const { browser } = await aDesk(true, width);
      // Style sheets and scripts come from the cache, as on every page but a user's first.
      await browser.open("/");
      for (const path of pages) {
        await browser.open(path);
        const charts = (await browser.look<number>(`${CHARTS}.length`))!;
        const stops = (await browser.look<number>(`${TAB_STOPS}.length`))!;
        const nodes = (await browser.look<number>("document.querySelectorAll('*').length"))!;

        const names = await picturesIn(browser);
        expect([path, names.length]).toEqual([path, charts]);
        expect(names.filter((name) => name.length < 8)).toEqual([]);
        expect([path, stops <= MAX_TAB_STOPS, nodes < MAX_NODES]).toEqual([path, true, true]);
        expect(await browser.look(`${CHARTS}.filter((one) => one.querySelector("[href], [tabindex]")).length`)).toBe(0);
        expect(await browser.look("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        expect([path, await browser.look(SHIFT)]).toEqual([path, 0]);
      }
      for (const path of ["/", "/statistics"]) {
        await browser.open(path);
        expect([path, (await browser.look<number>(SMALLEST_TEXT))! >= MIN_TEXT]).toEqual([path, true]);
      }
      expect(browser.complaints).toEqual([]);
    },
  );

  test("the arrows name each place, Enter opens its contacts, and so does the pointer", async () => {
    const { browser, press } = await aDesk();
    const pointed = (id: string) => `document.querySelector("[aria-labelledby=${id}-title] .pointed").textContent`;
    await browser.open("/statistics");
    await browser.look(`${CHARTS}[0].focus()`);
    await press("ArrowRight");
    const first = await browser.look<string>(pointed("calendar"));
    await press("ArrowLeft");
    const second = (await browser.look<string>(pointed("calendar")))!;

    expect(second).toMatch(/^\d{4}, week \d+, \d+ QSOs$/);
    expect(second).not.toBe(first);
    await browser.until(`document.querySelector("#announcer").textContent === ${JSON.stringify(second)}`);
    await browser.look("document.querySelector('#hours-as-table').focus()");
    await press("Enter");
    expect(await browser.look("document.activeElement.id")).toBe("hours-table");
    expect(await browser.look("document.querySelectorAll('#hours-table tbody th[scope=row]').length")).toBeGreaterThan(
      2,
    );

    // A narrow card shows the drawing of a phone.
    await browser.look(
      "[...document.querySelectorAll('svg[data-table=shares-table]')].find((svg) => svg.checkVisibility()).focus()",
    );
    await press("ArrowDown");
    const [band, count] = (await browser.look<string>(pointed("shares")))!.split(", ");
    await press("Enter");
    await browser.at("/log");
    expect(await browser.look("new URLSearchParams(location.search).get('search')")).toBe(band!);
    expect(await browser.text("main")).toContain(count!);

    await browser.open("/awards/dxcc?view=map");
    const key = await browser.look<string>("document.querySelector('.area-worked [data-key]').dataset.key");
    await browser.look(
      `document.querySelector('.area-worked [data-key]').dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: 9, clientY: 9 }))`,
    );
    await browser.at("/log");
    expect(await browser.look("new URLSearchParams(location.search).get('dxcc')")).toBe(key!);
    expect(browser.complaints).toEqual([]);
  });
});
