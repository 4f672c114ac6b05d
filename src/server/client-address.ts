import type { Client } from "../auth/auth.ts";

/** Where a request came from; few answers want to know. */
export type Address = () => string;

/** The address a request came from: behind proxies that are trusted, the one the outermost of them saw. */
export const clientAddress = (request: Request, socket: string, trusted: readonly string[]): string => {
  const socketAddress = plain(socket);
  if (!trusted.includes(socketAddress)) return socketAddress;
  const hops = (request.headers.get("x-forwarded-for") ?? "")
    .split(",")
    .map((hop) => plain(hop.trim()))
    .filter((hop) => hop !== "");
  return hops.findLast((hop) => !trusted.includes(hop)) ?? socketAddress;
};

/** A socket that listens for both kinds of address gives the older kind in the clothes of the newer. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/** Who asks, for the list of sessions and the throttle. */
export const clientOf = ({ request, address }: { request: Request; address: Address }): Client => ({
  address: address(),
  userAgent: request.headers.get("user-agent"),
});
