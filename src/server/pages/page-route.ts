import type { Static, TSchema } from "typebox";
import type { App } from "../../app.ts";
import type { Caller } from "../../auth/caller.ts";
import type { LogCaller } from "../../logbook/caller.ts";
import type { Door } from "../http/admit.ts";
import type { Address } from "../http/client-address.ts";
import type { Outcome } from "../../../views/form.tsx";

/** The declaration of a page: checks, types and the access test follow from it. */
export interface PageSpec<Params extends TSchema, Query extends TSchema> extends Omit<Door, "isPage" | "sessionOnly"> {
  method: "GET" | "POST";
  /** Parameters as `:name`. */
  path: string;
  params?: Params;
  query?: Query;
}

export interface PageCall<Params = unknown, Query = unknown> {
  app: App;
  request: Request;
  caller: Caller;
  asker: LogCaller;
  /** The caller of slow reads of a large log. A page with this title then begins with their progress. */
  watching(title: string): LogCaller;
  params: Params;
  query: Query;
  address: Address;
  header(name: string, value: string): void;
}

/** A page for anyone can have no caller. */
export interface OpenPageCall<Params = unknown, Query = unknown> extends Omit<
  PageCall<Params, Query>,
  "caller" | "asker"
> {
  caller: Caller | null;
  asker: LogCaller | null;
}

/** A page without its frame. */
export interface Shown {
  title: string;
  body: JSX.Element;
  /** A slower part that follows the body. The page is first sent without it. */
  rest?: () => Promise<JSX.Element>;
  status?: number;
  /** The page has a script for passkeys. */
  takesPasskeys?: boolean;
}

/** A path below the base path. */
export interface Goto {
  goto: string;
}

export interface Fragment {
  fragment: JSX.Element;
}

export type Answer = Shown | Goto | Fragment | Response;

export interface PageRoute {
  spec: PageSpec<TSchema, TSchema>;
  handle: (call: OpenPageCall, fields: Record<string, string>) => Promise<Answer> | Answer;
  /** For a form: renders its page after the form was handled. */
  page?: (call: OpenPageCall, outcome: Outcome) => Promise<Answer> | Answer;
  /** For a form: its name on the page. */
  form?: string;
  /** For a form: where the browser goes afterwards. */
  back?: string;
}

type CallOf<Spec extends { access: string }, Params, Query> = Spec["access"] extends "anyone"
  ? OpenPageCall<Params, Query>
  : PageCall<Params, Query>;

interface FormSpec<Params extends TSchema, Query extends TSchema> extends Omit<PageSpec<Params, Query>, "method"> {
  form: string;
  back?: string;
}

export const pageRoute = <
  const Spec extends Omit<PageSpec<Params, Query>, "method">,
  Params extends TSchema,
  Query extends TSchema,
>(
  spec: Spec & Omit<PageSpec<Params, Query>, "method">,
  handle: (call: CallOf<Spec, Static<Params>, Static<Query>>) => Promise<Answer> | Answer,
): PageRoute => ({ spec: { method: "GET", ...spec }, handle: handle as PageRoute["handle"] });

/**
 * A form of a page. Its handler returns the name of what was done, or where to go. An error is shown on the page next
 * to the form, with what was typed.
 */
export const formRoute = <const Spec extends FormSpec<Params, Query>, Params extends TSchema, Query extends TSchema>(
  { form, back, ...spec }: Spec & FormSpec<Params, Query>,
  handle: (
    call: CallOf<Spec, Static<Params>, Static<Query>>,
    fields: Record<string, string>,
  ) => Promise<Answer | string>,
  page?: (call: CallOf<Spec, Static<Params>, Static<Query>>, outcome: Outcome) => Promise<Answer> | Answer,
): PageRoute => ({
  spec: { method: "POST", ...(spec as Omit<PageSpec<TSchema, TSchema>, "method">) },
  handle: handle as PageRoute["handle"],
  page: page as PageRoute["page"],
  form,
  back,
});
