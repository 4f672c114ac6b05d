import { expect, test } from "bun:test";
import { everyView } from "./every-view.ts";
import { faultsIn } from "./validator.ts";

test("every page with canned data is valid HTML", async () => {
  const found: string[] = [];
  const views = (await everyView()).filter(({ amount }) => amount !== "huge");
  for (const { name, amount, html } of views) {
    found.push(...(await faultsIn(`<!DOCTYPE html>${html}`)).map((words) => `${name} ${amount}: ${words}`));
  }

  expect(found).toEqual([]);
}, 60_000);
