import AXE from "axe-core/axe.min.js" with { type: "text" };
import type { Browser } from "./browser.ts";

const MAX_TRIES = 5;

interface Options {
  /** A selector: only this part of the page is checked. */
  part?: string;
  /** The contrast of colours takes half of the time. */
  hasContrast?: boolean;
}

/** The violations that axe finds in the open page. If the page updates itself meanwhile, it is checked again. */
export const brokenRules = async ({ look }: Browser, { part, hasContrast = true }: Options = {}): Promise<string[]> => {
  // Only rules about videos and orientation need the preload, which fetches all style sheets again.
  const options = {
    resultTypes: ["violations"],
    preload: false,
    rules: { "color-contrast": { enabled: hasContrast } },
  };
  const run = `window.axe.run(${JSON.stringify(part) ?? "document"}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 200) + " " + failureSummary)))`;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await look(`(()=>{${AXE}})()`);
    const broken = await look<string[]>(run);
    if (broken) return broken;
  }
  return ["was not looked at"];
};
