import { lookup } from "node:dns/promises";

/** Resolves a host name to IP addresses. */
export type Lookup = (host: string) => Promise<string[]>;

export const lookupHost: Lookup = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
