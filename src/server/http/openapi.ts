import type { TSchema } from "typebox";
import { version } from "../../../package.json";
import { SESSION_COOKIE } from "./cookies.ts";
import { ErrorShape } from "./shapes.ts";
import type { Route } from "./route.ts";

/** The document of the interface, made from what the routes check. */
export const openApiOf = (routes: readonly Route[], basePath: string, cookie = SESSION_COOKIE) => ({
  openapi: "3.1.0",
  info: { title: "qsolog", version },
  servers: [{ url: basePath || "/" }],
  components: {
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer" },
      session: { type: "apiKey", in: "cookie", name: cookie },
    },
    schemas: { Error: ErrorShape },
  },
  paths: Object.fromEntries(
    [...Map.groupBy(routes, ({ spec }) => spec.path)].map(([path, ofPath]) => [
      path.replaceAll(/:(\w+)/g, "{$1}"),
      Object.fromEntries(ofPath.map(({ spec }) => [spec.method.toLowerCase(), operationOf(spec)])),
    ]),
  ),
});

const JSON_TYPE = "application/json";

const operationOf = (spec: Route["spec"]) => {
  const { summary, access, params, query, body, rawBody, answer } = spec;
  const status = spec.status ?? (answer ? 200 : 204);
  return {
    summary,
    security: access === "anyone" ? [] : [{ bearer: [] }, { session: [] }],
    parameters: [...parametersOf("path", params), ...parametersOf("query", query)],
    ...(body ? { requestBody: { content: { [JSON_TYPE]: { schema: body } } } } : {}),
    ...(rawBody
      ? { requestBody: { content: { "text/x-adif": { schema: { type: "string", format: "binary" } } } } }
      : {}),
    responses: {
      [status]: { description: "Done", ...(answer ? { content: { [JSON_TYPE]: { schema: answer } } } : {}) },
      default: {
        description: "Refused or failed",
        content: { [JSON_TYPE]: { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
};

const parametersOf = (place: "path" | "query", schema: TSchema | undefined) => {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: shape,
  }));
};
