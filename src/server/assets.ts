import htmx from "htmx.org/dist/htmx.min.js" with { type: "text" };
import icon from "../../views/assets/icon.svg" with { type: "text" };
import { STYLE } from "../../views/assets/style.ts";

interface Asset {
  path: string;
  type: string;
  text: string;
}

/** A file under a name that changes with its content, so that browsers may keep it for ever. */
const asset = (name: string, ending: string, type: string, text: string): Asset => ({
  path: `/assets/${name}.${Bun.hash(text).toString(36)}.${ending}`,
  type,
  text,
});

export const ASSETS = {
  style: asset("style", "css", "text/css; charset=utf-8", STYLE),
  htmx: asset("htmx", "js", "text/javascript; charset=utf-8", htmx),
  icon: asset("icon", "svg", "image/svg+xml", icon),
};

const packed = new WeakMap<Asset, Uint8Array<ArrayBuffer>>();

const packedOf = (one: Asset): Uint8Array<ArrayBuffer> => {
  const known = packed.get(one) ?? Bun.gzipSync(one.text, { level: 9 });
  packed.set(one, known);
  return known;
};

export const assetEndpoints = () =>
  Object.values(ASSETS).map((one) => ({
    method: "GET",
    path: one.path,
    handle: (request: Request) => {
      const headers = {
        "content-type": one.type,
        "cache-control": "public, max-age=31536000, immutable",
        vary: "accept-encoding",
      };
      const takesGzip = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
      return takesGzip
        ? new Response(packedOf(one), { headers: { ...headers, "content-encoding": "gzip" } })
        : new Response(one.text, { headers });
    },
  }));
