import { logVersion } from "../../logbook/statistics.ts";
import { version } from "../../../package.json";
import { RULES_VERSION } from "../../domain/contact/derive.ts";
import type { AuthenticatedCall } from "./route.ts";

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
    await app.countryFileMark(),
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
