import { description, license, version } from "../../../package.json";
import { SESSION_COOKIE } from "./cookies.ts";
import { ErrorShape } from "./shapes.ts";
import { getSuccessStatus, type Route, type RouteSpec } from "./route.ts";

type Json = Record<string, unknown>;

/** Routes by the name of their resource. */
export type RouteGroups = Readonly<Record<string, readonly Route[]>>;

export const buildOpenApi = (groups: RouteGroups, basePath: string, cookie = SESSION_COOKIE) => {
  const shapes: Json = {};
  const paths: Record<string, Json> = {};
  const error = referTo(ErrorShape, shapes);
  for (const [tag, routes] of Object.entries(groups)) {
    for (const { spec } of routes) {
      const path = (paths[spec.path.replaceAll(/:(\w+)/g, "{$1}")] ??= {});
      path[spec.method.toLowerCase()] = operationOf(spec, tag, error, (schema) => referTo(schema, shapes));
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "qsolog", version, description, license: { name: license, identifier: license } },
    servers: [{ url: basePath || "/" }],
    tags: Object.keys(groups).map((name) => ({ name })),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: cookie },
      },
      schemas: shapes,
    },
    paths,
  };
};

/** Who can call a route, in words. */
const accessInWords = (spec: RouteSpec): string => {
  const { access, sessionOnly, notWhileImpersonating, confirmed, feedKeys, method, isReading } = spec;
  if (access === "anyone") return "Anyone can call it.";
  const isRead = method === "GET" || isReading || spec.isSigning;
  return [
    access === "user" ? "For signed-in users." : "For administrators.",
    sessionOnly ? "Needs a session: no API token can call it." : isRead ? "" : "An API token needs the scope `write`.",
    feedKeys ? `Keys with the scope \`feed\`${feedKeys === "lookup" ? " or `lookup`" : ""} can call it.` : "",
    notWhileImpersonating ? "Not while acting as another user." : "",
    confirmed === "with factor" ? "Needs a recent confirmation, with the second factor if there is one." : "",
    confirmed === true ? "Needs a recent confirmation." : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
};

/** What the schemas of a route do not say. */
export const descriptionOf = (spec: RouteSpec): string =>
  [spec.description, accessInWords(spec), spec.hasEtag ? "Answers with an ETag." : ""].filter(Boolean).join(" ");

const JSON_TYPE = "application/json";
const FILE = { schema: { type: "string", format: "binary" } };
const UPLOAD = {
  "text/x-adif": FILE,
  "application/octet-stream": FILE,
  "multipart/form-data": {
    schema: { type: "object", properties: { file: FILE.schema }, required: ["file"] },
  },
};

const operationOf = (spec: RouteSpec, tag: string, error: unknown, refer: (schema: unknown) => unknown): Json => {
  const { name, summary, access, body, rawBody, answer, files = [], preview } = spec;
  const content = {
    ...(answer ? { [JSON_TYPE]: { schema: refer(answer) } } : {}),
    ...Object.fromEntries(files.map((type) => [type, FILE])),
  };
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: descriptionOf(spec),
    security: access === "anyone" ? [] : [{ bearer: [] }, { session: [] }],
    parameters: [...parametersOf("path", spec.params), ...parametersOf("query", spec.query)],
    ...(body ? { requestBody: { content: { [JSON_TYPE]: { schema: refer(body) } } } } : {}),
    ...(rawBody ? { requestBody: { required: true, content: UPLOAD } } : {}),
    responses: {
      ...(preview ? { 200: { description: "The preview", content: { [JSON_TYPE]: { schema: refer(preview) } } } } : {}),
      [getSuccessStatus(spec)]: { description: "Done", ...(Object.keys(content).length > 0 ? { content } : {}) },
      default: { description: "Refused or failed", content: { [JSON_TYPE]: { schema: error } } },
    },
  };
};

const parametersOf = (place: "path" | "query", schema: RouteSpec["query"]): Json[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: referTo(shape, {}),
  }));
};

/** The schema as the document shows it. A shape with a title becomes a component. */
const referTo = (schema: unknown, shapes: Json): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => referTo(part, shapes));
  if (typeof schema !== "object" || schema === null) return schema;
  const { title, documentedAs, ...rest } = schema as Json;
  if (documentedAs !== undefined && typeof title !== "object") return documentedAs;
  const named = typeof title === "string" ? title : null;
  const parts = Object.entries(named === null ? schema : rest).map(([name, part]) => [name, referTo(part, shapes)]);
  if (named === null) return Object.fromEntries(parts);
  shapes[named] = Object.fromEntries(parts);
  return { $ref: `#/components/schemas/${named}` };
};
