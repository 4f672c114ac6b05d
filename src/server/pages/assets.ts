import { readFileSync } from "node:fs";
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2" with { type: "file" };
import jetBrainsMono from "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2" with { type: "file" };
import htmx from "htmx.org/dist/htmx.min.js" with { type: "text" };
import sse from "htmx.org/dist/ext/hx-sse.min.js" with { type: "text" };
import icon from "../../../views/assets/icon.svg" with { type: "text" };
import charts from "../../../views/assets/charts.js" with { type: "text" };
import keys from "../../../views/assets/keys.js" with { type: "text" };
import passkeys from "../../../views/assets/passkeys.js" with { type: "text" };
import { STYLE } from "../../../views/assets/style.ts";

interface Asset<Content> {
  path: string;
  type: string;
  content: Content;
}

/** A file whose name changes with its content, so that browsers can cache it forever. */
const asset = <Content extends string | Uint8Array<ArrayBuffer>>(
  name: string,
  ending: string,
  type: string,
  content: Content,
): Asset<Content> => ({ path: `/assets/${name}.${Bun.hash(content).toString(36)}.${ending}`, type, content });

const font = (name: string, file: string) => asset(name, "woff2", "font/woff2", new Uint8Array(readFileSync(file)));

export const FONTS = { Inter: font("inter", inter), "JetBrains Mono": font("jetbrains-mono", jetBrainsMono) };

/**
 * The characters of Western European languages. Others come from the system's fonts. A font that does not arrive in
 * time is used from the next page on, so that no text moves.
 */
const FONT_FACES = Object.entries(FONTS).map(
  ([family, { path }]) => `@font-face {
  font-family: "${family}";
  src: url("${path.split("/").at(-1)}") format("woff2");
  font-weight: 100 900;
  font-display: optional;
  unicode-range: U+0-FF, U+131, U+152-153, U+2BB-2BC, U+2C6, U+2DA, U+2DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212;
}
`,
);

/** Comments on lines of their own, and indentation, are a tenth of what a browser would load. */
const withoutComments = (source: string): string =>
  source
    .replaceAll(/^ *(\/\/.*|\/\*[^]*?\*\/)$/gm, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");

export const ASSETS = {
  style: asset("style", "css", "text/css; charset=utf-8", FONT_FACES.join("") + withoutComments(STYLE)),
  htmx: asset(
    "htmx",
    "js",
    "text/javascript; charset=utf-8",
    `${htmx}\n${sse}\n${withoutComments(keys)}\n${withoutComments(charts)}`,
  ),
  passkeys: asset("passkeys", "js", "text/javascript; charset=utf-8", withoutComments(passkeys)),
  icon: asset("icon", "svg", "image/svg+xml", icon),
};

export const assetEndpoints = () =>
  [...Object.values(ASSETS), ...Object.values(FONTS)].map(({ path, type, content }) => ({
    method: "GET",
    path,
    handle: () =>
      new Response(content, {
        headers: { "content-type": type, "cache-control": "public, max-age=31536000, immutable" },
      }),
  }));
