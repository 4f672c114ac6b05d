/** Resolves a host name to IP addresses. */
export type Lookup = (host: string) => Promise<string[]>;

export const lookupHost: Lookup = async (host) => {
  const { lookup } = process.getBuiltinModule("node:dns/promises");
  return (await lookup(host, { all: true })).map(({ address }) => address);
};
