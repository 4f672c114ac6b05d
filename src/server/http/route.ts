import type { Static, TSchema } from "typebox";
import type { App } from "../../app.ts";
import type { Client } from "../../auth/auth.ts";
import type { Caller } from "../../auth/caller.ts";
import type { LogCaller } from "../../logbook/caller.ts";
import type { Frozen } from "../../kernel/schema.ts";
import type { Door } from "./admit.ts";
import type { Address } from "./client-address.ts";

/** Something that answers requests at a path below the base path. */
export interface Endpoint {
  method: string;
  path: string;
  /** Also answers without the base path, because monitoring need not know it. */
  isEverywhere?: boolean;
  handle(request: Request, params: Record<string, string>, address: Address): Promise<Response> | Response;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The only description of a route: checks, types, clients, the OpenAPI document, docs/api.md and the access test follow from it. */
export interface RouteSpec<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
> extends Door {
  /** The name for clients: a verb and an object. Unique. */
  name: string;
  method: Method;
  /** Parameters as `:name`. */
  path: string;
  /** A phrase that begins with a verb. */
  summary: string;
  /** What the summary leaves out, in a sentence or two. */
  description?: string;
  /** Returns false while this address does not exist. */
  exists?: (app: App) => Promise<boolean>;
  params?: Params;
  query?: Query;
  body?: Body;
  answer?: Answer;
  /** Media types of the files that it answers instead of, or in addition to, a document. */
  files?: readonly string[];
  /** The answer, with status 200, if the body has `dryRun`. */
  preview?: TSchema;
  /** The status of a successful answer, if it is not the one that `getSuccessStatus` gives. */
  status?: number;
  /** Answers 304 to clients that have the document already, as long as the log is unchanged. */
  hasEtag?: boolean;
}

/** An admitted request. On a route for anyone there can be no caller. */
export interface OpenCall<Params = unknown, Query = unknown, Body = unknown> {
  app: App;
  request: Request;
  caller: Caller | null;
  asker: LogCaller | null;
  params: Params;
  query: Query;
  body: Body;
  address: Address;
  /** The client, for the list of sessions and for rate limits. */
  readonly client: Client;
  /** Sets a header of the response. Cookies are added. */
  header(name: string, value: string): void;
}

export interface AuthenticatedCall<Params = unknown, Query = unknown, Body = unknown> extends OpenCall<
  Params,
  Query,
  Body
> {
  caller: Caller;
  asker: LogCaller;
}

export interface Route<Types = unknown> {
  spec: RouteSpec;
  handle(call: OpenCall): unknown;
  /** For clients. It never has a value. */
  types?: Types;
}

/** What a declared schema describes. Nothing is known about what is not declared. */
export type Described<Schema extends TSchema> = [Schema] extends [never] ? unknown : Static<Schema>;

/** The same for a client, which sends nothing that is not declared. */
type Sent<Schema extends TSchema> = [Schema] extends [never] ? never : Frozen<Static<Schema>>;

/** What a handler can return: a document that fits the schema, or a response of its own, such as a file. */
type Answerable<Schema extends TSchema> = [Schema] extends [never] ? void : Frozen<Static<Schema>>;

interface Declaration<
  Access extends Door["access"],
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Answer extends TSchema,
  Result,
> extends Omit<RouteSpec<Params, Query, Body, Answer>, "method" | "path" | "access"> {
  /** Signed-in users if it is not set. */
  access?: Access;
  handle(
    call: NoInfer<
      Access extends "anyone"
        ? OpenCall<Described<Params>, Described<Query>, Described<Body>>
        : AuthenticatedCall<Described<Params>, Described<Query>, Described<Body>>
    >,
  ): Result;
}

/** A route such as `GET /api/jobs/:id` with its handler. The schemas determine the types of its input and answer. */
export const route = <
  const Request extends `${Method} /${string}`,
  Result extends Answerable<Answer> | Response | Promise<Answerable<Answer> | Response>,
  const Access extends Door["access"] = "user",
  Params extends TSchema = never,
  Query extends TSchema = never,
  Body extends TSchema = never,
  Answer extends TSchema = never,
>(
  request: Request,
  { handle, ...declared }: Declaration<Access, Params, Query, Body, Answer, Result>,
): Route<{
  request: Request;
  params: Sent<Params>;
  query: Sent<Query>;
  body: Sent<Body>;
  answer: Exclude<Awaited<Result>, Response>;
}> => {
  const [method, path] = request.split(" ") as [Method, string];
  return { spec: { access: "user", ...declared, method, path }, handle: handle as Route["handle"] };
};

/** The status of a successful answer: 200 with a document or file, 204 without, unless the declaration names another. */
export const getSuccessStatus = ({ status, answer, files }: RouteSpec): number =>
  status ?? (answer || files ? 200 : 204);
