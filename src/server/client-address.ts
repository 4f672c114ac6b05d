/** The address a request came from: behind proxies that are trusted, the one the outermost of them saw. */
export const clientAddress = (request: Request, socketAddress: string, trusted: readonly string[]): string => {
  if (!trusted.includes(socketAddress)) return socketAddress;
  const hops = (request.headers.get("x-forwarded-for") ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  return hops.findLast((hop) => !trusted.includes(hop)) ?? socketAddress;
};
