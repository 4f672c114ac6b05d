import htmx from "htmx.org/dist/htmx.min.js" with { type: "text" };
import sse from "htmx.org/dist/ext/hx-sse.min.js" with { type: "text" };
import icon from "../../../views/assets/icon.svg" with { type: "text" };
import keys from "../../../views/assets/keys.js" with { type: "text" };
import passkeys from "../../../views/assets/passkeys.js" with { type: "text" };
import { STYLE } from "../../../views/assets/style.ts";

interface Asset {
  path: string;
  type: string;
  text: string;
}

/** A file whose name changes with its content, so that browsers can cache it forever. */
const asset = (name: string, ending: string, type: string, text: string): Asset => ({
  path: `/assets/${name}.${Bun.hash(text).toString(36)}.${ending}`,
  type,
  text,
});

export const ASSETS = {
  style: asset("style", "css", "text/css; charset=utf-8", STYLE),
  htmx: asset("htmx", "js", "text/javascript; charset=utf-8", `${htmx}\n${sse}\n${keys}`),
  passkeys: asset("passkeys", "js", "text/javascript; charset=utf-8", passkeys),
  icon: asset("icon", "svg", "image/svg+xml", icon),
};

export const assetEndpoints = () =>
  Object.values(ASSETS).map(({ path, type, text }) => ({
    method: "GET",
    path,
    handle: () =>
      new Response(text, { headers: { "content-type": type, "cache-control": "public, max-age=31536000, immutable" } }),
  }));
