import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { one } from "../../src/storage/engine/unit.ts";
import { brokenRules } from "../support/axe.ts";
import { BROWSER } from "../support/browser.ts";
import { aDesk } from "../support/desk.ts";
import { said, sync } from "../support/sync.ts";

setDefaultTimeout(120_000);

/** The option that a screen reader speaks. */
const ACTIVE = `document.getElementById(
  document.querySelector('#palette-words').getAttribute('aria-activedescendant')).innerText`;

describe.skipIf(BROWSER === null)("with keys alone", () => {
  test("a user opens a page, moves through the log, selects and opens rows, searches and pages", async () => {
    const { browser, press, focused } = await aDesk();
    await browser.open("/");
    await press("g", "l");
    await browser.at("/log");
    const calls = (await browser.look<string[]>(
      "[...document.querySelectorAll('#rows .call')].map((one) => one.innerText)",
    ))!;

    await press("j", "j");
    expect(await focused()).toBe(calls[1]!);
    await press("k", "x");
    expect(await browser.look("document.querySelector('#rows tr input').checked")).toBe(true);
    expect(await focused()).toBe(calls[0]!);
    await press("o");
    await browser.until("document.querySelector('#panel').matches(':popover-open')");
    await browser.until(`document.querySelector('#panel').innerText.includes(${JSON.stringify(calls[0])})`);
    expect(await brokenRules(browser, { part: "#panel" })).toEqual([]);
    await press("Escape");
    await browser.until("!document.querySelector('#panel').matches(':popover-open')");

    await press("]");
    await browser.until("document.querySelector('#page-previous')");
    await press("[");
    await browser.until("!document.querySelector('#page-previous')");

    await press("/");
    expect(await focused()).toBe("find-search");
    // In a text field a key types a letter.
    await browser.view.type("n");
    expect(await browser.look("document.querySelector('#find-search').value")).toBe("n");
    await press("Escape", "j", "Enter");
    await browser.until("/^.log.[0-9]+$/.test(location.pathname)");
    expect(browser.complaints).toEqual([]);
  });

  for (const scripts of [true, false]) {
    test(`three tabs lead to the first contact, ${scripts ? "with" : "without"} scripts`, async () => {
      const { browser, press } = await aDesk(scripts);
      await browser.open("/log");

      await press("Tab", "Enter");
      await browser.until("document.activeElement.id === 'content'");
      await press("Tab", "Enter");
      await browser.until("document.activeElement.id === 'rows'");
      await press("Tab");
      await browser.until("document.activeElement.closest('#rows tr') !== null");

      expect(await browser.look("document.activeElement.ariaLabel")).toMatch(/^Select /);
    });
  }

  test("the settings of a program are opened and its address is copied", async () => {
    const { browser, press } = await aDesk();
    await browser.open("/settings/programs");

    await browser.look("document.querySelector('details[name=program] summary').focus()");
    await press("Enter", "Tab", "Enter");

    await browser.until("getSelection().toString() !== ''");
    expect(await browser.look("getSelection().toString()")).toMatch(/^http.*index\.php$/);
    await browser.until("/Copied|Selected/.test(document.getElementById('announcer').textContent)");
    expect(await brokenRules(browser, { part: "main" })).toEqual([]);

    await browser.look("Boolean((navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))))");
    await press("Enter");
    await browser.until("document.getElementById('announcer').textContent === 'Selected'");
    expect(browser.complaints).toEqual([]);
  });

  test("n opens a new contact with the focus on the callsign, and ? shows the shortcuts", async () => {
    const { browser, press, focused } = await aDesk();
    await browser.open("/");
    await press("n");
    await browser.at("/log/add");
    await browser.until("document.activeElement.id === 'quick-call'");
    await press("Escape", "?");
    await browser.until("document.querySelector('#keys').matches(':popover-open')");
    expect(await browser.text("#keys")).toContain("Ctrl-K");
    expect(await brokenRules(browser, { part: "#keys" })).toEqual([]);
    await press("Escape");
    await browser.until("!document.querySelector('#keys').matches(':popover-open')");
    expect(await focused()).not.toContain("Ctrl-K");
  });

  test("Ctrl-K finds pages, awards, contacts and searches, even from within a field", async () => {
    const { world, browser, press, focused } = await aDesk();
    await browser.open("/");
    const { call } = await world.db.read(() => one<{ call: string }>`SELECT call FROM qsos ORDER BY id LIMIT 1`);
    await press("n");
    await browser.at("/log/add");
    await browser.until("document.activeElement.id === 'quick-call'");
    await press("Ctrl-K");
    await browser.until("document.activeElement.id === 'palette-words'");
    expect(await brokenRules(browser, { part: "#palette" })).toEqual([]);
    await browser.view.type("stat");
    await browser.until("document.querySelector('#palette-found').innerText.startsWith('Statistics')");
    expect(await brokenRules(browser, { part: "#palette" })).toEqual([]);
    await press("Enter");
    await browser.at("/statistics");

    for (const [words, path] of [
      ["challenge", "/awards/dxcc-challenge"],
      [call.toLowerCase(), "/log/"],
    ] as const) {
      await press("Ctrl-K");
      await browser.until("document.activeElement.id === 'palette-words'");
      await browser.view.type(words);
      await browser.until(
        `document.querySelector('#palette-found').innerText.toLowerCase().includes(${JSON.stringify(words)})`,
      );
      // All contacts with the callsign come before each of them. The focus stays in the field.
      if (path === "/log/") await press("ArrowDown");
      expect(await focused()).toBe("palette-words");
      expect((await browser.look<string>(ACTIVE))!.toLowerCase()).toContain(words);
      await press("Enter");
      await browser.until(
        `location.pathname.startsWith(${JSON.stringify(path)}) && document.readyState === "complete"`,
      );
    }
    expect(browser.complaints).toEqual([]);
  });

  test("Enter opens the first result, however fast it is pressed, on the page too", async () => {
    const { browser, press } = await aDesk();
    await browser.open("/");
    await press("Ctrl-K");
    await browser.until("document.activeElement.id === 'palette-words'");
    await browser.view.type("stat");
    await browser.until("document.querySelector('#palette-found').innerText.startsWith('Statistics')");
    await press("Enter");
    await browser.at("/statistics");

    await press("Ctrl-K");
    await browser.until("document.activeElement.id === 'palette-words'");
    await browser.view.type("duplic");
    await press("Enter");
    await browser.at("/duplicates");

    await browser.open("/go?words=challenge");
    await browser.look("document.querySelector('#go-words').focus()");
    await press("Enter");
    await browser.at("/awards/dxcc-challenge");
    expect(browser.complaints).toEqual([]);
  });

  test("a second Enter does not wait, but opens the page with the same results", async () => {
    const { browser, press } = await aDesk();
    await browser.open("/");
    await press("Ctrl-K");
    await browser.until("document.activeElement.id === 'palette-words'");
    await browser.look("Boolean((window.fetch = () => new Promise(() => {})))");
    await browser.view.type("challenge");
    await press("Enter");
    await Bun.sleep(300);
    expect(await browser.look("location.pathname")).toBe("/");

    await press("Enter");
    await browser.at("/go");
    expect(await browser.look("new URLSearchParams(location.search).get('words')")).toBe("challenge");
  });

  test("what a form did is announced in the page's one region, with and without a reload", async () => {
    const { browser } = await aDesk();
    const announced = (words: string) =>
      browser.until(`document.querySelector("#announcer").innerText.includes(${JSON.stringify(words)})`);
    await browser.open("/settings/profile");
    expect(await browser.look("document.querySelector('#announcer').innerText")).toBe("");
    await browser.fill("#profile-callsign", "YU1BOB");
    await browser.click("#profile-save");
    await announced("Profile saved.");

    await browser.open("/settings/profile?done=profile");
    await announced("Profile saved.");
  });

  test("Dismiss moves the focus to the next record that can be dismissed, also after the last one", async () => {
    const { world, bob, browser, press } = await aDesk();
    const job = await sync(world, bob.id, "file", [said("", "2026-07-18 01:43"), said("", "2026-07-19 01:43")]);
    await browser.open(`/jobs/${job.id}?tab=left`);
    const buttons = "document.querySelectorAll('#dismiss button[name=leftover]')";
    expect(await browser.look(`${buttons}.length`)).toBe(2);
    const last = await browser.look<string>(`${buttons}[1].value`);

    await browser.look(`${buttons}[0].focus()`);
    await press("Enter");
    await browser.until(`${buttons}.length === 1`);
    await browser.until(`document.activeElement.value === ${JSON.stringify(last)}`);
    await press("Enter");
    await browser.until(`${buttons}.length === 0`);
    await browser.until("document.activeElement.id === 'content'");
    expect(browser.complaints).toEqual([]);
  });

  test("actions for selected rows appear when one is selected, on a phone too", async () => {
    const { browser, press } = await aDesk();
    const isThere = "document.querySelector('#chosen').checkVisibility()";
    for (const width of [1200, 360]) {
      await browser.resize(width);
      await browser.open("/log");
      await browser.until(`!${isThere}`);
      await press("j", "x");
      await browser.until(isThere);
      expect(await browser.text("#selected-count")).toBe("1 selected");
      await browser.until("document.querySelector('#announcer').innerText === '1 selected'");
      await browser.click("#chosen button[type=reset]");
      await browser.until(`!${isThere}`);
    }
  });

  test("the palette tells a screen reader how many results there are and which one Enter takes", async () => {
    const { browser, press, focused } = await aDesk();
    await browser.open("/");
    await press("Ctrl-K");
    await browser.until("document.activeElement.id === 'palette-words'");
    expect(await browser.look(ACTIVE)).toContain("Dashboard");
    await browser.view.type("dxcc needed 20m");
    await browser.until("document.querySelector('#palette-found').innerText.startsWith('DXCC needed on 20m')");
    await browser.until("/^[0-9]+ results?$/.test(document.querySelector('#announcer').innerText)");
    const tree = await browser.view.cdp<{ nodes: { role: { value: string }; name?: { value: string } }[] }>(
      "Accessibility.getFullAXTree",
    );
    const roles = tree.nodes.map(({ role, name }) => `${role.value} ${name?.value ?? ""}`);
    expect(roles.some((one) => one.startsWith("combobox"))).toBe(true);
    expect(roles.some((one) => one.startsWith("option DXCC needed on 20m"))).toBe(true);
    expect(await focused()).toBe("palette-words");
    await press("Enter");
    await browser.at("/awards/dxcc");
    expect(await browser.look("location.search")).toBe("?band=20m&show=needed");

    // What was used last comes first.
    await press("Ctrl-K");
    await browser.until("document.activeElement.id === 'palette-words'");
    expect(await browser.look(ACTIVE)).toContain("DXCC needed on 20m");
    expect(browser.complaints).toEqual([]);
  });

  test("single-letter shortcuts can be turned off, and commands stay", async () => {
    const { browser, press } = await aDesk();
    await browser.open("/");
    await press("?");
    await browser.until("document.querySelector('#keys').matches(':popover-open')");
    await browser.click("#single-keys");
    await press("Escape");
    await browser.open("/");
    await press("n", "g", "l");
    await Bun.sleep(500);
    expect(await browser.look("location.pathname")).toBe("/");
    await press("Ctrl-K");
    await browser.until("document.activeElement.id === 'palette-words'");
  });

  test("without scripts the same actions are links and forms", async () => {
    const { browser } = await aDesk(false);
    await browser.open("/");
    await browser.click("#palette-open");
    await browser.view.type("2020 20m");
    await browser.click("#palette form button");
    await browser.at("/go");
    await browser.shows("Search the log for 2020 20m");
    await browser.click("#go-found a[href^='log?']");
    await browser.at("/log");
  });
});
