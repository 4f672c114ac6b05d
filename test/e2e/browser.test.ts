import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createServer } from "../../src/server/server.ts";
import { SimulatedServices } from "../../src/simulated/services.ts";
import { createApp } from "../../src/app.ts";
import { aBrowser, BROWSER, type Browser } from "../support/browser.ts";
import { afterTest } from "../support/cleanup.ts";
import { signIn } from "../support/desk.ts";
import { aDirectory } from "../support/directory.ts";
import { isFull } from "../support/full.ts";
import { PASSWORD } from "../support/qsolog.ts";
import { tcpProxy } from "../support/tcp-proxy.ts";
import { aUser, NOON, testWorld } from "../support/world.ts";
import { HOUR } from "../../src/kernel/clock.ts";
import * as sessions from "../../src/storage/people/sessions.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { startSync } from "../../src/sync/source/service.ts";

const CONTACTS = 24;
const KEY = "AB12-CD34-EF56";
const RELOAD_EVERY_MS = 300;

const IS_FULL = isFull(import.meta);

/** The first two have both pages and both widths. */
const STILL_PAGES = [
  ["/", 1200],
  ["/jobs", 360],
  ["/", 360],
  ["/jobs", 1200],
] as const;

/** An installation with both services simulated; a slow response waits for `goOn`. */
const aPlace = async ({ thread = false } = {}) => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const services = new SimulatedServices({ clock: () => NOON, random: () => 0.5, sleep: () => held });
  services.start();
  const { store } = services;
  store.addUser({ login: "yu1bob", password: "secret", calls: ["YU1BOB"] });
  const book = store.addBook({ key: KEY, call: "YU1BOB", subscribed: true, bookid: 1, name: "YU1BOB" });
  for (let index = 0; index < CONTACTS; index++) {
    const at = NOON - (index + 2) * 86_400_000;
    const call = `K${index % 10}AB${String.fromCharCode(65 + index)}`;
    store.upload({
      own: "YU1BOB",
      call,
      band: "20m",
      mode: "CW",
      at,
      qsl: { rxqsl: at + 1000, detail: { DXCC: "291" } },
    });
    const day = new Date(at).toISOString().slice(0, 10).replaceAll("-", "");
    const fields = { CALL: call, QSO_DATE: day, TIME_ON: "1200", BAND: "20m", MODE: "CW", STATION_CALLSIGN: "YU1BOB" };
    store.addRecord(book, { modified: at, fields });
  }
  const env = { QSOLOG_PORT: "0", QSOLOG_FIRST_URL: services.firstUrl, QSOLOG_SECOND_URL: services.secondUrl };
  const world = await testWorld({ env, thread });
  const app = createApp(world);
  const server = createServer(app);
  const url = await server.listen();
  afterTest(async () => {
    goOn();
    await server.stop();
    await app.stop();
    await services.stop();
  });
  return { url, app, world, services, goOn };
};

const aPlaceWithBob = async () => {
  const place = await aPlace();
  const bob = await aUser(place.world, "bob");
  await setCredentials(place.app, bob.id, "first", { username: "yu1bob", password: "secret" });
  await setCredentials(place.app, bob.id, "second", { apiKey: KEY });
  return { ...place, bob };
};

/** Browser warnings and requests to other hosts are faults. */
const isQuiet = ({ complaints, requests }: Browser) => {
  expect(complaints).toEqual([]);
  expect(requests.filter((one) => !/^(GET|POST) (\/|about:blank|data:)/.test(one))).toEqual([]);
};

