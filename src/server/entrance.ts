import { version } from "../../package.json";
import type { Entrance } from "../app.ts";
import { assetEndpoints } from "./assets.ts";
import { pageEndpoints, type Endpoint } from "./endpoint.ts";
import { ENTRANCE_PAGES } from "./entrance-pages.ts";
import { json } from "./whole.ts";

/** What answers as soon as the server listens. */
export const entranceEndpoints = (entrance: Entrance): readonly Endpoint[] => [
  { method: "GET", path: "/healthz", isEverywhere: true, handle: () => json({ status: "ok", version }) },
  ...assetEndpoints(),
  ...pageEndpoints(entrance, ENTRANCE_PAGES),
];
