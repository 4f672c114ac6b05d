import type { App } from "../app.ts";
import { API_ROUTES } from "./api-routes.ts";
import { basePathOf, cookieName, SESSION_COOKIE } from "./http/cookies.ts";
import { dispatch } from "./http/dispatch.ts";
import { pageEndpoints, type Endpoint } from "./http/endpoint.ts";
import { healthEndpoints } from "./health/routes.ts";
import { liveEndpoints } from "./live/events.ts";
import { openApiOf } from "./http/openapi.ts";
import type { PageRoute } from "./pages/page-route.ts";
import { FEATURE_PAGES } from "./pages/page-routes.ts";
import { wavelogEndpoints } from "./wavelog/endpoints.ts";
import { jsonResponse } from "./http/json-response.ts";

/** What answers as soon as the features are there. */
export const featureEndpoints = (app: App, morePages: readonly PageRoute[]): readonly Endpoint[] => {
  let document: ReturnType<typeof openApiOf> | undefined;
  const { config } = app;
  const documented = () =>
    (document ??= openApiOf(API_ROUTES, basePathOf(config.baseUrl), cookieName(config, SESSION_COOKIE)));
  return [
    ...healthEndpoints(app),
    { method: "GET", path: "/openapi/json", handle: () => jsonResponse(documented()) },
    ...pageEndpoints(app, [...FEATURE_PAGES, ...morePages]),
    ...liveEndpoints(app),
    ...wavelogEndpoints(app),
    ...API_ROUTES.map((one): Endpoint => ({
      method: one.spec.method,
      path: one.spec.path,
      handle: (request, params, address) => dispatch(app, one, request, params, address),
    })),
  ];
};
