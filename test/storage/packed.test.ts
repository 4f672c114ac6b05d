import { expect, test } from "bun:test";
import fc from "fast-check";
import { pack, packLayer, unpack, unpackLayer } from "../../src/storage/packed.ts";
import { NAMES } from "../../src/storage/packed-names.ts";
import { aFirstRecord, anyLayers } from "../support/contacts.ts";

test("whatever JSON can say comes back as it was", () => {
  fc.assert(
    fc.property(fc.json(), (text) => expect<unknown>(unpack(pack(JSON.parse(text)))).toEqual(JSON.parse(text))),
  );
});

// Invariant: what is packed comes back as it was
test("whatever the origins said comes back as it was", () => {
  fc.assert(
    fc.property(anyLayers(), (layers) => expect<unknown>(unpack(pack(layers))).toEqual(layers)),
    { numRuns: 30 },
  );
});

test("text far beyond the dictionary, and text that no encoding has, comes back as it was", () => {
  for (const text of ["é".repeat(300_000), "\ud800", "\0", "😀", ""])
    expect<unknown>(unpack(pack({ text }))).toEqual({ text });
});

test("what was never said is kept as nothing at all", () => {
  expect(packLayer(null)).toBeNull();
  expect(unpackLayer(null)).toBeNull();
  expect<unknown>(unpackLayer(packLayer({ fields: {} }))).toEqual({ fields: {} });
});

test("a name that is not foreseen, and text that looks like a mark, come back as they were", () => {
  for (const value of [
    { APP_OTHER_THING: "x" },
    { fields: { COMMENT: "two\r\nlines\tand more" } },
    { fields: { COMMENT: "\x02\x03\x04" } },
    { "\x0e!": "a" },
    JSON.parse('{"__proto__": {"call": "K1ABC"}}') as object,
    { a: [1, null], b: null, c: -0.5, d: 1e300, e: true, f: false, g: "" },
  ])
    expect<unknown>(unpack(pack(value))).toEqual(value);
});

/** What data on people's disks was written with. */
const SHIPPED = { names: 211, hash: "2zxvpns6kkx5a" };

test("the list of names only grows, and names nothing twice", () => {
  expect(new Set(NAMES).size).toBe(NAMES.length);
  expect(Bun.hash(NAMES.slice(0, SHIPPED.names).join(" ")).toString(36)).toBe(SHIPPED.hash);
});

test("bytes cut short, and bytes after the end, are refused instead of half read", () => {
  const bytes = pack(aFirstRecord());

  for (let length = 0; length < bytes.length; length++) expect(() => unpack(bytes.subarray(0, length))).toThrow();
  expect(() => unpack(Buffer.concat([bytes, bytes]))).toThrow("goes on");
});

test("a report's record takes less than half of its text", () => {
  const record = { qsl: aFirstRecord() };

  expect(pack(record).length).toBeLessThan(JSON.stringify(record).length / 2);
});

test("what two records of a contact both say is kept once, and both come back in their order", () => {
  const { fields } = aFirstRecord();
  const some = fc.subarray(Object.keys(fields));
  const picked = (names: readonly string[], also: object) => ({
    fields: { ...Object.fromEntries(names.map((name) => [name, fields[name]])), ...also },
  });
  fc.assert(
    fc.property(some, some, some, (qso, qsl, twin) => {
      const layer = { qso: picked(qso, { A: "x" }), qsl: picked(qsl, { A: "y" }), twins: { id: picked(twin, {}) } };
      expect(JSON.stringify(unpack(pack(layer)))).toBe(JSON.stringify(layer));
    }),
  );
  const [once, twice] = [{ qso: { fields } }, { qso: { fields }, qsl: { fields: { ...fields, NOTES: "more" } } }];
  expect(pack(twice).length).toBeLessThan(pack(once).length + 24);
});
