import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { BROWSER } from "../support/browser.ts";
import { aDesk } from "../support/desk.ts";

setDefaultTimeout(120_000);

const FOCUSED = "document.activeElement.id";
const ADDRESS = "location.pathname.slice(1) + location.search";

describe.skipIf(BROWSER === null)("the page of the log", () => {
  test("exports, repairs and sorts what a live search shows, and so do the columns", async () => {
    const { browser } = await aDesk();
    await browser.open("/log");
    const exported = "new URLSearchParams(new FormData(document.querySelector('#export'))).get('search')";
    await browser.click("#sort-call");
    await browser.until("document.querySelector('th[aria-sort] #sort-call')");
    await browser.fill("#find-search", "20m");
    await browser.until("document.querySelector('.chosen-chips')");

    expect(await browser.look(ADDRESS)).toMatch(/^log\?.*search=20m/);
    expect(await browser.look(ADDRESS)).toContain("sort=call");
    expect(await browser.look("Boolean(document.querySelector('th[aria-sort] #sort-call'))")).toBe(true);
    expect(await browser.look(exported)).toBe("20m");
    const at = (selector: string, name: string) =>
      browser.look<string>(`document.querySelector(${JSON.stringify(selector)}).getAttribute("${name}")`);
    expect(await at("#acts a[href^=repair]", "href")).toBe("repair?search=20m");
    expect(await at("#columns form", "action")).toContain("search=20m");
    expect(await at("#to-contacts", "href")).toContain("search=20m");
    expect(browser.complaints).toEqual([]);
  });

  test("gives back a chip without a reload, and the search keeps the focus", async () => {
    const { browser, press } = await aDesk();
    await browser.open("/log");
    await browser.fill("#find-search", "20m 40m ft8");
    await browser.until("document.querySelectorAll('.chosen-chips .chip').length > 1");
    await browser.look("(window.isSame = true)");
    const chips = (await browser.look<number>("document.querySelectorAll('.chosen-chips .chip').length"))!;

    await browser.look("document.querySelector('.chosen-chips .chip a').focus()");
    await press("Enter");
    await browser.until(`document.querySelectorAll('.chosen-chips .chip').length === ${chips - 1}`);
    await browser.until(`${FOCUSED} === "find-search"`);
    const left = (await browser.look<string>("document.querySelector('#find-search').value"))!;
    expect(await browser.look("new URLSearchParams(location.search).get('search')")).toBe(left);
    await browser.fill("#find-search", "20m 40m");
    await browser.until("new URLSearchParams(location.search).get('search') === '20m 40m'");
    await browser.until("document.querySelectorAll('.chosen-chips .chip').length === 2");
    await browser.click("#find-clear");
    await browser.until("document.querySelector('.chosen-chips') === null");
    await browser.until(`${FOCUSED} === "find-search"`);
    expect(await browser.look("document.querySelector('#find-search').value")).toBe("");
    expect(await browser.look(ADDRESS)).toBe("log");
    expect(await browser.look("window.isSame")).toBe(true);

    await browser.look("history.back()");
    await browser.until("new URLSearchParams(location.search).get('search') === '20m 40m'");
    expect(browser.complaints).toEqual([]);
  });
});
