import { version } from "../../package.json";
import type { App } from "../app.ts";
import { API_GROUPS, API_ROUTES } from "./api-routes.ts";
import { basePathOf, cookieName, SESSION_COOKIE } from "./http/cookies.ts";
import { dispatch } from "./http/dispatch.ts";
import type { Endpoint } from "./http/route.ts";
import { healthEndpoints } from "./health/routes.ts";
import { liveEndpoints } from "./live/events.ts";
import { buildOpenApi } from "./http/openapi.ts";
import { assetEndpoints } from "./pages/assets.ts";
import { dispatchPage } from "./pages/page-dispatch.tsx";
import type { PageRoute } from "./pages/page-route.ts";
import { PAGE_ROUTES } from "./pages/page-routes.ts";
import { wavelogEndpoints } from "./wavelog/endpoints.ts";
import { jsonResponse } from "./http/response.ts";

/** Every address below the base path. */
export const endpointsOf = (app: App, morePages: readonly PageRoute[]): readonly Endpoint[] => {
  let document: ReturnType<typeof buildOpenApi> | undefined;
  const { config } = app;
  const documented = () =>
    (document ??= buildOpenApi(API_GROUPS, basePathOf(config.baseUrl), cookieName(config, SESSION_COOKIE)));
  return [
    { method: "GET", path: "/healthz", isEverywhere: true, handle: () => jsonResponse({ status: "ok", version }) },
    ...healthEndpoints(app),
    ...assetEndpoints(),
    { method: "GET", path: "/openapi/json", handle: () => jsonResponse(documented()) },
    ...[...PAGE_ROUTES, ...morePages].map((page): Endpoint => ({
      method: page.spec.method,
      path: page.spec.path,
      handle: (request, params, address) => dispatchPage(app, page, request, params, address),
    })),
    ...liveEndpoints(app),
    ...wavelogEndpoints(app),
    ...API_ROUTES.map((route): Endpoint => ({
      method: route.spec.method,
      path: route.spec.path,
      handle: (request, params, address) => dispatch(app, route, request, params, address),
    })),
  ];
};
