import { addressInHop, plainAddress, type AddressRanges } from "../addresses.ts";
import type { Client } from "../auth/auth.ts";

/** Where a request came from; few answers want to know. */
export type Address = () => string;

/**
 * The address a request came from: behind proxies that are trusted, the one the outermost of them saw. What is no
 * address ends the chain: whoever stands behind it could have written it.
 */
export const clientAddress = (request: Request, socket: string, trusted: AddressRanges): string => {
  let known = plainAddress(socket) ?? socket;
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",");
  while (hops.length > 0 && trusted.has(known)) {
    const seen = addressInHop(hops.pop()!);
    if (seen === null) break;
    known = seen;
  }
  return known;
};

/** Who asks, for the list of sessions and the throttle. */
export const clientOf = ({ request, address }: { request: Request; address: Address }): Client => ({
  address: address(),
  userAgent: request.headers.get("user-agent"),
  host: new URL(request.url).host,
});
