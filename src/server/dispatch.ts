import type { App } from "../app.ts";
import type { Caller } from "../auth/caller.ts";
import { recordWriteAs } from "../people/impersonation.ts";
import { AppError } from "../domain/errors.ts";
import { read, readText } from "../schema.ts";
import { bearerOf } from "./bearer.ts";
import { assertSameSite } from "./cross-site.ts";
import type { Address } from "./client-address.ts";
import { cookie, cookieOf, IMPERSONATION_COOKIE, SESSION_COOKIE } from "./cookies.ts";
import { nothingHere } from "./errors.ts";
import type { Route } from "./route.ts";
import { only } from "./shapes.ts";

const MAX_BODY_BYTES = 1_048_576;
const MAX_RAW_BODY_BYTES = 1_073_741_824;
const SAFE = "GET";
const NOTHING = only({});

/** Answers one request of a route: who asks, whether they may, what they say, and what comes of it. */
export const dispatch = async (
  app: App,
  { spec, handle }: Route,
  request: Request,
  params: Record<string, string>,
  address: Address,
): Promise<Response> => {
  if (spec.exists && !(await spec.exists(app))) throw nothingHere();
  const headers = new Headers();
  const caller = await callerOf(app, request, spec.access === "anyone");
  assertSameSite(request, caller?.byCookie ?? hasCookie(request), app.config);
  if (caller) noticed(app, caller, headers);
  assertAllowed(spec, caller);
  const url = new URL(request.url);
  const call = {
    app,
    request,
    caller,
    address,
    params: spec.params ? pathParams(spec.params, params) : {},
    query: readQuery(spec.query, url.searchParams),
    body: await readBody(spec, request),
    header: (name: string, value: string) => headers.append(name, value),
  };
  if (caller?.impersonatedBy && spec.method !== SAFE && !spec.isSigning) {
    await recordWriteAs(app, caller, { method: spec.method, path: url.pathname });
  }
  const answer = await handle(call);
  return respond(answer, spec.status ?? (answer === undefined ? 204 : 200), headers);
};

type AccessRule = Pick<Route["spec"], "access" | "method" | "sessionOnly" | "notWhileImpersonating" | "isSigning">;

/** Where anyone may come, a session that has ended is no reason to turn somebody away. */
export const callerOf = async (app: App, request: Request, isOpen: boolean): Promise<Caller | null> => {
  const presented = {
    bearer: bearerOf(request),
    sessionCookie: cookieOf(request, SESSION_COOKIE),
    impersonationCookie: cookieOf(request, IMPERSONATION_COOKIE),
  };
  try {
    return await app.auth.callerOf(presented);
  } catch (error) {
    if (isOpen && error instanceof AppError && error.code === "unauthenticated") return null;
    throw error;
  }
};

export const hasCookie = (request: Request): boolean =>
  cookieOf(request, SESSION_COOKIE) !== null || cookieOf(request, IMPERSONATION_COOKIE) !== null;

export const assertAllowed = (spec: AccessRule, caller: Caller | null): void => {
  if (spec.access === "anyone") return;
  if (!caller) throw new AppError("unauthenticated", "Sign in first.");
  const refuse = (rule: string, message: string) => new AppError("forbidden", message, { rule });
  if (spec.notWhileImpersonating && caller.impersonatedBy) {
    throw refuse("impersonating", "This cannot be done while acting as another user.");
  }
  if (caller.scope === "read" && spec.method !== SAFE && !spec.isSigning)
    throw refuse("read_only_token", "This token may only read.");
  if (spec.sessionOnly && caller.scope !== "full") throw refuse("session_required", "No API token may do this.");
  if (spec.access === "administrator" && !caller.user.isAdmin) {
    throw refuse("not_admin_caller", "Only administrators may do this.");
  }
};

/** Under impersonation it is the administrator who was here. */
export const noticed = (app: App, caller: Caller, headers: Headers): void => {
  const { user, impersonatedBy, renewed } = caller;
  app.lastSeen.touch(impersonatedBy?.id ?? user.id, caller);
  if (renewed) {
    headers.append("set-cookie", cookie(app.config, SESSION_COOKIE, renewed.token, renewed.expiresAt - app.clock()));
  }
};

/** An address that makes no sense leads nowhere. */
export const pathParams = (schema: NonNullable<Route["spec"]["params"]>, params: Record<string, string>): unknown => {
  try {
    return readText(schema, params);
  } catch {
    throw nothingHere();
  }
};

const readQuery = (schema: Route["spec"]["query"], given: URLSearchParams): unknown => {
  const query = Object.fromEntries(given);
  if (schema) return readText(schema, query);
  const fields = Object.keys(query).map((path) => ({ path, message: "is not known here" }));
  if (fields.length > 0) throw new AppError("invalid", `${fields[0]!.path} is not known here.`, { fields });
  return {};
};

const readBody = async (spec: Route["spec"], request: Request): Promise<unknown> => {
  if (spec.rawBody) return void assertLength(request, MAX_RAW_BODY_BYTES, "1 GB");
  return spec.method === SAFE ? {} : read(spec.body ?? NOTHING, await readJson(request));
};

/** No body is an empty object. */
const readJson = async (request: Request): Promise<unknown> => {
  const text = await limitedText(request);
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new AppError("invalid", "The body is not valid JSON.");
  }
};

const tooLarge = (most: string) => new AppError("too_large", `The body is larger than ${most}.`);

const assertLength = (request: Request, most: number, words: string): void => {
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge(words);
};

export const limitedText = async (request: Request): Promise<string> => {
  assertLength(request, MAX_BODY_BYTES, "1 MB");
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge("1 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const respond = (answer: unknown, status: number, headers: Headers): Response => {
  if (answer instanceof Response) {
    for (const [name, value] of headers) answer.headers.append(name, value);
    return answer;
  }
  headers.set("cache-control", headers.get("cache-control") ?? "no-store");
  return status === 204 ? new Response(null, { status, headers }) : Response.json(answer, { status, headers });
};
