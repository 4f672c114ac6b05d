import { version } from "../../package.json";
import type { Entrance } from "../app.ts";
import { assetEndpoints } from "./pages/assets.ts";
import { pageEndpoints, type Endpoint } from "./http/endpoint.ts";
import { ENTRANCE_PAGES } from "./entrance-pages.ts";
import { jsonResponse } from "./http/json-response.ts";

/** What answers as soon as the server listens. */
export const entranceEndpoints = (entrance: Entrance): readonly Endpoint[] => [
  { method: "GET", path: "/healthz", isEverywhere: true, handle: () => jsonResponse({ status: "ok", version }) },
  ...assetEndpoints(),
  ...pageEndpoints(entrance, ENTRANCE_PAGES),
];
