import type { Static, TSchema } from "typebox";
import type { App } from "../../app.ts";
import type { Caller } from "../../auth/caller.ts";
import type { LogCaller } from "../../logbook/caller.ts";
import type { Frozen } from "../../kernel/schema.ts";
import type { Door } from "./admit.ts";
import type { Address } from "./client-address.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The only description of a route: checks, types, clients, the OpenAPI document, docs/api.md and the access test follow from it. */
export interface RouteSpec<Params extends TSchema, Query extends TSchema, Body extends TSchema> extends Door {
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
  answer?: TSchema;
  /** Media types of the files that it answers instead of, or in addition to, a document. */
  files?: readonly string[];
  /** The answer, with status 200, if the body has `dryRun`. */
  preview?: TSchema;
  /** The status of a successful answer, if it is not the one that `getSuccessStatus` gives. */
  status?: number;
  /** Answers 304 to clients that have the document already, as long as the log is unchanged. */
  hasEtag?: boolean;
}

export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  app: App;
  request: Request;
  params: Params;
  query: Query;
  body: Body;
  address: Address;
  /** Sets a header of the response. Cookies are added. */
  header(name: string, value: string): void;
}

export interface AuthenticatedCall<Params = unknown, Query = unknown, Body = unknown> extends Call<
  Params,
  Query,
  Body
> {
  caller: Caller;
  asker: LogCaller;
}

/** A route for anyone can have no caller. */
export interface OpenCall<Params = unknown, Query = unknown, Body = unknown> extends Call<Params, Query, Body> {
  caller: Caller | null;
  asker: LogCaller | null;
}

export interface Route<Spec = RouteSpec<TSchema, TSchema, TSchema>, Answer = unknown> {
  spec: Spec;
  handle(call: OpenCall): unknown;
  /** The type of the document. It never has a value. */
  answers?: Answer;
}

type CallOf<Spec extends { access: string }, Params, Query, Body> = Spec["access"] extends "anyone"
  ? OpenCall<Params, Query, Body>
  : AuthenticatedCall<Params, Query, Body>;

/** What a handler can return: a document that fits the schema, or a response of its own, such as a file. */
type Answerable<Spec> = Spec extends { answer: infer Schema extends TSchema } ? Frozen<Static<Schema>> : void;

/** A route with its handler. The schemas determine the types of its input and answer. */
export const route = <
  const Spec extends RouteSpec<Params, Query, Body>,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Answer extends Answerable<Spec> | Response | Promise<Answerable<Spec> | Response>,
>(
  spec: Spec & RouteSpec<Params, Query, Body>,
  handle: (call: CallOf<Spec, Static<Params>, Static<Query>, Static<Body>>) => Answer,
): Route<Spec, Exclude<Awaited<Answer>, Response>> => ({ spec, handle: handle as Route["handle"] });

/** The status of a successful answer: 200 with a document or file, 204 without, unless the declaration names another. */
export const getSuccessStatus = ({ status, answer, files }: Route["spec"]): number =>
  status ?? (answer || files ? 200 : 204);
