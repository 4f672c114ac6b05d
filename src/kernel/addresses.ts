/** An IP address as an IPv6 number; IPv4 addresses are mapped. */
interface Place {
  value: bigint;
  isIpv4: boolean;
}

const isIPv4 = (text: string): boolean => {
  const parts = text.length <= 15 ? text.split(".") : [];
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
};
const isIPv6 = (text: string): boolean => /^[0-9a-f:.]{2,45}$/i.test(text) && URL.canParse(`http://[${text}]`);

const BITS = 128n;
const IPV4_BITS = 32n;
const MAPPED = 0xffffn << IPV4_BITS;

const parseIpv4 = (text: string): bigint =>
  text.split(".").reduce((value, part) => (value << 8n) + BigInt(Number(part)), 0n);

const parseIpv6 = (text: string): bigint => {
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const ipv4 = tail ? parseIpv4(tail[2]!) : 0n;
  const whole = tail ? `${tail[1]}${(ipv4 >> 16n).toString(16)}:${(ipv4 & 0xffffn).toString(16)}` : text;
  const [left = "", right] = whole.split("::");
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":"));
  const [first, last] = [groupsOf(left), groupsOf(right ?? "")];
  const zeros = right === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return groups.reduce((value, group) => (value << 16n) + BigInt(`0x${group}`), 0n);
};

const parseAddress = (text: string): Place | null => {
  if (isIPv4(text)) return { value: MAPPED + parseIpv4(text), isIpv4: true };
  const [plain = ""] = text.split("%", 1);
  if (!isIPv6(plain)) return null;
  const value = parseIpv6(plain);
  return { value, isIpv4: value >> IPV4_BITS === MAPPED >> IPV4_BITS };
};

const groupsOf = (value: bigint): string[] =>
  Array.from({ length: 8 }, (_, at) => ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));

const formatAddress = ({ value, isIpv4 }: Place): string => {
  if (isIpv4) return [24n, 16n, 8n, 0n].map((by) => (value >> by) & 0xffn).join(".");
  return new URL(`http://[${groupsOf(value).join(":")}]`).hostname.slice(1, -1);
};

/** The canonical form of an address; IPv4-mapped addresses become IPv4. Null if it is invalid. */
export const normaliseAddress = (text: string): string | null => {
  const place = parseAddress(text);
  return place && formatAddress(place);
};

/** The address in `address`, `address:port` or `[address]:port`; null for anything else. */
export const parseHop = (hop: string): string | null => {
  const text = hop.trim();
  if (text.length > 60) return null;
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text);
  if (bracketed) return isIPv6(bracketed[1]!) ? normaliseAddress(bracketed[1]!) : null;
  return normaliseAddress(text) ?? normaliseAddress(text.replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, "$1"));
};

/** The network of one household or machine: an IPv4 address, or the /64 of an IPv6 address. */
export const getNetworkOf = (address: string): string => {
  const place = parseAddress(address);
  if (!place || place.isIpv4) return place ? formatAddress(place) : address;
  return `${groupsOf(place.value).slice(0, 4).join(":")}::/64`;
};

interface Range {
  first: bigint;
  bits: bigint;
}

/** Parses `address` or `address/bits`. Throws a message for the operator. */
const parseRange = (text: string): Range => {
  const [address = "", bits, ...more] = text.split("/");
  const place = parseAddress(address);
  const own = place?.isIpv4 && isIPv4(address) ? IPV4_BITS : BITS;
  const wanted = bits === undefined ? own : /^\d{1,3}$/.test(bits) ? BigInt(bits) : -1n;
  if (!place || more.length > 0 || wanted < 0n || wanted > own) {
    throw new Error(`must be addresses or ranges such as 172.16.0.0/12, not ${JSON.stringify(text)}.`);
  }
  if (wanted === 0n) throw new Error(`${JSON.stringify(text)} would trust everybody.`);
  const free = own - wanted;
  return { first: (place.value >> free) << free, bits: free };
};

/** Throws unless all are addresses or ranges. */
export const assertRanges = (texts: readonly string[]): void => void texts.map(parseRange);

/** A set of addresses and ranges, parsed once. */
export class AddressRanges {
  readonly #ranges: readonly Range[];

  constructor(texts: readonly string[]) {
    this.#ranges = texts.map(parseRange);
  }

  has(address: string): boolean {
    if (this.#ranges.length === 0) return false;
    const place = parseAddress(address);
    return place !== null && this.#ranges.some(({ first, bits }) => place.value >> bits === first >> bits);
  }
}

/** IPv4 ranges for local networks, loopback, multicast, broadcast and reserved addresses. */
const SPECIAL_IPV4 = [
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
];
/** The only IPv6 range with public addresses, some of which are excluded below. */
const PUBLIC_IPV6 = ["2000::/3"];
const NEWER_WITHOUT_OWNER = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];
/** NAT64: the last 32 bits are an IPv4 address. */
const TRANSLATED = ["64:ff9b::/96"];

const isIn = (texts: readonly string[], { value }: Place): boolean =>
  texts.map(parseRange).some(({ first, bits }) => value >> bits === first >> bits);

/** Whether an address is public, not local, loopback or reserved. */
export const isPublicAddress = (address: string): boolean => {
  const place = parseAddress(address);
  if (!place) return false;
  if (place.isIpv4) return !isIn(SPECIAL_IPV4, place);
  if (isIn(TRANSLATED, place)) {
    const value = MAPPED + (place.value & ((1n << IPV4_BITS) - 1n));
    return !isIn(SPECIAL_IPV4, { value, isIpv4: true });
  }
  return isIn(PUBLIC_IPV6, place) && !isIn(NEWER_WITHOUT_OWNER, place);
};
