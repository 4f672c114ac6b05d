import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { addQso } from "../../src/contacts/edit.ts";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { promote } from "../../src/people/roles.ts";
import * as adminActions from "../../src/storage/people/admin-actions.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { contactsOf } from "../contacts/log.ts";
import { BROWSER } from "../support/browser.ts";
import { aDesk } from "../support/desk.ts";
import { isFull } from "../support/full.ts";
import { said, sync } from "../support/sync.ts";

setDefaultTimeout(300_000);

type Desk = Awaited<ReturnType<typeof aDesk>>;

const minutes = (index: number) =>
  `${String(Math.floor(index / 60)).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}`;

/** Bob is an administrator, and every list has a second page. */
const aDeskWithLongLists = async (): Promise<Desk & { jobId: number }> => {
  const desk = await aDesk();
  const { world, bob } = desk;
  await promote(world, OPERATOR, "bob");
  await world.db.write(function* () {
    for (let n = 0; n < 55; n++) {
      yield* run`INSERT INTO sync_jobs (user_id, source, trigger_kind, status, created_at, finished_at)
                 VALUES (${bob.id}, 'file', 'manual', 'completed', ${n}, ${n})`;
      yield* run`INSERT INTO users (username, password_hash, created_at) VALUES (${`user${n}`}, '', ${n})`;
      yield* adminActions.record(n, OPERATOR, "promote", { id: null, username: `user${n}` });
    }
  });
  const records = Array.from({ length: 60 }, (_, index) => [
    said(`K${index % 10}QA${String.fromCharCode(65 + (index % 26))}`, `2026-07-18 ${minutes(index)}`),
    said("", `2026-07-19 ${minutes(index)}`),
  ]).flat();
  const job = await sync(world, bob.id, "file", records);
  const contacts = await contactsOf(world, bob.id);
  await world.db.write(() => qsos.addMany(bob.id, contacts.slice(0, 55)));
  return { ...desk, jobId: job.id };
};

/** Each list with its path and the button to its second page. The first six, one of each kind, are the short form. */
const ALL_LISTS: readonly (readonly [name: string, path: (jobId: number) => string, next: string])[] = [
  ["the log", () => "/log", "#page-next"],
  ["jobs", () => "/jobs", ".pager a"],
  ["the leftovers of a job", (id) => `/jobs/${id}?tab=left`, "#leftovers > p:last-child > a"],
  ["duplicates", () => "/duplicates", "#duplicates-section > p:last-child > a"],
  ["the rows of an award", () => "/awards/dxcc?show=all", "#page-next"],
  ["users", () => "/admin/users", "#users > p > a"],
  ["a search in the log", () => "/log?search=2026&sort=call", "#page-next"],
  ["the changes of a job", (id) => `/jobs/${id}?tab=new`, "#changes > p:last-child > a"],
  ["a class of reconcile", () => "/reconcile?class=notAtFirst", "#reconcile-section > p:last-child > a"],
  ["the names of an award", () => "/awards/dxcc-challenge?show=needed", "#page-next"],
  ["actions of administrators", () => "/admin/actions", "main section > p:last-child > a"],
];

const LISTS = isFull(import.meta) ? ALL_LISTS : ALL_LISTS.slice(0, 6);

const SETTLED = "new Promise((resolve) => setTimeout(() => resolve(true), 120))";
const PLAIN_CELLS = `[...document.querySelectorAll("main :is(td, th, li, h2, p, .chip)")]
  .filter((cell) => cell.checkVisibility() && !cell.querySelector("a, button, input, select, summary, label") && !cell.closest("a"))`;
const STATE = `({
  url: location.href,
  rows: [...document.querySelectorAll("main :is(tr, li, h2, .chip):not([popover] *)")].map((row) => row.innerText),
  ticks: [...document.querySelectorAll("main :checked[name=id]")].map(({ value }) => value),
  scrollY: Math.round(scrollY),
})`;
const CURRENT = `document.querySelector("main tr[aria-current]")`;
const IS_PANEL_OPEN = `Boolean(document.querySelector("#panel")?.matches(":popover-open"))`;

/** Requests of the page other than for itself. */
const strayRequests = async ({ browser }: Desk): Promise<string[]> => {
  const place = (await browser.look<string>("new URLSearchParams(location.search).get('cursor')")) ?? "";
  return browser.requests
    .splice(0)
    .filter((request) => !/^GET \/(events|assets|log\/\d+\/panel)/.test(request) && !request.startsWith("data:"))
    .filter((request) => place === "" || !request.includes(encodeURIComponent(place)));
};

