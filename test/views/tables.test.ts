import { expect, test } from "bun:test";
import { everyView } from "./every-view.ts";

interface Table {
  name: string;
  hasCaption: boolean;
  hasRowHeaders: boolean;
}

const tablesIn = async (html: string): Promise<Table[]> => {
  const tables: Table[] = [];
  await new HTMLRewriter()
    .on("table", { element: (table) => void tables.push(newTable(table.getAttribute("class") ?? "table")) })
    .on("caption", { element: () => void (tables.at(-1)!.hasCaption = true) })
    .on("tbody th[scope=row]", { element: () => void (tables.at(-1)!.hasRowHeaders = true) })
    .transform(new Response(html))
    .text();
  return tables;
};

const newTable = (name: string): Table => ({ name, hasCaption: false, hasRowHeaders: false });

test("every table has a caption and row headers", async () => {
  const found: string[] = [];
  let count = 0;
  for (const { name, amount, html } of await everyView()) {
    const tables = await tablesIn(html);
    count += tables.length;
    for (const table of tables) {
      const hasRows = amount !== "empty";
      if (!table.hasCaption || (hasRows && !table.hasRowHeaders))
        found.push(`${name} ${amount}: ${JSON.stringify(table)}`);
    }
  }

  expect(count).toBeGreaterThan(20);
  expect(found).toEqual([]);
}, 60_000);

/** What screen readers read of each element: its text without what is hidden from them. */
const spokenWordsIn = async (html: string, selector: string): Promise<string[]> => {
  const spoken: string[] = [];
  const visible = new HTMLRewriter()
    .on("[aria-hidden=true]", { element: (hidden) => void hidden.remove() })
    .transform(new Response(html));
  await new HTMLRewriter()
    .on(selector, {
      element: () => void spoken.push(""),
      text: ({ text }) => void spoken.push(spoken.pop()! + text),
    })
    .transform(visible)
    .text();
  return spoken;
};

test("every mark says its state in words", async () => {
  const states = /confirmed|needed|not uploaded|none recorded|worked/;
  const views = (await everyView()).filter(({ amount }) => amount === "usual");
  const spoken = await spokenWordsIn(views.map(({ html }) => html).join(""), ".mark, .slot-mark:not([aria-hidden])");

  expect(spoken.length).toBeGreaterThan(100);
  expect(spoken.filter((words) => !states.test(words))).toEqual([]);
}, 60_000);

test("dates are typed as they are written everywhere, not in the order of the browser", async () => {
  const html = (await everyView()).map((view) => view.html).join("");

  expect(html).not.toContain('type="date"');
  expect(html).toContain('placeholder="YYYY-MM-DD"');
});