describe.skipIf(BROWSER === null)("in a real browser", () => {
  for (const scripts of [true, false]) {
    const way = scripts ? "" : ", without JavaScript";
    // Invariant: set-up to rollback works in a real browser, with and without scripts
    test(`from the set-up link to a sync, and a failed one rolled back${way}`, async () => {
      const { url, app, services } = await aPlace({ thread: true });
      const browser = await aBrowser(url, { scripts });
      const { open, fill, click, at, shows } = browser;
      /** Without JavaScript the user reloads the page. */
      const comes = async (words: string) => {
        if (scripts) return shows(words);
        while (!(await browser.text()).includes(words)) {
          await Bun.sleep(RELOAD_EVERY_MS);
          await open("/");
        }
      };
      /** Without JavaScript the answer is a new page, which a reload that comes too early would prevent. */
      const send = async (button: string) => {
        await browser.look("(window.isOld = true)");
        await click(button);
        if (!scripts) await browser.until("window.isOld !== true");
      };

      await open(`/setup?token=${app.setupToken.text}`);
      await fill("#setup-username", "ann");
      await fill("#setup-password", PASSWORD);
      await fill("#setup-callsign", "yu1bob");
      await click("#setup button");
      await at("/");
      await shows("First steps");
      await shows("Drop an ADIF file here");

      await fill("#connect-first-username", "yu1bob");
      await fill("#connect-first-password", "secret");
      await send("#connect-first-go");
      await at("/");
      await comes("completed");
      await shows("busiest year");
      await browser.until(`document.querySelector(".figures dd")?.innerText.trim() === "${CONTACTS}"`);

      services.first.fail({ kind: "busy", times: 5 });
      await open("/");
      await send("#sync-first-now");
      await comes("failed");
      await shows("still answering another request");
      expect(await browser.look("document.querySelectorAll('a[href$=rollback]').length")).toBe(0);
      await open("/jobs/2/rollback");
      await shows("No QSOs will change.");
      await click("#rollback-confirm");
      await shows("Rolled back: no QSOs changed.");
      await shows("rolled back");
      isQuiet(browser);
    });
  }

  test("the dashboard polls only while a sync runs, and typed text stays", async () => {
    const { url, services, app, goOn, bob } = await aPlaceWithBob();
    services.first.fail({ kind: "drip", bytes: 400, pause: 1 });
    const browser = await aBrowser(url);
    const { click, fill, shows, count, look, until } = browser;
    await signIn(browser, app, bob);
    await browser.open("/");
    const polls = () => count("GET /partials/board");
    await Bun.sleep(2_300);
    expect(polls()).toBe(0);

    await look("(document.querySelector('#sync-first-now').focus(), true)");
    await look("(document.activeElement.click(), document.activeElement.click(), true)");
    await shows("Syncing…");
    expect(await look("document.activeElement.id")).toBe("sync-first-now");
    expect(count("POST /sync/first")).toBe(1);
    await click("#sync-second-summary");
    await fill("#sync-second-since", "2026-07-01");
    await look(`(document.querySelector("#sync-second-full").checked = true)`);
    await until("performance.now() > 0");
    while (polls() < 2) await Bun.sleep(50);

    expect(await look("document.querySelector('#sync-second-more').open")).toBe(true);
    expect(await look("document.querySelector('#sync-second-full').checked")).toBe(true);
    expect(await look("document.activeElement.id")).toBe("sync-second-since");
    goOn();
    await app.runner.idle();
    await shows("completed");
    await until(`!document.querySelector("#board").getAttribute("hx-trigger").includes("every")`);
    // The end of a job is announced once or twice more; polling would never stop.
    for (let before = -1; before !== polls();) {
      before = polls();
      await Bun.sleep(1_500);
    }
    const atTheEnd = polls();
    await Bun.sleep(2_600);
    expect(polls()).toBe(atTheEnd);
    isQuiet(browser);
  }, 120_000);

  test("nothing on the page moves while a sync runs or ends", async () => {
    const { url, services, app, goOn, bob } = await aPlaceWithBob();
    await startSync(app, app.runner, { userId: bob.id, source: "first", trigger: "manual" });
    await app.runner.idle();
    services.first.fail({ kind: "drip", bytes: 400, pause: 1 });
    const browser = await aBrowser(url);
    await signIn(browser, app, bob);
    await browser.open("/");
    await browser.click("#sync-first-now");
    await browser.shows("Syncing…");
    await Bun.sleep(700);
    await browser.watch();
    const polls = browser.count("GET /partials/board");
    while (browser.count("GET /partials/board") < polls + 2) await Bun.sleep(50);

    goOn();
    await app.runner.idle();
    await browser.until("!document.body.innerText.includes('Syncing…')");
    await Bun.sleep(300);

    expect(await browser.moves()).toEqual([]);
  }, 120_000);

  for (const [page, width] of IS_FULL ? STILL_PAGES : STILL_PAGES.slice(0, 2)) {
    test(`nothing moves on ${page} at ${width} pixels when another program starts a sync, and a message appears`, async () => {
      const { url, app, bob } = await aPlaceWithBob();
      const begin = async (source: "first" | "second") => {
        await startSync(app, app.runner, { userId: bob.id, source, trigger: "manual" });
        await app.runner.idle();
      };
      // A card grows when an account is shown for the first time.
      await begin("first");
      await begin("second");
      const browser = await aBrowser(url, { width, dark: false });
      await signIn(browser, app, bob);
      await browser.open(page);
      await browser.until(`document.querySelector("#live")?._htmx?.sse?.status === 200`);
      await browser.watch();

      await begin("second");
      await browser.shows("1 newer job");
      await Bun.sleep(300);

      expect(await browser.moves()).toEqual([]);
      await browser.click(".newer a");
      await browser.until(`!document.querySelector(".newer a") && document.querySelector("#job-3") !== null`);
    }, 120_000);
  }

  test.skipIf(!IS_FULL)(
    "a file of more than 32 MB is uploaded from the page, which shows the progress",
    async () => {
      const { url, app, bob } = await aPlaceWithBob();
      // Slower than a disk, so that there is time to look.
      const slow = tcpProxy(Number(new URL(url).port));
      slow.onSent((bytes) => bytes.length > 10_000 && Bun.sleepSync(5));
      const browser = await aBrowser(slow.via(url).replace(/\/$/, ""));
      await signIn(browser, app, bob);
      await browser.open("/log/import");
      // Text between two records is ignored, however long it is.
      const record = (call: string) => `<CALL:5>${call}<QSO_DATE:8>20260718<TIME_ON:4>0143<BAND:3>20m<MODE:2>CW<EOR>`;
      const path = join(aDirectory(), "large.adi");
      await Bun.write(path, record("K1AAA") + "\n".repeat(36_000_000) + record("K2AAA"));
      const { root } = (await browser.view.cdp("DOM.getDocument")) as { root: { nodeId: number } };
      const field = { nodeId: root.nodeId, selector: "#import-file" };
      const { nodeId } = (await browser.view.cdp("DOM.querySelector", field)) as { nodeId: number };
      await browser.view.cdp("DOM.setFileInputFiles", { files: [path], nodeId });

      // The page cannot be queried while a form is being submitted.
      await browser.look(`new MutationObserver(() => {
      const words = document.querySelector("#import-progress")?.innerText.trim() ?? "";
      if (words.includes("are there")) sessionStorage.setItem("told", words);
    }).observe(document.querySelector("#import").parentElement, { childList: true, subtree: true })`);
      await browser.click("#import button.primary");
      await browser.until(`/^.jobs.\\d+$/.test(location.pathname)`);
      await app.runner.idle();
      expect(await browser.look<string>(`sessionStorage.getItem("told")`)).toMatch(
        /^[\d.,]+ [kM]B of 3\d(\.\d)? MB uploaded$/,
      );
      await browser.shows("added 2");
      isQuiet(browser);
    },
    120_000,
  );

  test("after signing out elsewhere, the next poll asks the user to sign in", async () => {
    const { url, app, world, services, goOn, bob } = await aPlaceWithBob();
    services.first.fail({ kind: "drip", bytes: 400, pause: 1 });
    const browser = await aBrowser(url);
    await signIn(browser, app, bob);
    await browser.open("/");
    await browser.click("#sync-first-now");
    await browser.shows("Syncing…");

    await world.db.write(() => sessions.endAllOf(bob.id));

    await browser.at("/login");
    goOn();
    isQuiet(browser);
  });

  test("an administrator whose hour of acting as a user is over sees a message instead of the page", async () => {
    const { url, app, world } = await aPlace();
    const ann = await aUser(world, "ann", "admin");
    const bob = await aUser(world, "bob");
    const browser = await aBrowser(url);
    await signIn(browser, app, ann);
    await browser.open("/admin/users");
    await browser.click(`#impersonate-${bob.id}-ask`);
    await browser.click(`#impersonate-${bob.id}`);
    await browser.at("/");
    await browser.open("/settings");

    world.clock.advance(HOUR + 1);
    await browser.click("#schedule-save");

    await browser.shows("Return to your own account");
    expect(await browser.look("document.querySelectorAll('main #refused').length")).toBe(1);
    await browser.click("#refused button");
    await browser.at("/admin/users");
  });

  test("a schedule can be enabled and appears on the dashboard", async () => {
    const { url, app, bob } = await aPlaceWithBob();
    const browser = await aBrowser(url);
    const { open, click, fill, shows } = browser;
    await signIn(browser, app, bob);

    await open("/settings");
    const choose = (value: string) => browser.look(`document.querySelector("#schedule-second").value = "${value}"`);
    await choose("other");
    await fill("#schedule-second-hours", "999");
    await click("#schedule-save");
    await shows("Enter 1 to 720 hours.");
    await choose("6");
    await click("#schedule-save");
    await shows("Schedule saved.");
    await open("/");

    await shows("every 6 hours");
    expect(browser.complaints.filter((one) => !one.includes("400"))).toEqual([]);
  });

  test("an administrator promotes a user, acts as another, and ends it", async () => {
    const { url, app, world } = await aPlace();
    const ann = await aUser(world, "ann", "admin");
    const bob = await aUser(world, "bob");
    const eve = await aUser(world, "eve");
    const browser = await aBrowser(url);
    const { open, click, shows, at } = browser;
    await signIn(browser, app, ann);

    await open("/admin/users");
    await click(`#promote-${eve.id}-ask`);
    await shows("can act as them, and can delete them");
    await click(`#promote-${eve.id}`);
    await shows("eve is now an administrator.");
    await click(`#demote-${eve.id}-ask`);
    await click(`#demote-${eve.id}`);
    await shows("eve is no longer an administrator.");
    await click(`#impersonate-${bob.id}-ask`);
    await click(`#impersonate-${bob.id}`);
    await at("/");
    await shows("You, ann, are acting as bob: 60 minutes left");
    await click("#stop-impersonation");
    await at("/admin/users");
    await open("/admin/actions");

    await shows("acted as bob");
    await shows("promoted");
    expect(ann.isAdmin).toBe(true);
    isQuiet(browser);
  });

  test("the keyboard alone is enough to sign in and sync", async () => {
    const { url, app } = await aPlaceWithBob();
    const browser = await aBrowser(url);
    const { view, open, at, shows, look } = browser;
    const focused = () => look<string>("document.activeElement?.id");
    const tabTo = async (id: string) => {
      for (let presses = 0; presses < 40; presses++) {
        if ((await focused()) === id) return;
        await view.press("Tab");
      }
      throw new Error(`Tab never comes to ${id}`);
    };

    await open("/login");
    await tabTo("login-username");
    await view.type("bob");
    await tabTo("login-password");
    await view.type(PASSWORD);
    await view.press("Enter");
    await at("/");
    await tabTo("sync-second-now");
    const outline = await look<string>("getComputedStyle(document.activeElement).outlineStyle");
    await view.press("Enter");
    await app.runner.idle();

    expect(outline).toBe("solid");
    await shows("completed");
    isQuiet(browser);
  });

  // In every run, the accessibility test looks at the width of the pages of a demo.
  test.skipIf(!IS_FULL)("no page is wider than a small screen", async () => {
    const { url, app, world } = await aPlace();
    const ann = await aUser(world, "ann", "admin");
    const browser = await aBrowser(url, { width: 360 });
    await signIn(browser, app, ann);

    for (const path of ["/", "/log", "/jobs", "/settings", "/admin", "/admin/users", "/admin/actions"]) {
      await browser.open(path);
      await browser.until("document.documentElement.scrollWidth <= window.innerWidth");
    }
    isQuiet(browser);
  });

  test("the actions for a job are visible at every width", async () => {
    const { url, app, services, bob } = await aPlaceWithBob();
    services.first.fail({ kind: "busy", times: 5 });
    for (const source of ["first", "second"] as const) {
      await startSync(app, app.runner, { userId: bob.id, source, trigger: "manual" });
    }
    await app.runner.idle();
    const browser = await aBrowser(url);
    await signIn(browser, app, bob);

    for (const path of ["/", "/jobs", "/awards"]) {
      await browser.open(path);
      for (const width of [320, 736, 737, 800, 1024, 1025, 1120]) {
        await browser.resize(width);
        const cards = "[...document.querySelectorAll('.card:has(table.stack)')]";
        const wide = await browser.look(`${cards}.filter((card) => card.scrollWidth > card.clientWidth).length`);
        expect({ path, width, wide }).toEqual({ path, width, wide: 0 });
      }
    }
  });
});

test.skipIf(BROWSER !== null)("the browser tests were skipped, because this machine has no browser", () => {
  expect(BROWSER).toBeNull();
});
