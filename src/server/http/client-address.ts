import { parseHop, normaliseAddress, type AddressRanges } from "../../kernel/addresses.ts";
import { redactText } from "../../kernel/redact.ts";
import type { Client } from "../../auth/auth.ts";
import type { Config } from "../../config.ts";
import type { Connection } from "./connection.ts";
import { cookiesOf, DEVICE_COOKIE } from "./cookies.ts";

/** Where a request came from. Computed only when needed. */
export interface Address {
  visitor(): string;
  /** The user whom a trusted proxy names, or null. */
  namedByProxy(): string | null;
  /** The request is complete. The connection stays open however long the answer takes. */
  hasAsked(): void;
}

/** For calls that do not come from outside. */
export const NOWHERE: Address = { visitor: () => "", namedByProxy: () => null, hasAsked: () => {} };

/**
 * Only the direct peer is trusted: a trusted proxy must remove this header from requests of others. A name is one line
 * of printable characters.
 */
export const addressOf = (
  request: Request,
  connection: Connection,
  trusted: AddressRanges,
  userHeader: string | null,
): Address => ({
  visitor: () => clientAddress(request, connection.address, trusted),
  namedByProxy() {
    const name = userHeader === null ? null : request.headers.get(userHeader);
    return name !== null && name.trim() !== "" && trusted.has(connection.address) ? name.trim() : null;
  },
  hasAsked: () => connection.hold(),
});

/**
 * The client's address: behind trusted proxies, the one that the outermost of them saw. An invalid address ends the
 * chain, because anyone behind it could have written it.
 */
const clientAddress = (request: Request, socket: string, trusted: AddressRanges): string => {
  let known = normaliseAddress(socket) ?? socket;
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",");
  while (hops.length > 0 && trusted.has(known)) {
    const seen = parseHop(hops.pop()!);
    if (seen === null) break;
    known = seen;
  }
  return known;
};

/** The client, for the list of sessions and for rate limits. */
export const clientOf = ({ config }: { config: Config }, request: Request, address: Address): Client => ({
  address: address.visitor(),
  userAgent: redactText(request.headers.get("user-agent") ?? "") || null,
  host: new URL(request.url).host,
  deviceCookies: cookiesOf(config, request, DEVICE_COOKIE),
});
