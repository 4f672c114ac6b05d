import { lookup } from "node:dns/promises";

/** The addresses behind the name of a machine. */
export type Lookup = (host: string) => Promise<string[]>;

export const lookupHost: Lookup = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
