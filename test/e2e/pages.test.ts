import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { addQso } from "../../src/contacts/edit.ts";
import { BROWSER } from "../support/browser.ts";
import { aDesk } from "../support/desk.ts";

setDefaultTimeout(120_000);

const FOCUSED = "document.activeElement.id";
const ADDRESS = "location.pathname.slice(1) + location.search";

describe.skipIf(BROWSER === null)("the log page", () => {
  test("exports, edits and sorts the results of a live search", async () => {
    const { browser } = await aDesk();
    await browser.open("/log");
    const exported = "new URL(document.querySelector('#export a').href).searchParams.get('search')";
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

  test("removes a chip without a reload, and keeps the focus in the search", async () => {
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

describe.skipIf(BROWSER === null)("quick entry", () => {
  test("shows the time, suggests reports, and moves the focus to an invalid field", async () => {
    const { browser, press } = await aDesk();
    await browser.open("/log/add");
    const shown = "document.querySelector('#quick-startedAt').placeholder";
    expect(await browser.look(shown)).toMatch(/^\d\d:\d\d:\d\d$/);
    const first = await browser.look(shown);
    await browser.until(`${shown} !== ${JSON.stringify(first)}`);
    expect(await browser.look("document.querySelector('#quick-startedAt').value")).toBe("");

    const reports = "document.querySelector('#quick-rstSent-help').innerText";
    for (const [mode, words] of [
      ["usb", "59 if empty"],
      ["cw", "599 if empty"],
      ["ft8", "none if empty"],
    ] as const) {
      await browser.fill("#quick-mode", mode);
      await browser.until(`${reports} === ${JSON.stringify(words)}`);
    }
    await browser.fill("#quick-call", "ja1abc");
    await browser.fill("#quick-band", "blue");
    await press("Enter");
    await browser.at("/log/quick");
    await browser.until(`${FOCUSED} === "quick-band"`);
    expect((await browser.text("#quick")).split("blue").length - 1).toBe(1);
    expect(await browser.look("document.querySelectorAll('#quick .refusal').length")).toBe(0);
    await browser.fill("#quick-band", "20");
    await press("Enter");
    await browser.at("/log/add");
    await browser.until(`document.querySelector("#announcer").innerText.startsWith("Logged JA1ABC, 20m FT8, Japan.")`);
    await browser.until(`${FOCUSED} === "quick-call"`);
    // It does not expire, and the focus returns to the field.
    await browser.view.cdp("Input.dispatchKeyEvent", { type: "keyDown", key: "z", modifiers: 2 });
    await browser.until("location.search === '?done=undone'");
    await browser.until(`document.querySelector("#announcer").innerText === "Removed from your log."`);
    expect(await browser.look(FOCUSED)).toBe("quick-call");

    await browser.fill("#quick-call", "k1abc 40 cw");
    await browser.until(`${reports} === "599 if empty"`);
    await press("Enter");
    await browser.until(`document.querySelector("#announcer").innerText.startsWith("Logged K1ABC, 40m CW")`);
    expect(await browser.look("document.querySelector('#quick-band').value")).toBe("40");
    expect(browser.complaints.filter((words) => !words.includes("400"))).toEqual([]);
  });
});

describe.skipIf(BROWSER === null)("the log page on a wide screen", () => {
  test("shows every column of a contact with a long name", async () => {
    const { world, bob, browser } = await aDesk();
    const name = "Willem Alexander Claus George Ferdinand van der Meer tot Oranje";
    const typed = { call: "PA1ABC", startedAt: world.clock() - 60_000, band: "20m", mode: "CW", name };
    await addQso(world, bob.id, typed, await world.callFacts());
    await browser.open("/log");

    for (const width of [800, 1000, 1200, 1600]) {
      await browser.resize(width);
      const beyond = await browser.look(
        "document.querySelector('table.log').scrollWidth - document.querySelector('table.log').parentElement.clientWidth",
      );
      expect({ width, beyond }).toEqual({ width, beyond: 0 });
    }
  });
});

describe.skipIf(BROWSER === null)("the log page on a phone", () => {
  test("shows all actions, and a long mode does not overlap the marks", async () => {
    const { world, bob, browser } = await aDesk(true, 360);
    await addQso(
      world,
      bob.id,
      { call: "K1ABC", startedAt: world.clock() - 60_000, band: "20m", mode: "DYNAMIC" },
      await world.callFacts(),
    );
    await browser.open("/log");

    const beyond = `[...document.querySelectorAll("#acts > *")]
      .filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.innerText)`;
    expect(await browser.look<string[]>(beyond)).toEqual([]);
    const long = `[...document.querySelectorAll("#rows .mode-cell")].map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const mark = one.closest("tr").querySelector(".mark-cell").getBoundingClientRect();
      const words = range.getBoundingClientRect();
      return words.right > mark.left && words.bottom > mark.top && words.top < mark.bottom ? one.innerText : ""; })
      .filter(Boolean)`;
    expect(await browser.look<string[]>(long)).toEqual([]);
    expect(await browser.look("document.querySelector('#rows').innerText.includes('DYNAMIC')")).toBe(true);
    const broken = `[...document.querySelectorAll("#rows .mode-cell")].filter((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1; }).map((one) => one.innerText)`;
    expect(await browser.look<string[]>(broken)).toEqual([]);
    expect(await browser.look("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});
