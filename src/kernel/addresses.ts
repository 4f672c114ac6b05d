import type { BlockList } from "node:net";
import { lazy } from "./lazy.ts";

/** Loaded on first use, because it loads all streams, which takes as long as a short command. */
const net = () => process.getBuiltinModule("node:net");
const isIPv4 = (text: string): boolean => net().isIPv4(text);
const isIPv6 = (text: string): boolean => net().isIPv6(text);

/** The canonical form of an address; IPv4-mapped addresses become IPv4. Null if it is invalid. */
export const normaliseAddress = (text: string): string | null => {
  if (isIPv4(text)) return text;
  const [withoutZone = ""] = text.split("%", 1);
  if (!isIPv6(withoutZone)) return null;
  const plain = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(plain);
  return mapped ? dotted(mapped[1]!, mapped[2]!) : plain;
};

/** The IPv4 address in the last two groups of an IPv6 address. */
const dotted = (...groups: [string, string]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 0xff])
    .join(".");

/** The address in `address`, `address:port` or `[address]:port`; null for anything else. */
export const parseHop = (hop: string): string | null => {
  const text = hop.trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text);
  if (bracketed) return isIPv6(bracketed[1]!) ? normaliseAddress(bracketed[1]!) : null;
  return normaliseAddress(text) ?? normaliseAddress(text.replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, "$1"));
};

/** The network of one household or machine: an IPv4 address, or the /64 of an IPv6 address. */
export const getNetworkOf = (address: string): string => listNetworksOf(address)[0]!;

/**
 * The networks that can belong to the same person, narrowest first. Providers give a household a /64, a /56 or even a
 * /48 of IPv6 addresses.
 */
export const listNetworksOf = (address: string): string[] => {
  const plain = normaliseAddress(address);
  if (plain === null || isIPv4(plain)) return [plain ?? address];
  const [left = "", right = ""] = plain.split("::");
  const groups = left === "" ? [] : left.split(":");
  const zeros = 8 - groups.length - (right === "" ? 0 : right.split(":").length);
  groups.push(...Array.from({ length: zeros }, () => "0"), ...right.split(":"));
  const fourth = Number.parseInt(groups[3]!, 16) & 0xff00;
  return [
    `${groups.slice(0, 4).join(":")}::/64`,
    `${groups.slice(0, 3).join(":")}:${fourth.toString(16)}::/56`,
    `${groups.slice(0, 3).join(":")}::/48`,
  ];
};

const MAPPED_BITS = 96;

const addRange = (list: BlockList, text: string): void => {
  const [given = "", bits, ...more] = text.split("/");
  const address = normaliseAddress(given);
  const isV4 = address !== null && isIPv4(address);
  const most = isIPv4(given) ? 32 : 128;
  const wanted = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
  if (address === null || more.length > 0 || wanted < 0 || wanted > most) {
    throw new Error(`must be addresses or ranges such as 172.16.0.0/12, not ${JSON.stringify(text)}.`);
  }
  const prefix = isV4 && most === 128 ? wanted - MAPPED_BITS : wanted;
  if (prefix <= 0) throw new Error(`${JSON.stringify(text)} would trust everyone.`);
  list.addSubnet(address, prefix, isV4 ? "ipv4" : "ipv6");
};

/** Throws unless all are addresses or ranges. */
export const assertRanges = (texts: readonly string[]): void => void new AddressRanges(texts);

/** A set of addresses and ranges, parsed once. */
export class AddressRanges {
  readonly #list = new (net().BlockList)();

  constructor(texts: readonly string[]) {
    for (const text of texts) addRange(this.#list, text);
  }

  has(address: string): boolean {
    const plain = normaliseAddress(address);
    return plain !== null && this.#list.check(plain, isIPv4(plain) ? "ipv4" : "ipv6");
  }
}

const ranges = (...texts: string[]) => lazy(() => new AddressRanges(texts));

/** IPv4 ranges for local networks, loopback, multicast, broadcast and reserved addresses. */
const specialIpv4 = ranges(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
);
/** The only IPv6 range with public addresses, some of which are excluded below. */
const publicIpv6 = ranges("2000::/3");
const specialIpv6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");
/** NAT64: the last 32 bits are an IPv4 address. */
const TRANSLATED = /^64:ff9b::(?:([\da-f]+):)?([\da-f]+)$/;

/** Whether an address is public, not local, loopback or reserved. */
export const isPublicAddress = (address: string): boolean => {
  const plain = normaliseAddress(address);
  if (plain === null) return false;
  const translated = TRANSLATED.exec(plain);
  const v4 = translated ? dotted(translated[1] ?? "0", translated[2]!) : plain;
  if (isIPv4(v4)) return !specialIpv4().has(v4);
  return publicIpv6().has(plain) && !specialIpv6().has(plain);
};

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether the host of a URL is this machine, so that nobody else can read what is sent there. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);
