import { HtmlValidate } from "html-validate";

const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // A taste, not a rule of HTML: a button of a form sends it, and a label may name what is inside it.
    "no-implicit-button-type": "off",
    "no-redundant-for": "off",
  },
});

/** What is wrong with a page as HTML. */
export const faultsIn = async (html: string): Promise<string[]> => {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector}`),
  );
};
