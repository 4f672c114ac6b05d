import { expect, test } from "bun:test";
import { HtmlValidate } from "html-validate";
import { everyView } from "./every-view.ts";

const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // A taste, not a rule of HTML: a button of a form sends it, and a label may name what is inside it.
    "no-implicit-button-type": "off",
    "no-redundant-for": "off",
  },
});

test("every page with canned data is valid HTML", async () => {
  const found: string[] = [];
  const views = (await everyView()).filter(({ amount }) => amount !== "huge");
  for (const { name, amount, html } of views) {
    const { results } = await validator.validateString(`<!DOCTYPE html>${html}`);
    for (const { ruleId, message, selector } of results.flatMap(({ messages }) => messages))
      found.push(`${name} ${amount}: ${ruleId}: ${message} at ${selector}`);
  }

  expect(found).toEqual([]);
}, 60_000);
