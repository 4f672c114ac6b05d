import { describe, expect, test } from "bun:test";
import { run } from "../../src/storage/engine/unit.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import { contactsOf } from "../contacts/log.ts";
import { lotw, said, sync } from "../support/sync.ts";
import { everyView } from "./every-view.ts";
import { aSite } from "./site.ts";

const ASKS = ["get", "post", "put", "patch", "delete"].map((verb) => `[hx-${verb}]`).join(", ");

/** Elements without a trigger, which htmx loads on every click. */
const askingOnClick = async (html: string): Promise<string[]> => {
  const found: string[] = [];
  await new HTMLRewriter()
    .on(ASKS, {
      element({ tagName, attributes }) {
        const names = [...attributes].map(([name]) => name!);
        if (!["a", "button", "form"].includes(tagName) && !names.includes("hx-trigger"))
          found.push(`${tagName} ${names.join(" ")}`);
      },
    })
    .transform(new Response(html))
    .text();
  return found;
};

test("only links, buttons and forms send requests without a trigger", async () => {
  const found: string[] = [];
  for (const { name, amount, html } of await everyView()) {
    found.push(...(await askingOnClick(html)).map((words) => `${name} ${amount}: ${words}`));
  }

  expect(found).toEqual([]);
  expect(
    await askingOnClick(`<div hx-get="log" id="x"><a hx-get="log"></a><p hx-post="x" hx-trigger="load"></p></div>`),
  ).toEqual(["div hx-get id"]);
});

describe("the second page of a list", () => {
  const FIFTY_FIVE = Array.from({ length: 55 }, (_, index) => `2026-07-18 01:${String(index).padStart(2, "0")}`);

  const aSiteWithLongLists = async () => {
    const site = await aSite();
    const bob = await site.signedIn("bob");
    const { world } = site;
    const job = await sync(
      world,
      bob.user.id,
      "first",
      FIFTY_FIVE.map((at) => lotw("", at)),
    );
    await sync(
      world,
      bob.user.id,
      "file",
      FIFTY_FIVE.map((at) => said("K1ABC", at)),
    );
    const contacts = await contactsOf(world, bob.user.id);
    await world.db.write(() => qsos.addMany(bob.user.id, contacts));
    await world.db.write(() => run`UPDATE sync_jobs SET status = 'running', finished_at = NULL WHERE id = ${job.id}`);
    return { bob, job };
  };

  test("reloads from its own address, and its forms return to it", async () => {
    const { bob, job } = await aSiteWithLongLists();
    for (const [path, cursor, own] of [
      ["/log", "cursor", /<(?:div id="results"[^>]*hx-get|form method="post" action)="([^"]*)"/g],
      [
        `/jobs/${job.id}?tab=left`,
        "leftovers",
        /<(?:div id="job-story"[^>]*hx-get|form method="post" action)="(jobs[^"]*\?[^"]*)"/g,
      ],
      ["/duplicates", "cursor", /<form method="post" action="(duplicates[^"]*)"/g],
      ["/reconcile?class=leftovers", "cursor", /<form method="post" action="(reconcile[^"]*)"/g],
    ] as const) {
      const first = await (await bob.get(path)).text();
      const next = first.match(new RegExp(`href="([^"]*[?;&]${cursor}=[^"#]*)`))![1]!;
      const second = await (await bob.get(`/${next}`)).text();

      const place = new URLSearchParams(next.split("?")[1]).get(cursor);
      const places = [...second.matchAll(own)].map(([, address]) =>
        new URLSearchParams(address!.split("?")[1]).get(cursor),
      );
      expect(places.length).toBeGreaterThan(1);
      expect([path, new Set(places)]).toEqual([path, new Set([place])]);
      expect(second).toContain(`href="${next}#content"`);
    }
  }, 60_000);
});
