import { whole } from "./whole.ts";

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'self'",
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
  vary: "hx-request",
};

/** Markup with the headers that keep it to itself; a whole page begins with its doctype. */
export const html = (markup: JSX.Element, status = 200): Response => {
  const text = String(markup);
  const page = text.startsWith("<html") ? `<!doctype html>${text}` : text;
  return whole(page, "text/html; charset=utf-8", status, HEADERS);
};
