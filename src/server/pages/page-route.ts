import type { Static, TSchema } from "typebox";
import type { Caller } from "../../auth/caller.ts";
import type { LogCaller } from "../../logbook/caller.ts";
import type { Door } from "../http/admit.ts";
import type { Described, OpenCall } from "../http/route.ts";
import type { Outcome } from "../../../views/form.tsx";

/** The declaration of a page: checks, types and the access test follow from it. */
interface PageSpec<Params extends TSchema = TSchema, Query extends TSchema = TSchema> extends Omit<
  Door,
  "isPage" | "sessionOnly"
> {
  method: "GET" | "POST";
  /** Parameters as `:name`. */
  path: string;
  params?: Params;
  query?: Query;
}

/** On a page for anyone there can be no caller. */
export interface OpenPageCall<Params = unknown, Query = unknown> extends OpenCall<Params, Query> {
  /** The caller of slow reads of a large log. A page with this title then begins with their progress. */
  watching(title: string): LogCaller;
}

export interface PageCall<Params = unknown, Query = unknown> extends OpenPageCall<Params, Query> {
  caller: Caller;
  asker: LogCaller;
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

interface Fragment {
  fragment: JSX.Element;
}

export type Answer = Shown | Goto | Fragment | Response;

type CallOf<Access, Params extends TSchema, Query extends TSchema> = NoInfer<
  Access extends "anyone"
    ? OpenPageCall<Described<Params>, Described<Query>>
    : PageCall<Described<Params>, Described<Query>>
>;

type Render<Call> = (call: Call, outcome: Outcome) => Promise<Answer> | Answer;

export interface PageRoute {
  spec: PageSpec;
  /** Of a form: the page with the form, rendered with the outcome. */
  page?: Render<OpenPageCall>;
  form?: Form;
}

export interface Form extends FormSpec {
  submit(call: OpenPageCall, fields: unknown): Promise<Answer | string | void>;
}

interface FormSpec<Fields extends TSchema = TSchema> {
  /** Its name on the page. Parameters as `:name`. */
  form: string;
  /** Without a schema, the handler gets all fields as text. */
  fields?: Fields;
  /** Where the browser goes afterwards. Parameters as `:name`. */
  back?: string;
  /** The name of what was done, for the message on the page. Parameters as `:name`. */
  done?: string;
}

interface PageDeclaration<Access extends Door["access"], Params extends TSchema, Query extends TSchema> extends Omit<
  PageSpec<Params, Query>,
  "method" | "path" | "access"
> {
  /** Signed-in users if it is not set. */
  access?: Access;
}

export const pageRoute = <
  const Access extends Door["access"] = "user",
  Params extends TSchema = never,
  Query extends TSchema = never,
>(
  path: string,
  { page, ...declared }: PageDeclaration<Access, Params, Query> & { page: Render<CallOf<Access, Params, Query>> },
): PageRoute => ({
  spec: { access: "user", ...declared, method: "GET", path },
  page: page as PageRoute["page"],
});

interface FormDeclaration<
  Access extends Door["access"],
  Params extends TSchema,
  Query extends TSchema,
  Fields extends TSchema,
>
  extends PageDeclaration<Access, Params, Query>, FormSpec<Fields> {
  /**
   * Returns where to go, or the name of what was done if `done` does not say it. An error is shown on the page next to
   * the form, with what was typed.
   */
  submit(
    call: CallOf<Access, Params, Query>,
    fields: [Fields] extends [never] ? Record<string, string> : Static<Fields>,
  ): Promise<Answer | string | void>;
  page?: Render<CallOf<Access, Params, Query>>;
}

export const formRoute = <
  const Access extends Door["access"] = "user",
  Params extends TSchema = never,
  Query extends TSchema = never,
  Fields extends TSchema = never,
>(
  path: string,
  { form, fields, back, done, submit, page, ...declared }: FormDeclaration<Access, Params, Query, Fields>,
): PageRoute => ({
  spec: { access: "user", ...declared, method: "POST", path },
  page: page as PageRoute["page"],
  form: { form, fields, back, done, submit: submit as Form["submit"] },
});
