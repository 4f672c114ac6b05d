import { describe, expect, test } from "bun:test";
import { parseHop, AddressRanges, getNetworkOf, normaliseAddress } from "../src/kernel/addresses.ts";

describe("an IP address", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:0201", "192.0.2.1"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::", "::"],
    ["192.0.2.256", null],
    ["192.0.2", null],
    ["banana", null],
    ["", null],
    ["1:2:3", null],
  ])("%p is written %p", (text, plain) => expect(normaliseAddress(text)).toBe(plain));

  test.each([
    ["203.0.113.5:40001", "203.0.113.5"],
    [" 203.0.113.5 ", "203.0.113.5"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::ffff:203.0.113.5", "203.0.113.5"],
    ["[203.0.113.5]:1", null],
    ["203.0.113.5:x", null],
    ["unknown", null],
    ["_hidden", null],
    ["203.0.113.5:", null],
    ["1".repeat(20_000), null],
  ])("in the hop %p is %p", (hop, address) => expect(parseHop(hop)).toBe(address));

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::", "2001:db8:1:3::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("%p is one of %p", (address, neighbourhood) => expect(getNetworkOf(address)).toBe(neighbourhood));
});

describe("address ranges", () => {
  const trusted = new AddressRanges(["172.16.0.0/12", "127.0.0.1", "fd00:1::/32", "::1", "::ffff:10.0.0.0/104"]);

  test.each(["172.16.0.1", "172.31.255.255", "::ffff:172.20.0.1", "127.0.0.1", "fd00:1:2::3", "::1", "10.9.9.9"])(
    "contain %s",
    (address) => expect(trusted.has(address)).toBe(true),
  );

  test.each(["172.32.0.0", "127.0.0.2", "fd00:2::1", "::2", "11.0.0.1", "banana", ""])("do not contain %p", (address) =>
    expect(trusted.has(address)).toBe(false),
  );

  test.each(["banana", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/8/8", "0.0.0.0/0", "::/0", "10.0.0.0/", "/8"])(
    "are refused if they are invalid: %p",
    (text) => expect(() => new AddressRanges([text])).toThrow(),
  );
});
