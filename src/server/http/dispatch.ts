import type { TSchema } from "typebox";
import { version } from "../../../package.json";
import type { App } from "../../app.ts";
import type { Caller } from "../../auth/caller.ts";
import { RULES_VERSION } from "../../domain/contact/derive.ts";
import { AppError } from "../../kernel/errors.ts";
import { byOwner, type LogCaller } from "../../logbook/caller.ts";
import { logVersion } from "../../logbook/statistics.ts";
import { read, readText } from "../../kernel/schema.ts";
import { admit, type Visit } from "./admit.ts";
import { readJson } from "./body.ts";
import { clientOf, type Address } from "./client-address.ts";
import { nothingHere } from "./errors.ts";
import { getSuccessStatus, type AuthenticatedCall, type Route } from "./route.ts";
import { only } from "./shapes.ts";
import { jsonResponse } from "./response.ts";

const NOTHING = only({});

export const dispatch = async (
  app: App,
  { spec, handle }: Route,
  request: Request,
  params: Record<string, string>,
  address: Address,
): Promise<Response> => {
  if (spec.exists && !(await spec.exists(app))) throw nothingHere();
  const visit: Visit = { caller: null, address, headers: new Headers() };
  const words = await admit(app, request, spec, visit, async () => ({
    params: spec.params ? pathParams(spec.params, params) : {},
    query: readQuery(spec.query, queryIn(request)),
    body: spec.rawBody || spec.method === "GET" ? {} : read(spec.body ?? NOTHING, await readJson(request)),
  }));
  const { caller, headers } = visit;
  const call = callOf(app, request, visit, words);
  const answer = spec.hasEtag ? await tagged(call as AuthenticatedCall, () => handle(call)) : await handle(call);
  // Many questions that came together can have one long answer, which would be written for each of them.
  if (caller && spec.method === "GET") app.fairShare.assertReads(caller.user.id);
  const response = respond(answer, getSuccessStatus(spec), headers);
  return caller ? app.fairShare.send(caller.user.id, request, response) : response;
};

/** An admitted request for its handler. */
export const callOf = <Words>(app: App, request: Request, { caller, address, headers }: Visit, words: Words) => ({
  app,
  request,
  caller,
  asker: caller && askerOf(caller, request),
  address,
  get client() {
    return clientOf(app, request, address);
  },
  header: (name: string, value: string) => headers.append(name, value),
  ...words,
});

/** Most requests never use the signal, which is slow to create. */
export const askerOf = ({ user: { id, username } }: Caller, request?: Request): LogCaller => ({
  ...byOwner({ id, username }),
  get signal() {
    return request?.signal;
  },
});

/** An invalid parameter in a path means that there is no such page. */
export const pathParams = (schema: TSchema, params: Record<string, string>): unknown => {
  try {
    return readText(schema, params);
  } catch {
    throw nothingHere();
  }
};

/** Parsing the whole URL is slow, and most requests have no query. */
const queryIn = ({ url }: Request): URLSearchParams => {
  const mark = url.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1));
};

const readQuery = (schema: TSchema | undefined, given: URLSearchParams): unknown => {
  const query = Object.fromEntries(given);
  if (schema) return readText(schema, query);
  const fields = Object.keys(query).map((path) => ({ path, message: "is not a known parameter" }));
  if (fields.length > 0) throw new AppError("invalid", `${fields[0]!.path} is not a known parameter.`, { fields });
  return {};
};

const respond = (answer: unknown, status: number, headers: Headers): Response => {
  if (answer instanceof Response) {
    for (const [name, value] of headers) answer.headers.append(name, value);
    return answer;
  }
  headers.set("cache-control", headers.get("cache-control") ?? "no-store");
  return status === 204 ? new Response(null, { status, headers }) : jsonResponse(answer, status, headers);
};

/**
 * The document, or 304 if the client has it. The tag changes with the log, the question, and the version and rules of
 * the program.
 */
export const tagged = async (call: AuthenticatedCall, answer: () => unknown): Promise<unknown> => {
  const { app, asker, request } = call;
  const { pathname, search } = new URL(request.url);
  const parts = [
    asker.owner.id,
    await logVersion(app, asker),
    pathname,
    search,
    version,
    RULES_VERSION,
    app.countryFileMark(),
  ];
  const etag = `W/"${Bun.hash(JSON.stringify(parts)).toString(36)}"`;
  call.header("etag", etag);
  call.header("cache-control", "private, no-cache");
  if (
    request.headers
      .get("if-none-match")
      ?.split(",")
      .some((known) => known.trim() === etag)
  )
    return new Response(null, { status: 304 });
  return answer();
};
