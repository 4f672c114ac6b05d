import { HtmlValidate } from "html-validate";

const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // A matter of taste, not a rule of HTML: a button in a form submits it, and a label can contain its control.
    "no-implicit-button-type": "off",
    "no-redundant-for": "off",
  },
});

/** The HTML errors of a page. */
export const faultsIn = async (html: string): Promise<string[]> => {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector}`),
  );
};
