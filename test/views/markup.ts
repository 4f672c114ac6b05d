/** The structure of a page: its elements and attribute names, in order. */
export interface Markup {
  elements: string[];
  /** What would run code or leave the site. */
  live: string[];
}

const NEVER = new Set(["iframe", "object", "embed", "style", "img", "applet", "math"]);

export const markupOf = async (html: string): Promise<Markup> => {
  const elements: string[] = [];
  const live: string[] = [];
  await new HTMLRewriter()
    .on("*", {
      element(element) {
        const attributes = [...element.attributes];
        const names = attributes.map(([name]) => name!);
        elements.push(`${element.tagName} ${names.join(" ")}`);
        const source = element.getAttribute("src") ?? "";
        if (element.tagName === "script" && !/^assets\/(htmx|passkeys)\.\w+\.js$/.test(source))
          live.push(`script ${source}`);
        if (NEVER.has(element.tagName)) live.push(element.tagName);
        for (const [name, value] of attributes) {
          if (/^(on|hx-on|style$)/.test(name!)) live.push(`${element.tagName} ${name}`);
          if (/^(href|action|formaction|src|hx-(?!sync$)\w+)$/.test(name!) && leadsAway(value!))
            live.push(`${name}=${value}`);
        }
      },
    })
    .transform(new Response(html))
    .text();
  return { elements, live };
};

/** Every URL on a page must be below its base. */
const leadsAway = (address: string): boolean => /^\s*(\w+:|\/\/|\/)/.test(address) && address !== "/";
