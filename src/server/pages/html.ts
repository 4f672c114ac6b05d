import { handleHtml } from "@elysiajs/html/handler";
import { streamOf, textResponse, UNBUFFERED } from "../http/response.ts";

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'self'",
].join("; ");

const TYPE = "text/html; charset=utf-8";

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
  vary: "hx-request",
};

/** A page or a part of one, with its security headers. */
export const html = async (markup: JSX.Element, status = 200): Promise<Response> =>
  textResponse(await rendered(markup), TYPE, status, HEADERS);

/** The markup as text. A whole page begins with a doctype. */
const rendered = async (markup: JSX.Element): Promise<string> =>
  (await handleHtml(await markup, { contentType: TYPE, autoDoctype: true }, false)).text();

/** Marks where the rest of a streamed page is inserted. Other text cannot contain it, because it is escaped. */
export const REST_MARK = "<!--rest-->";

/** A page that is sent up to the mark, then the rest when it is ready, then the end. */
export const streamedHtml = async (
  markup: JSX.Element,
  rest: () => AsyncIterable<string> | Iterable<Promise<string>>,
  status = 200,
): Promise<Response> => {
  const [begin = "", end = ""] = (await rendered(markup)).split(REST_MARK);
  const parts = async function* () {
    yield begin;
    yield* rest();
    yield end;
  };
  return new Response(streamOf(parts()), { status, headers: { ...HEADERS, "content-type": TYPE, ...UNBUFFERED } });
};