const staysWhileWorkedOn = async (desk: Desk): Promise<void> => {
  const { browser, press } = desk;
  const state = async () => {
    await browser.look(SETTLED);
    return (await browser.look<{ url: string; rows: string[]; ticks: string[]; scrollY: number }>(STATE))!;
  };
  // The first rows that lead somewhere are in view, so that going to them does not scroll.
  await browser.look(
    "(scrollTo(0, 90), document.querySelectorAll('main [data-row]')[1]?.scrollIntoView({ block: 'nearest' }))",
  );
  const before = await state();
  expect(before.rows.length).toBeGreaterThan(1);
  browser.requests.splice(0);

  const cells = await browser.look<number>(`${PLAIN_CELLS}.map((cell) => cell.click()).length`);
  expect(cells).toBeGreaterThan(0);
  const [x, y] = (await browser.look<number[]>(`((box) => [box.x + 4, box.y + box.height / 2])(
    ${PLAIN_CELLS}.map((cell) => cell.getBoundingClientRect()).find(({ top, bottom, width }) => width > 8 && top > 60 && bottom < innerHeight - 40))`))!;
  await browser.view.click(x!, y!);
  expect(await state()).toEqual(before);
  expect(await strayRequests(desk)).toEqual([]);

  const box = await browser.look<string>(
    `[...document.querySelectorAll("main [name=id]")].find((one) => one.getBoundingClientRect().top > 200)?.value`,
  );
  if (box) {
    await browser.look(`document.querySelector("#qso-${box} [name=id]").click()`);
    before.ticks.push(box);
    expect(await state()).toEqual(before);
  }
  await press("j", "k", "x", "x", "Escape");
  expect(await state()).toEqual(before);

  await press("o");
  if (await browser.look(`Boolean(${CURRENT}?.querySelector("[data-row-key=o]"))`)) {
    const shows = `document.querySelector("#panel h2").innerText.startsWith(${CURRENT}.querySelector(".call").innerText)`;
    const first = await browser.look<string>(`${CURRENT}.id`);
    await browser.until(`${IS_PANEL_OPEN} && ${shows}`);
    await press("j");
    await browser.until(`${CURRENT}.id !== "${first}" && ${shows}`);
    const second = await browser.look<string>(`${CURRENT}.id`);
    await press("ArrowUp");
    await browser.until(`${CURRENT}.id === "${first}" && ${shows}`);
    await press("ArrowDown");
    await browser.until(`${CURRENT}.id === "${second}" && ${shows}`);
    await press("Escape");
    await browser.until(`!${IS_PANEL_OPEN}`);
    expect(await browser.look(`document.activeElement.closest("tr")?.id`)).toBe(second!);
  }
  expect(await state()).toEqual(before);
  expect(await strayRequests(desk)).toEqual([]);

  const focused = await browser.look<string>("document.activeElement.href");
  await browser.look(`Boolean(document.querySelector("#live")?.dispatchEvent(new Event("changed")))`);
  expect(await state()).toEqual(before);
  expect(await browser.look("document.activeElement.href")).toBe(focused!);
  await browser.look(`document.querySelectorAll("main :checked[name=id]").forEach((one) => one.click())`);
  const reloads = await strayRequests(desk);
  if (/cursor|before/.test(before.url)) expect(reloads).toEqual([]);
};

describe.skipIf(BROWSER === null)("a list keeps page, rows, selection and position", () => {
  test("while cells are clicked, rows are selected, and the list reloads", async () => {
    const desk = await aDeskWithLongLists();
    const { browser, jobId } = desk;
    const wrong: unknown[] = [];
    const look = (page: string) => staysWhileWorkedOn(desk).catch((error: unknown) => wrong.push([page, error]));
    for (const [name, path, next] of LISTS) {
      await browser.open(path(jobId));
      await look(`${name}, page 1`);
      const first = JSON.stringify(await browser.text());
      await browser.click(next);
      await browser.until(
        `document.readyState === "complete" && document.querySelector("main").innerText !== ${first}`,
      );
      await look(`${name}, page 2`);
    }

    expect(wrong).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});

describe.skipIf(BROWSER === null)("the first page of the log, when a contact is added", () => {
  test("shows it, and keeps the selection, the current row and the scroll position", async () => {
    const { world, bob, browser, press } = await aDesk();
    await browser.open("/log");
    await browser.until(`document.querySelector("#live")?._htmx?.sse?.status === 200`);
    await press("j", "j", "x");
    const [current, last] = (await browser.look<string[]>(
      `[${CURRENT}.id, document.querySelector("#rows tr:last-child").id]`,
    ))!;
    await browser.look(`document.querySelector("#${last} [name=id]").click()`);
    await browser.look("scrollTo(0, 600)");
    const seen = (await browser.look<string>(
      `[...document.querySelectorAll("#rows tr")].find((row) => row.getBoundingClientRect().top > 100).id`,
    ))!;
    const topOfSeen = () => browser.look<number>(`document.querySelector("#${seen}").getBoundingClientRect().top`);
    const before = (await topOfSeen())!;

    const typed = { call: "JA1ABC", startedAt: world.clock() - 60_000, band: "17m", mode: "FT8" };
    await addQso(world, bob.id, typed, await world.callFacts());
    await browser.until(`document.querySelector("#results").innerText.includes("JA1ABC")`);

    const ticked = `[...document.querySelectorAll("#rows :checked")].map((box) => box.closest("tr").id)`;
    expect(await browser.look<string[]>(ticked)).toEqual([current!, last!]);
    expect(await browser.look<string>(`${CURRENT}.id`)).toBe(current!);
    expect(Math.abs((await topOfSeen())! - before)).toBeLessThan(2);
    await press("j");
    expect(await browser.look(`document.querySelector("#${current}").nextElementSibling === ${CURRENT}`)).toBe(true);
    expect(browser.complaints).toEqual([]);
  });
});

describe.skipIf(BROWSER === null)("the tools of the log", () => {
  test("show their numbers when they are opened, the slowest last", async () => {
    const { browser } = await aDesk();
    await browser.open("/log");
    await browser.click("#log-tools summary");
    const numbers = `[...document.querySelectorAll("#log-tool-counts small")].map((one) => one.innerText.trim())`;

    await browser.until(`${numbers}.every((number) => number !== "")`);
    expect(await browser.look<string[]>(numbers)).toHaveLength(3);
    expect(browser.complaints).toEqual([]);
  });
});
