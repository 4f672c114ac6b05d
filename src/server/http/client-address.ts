import { parseHop, normaliseAddress, type AddressRanges } from "../../kernel/addresses.ts";
import type { Client } from "../../auth/auth.ts";
import type { Connection } from "./connection.ts";

/** Where a request came from; few answers want to know. */
export interface Address {
  visitor(): string;
  /** Who is signed in at a trusted proxy, as it says itself; null where none speaks for anybody. */
  namedByProxy(): string | null;
  /** They have said everything, and wait for the answer however long it takes. */
  hasAsked(): void;
}

/** For what is asked by nobody from outside. */
export const NOWHERE: Address = { visitor: () => "", namedByProxy: () => null, hasAsked: () => {} };

/**
 * Only who connects is believed: a header that came by way of a trusted proxy's address from somebody else is the proxy's
 * to take away. A name is one line of printable letters.
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
 * The address a request came from: behind proxies that are trusted, the one the outermost of them saw. What is no
 * address ends the chain: whoever stands behind it could have written it.
 */
export const clientAddress = (request: Request, socket: string, trusted: AddressRanges): string => {
  let known = normaliseAddress(socket) ?? socket;
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",");
  while (hops.length > 0 && trusted.has(known)) {
    const seen = parseHop(hops.pop()!);
    if (seen === null) break;
    known = seen;
  }
  return known;
};

/** Who asks, for the list of sessions and the throttle. */
export const clientOf = ({ request, address }: { request: Request; address: Address }): Client => ({
  address: address.visitor(),
  userAgent: request.headers.get("user-agent"),
  host: new URL(request.url).host,
});
